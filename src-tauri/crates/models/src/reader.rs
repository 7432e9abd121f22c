//! The common parts of the readers of providers' answers.
//!
//! A reader belongs to a dialect and does no I/O. Errors in place of an answer and the positions of texts are similar
//! in all dialects and are handled here. Not here: from bytes to frames (`frame_splitter`, `frames`), the display of a
//! text (`answer`).

use kernel::{ModelReply, TokenUsage, json_field};
use serde_json::{Map, Value};

/// Most tool calls of one answer; further ones are ignored.
pub(crate) const MOST_CALLS: usize = 128;

/// A parsed answer with its refusal and completeness.
#[derive(Debug, Default)]
pub(crate) struct ReadReply {
    /// The answer so far, without its text.
    pub(crate) reply: ModelReply,
    /// The reason that the model or the provider gave in place of an answer; may be empty.
    pub(crate) refusal: Option<String>,
    /// Whether the answer is complete, now that nothing more comes.
    pub(crate) is_complete: bool,
}

/// Reads the answers of one dialect: the events of a stream, or one whole body.
pub(crate) trait Reader: Send {
    /// Reads a frame and returns its visible text.
    fn frame(&mut self, frame: &Value) -> String;

    /// Handles the mark that ends a stream, if the dialect has one that is no JSON.
    fn end_mark(&mut self) {}

    /// Whether the model reported that it had finished, whatever happened to the connection afterwards.
    fn is_complete(&self) -> bool;

    /// Whether nothing more can follow, even if the connection stays open.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether it has read any part of an answer.
    fn is_answer(&self) -> bool;

    /// The usage, as far as it was reported.
    fn usage(&self) -> TokenUsage;

    /// Everything except the text, once nothing more comes. Empties the reader.
    fn read(&mut self) -> ReadReply;
}

/// The finish reason in one form for all providers: `stop`, `length`, `tool_calls`, `content_filter`; any other stays
/// as the provider wrote it, in lower case.
pub(crate) fn stop_word(reason: &str) -> String {
    let reason = reason.to_ascii_lowercase();
    let word = match reason.as_str() {
        "end_turn" | "stop_sequence" | "eos" | "eos_token" | "complete" | "completed" => "stop",
        "max_tokens"
        | "max_output_tokens"
        | "max_length"
        | "model_length"
        | "model_context_window_exceeded"
        | "limit"
        | "incomplete" => "length",
        "tool_use" | "function_call" => "tool_calls",
        "refusal"
        | "safety"
        | "recitation"
        | "blocklist"
        | "prohibited_content"
        | "spii"
        | "model_armor"
        | "image_safety"
        | "image_prohibited_content"
        | "image_recitation" => "content_filter",
        _ => return reason,
    };
    word.to_owned()
}

/// A text field; empty if it is absent or no text.
pub(crate) fn text_in<'a>(holder: &'a Value, name: &str) -> &'a str {
    json_field(holder, name).and_then(Value::as_str).unwrap_or_default()
}

/// The fields that identify a frame as part of an answer, in any dialect.
const ANSWER_FIELDS: [&str; 12] = [
    "choices",
    "candidates",
    "content",
    "delta",
    "content_block",
    "response",
    "output",
    "usage",
    "usageMetadata",
    "promptFeedback",
    "timings",
    "done",
];

/// The fields that describe an error in other frames.
const ERROR_FIELDS: [&str; 8] =
    ["detail", "message", "msg", "error_msg", "error_message", "errorMessage", "faultstring", "reason"];

/// The error in a body or an event that came in place of an answer.
pub(crate) fn error_in(body: &Value) -> Option<&Value> {
    // Some servers wrap it in a list of one; some send an empty or null error with every piece.
    let is_nothing = |error: &Value| match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    };
    let frame = body.get(0).unwrap_or(body);
    let field = |name: &str| json_field(frame, name).filter(|error| !is_nothing(error));
    if let Some(error) = ["error", "errors", "fault"].iter().find_map(|name| field(name)) {
        return Some(error);
    }
    let is = |name: &str, value: &str| json_field(frame, name).and_then(Value::as_str) == Some(value);
    if is("object", "error") || is("type", "error") || is("status", "error") {
        return Some(frame);
    }
    let is_of_answer = ANSWER_FIELDS.iter().any(|name| field(name).is_some())
        || frame.get("message").is_some_and(Value::is_object);
    if is_of_answer {
        return None;
    }
    let has_words = ERROR_FIELDS.iter().any(|name| {
        field(name).is_some_and(|words| words.is_string() || (*name == "detail" && !words.is_number()))
    });
    let has_failed = frame.get("success") == Some(&Value::Bool(false));
    (has_words || has_failed).then_some(frame)
}

/// The content of a message: its text and its thinking.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Content {
    pub(crate) text: String,
    pub(crate) thinking: String,
}

/// Reads the content of a message: a text, parts, one part, or the requested JSON itself.
pub(crate) fn content_of(content: &Value) -> Content {
    let mut read = Content::default();
    if !gather(content, &mut read) {
        // A server that parses the JSON returns what the model wrote.
        read.text = content.to_string();
    }
    read
}

