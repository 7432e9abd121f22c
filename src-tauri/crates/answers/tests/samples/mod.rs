//! The sample schema of the tests: a review with a field of each kind.

use answers::{Answer, Reader};
use serde_json::{Value, json};

/// The schema of a review.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["notes", "issues", "score", "ready", "items"],
        "properties": {
            "notes": {"type": "string", "default": ""},
            "issues": {"type": "array", "items": {"type": "string"}, "default": []},
            "score": {"type": "integer"},
            "ready": {"type": "boolean"},
            "items": {"type": "array", "items": {
                "type": "object", "additionalProperties": false, "required": ["number", "why"],
                "properties": {"number": {"type": "integer"}, "why": {"type": "string", "default": ""}}
            }}
        }
    })
}

/// A reader of a review.
pub(crate) fn reader() -> Reader {
    Reader::new("review", schema()).unwrap()
}

/// Reads a text as a whole answer.
pub(crate) fn read(text: &str) -> Result<answers::Reading, answers::Unusable> {
    reader().read(&Answer { text, ..Answer::default() })
}
