//! Repeats a run: makes the request for a run with the same pipeline, inputs and settings.

use std::collections::BTreeMap;

use interpreter::{AgentSetup, Pipeline};
use kernel::{AgentDefinition, Definition, LimitName, Limits, Value};
use pipelines::{ONE_STEP, TEXT, one_step_beginning, one_step_sources, one_step_text};

use crate::ApiError;
use crate::accounts::profile_card::{find, model_for};
use crate::api::{AgentSettings, Json, ReadRequest, StartRun};
use crate::runs::RunService;
use crate::runs::replays::{refuse_incomplete, refuse_lost};

impl RunService {
    /// The request for a run like this one. Permissions of tools are not included: they are asked for again.
    pub(crate) async fn read_request(&self, asked: ReadRequest) -> Result<StartRun, ApiError> {
        let id = self.store.resolve_run(&asked.run).await?;
        refuse_incomplete(&self.store.run_card(&id).await?)?;
        let start = self.store.start(&id).await?;
        let definition = &start.definition;
        refuse_lost(definition)?;
        let pipeline = self.pipelines.get(&definition.pipeline)?;
        let now = pipeline.definition();
        let is_given = |key: &str| now.inputs.get(key).is_some_and(|input| !input.kind.is_filled());
        let is_one_step = definition.pipeline == ONE_STEP;
        let mut request = StartRun {
            pipeline: definition.pipeline.clone(),
            tools: definition.tools.iter().map(|(slot, tool)| (slot.clone(), tool.clone())).collect(),
            as_of: definition.as_of.clone(),
            // A rewrite belongs to the session of its text.
            session: is_one_step.then(|| start.session.0.clone()),
            title: is_one_step.then(|| definition.title.clone()),
            fallback: Some(definition.on_failure),
            decide_issues: Some(definition.decides_issues),
            ..StartRun::default()
        };
        for (key, value) in start.inputs {
            let value = Json(value.json_or_null().clone());
            if is_given(&key) {
                request.inputs.insert(key, value);
            } else if is_one_step {
                request.state.insert(key, value);
            }
        }
        let is_new_text = asked.inputs.contains_key(TEXT);
        for (name, value) in asked.inputs {
            let known = now.inputs.iter().find(|(_, input)| input.aliases.contains(&name));
            request.inputs.insert(known.map_or(name, |(key, _)| key.clone()), value);
        }
        if is_one_step && is_new_text {
            let given = request.inputs.iter().chain(&request.state);
            let began = given.map(|(key, value)| (key.clone(), Value::new(value.0.clone()))).collect();
            let present = one_step_text(now, &began);
            let state = one_step_beginning(now, &present, &one_step_sources(&began));
            request.state = state.into_iter().map(|(key, value)| (key, Json(value))).collect();
        }
        request.tools.retain(|slot, _| now.tools.contains_key(slot));
        request.profile = profile_of_most(&definition.agents);
        request.agents = self.settings_of_agents(pipeline.as_ref(), definition, request.profile.as_deref());
        request.limits = self.changed_limits(pipeline.as_ref(), definition, &request).await?;
        Ok(request)
    }

    /// The settings of a run's agents that differ from the present defaults.
    fn settings_of_agents(
        &self,
        pipeline: &Pipeline,
        definition: &Definition,
        profile: Option<&str>,
    ) -> BTreeMap<String, AgentSettings> {
        let setups = pipeline.agents().iter();
        let of_agent = |setup: &AgentSetup| {
            let agent = definition.agents.get(&setup.name)?;
            let is_given = definition.given_instructions.contains(&setup.name);
            let card = find(&self.settings, &agent.profile).ok();
            let usual = card.and_then(|card| model_for(&card, &setup.model_role).ok());
            let own = AgentSettings {
                instruction: is_given.then(|| agent.instruction.as_str().unwrap_or_default().to_owned()),
                profile: (Some(agent.profile.as_str()) != profile).then(|| agent.profile.clone()),
                model: usual.filter(|usual| *usual != agent.model).map(|_| agent.model.clone()),
                temperature: (agent.temperature != setup.temperature).then_some(agent.temperature),
                limits: LimitName::ALL
                    .into_iter()
                    .filter_map(|name| Some((name, Some(agent.limits.get(name)?))))
                    .collect(),
            };
            let is_usual = own.instruction.is_none()
                && own.profile.is_none()
                && own.model.is_none()
                && own.temperature.is_none()
                && own.limits.is_empty();
            (!is_usual).then(|| (setup.name.clone(), own))
        };
        setups.filter_map(of_agent).collect()
    }

    /// The limits of a run that differ from the defaults. A time limit that follows from the speed of a local server is
    /// computed again.
    async fn changed_limits(
        &self,
        pipeline: &Pipeline,
        definition: &Definition,
        request: &StartRun,
    ) -> Result<BTreeMap<LimitName, Option<f64>>, ApiError> {
        let of_profile = find(&self.settings, &self.chosen_profile(request)?);
        let mut usual: Limits = pipeline.definition().limits.clone();
        for (name, most) in of_profile.map(|card| card.limits).unwrap_or_default() {
            usual.set(name, Some(most));
        }
        let is_measured = !definition.local_tokens.is_empty();
        let changed = LimitName::ALL.into_iter().filter(|name| {
            definition.limits.get(*name) != usual.get(*name)
                && !(*name == LimitName::MaxExecutionTimeS && is_measured)
        });
        Ok(changed.map(|name| (name, definition.limits.get(name))).collect())
    }
}

/// The profile that most agents of a run use; `None` where no agent asks a model.
fn profile_of_most(agents: &BTreeMap<String, AgentDefinition>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for agent in agents.values() {
        *counts.entry(&agent.profile).or_default() += 1;
    }
    // Of equally frequent ones, the first by name is taken.
    counts.into_iter().rev().max_by_key(|(_, count)| *count).map(|(profile, _)| profile.to_owned())
}
