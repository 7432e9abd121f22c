//! What the agents of a run run with: instruction, profile, model, and who stands in; and what a fork changes of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Agent;
use kernel::{AgentChange, AgentDefinition, Code, Definition, Limits, Overrides, Value, phrase};
use pipelines::Pipeline;
use serde_json::json;

use crate::accounts::checks::checked_changes;
use crate::accounts::fallbacks::{agent_change, fallbacks};
use crate::accounts::profile_card::{asked_as, find, model_for};
use crate::api::{ForkRun, StartRun};
use crate::{ApiError, Desk};

impl Desk {
    /// What each agent of a run runs with.
    pub(crate) fn agents(
        &self,
        pipeline: &dyn Pipeline,
        request: &StartRun,
        limits: &Limits,
    ) -> Result<BTreeMap<String, AgentDefinition>, ApiError> {
        known_agents(pipeline, request.instructions.keys().chain(request.models.keys()))?;
        known_agents(pipeline, request.profiles.keys())?;
        let mut agents = BTreeMap::new();
        for setup in &pipeline.describe().agents {
            let profile = find(&self.inner.settings, &self.profile_of_agent(request, &setup.name)?)?;
            let instruction = match request.instructions.get(&setup.name) {
                Some(instruction) => instruction.clone(),
                None => self.instruction(&request.pipeline, setup)?,
            };
            let model = match request.models.get(&setup.name) {
                Some(model) => model.clone(),
                None => model_for(&profile, &setup.model_role)?,
            };
            let agent = AgentDefinition {
                instruction: Value::text(instruction),
                profile: asked_as(&profile),
                model,
                temperature: setup.temperature,
                max_output_tokens: limits.max_output_tokens.unwrap_or(2048),
                limits: Limits::default(),
                fallbacks: fallbacks(&self.inner.settings, &profile, &setup.model_role)?,
                is_without_model: false,
            };
            agents.insert(setup.name.clone(), agent);
        }
        Ok(agents)
    }

    /// The profile of an agent: as the run says for it or for all, else as the settings say.
    fn profile_of_agent(&self, request: &StartRun, agent: &str) -> Result<String, ApiError> {
        if let Some(profile) = request.profiles.get(agent).or(request.profile.as_ref()) {
            return Ok(profile.clone());
        }
        let own =
            self.inner.settings.get(&format!("pipelines.{}.agents.{agent}.profile", request.pipeline))?;
        if own.is_empty() { self.chosen_profile(request) } else { Ok(own) }
    }

    /// The instruction as it is now: the person's own, else the program's.
    fn instruction(&self, pipeline: &str, setup: &pipelines::AgentSetup) -> Result<String, ApiError> {
        let own =
            self.inner.settings.get(&format!("pipelines.{pipeline}.agents.{}.instruction", setup.name))?;
        Ok(if own.is_empty() { setup.instruction.clone() } else { own })
    }

    /// The pipeline of a run as it is now, and the stored definition with the instructions as they are now.
    /// Instructions that were given for the run itself stay, for they are part of what was asked.
    pub(crate) fn present(&self, stored: &Definition) -> Result<(Arc<dyn Agent>, Definition), ApiError> {
        let pipeline = self.pipeline(&stored.pipeline)?;
        let root = pipeline.tree(&self.setup(pipeline.as_ref(), &stored.tools))?;
        let mut now = stored.clone();
        for setup in &pipeline.describe().agents {
            let Some(agent) = now.agents.get_mut(&setup.name) else { continue };
            let was_asked_for = stored.given_instructions.contains(&setup.name);
            if !was_asked_for {
                agent.instruction = Value::text(self.instruction(&stored.pipeline, setup)?);
            }
        }
        now.outline = root.outline().clone();
        now.declared = pipeline.definition().map(|definition| json!(definition.as_ref()).into());
        Ok((root, now))
    }

    /// What a fork changes.
    pub(crate) fn overrides(&self, definition: &Definition, fork: &ForkRun) -> Result<Overrides, ApiError> {
        let pipeline = self.inner.pipelines.of_run(definition)?;
        known_agents(pipeline.as_ref(), fork.instructions.keys().chain(fork.models.keys()))?;
        let mut agents: BTreeMap<String, AgentChange> = BTreeMap::new();
        let mut limits = BTreeMap::new();
        if let Some(profile) = &fork.profile {
            let card = find(&self.inner.settings, profile)?;
            limits.extend(card.limits.iter().map(|(name, most)| (*name, Some(*most))));
            for setup in &pipeline.describe().agents {
                let change = agent_change(&self.inner.settings, &card, &setup.model_role)?;
                agents.insert(setup.name.clone(), change);
            }
        }
        for (agent, instruction) in &fork.instructions {
            agents.entry(agent.clone()).or_default().instruction = Some(Value::text(instruction.clone()));
        }
        for (agent, model) in &fork.models {
            agents.entry(agent.clone()).or_default().model = Some(model.clone());
        }
        checked_changes(&fork.limits)?;
        limits.extend(&fork.limits);
        let declared = &pipeline.describe().keys;
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
            allowed_tools: self.known_tools(&fork.allow)?,
            ..Overrides::default()
        })
    }
}

fn known_agents<'a>(
    pipeline: &dyn Pipeline,
    mut names: impl Iterator<Item = &'a String>,
) -> Result<(), ApiError> {
    let agents = &pipeline.describe().agents;
    match names.find(|name| !agents.iter().any(|agent| agent.name == name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let known: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
            let message = phrase!(
                "`{pipeline}` has no model agent `{agent}`; it has {known}",
                pipeline = pipeline.describe().id,
                agent = name,
                known
            );
            Err(ApiError::new(Code::BadInput, message))
        }
    }
}
