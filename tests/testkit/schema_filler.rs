//! Fits values to a JSON Schema, so that the news model's answer has exactly the fields that were asked for,
//! of the types that were asked for. Not in it: patterns and bounds beyond what answers of this model need.

use serde_json::{Map, Value, json};

/// References may go in circles; deeper than this a field is null.
const DEEPEST: usize = 16;

/// The object that the schema describes; `known` gives the values of fields by name, in any type.
pub(crate) fn fill(root: &Value, known: &Map<String, Value>) -> Value {
    value_for(root, root, Some(&Value::Object(known.clone())), 0)
}

fn value_for(root: &Value, schema: &Value, known: Option<&Value>, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    if let Some(target) =
        schema["$ref"].as_str().and_then(|r| r.strip_prefix('#')).and_then(|p| root.pointer(p))
    {
        return value_for(root, target, known, depth + 1);
    }
    if let Some(options) = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()) {
        let is_null = |option: &&Value| option["type"] == "null";
        return match (known, options.iter().find(|option| !is_null(option))) {
            (Some(_), Some(option)) => value_for(root, option, known, depth + 1),
            (None, Some(option)) if !options.iter().any(|option| is_null(&option)) => {
                value_for(root, option, None, depth + 1)
            }
            _ => Value::Null,
        };
    }
    if let Some(allowed) = schema["enum"].as_array() {
        let wanted = known.filter(|known| allowed.contains(known));
        return wanted.or(allowed.first()).cloned().unwrap_or(Value::Null);
    }
    if let Some(only) = schema.get("const") {
        return only.clone();
    }
    match type_of(schema, known.is_some()) {
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten().map(|(name, child)| {
                (name.clone(), value_for(root, child, known.and_then(|known| known.get(name)), depth + 1))
            });
            Value::Object(fields.collect())
        }
        "array" => {
            let items = known.and_then(Value::as_array).into_iter().flatten();
            items.map(|item| value_for(root, &schema["items"], Some(item), depth + 1)).collect()
        }
        "string" => match known {
            Some(Value::String(text)) => json!(text),
            Some(Value::Number(number)) => json!(worded(number.as_f64().unwrap_or_default())),
            Some(other) => json!(other.to_string()),
            None => json!(""),
        },
        "integer" => json!(known.and_then(Value::as_i64).unwrap_or_else(|| i64::from(known.is_some()))),
        "number" => known.filter(|known| known.is_number()).cloned().unwrap_or_else(|| json!(0.9)),
        "boolean" => json!(known.and_then(Value::as_bool).unwrap_or(known.is_some())),
        _ => known.cloned().unwrap_or(Value::Null),
    }
}

/// A share as a word, for schemas that want one.
fn worded(share: f64) -> &'static str {
    if share >= 0.75 {
        "high"
    } else if share >= 0.4 {
        "medium"
    } else {
        "low"
    }
}

fn type_of(schema: &Value, is_known: bool) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => {
            let null_is_right = !is_known && kinds.iter().any(|kind| kind == "null");
            let kind = kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null");
            if null_is_right { "null" } else { kind.unwrap_or("null") }
        }
        _ if schema.get("properties").is_some() => "object",
        _ => "any",
    }
}
