//! The definition of a run: instructions, models, limits, contracts; and its changes since.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Gate, LimitName, Limits, NoteTexts, Outline, Path, Reached, Rule, Speed, ToolOffer, Value};

/// The profile without a model: each agent runs its own function.
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
    /// Most tokens of visible text of one answer, where no limit says it.
    pub max_output_tokens: u32,
    /// Limits of this agent alone.
    #[serde(default)]
    pub limits: Limits,
    /// Where it asks when the profile's key, credit or rate fails, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
    /// Whether its function does its work because its model failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_without_model: bool,
}

/// What is done where a model fails for good, or its answer cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum OnFailure {
    /// The person is asked; without a person, the run fails.
    #[default]
    Ask,
    /// The stage is done without a model.
    BuiltIn,
}

fn is_false(flag: &bool) -> bool {
    !flag
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
    /// Every model agent by name; one instance that differs from the others of its agent by its path.
    pub agents: BTreeMap<String, AgentDefinition>,
    /// Limits of an agent that asks no model itself, with all that runs below it: by its name, or for one instance by its path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stage_limits: BTreeMap<String, Limits>,
    /// Limits of the run.
    pub limits: Limits,
    /// The pipeline as data, as it was when the run began; nothing where it is made of code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Value>,
    /// The texts of the pipeline's own notes, as they were when the run began.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: NoteTexts,
    /// The tool behind each slot, by the name under which it is chosen.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
    /// The tools of servers that its agents may call, as the servers described them when the run began.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub foreign_tools: BTreeMap<String, ToolOffer>,
    /// The keys whose text is what the run comes to: that of the first of them that has one is its reply in the session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<String>,
    /// The run's clock, when it is set to a day: `YYYY-MM-DD`.
    pub as_of: Option<String>,
    /// What tools may do in this run without asking.
    pub allowed_tools: Vec<Rule>,
    /// Where the run stops and asks, by the agent or by the place of one call of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gates: BTreeMap<String, Gate>,
    /// Agents whose instruction was given for this run, rather than by the program or the settings.
    #[serde(default)]
    pub given_instructions: Vec<String>,
    /// What a fork's parent already did and must not be done again unasked.
    #[serde(default)]
    pub already_done: Vec<OnceDone>,
    /// Tokens that the run may ask of each profile whose server is the person's own. With the measured speed they tell
    /// how much time the run needs. Empty where the time limit was set by the person.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local_tokens: BTreeMap<String, u32>,
    /// What is done where a model fails for good.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Whether the person is asked to decide the issues of a review before the draft is rewritten.
    #[serde(default, skip_serializing_if = "is_false")]
    pub decides_issues: bool,
    /// Whether it begins at the writer of the draft: a rewrite of what an earlier run of the session came to.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_rewrite: bool,
    /// The keys that it began with as an earlier run had left them: what they say is not the person's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_over: Vec<String>,
    /// Whether what the run began with was damaged and could not be recovered: what stands here is for showing the run, and
    /// nothing may be executed by it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_lost: bool,
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
    /// Another temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// New limits of this agent alone, by name; nothing lifts one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<LimitName, Option<f64>>>")]
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// Other fallbacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallbacks: Option<Vec<Fallback>>,
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
    /// New limits by name; nothing lifts one.
    #[serde(default)]
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// Whether what tools were allowed before holds no more: somebody else allowed it, on their own machine.
    #[serde(default, skip_serializing_if = "is_false")]
    #[ts(optional, as = "Option<bool>")]
    pub forgets_grants: bool,
    /// What tools may do without asking.
    #[serde(default)]
    pub allowed_tools: Vec<Rule>,
    /// Where the run stops and asks from here on, by the agent or by the place of one call of it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Gate>>")]
    pub gates: BTreeMap<String, Gate>,
    /// What the parent already did and must not be done again unasked.
    #[serde(default)]
    pub already_done: Vec<OnceDone>,
    /// What is done where a model fails for good.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub on_failure: Option<OnFailure>,
}

impl AgentDefinition {
    fn apply(&mut self, change: &AgentChange) {
        if let Some(instruction) = &change.instruction {
            self.instruction = instruction.clone();
        }
        if let Some(profile) = &change.profile {
            self.profile.clone_from(profile);
            self.is_without_model = false;
        }
        if let Some(model) = &change.model {
            self.model.clone_from(model);
        }
        if let Some(fallbacks) = &change.fallbacks {
            self.fallbacks.clone_from(fallbacks);
        }
        self.temperature = change.temperature.unwrap_or(self.temperature);
        for (name, value) in &change.limits {
            self.limits.set(*name, *value);
        }
    }
}

impl Definition {
    /// Applies changes; they hold from their place in the log on.
    pub fn apply(&mut self, overrides: &Overrides) {
        for (place, change) in &overrides.agents {
            let name = Path::name_of(place).to_owned();
            let Some(of_all) = self.agents.get(&name).cloned() else {
                let limits = self.stage_limits.entry(place.clone()).or_default();
                change.limits.iter().for_each(|(name, value)| limits.set(*name, *value));
                continue;
            };
            self.agents.entry(place.clone()).or_insert(of_all).apply(change);
            if *place == name {
                // A change of an agent also holds for its instances.
                let instances = self.agents.iter_mut();
                let instances =
                    instances.filter(|(other, _)| *other != place && Path::name_of(other) == name);
                instances.for_each(|(_, agent)| agent.apply(change));
            }
        }
        for (name, value) in &overrides.limits {
            self.set_limit(*name, *value);
        }
        self.on_failure = overrides.on_failure.unwrap_or(self.on_failure);
        if overrides.forgets_grants {
            self.allowed_tools.clear();
        }
        self.allowed_tools.extend(overrides.allowed_tools.iter().cloned());
        self.set_gates(&overrides.gates);
        self.already_done.extend(overrides.already_done.iter().cloned());
    }

