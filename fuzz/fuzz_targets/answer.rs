//! The reader of answers on any bytes: it ends, it does not panic, and it says the same twice.
#![no_main]

use answers::{Answer, Reader};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["notes", "issues", "ready", "items"],
        "properties": {
            "notes": {"type": "string", "default": ""},
            "issues": {"type": "array", "items": {"type": "string"}, "default": []},
            "ready": {"type": "boolean"},
            "items": {"type": "array", "items": {
                "type": "object", "additionalProperties": false, "required": ["number"],
                "properties": {"number": {"type": "integer", "default": 0}, "url": {"type": "string", "default": "", "x-asked": false}}
            }}
        }
    });
    let readers = [Reader::new("answer", schema), Reader::of_drafts("post"), Reader::of_texts("post")];
    for reader in readers {
        let Ok(reader) = reader else { return };
        for was_cut in [false, true] {
            let answer = Answer { text: &text, was_cut, ..Answer::default() };
            assert_eq!(reader.read(&answer), reader.read(&answer));
            assert_eq!(reader.read_partial(&answer), reader.read_partial(&answer));
        }
    }
});
