//! Removes fields that belong to other tools from a model's plan.
//!
//! The schema for a model's answer has the fields of all tools in the input of a step, and servers require every field
//! of a schema: fields that a tool does not take are empty.

use serde_json::{Map, Value};

use crate::abilities::Abilities;

/// The answer without empty fields that the step's tool does not need.
pub fn tidied(mut answer: Value, abilities: &Abilities) -> Value {
    let stages = answer.get_mut("stages").and_then(Value::as_array_mut).into_iter().flatten();
    for step in stages.filter_map(Value::as_array_mut).flatten() {
        let tool = step["tool_name"].as_str().unwrap_or_default().to_owned();
        if let Some((_, ability)) = abilities.tool(&tool)
            && let Some(input) = step.get_mut("sub_task_input").and_then(Value::as_object_mut)
        {
            tidy(input, &ability.input);
        }
    }
    answer
}

fn tidy(fields: &mut Map<String, Value>, schema: &Value) {
    let needed: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, value) in fields.iter_mut() {
        if let Some(inner) = value.as_object_mut() {
            tidy(inner, &schema["properties"][name]);
        }
    }
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    };
    let is_known = |name: &str| schema["properties"].get(name).is_some();
    // A number that belongs to another tool cannot be empty.
    fields.retain(|name, value| {
        needed.contains(&name.as_str()) || !(is_empty(value) || value.is_number() && !is_known(name))
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::abilities::Ability;

    #[test]
    fn empty_fields_of_other_tools_are_removed_and_all_others_stay() {
        let schema = json!({ "required": ["expression"], "properties": { "expression": {} } });
        let ability = Ability { role: "UtilityAgent".into(), input: schema, needs_model: false };
        let abilities = Abilities([("CalculatorTool".into(), ability)].into());
        let input = json!({
            "expression": "", "query": "", "isFinalAnswer": false, "params": { "filename": "" }, "points": [], "pagesToExplore": 1, "url": "https://a.org",
        });
        let answer = json!({ "stages": [[{ "tool_name": "CalculatorTool", "sub_task_input": input }]] });
        let tidied = tidied(answer, &abilities);
        assert_eq!(
            tidied["stages"][0][0]["sub_task_input"],
            json!({ "expression": "", "url": "https://a.org" })
        );
    }
}
