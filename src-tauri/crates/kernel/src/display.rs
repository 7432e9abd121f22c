//! “Display all states”: the exact text of a state, byte for byte the same everywhere (seed 002).

use std::fmt::Write;

use crate::{State, pretty};

/// The exact text: a first line, then every declared key in the pipeline's order with its number and its value indented
/// by three spaces, `(empty)` for an empty value, and a last line. Texts are written as they are, other values as JSON
/// with an indentation of two spaces.
pub fn display_state<'a>(state: &State, keys: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::from("--- BEGIN PIPELINE STATE ---\n\n");
    for (index, key) in keys.into_iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}. {key}:", index + 1);
        let value = state.get(key).filter(|value| !value.is_empty());
        let shown = match value.map(|value| value.json_or_null()) {
            None => "(empty)".to_owned(),
            Some(serde_json::Value::String(plain)) => plain.clone(),
            Some(json) => pretty(json).unwrap_or_default(),
        };
        for line in shown.split('\n') {
            let _ = writeln!(text, "   {line}");
        }
        text.push('\n');
    }
    text.push_str("--- END PIPELINE STATE ---\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;
    use serde_json::json;

    #[test]
    fn the_text_is_exact() {
        let state: State = [
            ("topic".to_owned(), Value::text("two\nlines")),
            ("draft".to_owned(), Value::new(json!({"words": 2}))),
        ]
        .into_iter()
        .collect();
        assert_eq!(
            display_state(&state, ["topic", "draft", "final"]),
            "--- BEGIN PIPELINE STATE ---\n\n1. topic:\n   two\n   lines\n\n2. draft:\n   {\n     \"words\": 2\n   }\n\n\
             3. final:\n   (empty)\n\n--- END PIPELINE STATE ---\n"
        );
    }
}
