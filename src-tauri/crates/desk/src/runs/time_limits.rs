//! The limit of a run's active time: the person's, else the pipeline's. For a local server it follows from the measured
//! speed, and is at least a quarter of an hour.
//!
//! The speed is measured with real calls and stored with the ledger. Before the first call the run starts with the
//! least, and its own first answers raise it (`Definition::time_limit`).

use std::collections::BTreeMap;

use interpreter::Pipeline;
use kernel::{AgentDefinition, BUILT_IN, Definition, LimitName, Limits, Overrides, Speed};

use crate::accounts::profile_card::find;
use crate::api::{ForkRun, TimeLimitReason};
use crate::runs::RunService;

/// The least limit of a run on a local server, in seconds.
const LEAST_OF_LOCAL_S: f64 = 900.0;

/// The time limit of a run, with its reason.
pub(crate) struct TimeLimit {
    pub(crate) seconds: Option<f64>,
    pub(crate) reason: Option<TimeLimitReason>,
    /// The tokens that may be requested from each profile on a local server.
    pub(crate) local_tokens: BTreeMap<String, u32>,
}

impl RunService {
    /// The time limit of a run with these agents. `limits` are in force; `is_set` tells whether the person set the
    /// time.
    pub(crate) async fn time_limit(
        &self,
        pipeline: &Pipeline,
        agents: &BTreeMap<String, AgentDefinition>,
        limits: &Limits,
        is_set: bool,
    ) -> TimeLimit {
        let usual = |reason| TimeLimit {
            seconds: limits.max_execution_time_s,
            reason,
            local_tokens: BTreeMap::new(),
        };
        if is_set {
            return usual(Some(TimeLimitReason::Set));
        }
        let Some(own) = limits.max_execution_time_s else { return usual(None) };
        let asked = pipeline.agents().iter().filter_map(|setup| {
            let agent = agents.get(&setup.name)?;
            let times = limits.max_llm_calls.map_or(setup.most_calls, |most| most.min(setup.most_calls));
            self.is_local(&agent.profile).then(|| (agent, times.saturating_mul(agent.max_output_tokens)))
        });
        let asked: Vec<(&AgentDefinition, u32)> = asked.collect();
        let stands_in = |agent: &AgentDefinition| {
            agent.fallbacks.iter().map(|other| &other.profile).find(|profile| self.is_local(profile)).cloned()
        };
        let first = asked.first().map(|(agent, _)| agent.profile.clone());
        let Some(profile) = first.or_else(|| agents.values().find_map(stands_in)) else {
            return usual(None);
        };
        // Unreadable usage of earlier runs does not fail this one.
        let speeds = self.store.past_speeds().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "how fast models answered before cannot be read");
            BTreeMap::new()
        });
        let least = own.max(LEAST_OF_LOCAL_S);
        let mut needed = 0.0;
        let mut slowest: Option<(f64, String)> = None;
        let mut local_tokens: BTreeMap<String, u32> = BTreeMap::new();
        for (agent, tokens) in asked {
            let known = local_tokens.entry(agent.profile.clone()).or_default();
            *known = known.saturating_add(tokens);
            let speed = speeds.get(&(agent.profile.clone(), agent.model.clone()));
            let Some(speed) = speed.copied().and_then(Speed::per_second) else { continue };
            needed += f64::from(tokens) / speed;
            if slowest.as_ref().is_none_or(|(least, _)| speed < *least) {
                slowest = Some((speed, agent.profile.clone()));
            }
        }
        let reason = match slowest {
            Some((tokens_per_second, profile)) if needed > least => {
                TimeLimitReason::Measured { profile, tokens_per_second }
            }
            _ => TimeLimitReason::LocalServer { profile },
        };
        TimeLimit { seconds: Some(needed.ceil().max(least)), reason: Some(reason), local_tokens }
    }

    /// Sets the time of a fork with another profile by that profile's speed, unless the person set the time.
    pub(crate) async fn set_time_of_fork(
        &self,
        pipeline: &Pipeline,
        definition: &Definition,
        fork: &ForkRun,
        overrides: &mut Overrides,
    ) {
        let own = pipeline.definition().limits.max_execution_time_s;
        let was_set = definition.local_tokens.is_empty() && definition.limits.max_execution_time_s != own;
        if fork.profile.is_none() || was_set || overrides.limits.contains_key(&LimitName::MaxExecutionTimeS) {
            return;
        }
        let mut forked = definition.clone();
        forked.apply(overrides);
        let limits = Limits { max_execution_time_s: own, ..forked.limits.clone() };
        let time = self.time_limit(pipeline, &forked.agents, &limits, false).await;
        if let Some(seconds) =
            time.seconds.filter(|seconds| Some(*seconds) != forked.limits.max_execution_time_s)
        {
            overrides.limits.insert(LimitName::MaxExecutionTimeS, Some(seconds));
        }
    }

    fn is_local(&self, profile: &str) -> bool {
        profile != BUILT_IN
            && find(&self.settings, profile)
                .is_ok_and(|card| models::is_local(&card.provider, &card.base_url))
    }
}
