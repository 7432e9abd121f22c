//! The values of keys as a template gets them.

use engine::{AgentError, Cx};
use kernel::{PipelineDefinition, Value};
use serde_json::Value as Json;

use crate::issues;
use crate::template::{Values, value};

/// The values of these keys for a template, each recorded as read. One that is absent is none.
pub(crate) fn values<'a>(
    definition: &PipelineDefinition,
    cx: &Cx,
    keys: impl IntoIterator<Item = &'a String>,
) -> Result<Values, AgentError> {
    let mut values = Values::new();
    for key in keys {
        let found = cx.value(key)?;
        let is_own_line =
            definition.inputs.get(key).is_some_and(|input| input.kind == kernel::InputKind::Line);
        let found = found.unwrap_or_default();
        let told = told_review(definition, cx, key, found.json_or_null())?;
        values.insert(key.clone(), value(told.map_or(found, Value::from), is_own_line));
    }
    Ok(values)
}

/// A review as an agent is told of it: without the issues that the person dismissed. Nothing for any other value.
fn told_review(
    definition: &PipelineDefinition,
    cx: &Cx,
    key: &str,
    review: &Json,
) -> Result<Option<Json>, AgentError> {
    let Some(issues_key) = definition.issues_key().filter(|issues| cx.may_read(issues)) else {
        return Ok(None);
    };
    if definition.review_key() != Some(key) || review.is_null() {
        return Ok(None);
    }
    // The issues are read, and the read is recorded.
    cx.value(issues_key)?;
    let issues = issues::issues_in(definition, cx.view());
    Ok(issues.zip(definition.role(key)).map(|(issues, role)| issues::told(role, review, &issues)))
}
