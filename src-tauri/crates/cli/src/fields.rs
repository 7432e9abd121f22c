//! Compares and shows values field by field, so that people see only the differences.

use desk::KeyChange;
use serde_json::Value;

use crate::table::moment;

/// Bytes above which a text is shown only around its first difference.
const LONG: usize = 1_200;
const AROUND: usize = 400;

/// A change of a key for display.
pub(crate) struct KeyChangeLine<'a> {
    change: &'a KeyChange,
}

impl<'a> KeyChangeLine<'a> {
    pub(crate) fn of(change: &'a KeyChange) -> KeyChangeLine<'a> {
        KeyChangeLine { change }
    }

    pub(crate) fn text(&self) -> String {
        let change = self.change;
        let round = change.round.map(|round| format!(", round {round}")).unwrap_or_default();
        let readers = if change.read_by.is_empty() { "nobody".to_owned() } else { change.read_by.join(", ") };
        let value = match &change.value {
            None => "(removed)".to_owned(),
            Some(value) => shown(value.json_or_null()),
        };
        let mut text = format!(
            "{:>5} {} by {}{round}, read by {readers}\n",
            change.seq,
            moment(change.at_ms),
            change.author
        );
        for line in value.lines() {
            text.push_str(&format!("      {line}\n"));
        }
        text
    }
}

/// A value for display: texts as they are, anything else as indented JSON.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Null => "(nothing)".to_owned(),
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// A field in which two values differ, with both sides.
#[derive(Debug, PartialEq)]
pub(crate) struct FieldDifference {
    /// The path of the field, joined by dots; empty for the whole values.
    pub(crate) place: String,
    pub(crate) left: String,
    pub(crate) right: String,
}

/// The innermost fields in which two values differ.
pub(crate) fn differences(left: &Value, right: &Value) -> Vec<FieldDifference> {
    let mut found = Vec::new();
    collect(String::new(), left, right, &mut found);
    found
}

fn collect(place: String, left: &Value, right: &Value, found: &mut Vec<FieldDifference>) {
    if left == right {
        return;
    }
    let below = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for name in a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))) {
                let side = |object: &serde_json::Map<String, Value>| {
                    object.get(name).cloned().unwrap_or(Value::Null)
                };
                collect(below(name), &side(a), &side(b), found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                collect(below(&index.to_string()), x, y, found);
            }
        }
        _ => {
            let (left, right) = around(&shown(left), &shown(right));
            found.push(FieldDifference { place, left, right });
        }
    }
}

/// Both texts; long ones are cut to the surroundings of their first difference.
fn around(left: &str, right: &str) -> (String, String) {
    let same = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str| {
        let length = text.chars().count();
        if length <= LONG {
            return text.to_owned();
        }
        let from = same.saturating_sub(AROUND / 4);
        let part: String = text.chars().skip(from).take(AROUND).collect();
        let (before, after) =
            (if from > 0 { "…" } else { "" }, if from + AROUND < length { "…" } else { "" });
        format!("{before}{part}{after}")
    };
    (cut(left), cut(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_reported_by_their_innermost_field() {
        let left = json!({ "a": { "b": [1, 2], "c": "same" }, "d": "x" });
        let right = json!({ "a": { "b": [1, 3], "c": "same" }, "e": null });
        let found: Vec<String> = differences(&left, &right)
            .into_iter()
            .map(|d| format!("{}: {} / {}", d.place, d.left, d.right))
            .collect();
        assert_eq!(found, ["a.b.1: 2 / 3", "d: x / (nothing)"]);
    }

    #[test]
    fn long_texts_are_shown_around_their_first_difference() {
        let text = "聖".repeat(5_000);
        let found = differences(&json!(format!("{text}a")), &json!(format!("{text}b")));
        assert!(found[0].left.ends_with("聖a") && found[0].right.ends_with("聖b"));
        assert!(found[0].left.chars().count() < LONG);
    }
}