    /// Sets gates; a gate without a side is removed.
    pub fn set_gates(&mut self, gates: &BTreeMap<String, Gate>) {
        self.gates.extend(gates.iter().map(|(place, gate)| (place.clone(), *gate)));
        self.gates.retain(|_, gate| *gate != Gate::default());
    }

    /// The settings of a model agent at a path, and the name or path under which they are declared.
    pub fn agent(&self, name: &str, place: &Path) -> Option<(&str, &AgentDefinition)> {
        let places = std::iter::successors(Some(place.as_str()), |place| Path::above(place));
        let own = places.filter(|place| Path::name_of(place) == name);
        let found = own.into_iter().find_map(|place| self.agents.get_key_value(place));
        found.or_else(|| self.agents.get_key_value(name)).map(|(key, agent)| (key.as_str(), agent))
    }

    /// The limits of all agents below a path, and the name or path under which they are declared.
    pub fn limits_below(&self, place: &Path) -> Option<(&str, &Limits)> {
        let found = self.stage_limits.get_key_value(place.as_str());
        let found = found.or_else(|| self.stage_limits.get_key_value(place.name()));
        found.map(|(key, limits)| (key.as_str(), limits))
    }

    /// The gate around a call of an agent.
    pub fn gate(&self, path: &Path) -> Gate {
        let found = self.gates.get(path.as_str()).or_else(|| self.gates.get(path.name()));
        found.copied().unwrap_or_default()
    }

    /// Applies the person's decision after a model failed: an agent without a profile works without a model from here
    /// on.
    pub fn replace_failed(&mut self, overrides: &Overrides) {
        self.apply(overrides);
        for (place, agent) in &mut self.agents {
            if overrides.agents.contains_key(place) || overrides.agents.contains_key(Path::name_of(place)) {
                agent.is_without_model = agent.profile == BUILT_IN;
            }
        }
    }

    /// The profile of each agent.
    pub fn profiles(&self) -> BTreeMap<String, String> {
        self.agents.iter().map(|(name, agent)| (name.clone(), agent.profile.clone())).collect()
    }

    /// Raises a reached limit.
    pub fn raise(&mut self, reached: &Reached, more: f64) {
        let own = reached.agent.as_ref().and_then(|place| match self.stage_limits.get_mut(place) {
            Some(limits) => Some(limits),
            None => self.agents.get_mut(place).map(|agent| &mut agent.limits),
        });
        match own {
            Some(limits) => limits.set(reached.name, reached.raised(limits.get(reached.name), more)),
            None => self.set_limit(reached.name, Some(reached.raised(self.limits.get(reached.name), more))),
        }
    }

    /// Sets a limit as the person wants it; measured speeds do not change it any more.
    pub fn set_limit(&mut self, name: LimitName, value: Option<f64>) {
        if name == LimitName::MaxExecutionTimeS {
            self.local_tokens.clear();
        }
        self.limits.set(name, value);
    }

    /// The limit of active time in seconds: the declared one, or more where the measured speed of a local server
    /// requires it.
    pub fn time_limit(&self, speeds: &BTreeMap<String, Speed>) -> Option<f64> {
        let limit = self.limits.max_execution_time_s?;
        let needed = self.local_tokens.iter().filter_map(|(profile, tokens)| {
            Some((f64::from(*tokens) / speeds.get(profile)?.per_second()?).ceil())
        });
        Some(limit.max(needed.sum()))
    }

    /// The result that the parent of a fork got from this call behind the fork.
    pub fn done_before(&self, call: &crate::ToolCall) -> Option<&OnceDone> {
        self.already_done.iter().find(|done| done.tool == call.tool && done.input == call.input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_has_the_settings_of_its_agent_but_for_what_its_path_says() {
        let path = "p/each#1*one#17";
        let model = |model: &str| AgentChange { model: Some(model.to_owned()), ..AgentChange::default() };
        let changed = |place: &str, change: AgentChange| Overrides {
            agents: [(place.to_owned(), change)].into(),
            ..Overrides::default()
        };
        let mut definition: Definition = serde_json::from_value(serde_json::json!({
            "pipeline": "p", "title": "p", "limits": Limits::default(), "as_of": null, "allowed_tools": [],
            "outline": { "name": "p", "title": "p", "agent": { "kind": "sequential" },
                "contract": { "reads": [], "may_read": [], "writes": [] }, "stream": null,
                "calls": { "least": 0, "most": 0 }, "children": [] },
            "agents": { "one": { "instruction": "", "profile": "a", "model": "small", "temperature": 0.0,
                "max_output_tokens": 1 } },
        }))
        .unwrap();
        definition.apply(&changed(path, model("large")));
        let at = |definition: &Definition, place: &str| {
            definition.agent("one", &Path::root(place)).map(|(key, own)| (key.to_owned(), own.model.clone()))
        };
        assert_eq!(at(&definition, path), Some((path.to_owned(), "large".to_owned())));
        let again = format!("{path}/one#2");
        assert_eq!(at(&definition, &again), Some((path.to_owned(), "large".to_owned())));
        assert_eq!(at(&definition, "p/each#1*one#1"), Some(("one".to_owned(), "small".to_owned())));
        // A later change of the agent holds for each of its instances.
        definition.apply(&changed("one", model("medium")));
        assert_eq!(at(&definition, path), Some((path.to_owned(), "medium".to_owned())));
    }
}
