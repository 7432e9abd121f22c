//! Writes JSON text: the compact form, which is hashed, measured and stored, and the indented form for reading.
//!
//! The output equals that of serde_json byte for byte, which tests check. sonic-rs finds the characters to escape many
//! bytes at a time, which matters for the long prompts and articles of a run.

use serde::Serialize;
use serde::ser::Error;

use crate::Scratch;

/// The compact JSON text, with keys in their order.
///
/// # Errors
/// The value is not JSON: a map has keys that are no strings.
pub fn compact(thing: &(impl Serialize + ?Sized)) -> Result<String, sonic_rs::Error> {
    let mut text = Scratch::take();
    sonic_rs::to_writer(&mut *text, thing)?;
    text.into_text().map_err(Error::custom)
}

/// The JSON text over several lines, indented by two spaces.
///
/// # Errors
/// As [`compact`].
pub fn pretty(thing: &(impl Serialize + ?Sized)) -> Result<String, sonic_rs::Error> {
    let mut text = Scratch::take();
    pretty_behind(&mut text, thing)?;
    text.into_text().map_err(Error::custom)
}

/// Appends the output of [`pretty`] to a buffer.
///
/// # Errors
/// As [`compact`]; the buffer may then contain a part of it.
pub fn pretty_behind(text: &mut Scratch, thing: &(impl Serialize + ?Sized)) -> Result<(), sonic_rs::Error> {
    sonic_rs::to_writer_pretty(&mut **text, thing)
}

/// The cost of parsing a JSON text.
pub struct JsonMeasures {
    /// The depth of its nested brackets.
    pub depth: usize,
    /// An upper bound of the number of its values.
    pub values: usize,
}

impl JsonMeasures {
    /// Counts brackets and commas outside strings.
    pub fn of(json: &str) -> JsonMeasures {
        let mut measures = JsonMeasures { depth: 0, values: 1 };
        let (mut now, mut is_text, mut is_escaped) = (0_usize, false, false);
        for byte in json.bytes() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' if is_text => is_escaped = true,
                b'"' => is_text = !is_text,
                b'[' | b'{' if !is_text => {
                    now += 1;
                    measures.depth = measures.depth.max(now);
                    measures.values += 1;
                }
                b']' | b'}' if !is_text => now = now.saturating_sub(1),
                b',' if !is_text => measures.values += 1,
                _ => {}
            }
        }
        measures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,40}".prop_map(Value::from),
            proptest::collection::vec(any::<char>(), 0..80)
                .prop_map(|text| Value::from(String::from_iter(text))),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_output_equals_that_of_serde_json(json in any_json()) {
            prop_assert_eq!(compact(&json).unwrap(), serde_json::to_string(&json).unwrap());
            prop_assert_eq!(pretty(&json).unwrap(), serde_json::to_string_pretty(&json).unwrap());
        }
    }

    #[test]
    fn every_character_that_json_escapes_is_written_alike_wherever_it_stands() {
        for code in 0..=0xFF_u32 {
            for before in 0..70 {
                let text = format!("{}{}終", "x".repeat(before), char::from_u32(code).unwrap_or('x'));
                assert_eq!(compact(&text).unwrap(), serde_json::to_string(&text).unwrap());
            }
        }
        for number in [0.0, -0.0, 1.0, 1e15, 1e16, 1e17, 1e21, 1e-5, 1e-7, f64::MAX, f64::MIN_POSITIVE, 0.1] {
            assert_eq!(compact(&number).unwrap(), serde_json::to_string(&number).unwrap());
        }
        let deep = (0..1_000).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(compact(&deep).unwrap().len(), 2_001);
    }
}
