//! Extracts the texts in a value for the search. The store knows no roles: long strings are text under any key.

/// Shorter strings in lists and objects are labels, dates and ids.
const SHORTEST: usize = 20;
/// The most bytes of one text, and of all texts of a run together, that are indexed.
const LONGEST: usize = 20_000;
const ALL: usize = 256_000;

/// Adds the texts of a value, one per line. A value that is itself a string counts at any length.
pub(crate) fn collect(json: &serde_json::Value, out: &mut String) {
    match json {
        serde_json::Value::String(text) => push(text, out),
        other => inside(other, out),
    }
}

fn inside(json: &serde_json::Value, out: &mut String) {
    match json {
        serde_json::Value::String(text) if text.len() >= SHORTEST => push(text, out),
        serde_json::Value::Array(items) => items.iter().for_each(|item| inside(item, out)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| inside(field, out)),
        _ => {}
    }
}

fn push(text: &str, out: &mut String) {
    let room = ALL.saturating_sub(out.len()).min(LONGEST);
    out.push_str(&text[..text.floor_char_boundary(room)]);
    if room > 0 {
        out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_indexed_and_labels_are_not() {
        let mut out = String::new();
        collect(&serde_json::json!("short"), &mut out);
        collect(&serde_json::json!({"id": "x", "list": [1, "a text that is long enough"]}), &mut out);
        assert_eq!(out, "short\na text that is long enough\n");
        for _ in 0..100 {
            collect(&serde_json::json!("聖".repeat(20_000)), &mut out);
        }
        assert!(out.len() <= ALL + 1);
    }
}
