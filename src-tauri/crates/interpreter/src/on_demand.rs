//! Agents on demand, for those that start instances of them.

use engine::OnDemand;
use kernel::{Error, Output};

use crate::build::Tree;

impl Tree<'_> {
    /// An agent on demand, for those that start instances of it.
    pub(crate) fn on_demand(&self, name: &str) -> Result<OnDemand, Error> {
        let agent = self.agent(name)?;
        let declared = &self.definition.agents[name];
        let output = match &declared.output {
            Output::Schema(schema) => Some(schema.clone()),
            Output::Text | Output::Draft | Output::Role => None,
        };
        Ok(OnDemand { agent, input: declared.input.clone(), output })
    }
}
