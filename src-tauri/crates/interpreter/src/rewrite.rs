//! A rewrite after the end: a run that starts at the writer of the draft, with the results of an earlier run of the
//! session.

use std::collections::BTreeMap;

use kernel::{IssueDecision, OwnText, PipelineDefinition, Role, State, Step, Value, result_text};
use serde_json::json;

use crate::draft::{change, remark_key};
use crate::draft_text::{text_of, with_text};
use crate::issues::issues_in;
use crate::own_text::own_text_in;
use crate::registry::Registry;

/// The definition without the steps before the writer of the draft; `None` if no agent rewrites a draft.
pub fn rewriting(definition: &PipelineDefinition) -> Option<PipelineDefinition> {
    let rewrites =
        |name: &String| definition.agents.get(name).is_some_and(|agent| definition.rewrites(agent));
    let first = definition.flow.steps.iter().position(|step| agents_of(step).into_iter().any(rewrites))?;
    let mut rewriting = definition.clone();
    rewriting.flow.steps.drain(..first);
    let used: Vec<String> = rewriting.flow.steps.iter().flat_map(agents_of).cloned().collect();
    rewriting.agents.retain(|name, _| used.contains(name));
    Some(rewriting)
}

/// The agents in a step.
fn agents_of(step: &Step) -> Vec<&String> {
    let inner: Vec<&[Step]> = match step {
        Step::Agent(name) => return vec![name],
        Step::ForEach(each) => return vec![&each.run],
        Step::Sequence { steps, .. } | Step::Parallel { steps, .. } | Step::Loop { steps, .. } => vec![steps],
        Step::When { steps, otherwise, .. } => vec![steps, otherwise],
        Step::Try { steps, failures } => {
            vec![steps, &failures.on_tool_failure, &failures.on_malformed, &failures.on_limit]
        }
        Step::Set(_) | Step::Surface(_) | Step::Run { .. } | Step::Note(_) | Step::ExitLoop | Step::End => {
            return Vec::new();
        }
    };
    inner.into_iter().flatten().flat_map(agents_of).collect()
}

fn final_key(definition: &PipelineDefinition) -> Option<&str> {
    definition.key_of_role(|role| *role == Role::Final).map(|(name, _)| name)
}

/// The current text of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PresentText {
    /// The text.
    pub text: String,
    /// The person's sentences in it.
    pub own_text: OwnText,
}

/// The resulting text of a state, with the person's sentences in it; `None` without a text.
pub(crate) fn present_text(definition: &PipelineDefinition, state: &State) -> Option<PresentText> {
    let text = result_text(&definition.declarations(), state)?.text;
    let own_text = own_text_in(definition, state).standing_in(&text);
    Some(PresentText { text, own_text })
}

/// The initial keys of a rewrite: the state, with the current text as the draft and without a result. Issues that are
/// not dismissed count as accepted, because the person decided to rewrite.
pub(crate) fn beginning(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
) -> Option<BTreeMap<String, Value>> {
    let draft = definition.draft_key()?;
    let drafted = text_of(definition, state, draft)?;
    let present = present_text(definition, state)?.text;
    let mut began = state.clone();
    if present != drafted {
        let value = with_text(definition, state, draft, &json!(present));
        began.apply(&change(definition, registry, None, state, draft, value));
    }
    let (last, remark) = (final_key(definition), remark_key(definition));
    let mut inputs: BTreeMap<String, Value> =
        began.iter().map(|(key, value)| (key.to_owned(), value.clone())).collect();
    inputs.retain(|key, _| Some(key.as_str()) != last && Some(key.as_str()) != remark);
    if let (Some(key), Some(mut issues)) = (definition.issues_key(), issues_in(definition, state)) {
        for issue in issues.issues.iter_mut().filter(|issue| issue.is_open() && !issue.is_dismissed()) {
            issue.decision = Some(IssueDecision::Accepted);
        }
        inputs.insert(key.to_owned(), json!(issues).into());
    }
    Some(inputs)
}
