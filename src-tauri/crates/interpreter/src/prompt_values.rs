//! The values of keys for a template.

use engine::{AgentError, Cx};
use kernel::{Code, Error, PipelineDefinition, Value, phrase};
use serde_json::Value as Json;

use crate::issues;
use crate::template::{TemplateError, Values, value};

/// The values of these keys for a template, each recorded as read. A missing one is undefined.
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
        let review = review_for_agent(definition, cx, key, found.json_or_null())?;
        values.insert(key.clone(), value(review.map_or(found, Value::from), is_own_line));
    }
    Ok(values)
}

/// A review in the form for an agent: without dismissed issues. `None` for any other value.
fn review_for_agent(
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
    // The issues are read here, and the read is recorded.
    cx.value(issues_key)?;
    let issues = issues::issues_in(definition, cx.view());
    Ok(issues.zip(definition.role(key)).map(|(issues, role)| issues::for_writer(role, review, &issues)))
}

/// The error of an agent whose template cannot be filled in.
pub(crate) fn bad(agent: &str, error: &TemplateError) -> Error {
    Error::new(
        Code::BadInput,
        phrase!("The template of `{agent}` cannot be filled in: {why}", agent, why = error.reason),
    )
}
