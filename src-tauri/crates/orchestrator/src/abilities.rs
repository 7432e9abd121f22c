//! What the steps of a plan may do: the roles, and of each role its tools with the schema of their input.
//!
//! A tool of a plan is an agent on demand in the definition of the pipeline that is started with an item of `input`; the schema
//! of that is the tool's. Its role is that of the workers that make its call, or `Orchestrator` where it works in place.

use std::collections::{BTreeMap, BTreeSet};

use kernel::PipelineDefinition;
use serde_json::Value;

/// The role of the tools that no worker is needed for.
pub(crate) const IN_PLACE: &str = "Orchestrator";

/// Tools that other plans know under another name.
const ALIASES: [(&str, &str); 2] =
    [("GeminiStepExecutor", "LlmStepExecutor"), ("LLMStepExecutor", "LlmStepExecutor")];

/// One tool of plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Ability {
    /// The role whose tool it is.
    pub role: String,
    /// JSON Schema of `sub_task_input`.
    pub input: Value,
    /// Whether it asks a model.
    pub needs_model: bool,
}

/// What the steps of a plan may do, by the name of the tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Abilities(pub BTreeMap<String, Ability>);

impl Abilities {
    /// Those that a pipeline declares.
    pub fn of(definition: &PipelineDefinition) -> Abilities {
        let declared = definition.agents.iter().filter(|(_, agent)| agent.on_demand);
        let tools = declared.filter_map(|(name, agent)| {
            let input = agent.input.as_ref()?.pointer("/properties/input")?.clone();
            let role = agent.worker.clone().unwrap_or_else(|| IN_PLACE.to_owned());
            Some((name.clone(), Ability { role, input, needs_model: agent.asks_model() }))
        });
        Abilities(tools.collect())
    }

    /// The roles that have a tool here.
    pub fn roles(&self) -> Vec<&str> {
        self.0.values().map(|ability| ability.role.as_str()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The name of a tool here, also for an alias; nothing where there is none.
    pub fn tool(&self, name: &str) -> Option<(&str, &Ability)> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, tool)| tool);
        self.0.get_key_value(name).map(|(tool, ability)| (tool.as_str(), ability))
    }
}
