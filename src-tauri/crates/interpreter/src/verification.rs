//! The reasons to reject an answer that could otherwise be accepted, and to ask for it once more.

use kernel::{AgentDeclaration, Delta};

use crate::draft_text::text_in;
use crate::own_text;
use crate::registry::{Check, FunctionContext};
use crate::tree::Tree;

/// The check of an answer: the person's sentences that it lost, and the checks that the agent names.
pub(crate) fn verification(
    tree: &Tree<'_>,
    name: &str,
    agent: &AgentDeclaration,
    key: &str,
    is_of_draft: bool,
) -> Option<Box<engine::Verify>> {
    let checks: Vec<Check> =
        agent.repairs.iter().filter_map(|check| tree.registry.checks.get(check.as_str()).copied()).collect();
    if !is_of_draft && checks.is_empty() {
        return None;
    }
    let (definition, registry) = (tree.definition.clone(), tree.registry.clone());
    let (agent, key) = (name.to_owned(), key.to_owned());
    Some(Box::new(move |state, answer| {
        let Some(text) = text_in(definition.role(&key), answer) else { return Vec::new() };
        let lost = if is_of_draft { own_text::broken(&definition, state, text) } else { Vec::new() };
        let mut answered = state.clone();
        if !checks.is_empty() {
            answered.apply(&Delta::of(&key, answer.clone()));
        }
        let context = FunctionContext {
            definition: &definition,
            registry: &registry,
            agent: &agent,
            state: &answered,
            failure: None,
        };
        let failed = checks.iter().map(|check| check(&context)).filter(|result| !result.passed);
        lost.into_iter().chain(failed.map(|result| result.detail)).collect()
    }))
}
