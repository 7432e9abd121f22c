//! What the steps of a plan may do: the roles, and of each role its tools with the schema of their input.
//!
//! A tool of a plan is an agent on demand of this name in the definition of the pipeline, which says what it calls. It is
//! started with `{ step, says, input }`; the schema of `input` is that of the tool.

use std::collections::BTreeMap;

use kernel::PipelineDefinition;
use serde_json::{Value, json};

/// The tools of each role, by the names that plans use.
const ROLES: [(&str, &[&str]); 3] = [
    ("ResearchAgent", &["WebSearchTool", "ReadWebpageTool"]),
    ("UtilityAgent", &["CalculatorTool"]),
    ("Orchestrator", &["ExploreSearchResults", "LlmStepExecutor", "FileSystemTool", "FileDownloaderTool"]),
];

/// Tools that other plans know under another name.
const ALIASES: [(&str, &str); 1] = [("GeminiStepExecutor", "LlmStepExecutor")];

/// One tool of plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Ability {
    /// The role whose tool it is.
    pub role: &'static str,
    /// JSON Schema of `sub_task_input`.
    pub input: Value,
    /// Whether it asks a model.
    pub needs_model: bool,
}

/// What the steps of a plan may do, by the name of the tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Abilities(pub BTreeMap<&'static str, Ability>);

impl Abilities {
    /// Those that a pipeline declares.
    pub fn of(definition: &PipelineDefinition) -> Abilities {
        let known = ROLES.iter().flat_map(|(role, tools)| tools.iter().map(move |tool| (*role, *tool)));
        let declared = known.filter_map(|(role, tool)| {
            let agent = definition.agents.get(tool).filter(|agent| agent.on_demand)?;
            let schema = agent.input.as_ref().map(|schema| &schema["properties"]["input"]);
            let input = schema.filter(|schema| schema.is_object()).cloned().unwrap_or_else(|| json!({}));
            Some((tool, Ability { role, input, needs_model: agent.asks_model() }))
        });
        Abilities(declared.collect())
    }

    /// The roles that have a tool here.
    pub fn roles(&self) -> Vec<&'static str> {
        let has_tool = |role: &&str| self.0.values().any(|ability| ability.role == *role);
        ROLES.iter().map(|(role, _)| *role).filter(has_tool).collect()
    }

    /// The name of a tool here, also for an alias; nothing where there is none.
    pub fn tool(&self, name: &str) -> Option<(&'static str, &Ability)> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, tool)| tool);
        self.0.get_key_value(name).map(|(tool, ability)| (*tool, ability))
    }
}
