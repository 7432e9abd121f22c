//! Converts rows to and from JSON text. Values at the parser's depth limit must stay readable, although their event
//! nests them deeper.

use engine::LogError;
use kernel::{Code, JsonMeasures, phrase};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Place;

/// The greatest depth of stored JSON: the parser's 128 and the surrounding event.
const DEEPEST: usize = 256;

/// Serializes a value to compact JSON.
pub(crate) fn encode(thing: &impl Serialize, what: &str) -> Result<String, LogError> {
    kernel::compact(thing).map_err(|error| {
        LogError::new(
            Code::Internal,
            phrase!(
                "Storing {what} failed: it is not JSON ({error}). Please report it.",
                what,
                error = error.to_string()
            ),
        )
    })
}

/// Parses a JSON text from the database.
pub(crate) fn decode<T: DeserializeOwned>(text: &str, what: &str, place: &Place) -> Result<T, LogError> {
    let error = match serde_json::from_str(text) {
        Ok(thing) => return Ok(thing),
        Err(error) => error,
    };
    if JsonMeasures::of(text).depth > DEEPEST {
        return Err(place.damaged(&format!("{what} is nested too deep")));
    }
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    T::deserialize(&mut parser).map_err(|_| place.damaged(&format!("{what} cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Delta, Fact, Value};

    fn place() -> Place {
        Place::new(std::path::Path::new("nowhere"))
    }

    #[test]
    fn values_at_the_depth_limit_are_readable_from_their_event() {
        let text = format!("{}{}", "[".repeat(127), "]".repeat(127));
        let value: Value = serde_json::from_str(&text).unwrap();
        let fact = Fact::StateChanged { delta: Delta::of("key", value) };
        let stored = encode(&fact, "an event").unwrap();
        assert_eq!(decode::<Fact>(&stored, "an event", &place()).unwrap(), fact);
    }

    #[test]
    fn excessive_nesting_is_reported_as_damage_without_overflow() {
        let text = "[".repeat(1_000_000);
        assert_eq!(
            decode::<serde_json::Value>(&text, "a value", &place()).unwrap_err().code,
            Code::DatabaseCorrupt
        );
    }

    #[test]
    fn numbers_round_trip_exactly() {
        for number in [0.1 + 0.2, 1.0 / 3.0, 5e-324, 1.797_693_134_862_315_7e308, 0.734_156_901_234_567_8] {
            let text = encode(&number, "a number").unwrap();
            assert_eq!(decode::<f64>(&text, "a number", &place()).unwrap().to_bits(), f64::to_bits(number));
        }
    }
}
