//! The tools that the steps of a plan may use, by role, each with the schema of its input.
//!
//! A tool of a plan is an agent on demand in the pipeline's definition that is started with an item of `input`; the
//! schema of that item is the tool's. The role is that of the workers that make its call, or `Orchestrator` if it runs
//! in place.

use std::collections::{BTreeMap, BTreeSet};

use kernel::PipelineDefinition;
use serde_json::Value;

/// The role of the tools that need no worker.
pub(crate) const IN_PLACE: &str = "Orchestrator";

/// Names of tools in other plan formats.
const ALIASES: [(&str, &str); 2] =
    [("GeminiStepExecutor", "LlmStepExecutor"), ("LLMStepExecutor", "LlmStepExecutor")];

/// A tool for plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Ability {
    /// The role that the tool belongs to.
    pub role: String,
    /// JSON Schema of `sub_task_input`.
    pub input: Value,
    /// Whether it calls a model.
    pub needs_model: bool,
}

/// The tools that plans may use, by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Abilities(pub BTreeMap<String, Ability>);

impl Abilities {
    /// The tools that a pipeline declares.
    pub fn of(definition: &PipelineDefinition) -> Abilities {
        let declared = definition.agents.iter().filter(|(_, agent)| agent.on_demand);
        let tools = declared.filter_map(|(name, agent)| {
            let input = agent.input.as_ref()?.pointer("/properties/input")?.clone();
            let role = agent.worker.clone().unwrap_or_else(|| IN_PLACE.to_owned());
            Some((name.clone(), Ability { role, input, needs_model: agent.asks_model() }))
        });
        Abilities(tools.collect())
    }

    /// The roles of these tools.
    pub fn roles(&self) -> Vec<&str> {
        self.0.values().map(|ability| ability.role.as_str()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The name and the tool for a name or an alias; `None` if there is none.
    pub fn tool(&self, name: &str) -> Option<(&str, &Ability)> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, tool)| tool);
        self.0.get_key_value(name).map(|(tool, ability)| (tool.as_str(), ability))
    }
}
