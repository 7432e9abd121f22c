//! Accepts a plan that a person changed, with the same checks as for a model's plan.

use kernel::{Code, Error, Phrase, PipelineDefinition, State, phrase};
use serde_json::Value;

use crate::registry::{FunctionContext, Registry};

/// The plan in its final form, from the acceptance function of the agent that writes this key.
///
/// # Errors
/// `bad_input` with all errors of the plan.
pub(crate) fn accepted(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    key: &str,
    plan: &Value,
) -> Result<Value, Error> {
    if plan["stages"].as_array().is_some_and(Vec::is_empty) {
        return Err(Error::new(Code::BadInput, phrase!("The plan has no steps; give at least one")));
    }
    let writes = |agent: &kernel::AgentDeclaration| agent.writes.first().is_some_and(|first| first == key);
    let Some((name, agent)) =
        definition.agents.iter().find(|(_, agent)| writes(agent) && !agent.accept.is_empty())
    else {
        return Ok(plan.clone());
    };
    let context = FunctionContext { definition, registry, agent: name, state, failure: None };
    let accept = agent.accept.iter().filter_map(|accept| registry.accept.get(accept.as_str()));
    accept.into_iter().try_fold(plan.clone(), |plan, accept| accept(&context, plan)).map_err(|faults| {
        let why = Phrase::verbatim(faults.join(". "));
        Error::new(Code::BadInput, phrase!("This plan cannot be carried out. {why}", why))
    })
}
