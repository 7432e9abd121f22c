//! Reads the metadata fields of records and file headers, whatever their JSON shape.

use serde_json::Value;

use super::dates::day;
use super::one_line;

/// The most names kept of one field.
const MOST_NAMES: usize = 200;

/// Keys that hold the name in an object.
const NAMES: [&str; 6] = ["name", "label", "term", "literal", "full_name", "title"];
/// Pairs of keys for a name in two parts.
const PARTS: [(&str, &str); 4] =
    [("given", "family"), ("first", "last"), ("first_name", "last_name"), ("firstName", "lastName")];

/// Whether a field has a value: programs write `""` and `[]` for unknown.
pub(super) fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(list) => list.iter().any(has_value),
        Value::Object(object) => object.values().any(has_value),
        _ => true,
    }
}

/// A text or number as one line; of a list its first element.
pub(super) fn line(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => one_line(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => list.iter().find_map(line),
        _ => None,
    }
}

/// The names in a field: a single name, a list, or objects with names.
pub(super) fn names(value: &Value) -> Vec<String> {
    let found = match value {
        Value::Array(list) => list.iter().flat_map(names).collect(),
        Value::Object(object) => {
            let part = |key: &str| object.get(key).and_then(line);
            let in_parts = || {
                PARTS.iter().find_map(|(given, family)| match (part(given), part(family)) {
                    (Some(given), Some(family)) => Some(format!("{given} {family}")),
                    (None, family) => family,
                    (given, None) => given,
                })
            };
            NAMES.iter().find_map(|key| part(key)).or_else(in_parts).into_iter().collect()
        }
        _ => Vec::from_iter(line(value)),
    };
    found.into_iter().take(MOST_NAMES).collect()
}

/// The day in a field: a date as text, seconds or milliseconds since 1970, a list of year, month and day, or an object
/// with one of these.
pub(super) fn day_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => day(text),
        Value::Number(number) => day(&number.to_string()),
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().take(3).filter_map(line).collect();
            let in_parts = (parts.len() == 3).then(|| day(&parts.join("-"))).flatten();
            in_parts.or_else(|| list.iter().find_map(day_of))
        }
        Value::Object(object) => object.values().find_map(day_of),
        _ => None,
    }
}
