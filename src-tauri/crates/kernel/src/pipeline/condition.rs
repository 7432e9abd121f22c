//! Conditions: a closed list of tests on one value of the state, not a language.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{Json, PhraseParameter, State};

/// A value of the state: a key, and fields inside its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPath {
    /// The key.
    pub key: String,
    /// Field names from the outermost to the innermost; empty for the whole value.
    pub fields: Vec<String>,
}

impl KeyPath {
    /// The value at the path; `None` when it is absent or null.
    pub fn find<'a>(&self, state: &'a State) -> Option<&'a Value> {
        let mut value = state.get(&self.key)?.json()?;
        for field in &self.fields {
            value = value.get(field)?;
        }
        (!value.is_null()).then_some(value)
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}

impl FromStr for KeyPath {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<KeyPath, ConditionError> {
        let mut parts = text.split('.').map(str::to_owned);
        let key = parts.next().unwrap_or_default();
        let fields: Vec<String> = parts.collect();
        let is_name = |part: &String| {
            !part.is_empty() && part.chars().all(|character| character.is_alphanumeric() || character == '_')
        };
        if !is_name(&key) || !fields.iter().all(is_name) {
            return Err(ConditionError(format!(
                "`{text}` names no value; write a key, and fields inside it after dots: `review.ready`"
            )));
        }
        Ok(KeyPath { key, fields })
    }
}

impl Serialize for KeyPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for KeyPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeyPath, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The test of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum ConditionTest {
    /// It is absent or null.
    Absent,
    /// It is present.
    Present,
    /// It is absent, an empty text, an empty list or an empty object.
    Empty,
    /// It is not empty.
    NotEmpty,
    /// It is true.
    True,
    /// It is not true.
    NotTrue,
    /// It equals this text, number or boolean.
    Equals(Value),
    /// It is a number below this one.
    Below(f64),
}

/// A test on one value of the state.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The path of the value.
    pub value: KeyPath,
    /// The test.
    pub test: ConditionTest,
}

/// Why a text is no valid condition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConditionError(String);

impl Condition {
    /// Whether it holds in this state.
    pub fn holds(&self, state: &State) -> bool {
        let value = self.value.find(state);
        let is_empty = || match value {
            None => true,
            Some(Value::String(text)) => text.trim().is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            Some(Value::Object(fields)) => fields.is_empty(),
            Some(_) => false,
        };
        match &self.test {
            ConditionTest::Absent => value.is_none(),
            ConditionTest::Present => value.is_some(),
            ConditionTest::Empty => is_empty(),
            ConditionTest::NotEmpty => !is_empty(),
            ConditionTest::True => value == Some(&Value::Bool(true)),
            ConditionTest::NotTrue => value != Some(&Value::Bool(true)),
            ConditionTest::Equals(wanted) => match (value.and_then(Value::as_f64), wanted.as_f64()) {
                (Some(found), Some(wanted)) => found == wanted,
                _ => value == Some(wanted),
            },
            ConditionTest::Below(most) => value.and_then(Value::as_f64).is_some_and(|found| found < *most),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = &self.value;
        match &self.test {
            ConditionTest::Absent => write!(f, "{value} is absent"),
            ConditionTest::Present => write!(f, "{value} is present"),
            ConditionTest::Empty => write!(f, "{value} is empty"),
            ConditionTest::NotEmpty => write!(f, "{value} is not empty"),
            ConditionTest::True => write!(f, "{value} is true"),
            ConditionTest::NotTrue => write!(f, "{value} is not true"),
            ConditionTest::Equals(wanted) => write!(f, "{value} equals {wanted}"),
            ConditionTest::Below(most) => write!(f, "{value} is below {most}"),
        }
    }
}

impl PhraseParameter for Condition {
    fn to_parameter(&self) -> Json {
        Json(self.to_string().into())
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        let unknown = || {
            ConditionError(format!(
                "`{text}` is no condition; write one of `KEY is absent`, `is present`, `is empty`, `is not empty`, `is true`, `is not true`, `is below 3`, `equals \"text\"`"
            ))
        };
        let (value, rest) = text.trim().split_once(' ').ok_or_else(unknown)?;
        let value: KeyPath = value.parse()?;
        let test = match rest.trim() {
            "is absent" => ConditionTest::Absent,
            "is present" => ConditionTest::Present,
            "is empty" => ConditionTest::Empty,
            "is not empty" => ConditionTest::NotEmpty,
            "is true" => ConditionTest::True,
            "is not true" => ConditionTest::NotTrue,
            other => match (other.strip_prefix("is below "), other.strip_prefix("equals ")) {
                (Some(most), _) => match most.parse::<f64>() {
                    Ok(most) if most.is_finite() => ConditionTest::Below(most),
                    _ => return Err(unknown()),
                },
                (None, Some(wanted)) => match serde_json::from_str::<Value>(wanted) {
                    Ok(wanted @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
                        ConditionTest::Equals(wanted)
                    }
                    _ => return Err(unknown()),
                },
                (None, None) => return Err(unknown()),
            },
        };
        Ok(Condition { value, test })
    }
}

impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Condition, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Delta;

    fn holds(condition: &str) -> bool {
        let mut state = State::default();
        state.apply(&Delta::of("hits", json!({"items": [], "notes": "none"})));
        state.apply(&Delta::of("review", json!({"ready": true, "score": 2.5, "verdict": "good"})));
        state.apply(&Delta::of("draft", json!(null)));
        condition.parse::<Condition>().unwrap().holds(&state)
    }

    #[test]
    fn each_test_says_what_the_value_is() {
        for condition in [
            "hits.items is empty",
            "hits.notes is not empty",
            "draft is absent",
            "other is absent",
            "other is empty",
            "review is present",
            "review.ready is true",
            "hits is not true",
            "review.score is below 3",
            "review.verdict equals \"good\"",
            "review.score equals 2.5",
        ] {
            assert!(holds(condition), "{condition}");
        }
        for condition in
            ["draft is present", "hits.items is not empty", "review.score is below 2", "other is below 9"]
        {
            assert!(!holds(condition), "{condition}");
        }
    }

    #[test]
    fn a_condition_is_written_as_it_was_read_and_anything_else_is_refused() {
        for text in ["a.b is not empty", "a is below 3", "a equals \"x  y\"", "a equals true"] {
            assert_eq!(text.parse::<Condition>().unwrap().to_string(), text);
        }
        for text in
            ["", "a", "a is", "a is bigger", "a is below much", "a..b is true", "a equals {}", "a-b is true"]
        {
            assert!(text.parse::<Condition>().is_err(), "{text}");
        }
    }
}
