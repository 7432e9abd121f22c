//! Agents on demand, for agents that start instances of them.

use engine::OnDemand;
use kernel::{Code, Error, Output, phrase};

use crate::tree::Tree;

impl Tree<'_> {
    /// Builds an agent on demand.
    ///
    /// # Errors
    /// There is no such agent, it starts itself, or a part of it is invalid.
    pub(crate) fn on_demand(&self, name: &str) -> Result<OnDemand, Error> {
        let is_around = self.building.borrow().iter().any(|around| around == name);
        if is_around {
            let message = phrase!("`{name}` would start itself without end; start another agent there", name);
            return Err(Error::new(Code::BadInput, message));
        }
        self.building.borrow_mut().push(name.to_owned());
        let agent = self.agent(name);
        self.building.borrow_mut().pop();
        let agent = agent?;
        let declared = &self.definition.agents[name];
        let output = match &declared.output {
            Output::Schema(schema) => Some(schema.clone()),
            Output::Text | Output::Draft | Output::Role => None,
        };
        Ok(OnDemand { agent, input: declared.input.clone(), output, worker: declared.worker.clone() })
    }
}
