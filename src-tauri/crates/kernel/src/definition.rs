//! What exactly a run ran with: instructions, models, limits, contracts; and what was changed since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{LimitName, Limits, Outline, Reached, Value};

/// The profile that needs no model: each agent's plain function does its work.
pub const BUILT_IN: &str = "built-in";

/// What one agent runs with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct AgentDefinition {
    /// The system instruction.
    pub instruction: Value,
    /// The profile's name.
    pub profile: String,
    /// The model's name.
    pub model: String,
    /// Sampling temperature.
    pub temperature: f64,
    /// Most tokens of visible text of one answer.
    pub max_output_tokens: u32,
    /// Limits of this agent alone.
    #[serde(default)]
    pub limits: Limits,
    /// Where it asks when the profile's key, credit or rate fails, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
}

/// Another profile to ask, with its model for the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Fallback {
    /// The profile's name.
    pub profile: String,
    /// The model's name.
    pub model: String,
}

/// What a run runs with. Stored by content hash; resume follows it to the letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Definition {
    /// The pipeline's id.
    pub pipeline: String,
    /// The run's title.
    pub title: String,
    /// The tree.
    pub outline: Outline,
    /// Every model agent by name.
    pub agents: BTreeMap<String, AgentDefinition>,
    /// Limits of the run.
    pub limits: Limits,
    /// The search source, where the pipeline searches.
    pub source: Option<String>,
    /// The run's clock, when it is set to a day: `YYYY-MM-DD`.
    pub as_of: Option<String>,
    /// Tools that may act without asking.
    pub allowed_tools: Vec<String>,
    /// Agents whose instruction was given for this run, rather than by the program or the settings.
    #[serde(default)]
    pub given_instructions: Vec<String>,
    /// What a fork's parent already did and must not be done again unasked.
    #[serde(default)]
    pub already_done: Vec<OnceDone>,
}

/// A change of one agent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct AgentChange {
    /// Another instruction.
    #[serde(default)]
    pub instruction: Option<Value>,
    /// Another profile.
    #[serde(default)]
    pub profile: Option<String>,
    /// Another model.
    #[serde(default)]
    pub model: Option<String>,
    /// Other fallbacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallbacks: Option<Vec<Fallback>>,
}

/// Whether a tool may act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ToolPermission {
    /// Without asking.
    Allow,
    /// After asking.
    Ask,
    /// Not at all.
    Never,
}

/// An effect that may be done only once and that a fork's parent did after the place of the fork.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OnceDone {
    /// The tool.
    pub tool: String,
    /// Its input.
    pub input: Value,
    /// What it answered.
    pub result: Value,
}

/// What is different from here on: of a fork, or of a run that goes on with other limits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Overrides {
    /// Changes by agent.
    #[serde(default)]
    pub agents: BTreeMap<String, AgentChange>,
    /// New limits by name.
    #[serde(default)]
    pub limits: BTreeMap<LimitName, f64>,
    /// Tools that may act without asking.
    #[serde(default)]
    pub allowed_tools: Vec<String>,
    /// What the parent already did and must not be done again unasked.
    #[serde(default)]
    pub already_done: Vec<OnceDone>,
}

impl Definition {
    /// Applies changes; they hold from the place where they stand in the log.
    pub fn apply(&mut self, overrides: &Overrides) {
        for (name, change) in &overrides.agents {
            let agent = self.agents.entry(name.clone()).or_default();
            if let Some(instruction) = &change.instruction {
                agent.instruction = instruction.clone();
            }
            if let Some(profile) = &change.profile {
                agent.profile.clone_from(profile);
            }
            if let Some(model) = &change.model {
                agent.model.clone_from(model);
            }
            if let Some(fallbacks) = &change.fallbacks {
                agent.fallbacks.clone_from(fallbacks);
            }
        }
        for (name, value) in &overrides.limits {
            self.limits.set(*name, *value);
        }
        self.allowed_tools.extend(overrides.allowed_tools.iter().cloned());
        self.already_done.extend(overrides.already_done.iter().cloned());
    }

    /// The profile of each agent.
    pub fn profiles(&self) -> BTreeMap<String, String> {
        self.agents.iter().map(|(name, agent)| (name.clone(), agent.profile.clone())).collect()
    }

    /// Adds to a limit that was reached.
    pub fn raise(&mut self, reached: &Reached, more: f64) {
        let own = reached.agent.as_ref().and_then(|agent| self.agents.get_mut(agent));
        let limits = own.map_or(&mut self.limits, |agent| &mut agent.limits);
        limits.set(reached.name, limits.get(reached.name).unwrap_or(reached.most) + more);
    }

    /// What the parent of a fork got from this very call, if it made it after the place of the fork.
    pub fn done_before(&self, call: &crate::ToolCall) -> Option<&OnceDone> {
        self.already_done.iter().find(|done| done.tool == call.tool && done.input == call.input)
    }
}