/// Adds the texts of a content; returns `false` if it has no known form.
fn gather(content: &Value, read: &mut Content) -> bool {
    match content {
        Value::Null | Value::Bool(_) => true,
        Value::String(text) => {
            read.text.push_str(text);
            true
        }
        Value::Number(_) => false,
        Value::Array(parts) => {
            let is_part = |part: &Value| part.is_string() || part.as_object().is_some_and(is_part);
            if !parts.iter().all(is_part) {
                return false;
            }
            parts.iter().for_each(|part| _ = gather(part, read));
            true
        }
        Value::Object(fields) => {
            if !is_part(fields) {
                return fields.is_empty();
            }
            let kind = fields.get("type").and_then(Value::as_str).unwrap_or("text");
            let is_thought = ["thinking", "thought", "reasoning"].iter().any(|word| kind.contains(word))
                || fields.get("thought") == Some(&Value::Bool(true));
            let inside = ["text", "thinking", "reasoning", "value", "content", "parts", "summary"]
                .iter()
                .find_map(|name| fields.get(*name).filter(|inside| !inside.is_null()));
            let inside = inside.map(content_of).unwrap_or_default();
            if is_thought {
                read.thinking.push_str(&inside.text);
                read.thinking.push_str(&inside.thinking);
            } else if ["text", "output_text", "message"].contains(&kind) {
                read.text.push_str(&inside.text);
                read.thinking.push_str(&inside.thinking);
            }
            true
        }
    }
}

/// Whether an object is a part of a content rather than the content itself.
fn is_part(fields: &Map<String, Value>) -> bool {
    const KINDS: [&str; 12] = [
        "text", "think", "thought", "reason", "image", "audio", "file", "refusal", "tool", "function",
        "message", "citation",
    ];
    let is_named = |name: &str| fields.get(name).is_some_and(|inside| !inside.is_number());
    match fields.get("type").and_then(Value::as_str) {
        Some(kind) => KINDS.iter().any(|known| kind.contains(known)),
        None => fields.len() <= 3 && ["text", "parts", "value"].into_iter().any(is_named),
    }
}

/// The input of a call: JSON, or JSON in a text. An unreadable one stays as it came: the engine reports the error to
/// the model.
pub(crate) fn input_of(text: String) -> Value {
    match text.trim() {
        "" => Value::Object(Map::new()),
        trimmed => serde_json::from_str(trimmed).unwrap_or(Value::String(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_is_detected_in_every_form_and_an_answer_is_none() {
        for error in [
            json!({"error": "no"}),
            json!({"error": {"message": "no"}}),
            json!([{"error": {"message": "no"}}]),
            json!({"errors": [{"message": "no"}]}),
            json!({"object": "error", "message": "no", "code": 40401}),
            json!({"type": "error", "error": {"message": "no"}}),
            json!({"detail": "Not Found"}),
            json!({"detail": [{"loc": ["body"], "msg": "no"}]}),
            json!({"status": "error", "message": "no"}),
            json!({"statusCode": 401, "message": "no"}),
            json!({"code": 1113, "msg": "no", "success": false}),
            json!({"error_code": 17, "error_msg": "no"}),
            json!({"fault": {"faultstring": "no"}}),
        ] {
            assert!(error_in(&error).is_some(), "{error}");
        }
        for answer in [
            json!({"error": null, "choices": []}),
            json!({"error": "", "choices": [{"message": {"content": "a"}}]}),
            json!({"message": {"content": "a"}, "done": false}),
            json!({"type": "message", "content": []}),
            json!({"type": "ping"}),
            json!({"object": "list", "data": []}),
            json!({"usage": {}, "detail": ""}),
            json!({"candidates": [], "errors": []}),
        ] {
            assert!(error_in(&answer).is_none(), "{answer}");
        }
    }

    #[test]
    fn a_content_is_read_in_every_form() {
        let read = |content: Value| {
            let read = content_of(&content);
            (read.text, read.thinking)
        };
        let content = |text: &str, thinking: &str| (text.to_owned(), thinking.to_owned());
        assert_eq!(read(json!("a")), content("a", ""));
        assert_eq!(read(json!(null)), content("", ""));
        assert_eq!(read(json!(["a", {"text": "b"}])), content("ab", ""));
        assert_eq!(read(json!({"type": "text", "text": "a"})), content("a", ""));
        assert_eq!(read(json!([{"type": "output_text", "text": "a", "annotations": []}])), content("a", ""));
        assert_eq!(
            read(json!([{"type": "text", "text": {"value": "a", "annotations": []}}])),
            content("a", "")
        );
        let thought = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}]);
        assert_eq!(read(thought), content("a", "hm"));
        assert_eq!(read(json!([{"type": "image_url", "image_url": {"url": "x"}}])), content("", ""));
        assert_eq!(read(json!({"type": "news", "a": 1})), content(r#"{"type":"news","a":1}"#, ""));
        assert_eq!(read(json!({"post_markdown": "a"})), content(r#"{"post_markdown":"a"}"#, ""));
        assert_eq!(read(json!([{"number": 1, "why": "b"}])), content(r#"[{"number":1,"why":"b"}]"#, ""));
    }
}
