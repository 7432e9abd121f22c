//! The settings of a run's agents: instruction, profile, model and fallback, and their changes in a fork.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Agent;
use interpreter::{AgentSetup, Pipeline, rewriting};
use kernel::{
    AgentChange, AgentDefinition, Code, Definition, Limits, Outline, Overrides, Path, PipelineDefinition,
    Value, phrase,
};
use serde::Deserialize as _;
use serde_json::json;

use crate::ApiError;
use crate::accounts::checks::checked_changes;
use crate::accounts::fallbacks::{agent_change, fallbacks};
use crate::accounts::profile_card::{asked_as, find, model_for};
use crate::api::{AgentSettings, ForkRun, StartRun};
use crate::runs::RunService;
use crate::runs::places::{known_gates, known_settings};

/// Highest temperature of any provider.
const MOST_TEMPERATURE: f64 = 2.0;

impl RunService {
    /// The settings of each agent of a run.
    pub(crate) fn agents(
        &self,
        pipeline: &Pipeline,
        request: &StartRun,
        limits: &Limits,
    ) -> Result<BTreeMap<String, AgentDefinition>, ApiError> {
        check_settings(request.temperature, &request.agents)?;
        let mut agents = BTreeMap::new();
        for setup in pipeline.agents() {
            let profile = find(&self.settings, &self.profile_of_agent(request, &setup.name)?)?;
            let own = request.agents.get(&setup.name).cloned().unwrap_or_default();
            let instruction = match own.instruction {
                Some(instruction) => instruction,
                None => self.instruction(&request.pipeline, setup)?,
            };
            let model = match own.model {
                Some(model) => model,
                None => model_for(&profile, &setup.model_role)?,
            };
            let mut of_agent = setup.limits.clone();
            own.limits.iter().for_each(|(name, most)| of_agent.set(*name, *most));
            let agent = AgentDefinition {
                instruction: Value::text(instruction),
                profile: asked_as(&profile),
                model,
                temperature: own.temperature.or(request.temperature).unwrap_or(setup.temperature),
                max_output_tokens: limits.max_output_tokens.unwrap_or(2048),
                limits: of_agent,
                fallbacks: fallbacks(&self.settings, &profile, &setup.model_role)?,
                is_without_model: false,
            };
            agents.insert(setup.name.clone(), agent);
        }
        Ok(agents)
    }

    /// The settings of a run for paths that are no names of model agents: limits of composed agents, and settings of
    /// single instances.
    pub(crate) fn settings_of_places(
        &self,
        pipeline: &Pipeline,
        outline: &Outline,
        request: &StartRun,
    ) -> Result<Overrides, ApiError> {
        let known = names(pipeline);
        let others = request.agents.iter().filter(|(place, _)| !known.contains(&place.as_str()));
        let agents = others.map(|(place, own)| {
            Ok((place.clone(), self.changed(pipeline, place, own, AgentChange::default())?))
        });
        let agents = agents.collect::<Result<BTreeMap<_, _>, ApiError>>()?;
        known_settings(outline, &known, &agents)?;
        Ok(Overrides { agents, ..Overrides::default() })
    }

    /// Changed settings of an agent, over its present ones.
    fn changed(
        &self,
        pipeline: &Pipeline,
        place: &str,
        own: &AgentSettings,
        mut change: AgentChange,
    ) -> Result<AgentChange, ApiError> {
        let setup = pipeline.agents().iter().find(|setup| setup.name == Path::name_of(place));
        if let (Some(profile), Some(setup)) = (&own.profile, setup) {
            let card = find(&self.settings, profile)?;
            let temperature = change.temperature;
            change = AgentChange { temperature, ..agent_change(&self.settings, &card, &setup.model_role)? };
        }
        change.instruction = own.instruction.clone().map(Value::text);
        change.model = own.model.clone().or(change.model);
        change.temperature = own.temperature.or(change.temperature);
        change.limits = own.limits.clone();
        Ok(change)
    }

    /// The profile of an agent: the run's choice for it or for all, else that of the settings.
    fn profile_of_agent(&self, request: &StartRun, agent: &str) -> Result<String, ApiError> {
        let own = request.agents.get(agent).and_then(|own| own.profile.as_ref());
        if let Some(profile) = own.or(request.profile.as_ref()) {
            return Ok(profile.clone());
        }
        let own = self.settings.get(&format!("pipelines.{}.agents.{agent}.profile", request.pipeline))?;
        if own.is_empty() { self.chosen_profile(request) } else { Ok(own) }
    }

    /// The present instruction: the person's own, else the program's.
    fn instruction(&self, pipeline: &str, setup: &AgentSetup) -> Result<String, ApiError> {
        let own = self.settings.get(&format!("pipelines.{pipeline}.agents.{}.instruction", setup.name))?;
        Ok(if own.is_empty() { setup.instruction.clone() } else { own })
    }

