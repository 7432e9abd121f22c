//! What an instance of an agent on demand was started with, and whether its input and output fit their schemas.

use kernel::{Code, Error, Instance, Value, phrase};

use crate::tool_directory;

/// What an instance was started with.
pub(crate) struct InstanceStart {
    pub(crate) instance: Instance,
    pub(crate) input: Option<serde_json::Value>,
    pub(crate) output: Option<serde_json::Value>,
    /// The role of the workers that make its tool calls.
    pub(crate) worker: Option<String>,
}

impl InstanceStart {
    /// A copy with the input that the person changed at the gate before the instance.
    pub(crate) fn with_input(&self, input: Value) -> Self {
        let instance = Instance { agent: self.instance.agent.clone(), input };
        InstanceStart {
            instance,
            input: self.input.clone(),
            output: self.output.clone(),
            worker: self.worker.clone(),
        }
    }

    /// Checks the input.
    ///
    /// # Errors
    /// `bad_input` where it does not fit the agent's schema.
    pub(crate) fn check_input(&self) -> Result<(), Error> {
        let agent = &self.instance.agent;
        let Some(why) = misfit(agent, self.input.as_ref(), &self.instance.input)? else { return Ok(()) };
        Err(Error::new(Code::BadInput, phrase!("The input of `{agent}` does not fit: {why}", agent, why)))
    }

    /// Checks the output.
    ///
    /// # Errors
    /// `bad_input` where it does not fit the agent's schema.
    pub(crate) fn check_output(&self, output: &Value) -> Result<(), Error> {
        let agent = &self.instance.agent;
        let Some(why) = misfit(agent, self.output.as_ref(), output)? else { return Ok(()) };
        Err(Error::new(Code::BadInput, phrase!("The output of `{agent}` does not fit: {why}", agent, why)))
    }
}

/// Why a value does not fit a schema; `None` where it fits or there is no schema.
fn misfit(agent: &str, schema: Option<&serde_json::Value>, value: &Value) -> Result<Option<String>, Error> {
    let Some(schema) = schema else { return Ok(None) };
    let validator = tool_directory::validator(agent, schema)?;
    Ok(tool_directory::faults(&validator, value.json_or_null()).map(|faults| faults.why))
}
