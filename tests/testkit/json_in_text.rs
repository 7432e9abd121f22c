//! Finds the JSON values that stand in a prompt between sentences: the news model reads its articles from them.
//! Not in it: repair of broken JSON; what does not parse is prose.

use serde_json::Value;

/// Prose may have many lone brackets; after so many that open no JSON the search gives up.
const MOST_FAILURES: usize = 400;

/// Every object or array of the text, in order, the outermost ones only.
pub(crate) fn values(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut position = 0;
    let mut failures = 0;
    while let Some(offset) = text[position..].find(['{', '[']) {
        let start = position + offset;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        if let Some(Ok(value)) = stream.next() {
            position = start + stream.byte_offset();
            found.push(value);
        } else {
            failures += 1;
            if failures > MOST_FAILURES {
                break;
            }
            position = start + 1;
        }
    }
    found
}

/// Calls `visit` on every object inside the value, outer ones first, in the order of the text.
pub(crate) fn objects<'v>(value: &'v Value, visit: &mut impl FnMut(&'v serde_json::Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            visit(fields);
            for field in fields.values() {
                objects(field, visit);
            }
        }
        Value::Array(items) => {
            for item in items {
                objects(item, visit);
            }
        }
        _ => {}
    }
}