    /// The present pipeline of a run, and its stored definition with the present instructions and temperatures.
    /// Instructions that were given for the run stay, because they are part of the request.
    pub(crate) fn present(&self, stored: &Definition) -> Result<(Arc<dyn Agent>, Definition), ApiError> {
        let mut pipeline = self.pipelines.get(&stored.pipeline)?;
        if stored.is_rewrite
            && let Some(rewriting) = rewriting(pipeline.definition())
        {
            pipeline = Arc::new(Pipeline::new(rewriting, pipeline.registry().clone()));
        }
        let setup =
            self.setup(pipeline.as_ref(), &stored.tools, &stored.foreign_tools, stored.decides_issues);
        let root = pipeline.tree(&setup)?;
        let mut now = stored.clone();
        let declared = stored.declared.as_ref().and_then(Value::json);
        let declared = declared.and_then(|json| PipelineDefinition::deserialize(json).ok());
        for setup in pipeline.agents() {
            let Some(agent) = now.agents.get_mut(&setup.name) else { continue };
            let was_asked_for = stored.given_instructions.contains(&setup.name);
            if !was_asked_for {
                agent.instruction = Value::text(self.instruction(&stored.pipeline, setup)?);
            }
            let was_declared = declared.as_ref().and_then(|declared| declared.agents.get(&setup.name));
            if was_declared
                .is_some_and(|was| was.temperature.unwrap_or(kernel::TEMPERATURE) == agent.temperature)
            {
                agent.temperature = setup.temperature;
            }
        }
        now.outline = root.outline().clone();
        now.declared = Some(json!(pipeline.definition().as_ref()).into());
        Ok((root, now))
    }

    /// The changes of a fork.
    pub(crate) fn overrides(&self, definition: &Definition, fork: &ForkRun) -> Result<Overrides, ApiError> {
        let pipeline = self.pipelines.of_run(definition)?;
        check_settings(fork.temperature, &fork.agents)?;
        let mut agents: BTreeMap<String, AgentChange> = BTreeMap::new();
        let mut limits = BTreeMap::new();
        if let Some(profile) = &fork.profile {
            let card = find(&self.settings, profile)?;
            limits.extend(card.limits.iter().map(|(name, most)| (*name, Some(*most))));
            for setup in pipeline.agents() {
                let change = agent_change(&self.settings, &card, &setup.model_role)?;
                agents.insert(setup.name.clone(), change);
            }
        }
        for setup in pipeline.agents() {
            let mut change = agents.remove(&setup.name).unwrap_or_default();
            change.temperature = fork.temperature;
            if change != AgentChange::default() {
                agents.insert(setup.name.clone(), change);
            }
        }
        for (place, own) in &fork.agents {
            let change = agents.remove(place).unwrap_or_default();
            agents.insert(place.clone(), self.changed(pipeline.as_ref(), place, own, change)?);
        }
        known_settings(&definition.outline, &names(pipeline.as_ref()), &agents)?;
        known_gates(&definition.outline, &fork.gates)?;
        checked_changes(&fork.limits)?;
        limits.extend(&fork.limits);
        let declared = pipeline.keys();
        if let Some(key) = fork.set.keys().find(|key| !declared.iter().any(|known| known.name == **key)) {
            let names: Vec<&str> = declared.iter().map(|key| key.name.as_str()).collect();
            let message = phrase!(
                "`{pipeline}` has no key `{key}`; it has {known}",
                pipeline = definition.pipeline,
                key,
                known = names
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        Ok(Overrides {
            agents,
            limits,
            allowed_tools: self.accounts.known_rules(&fork.allow)?,
            gates: fork.gates.clone(),
            ..Overrides::default()
        })
    }
}

/// The agents with an instruction that was given for the run.
pub(crate) fn given_instructions(agents: &BTreeMap<String, AgentSettings>) -> Vec<String> {
    agents.iter().filter(|(_, own)| own.instruction.is_some()).map(|(name, _)| name.clone()).collect()
}

/// The names of the agents that ask a model.
pub(crate) fn names(pipeline: &Pipeline) -> Vec<&str> {
    pipeline.agents().iter().map(|agent| agent.name.as_str()).collect()
}

/// Refuses invalid settings of an agent.
fn check_settings(
    temperature: Option<f64>,
    settings: &BTreeMap<String, AgentSettings>,
) -> Result<(), ApiError> {
    for (agent, own) in settings {
        checked_changes(&own.limits)?;
        if own.instruction.as_ref().is_some_and(|instruction| instruction.trim().is_empty()) {
            let message = phrase!(
                "The instruction of `{agent}` is empty; write one, or leave it out for the usual one",
                agent
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
    }
    let mut given = temperature.into_iter().chain(settings.values().filter_map(|own| own.temperature));
    match given.find(|value| !(0.0..=MOST_TEMPERATURE).contains(value)) {
        None => Ok(()),
        Some(value) => {
            let message = phrase!(
                "The temperature cannot be {value}; give a number from 0 to {most}",
                value,
                most = MOST_TEMPERATURE
            );
            Err(ApiError::new(Code::BadInput, message))
        }
    }
}
