//! Converts other plan formats: prompts with named parameters, and references to the output of the step before.

use std::sync::LazyLock;

use kernel::{Phrase, PlanStep, phrase};
use regex::{Captures, Regex};
use serde_json::Value;

/// The placeholder for the output of the last step of the stage before.
const PREVIOUS: &str = "{previous_step_output}";
const TEMPLATE: &str = "prompt_template";
const PARAMETERS: &str = "prompt_params";
const PROMPT: &str = "prompt";

/// `{{ name }}` in a prompt.
static PLACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")
        .unwrap_or_else(|error| unreachable!("the pattern of places: {error}"))
});

/// Converts a step: a prompt replaces `prompt_template` and `prompt_params`, and a reference replaces
/// `{previous_step_output}`. `before` is the last step of the stage before.
///
/// # Errors
/// There is no stage before, or a placeholder of the prompt has no parameter.
pub(crate) fn rewrite(step: &mut PlanStep, before: Option<&str>) -> Result<(), Phrase> {
    let input = &mut step.sub_task_input.0;
    refer(input, before)?;
    let Some(fields) = input.as_object_mut().filter(|fields| !fields.contains_key(PROMPT)) else {
        return Ok(());
    };
    let Some(template) = fields.get(TEMPLATE).and_then(Value::as_str) else { return Ok(()) };
    let parameters = fields.get(PARAMETERS).and_then(Value::as_object);
    let parameter = |name: &str| parameters.and_then(|parameters| parameters.get(name));
    let missing = PLACE.captures_iter(template).find(|place| parameter(&place[1]).is_none());
    if let Some(place) = missing {
        return Err(phrase!(
            "its prompt has the place `{name}`, and `{parameters}` has no such name",
            name = &place[1],
            parameters = PARAMETERS
        ));
    }
    let with = |place: &Captures<'_>| match parameter(&place[1]) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => String::new(),
    };
    let prompt = PLACE.replace_all(template, with).into_owned();
    fields.retain(|name, _| name != TEMPLATE && name != PARAMETERS);
    fields.insert(PROMPT.to_owned(), prompt.into());
    Ok(())
}

fn refer(value: &mut Value, before: Option<&str>) -> Result<(), Phrase> {
    match value {
        Value::String(text) if text.contains(PREVIOUS) => {
            let Some(step) = before else {
                return Err(phrase!("it asks for {what}, and no stage is before it", what = PREVIOUS));
            };
            *text = text.replace(PREVIOUS, &format!("@{{outputs.{step}.processed_result_data}}"));
            Ok(())
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| refer(item, before)),
        Value::Object(fields) => fields.values_mut().try_for_each(|field| refer(field, before)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use kernel::Json;
    use serde_json::json;

    use super::*;

    fn rewritten(input: Value, before: Option<&str>) -> Result<Value, Phrase> {
        let mut step: PlanStep = serde_json::from_value(json!({ "stepId": "c" })).unwrap();
        step.sub_task_input = Json(input);
        rewrite(&mut step, before).map(|()| step.sub_task_input.0)
    }

    #[test]
    fn a_prompt_with_parameters_becomes_one_prompt_with_them_as_data() {
        let input = json!({
            "prompt_template": "Compare {{ one }} with {{two}}.",
            "prompt_params": { "one": "{previous_step_output}", "two": "{{ one }}" }
        });
        let prompt = "Compare @{outputs.b.processed_result_data} with {{ one }}.";
        assert_eq!(rewritten(input, Some("b")).unwrap(), json!({ "prompt": prompt }));
    }

    #[test]
    fn a_placeholder_without_a_value_is_an_error_of_the_step() {
        let first = rewritten(json!({ "prompt": "Go on from {previous_step_output}" }), None);
        assert!(first.unwrap_err().english().contains("no stage is before it"));
        let input = json!({ "prompt_template": "Say {{ what }}", "prompt_params": {} });
        assert!(rewritten(input, None).unwrap_err().english().contains("the place `what`"));
    }
}
