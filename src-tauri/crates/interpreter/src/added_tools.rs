//! Tools of MCP servers that the person adds to a pipeline, and the wildcard for all tools of a server.

use std::collections::BTreeMap;

use kernel::{AddedTools, PipelineDefinition, ToolOffer};

use crate::Pipeline;

/// The suffix for every tool of a server: `files/*`.
const ALL: &str = "/*";

impl Pipeline {
    /// Whether an agent uses added tools.
    pub fn takes_tools(&self) -> bool {
        self.definition().agents.values().any(|agent| agent.added_tools.is_some())
    }

    /// Whether an agent that plans uses added tools.
    pub fn plans(&self) -> bool {
        self.definition().agents.values().any(|agent| agent.added_tools == Some(AddedTools::Planned))
    }

    /// The servers whose tools an agent may all call.
    pub fn whole_servers(&self) -> impl Iterator<Item = &str> {
        let named = self.definition().agents.values().flat_map(|agent| &agent.tools);
        named.filter_map(|name| name.strip_suffix(ALL))
    }

    /// The pipeline with these tools added, and with the current tools of each server in place of its wildcard.
    pub fn with_tools(&self, added: &[ToolOffer], of_servers: &BTreeMap<String, Vec<String>>) -> Pipeline {
        let mut definition = PipelineDefinition::clone(self.definition());
        let mut planning = Vec::new();
        for (name, agent) in &mut definition.agents {
            let named = std::mem::take(&mut agent.tools);
            agent.tools = named
                .into_iter()
                .flat_map(|tool| match tool.strip_suffix(ALL) {
                    Some(server) => of_servers.get(server).cloned().unwrap_or_default(),
                    None => vec![tool],
                })
                .collect();
            match agent.added_tools {
                Some(AddedTools::Called) => agent.tools.extend(added.iter().map(|tool| tool.name.clone())),
                Some(AddedTools::Planned) => planning.push(name.clone()),
                None => {}
            }
            let mut seen = std::collections::BTreeSet::new();
            agent.tools.retain(|tool| seen.insert(tool.clone()));
        }
        if let Some(add) = self.registry().plan_tools.filter(|_| !added.is_empty()) {
            add(&mut definition, &planning, added);
        }
        Pipeline::new(definition, self.registry().clone())
    }
}
