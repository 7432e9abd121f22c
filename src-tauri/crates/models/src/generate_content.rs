//! Reads answers of Gemini's `generateContent`: one object, or a stream of such objects.
//!
//! All of these occur with status 200: no candidate, a candidate without content, content without parts, parts with
//! only thoughts, and a finish reason before more text.

use kernel::{Json, ModelReply, TokenUsage, ToolRequest};
use serde_json::Value;

use crate::reader::{Content, MOST_CALLS, ReadReply, Reader, content_of, stop_word};
use crate::thinking::Thoughts;
use crate::tokens::Tokens;

/// The prefix of an id that was generated here, because the service sent none.
const OWN_ID: &str = "made-here-";

/// The content of the frames of an answer so far.
#[derive(Default)]
pub(crate) struct GenerateContent {
    model: String,
    answer: String,
    thinking: Thoughts,
    stop: String,
    stop_words: Option<String>,
    blocked: Option<String>,
    tokens: Tokens,
    calls: Vec<ToolRequest>,
    has_counts: bool,
    has_candidate: bool,
}

/// The id of a call as the service knows it; `None` for a generated one.
pub(crate) fn id_of_service(id: &str) -> Option<&str> {
    (!id.starts_with(OWN_ID)).then_some(id)
}

impl Reader for GenerateContent {
    fn frame(&mut self, frame: &Value) -> String {
        let text = |path: &str| frame.pointer(path).and_then(Value::as_str).unwrap_or_default();
        for (field, name) in [(&mut self.model, "/modelVersion"), (&mut self.answer, "/responseId")] {
            if field.is_empty() {
                *field = text(name).to_owned();
            }
        }
        self.has_counts |= self.tokens.read(frame);
        let reason = text("/promptFeedback/blockReason");
        if !reason.is_empty() {
            let words = text("/promptFeedback/blockReasonMessage");
            self.blocked = Some(format!("{reason} {words}").trim().to_owned());
        }
        let Some(candidate) = frame.pointer("/candidates/0") else { return String::new() };
        self.has_candidate = true;
        let field =
            |name: &str| candidate.get(name).and_then(Value::as_str).filter(|field| !field.is_empty());
        if let Some(stop) = field("finishReason") {
            stop.clone_into(&mut self.stop);
            self.stop_words = field("finishMessage").map(str::to_owned);
        }
        let content = candidate.get("content").unwrap_or(candidate);
        let one_or_many = content.get("parts").filter(|parts| !parts.is_null());
        match one_or_many {
            Some(Value::Array(parts)) => parts.iter().map(|part| self.part(part)).collect(),
            Some(part) => self.part(part),
            None => ["text", "output"]
                .map(|name| content.get(name))
                .into_iter()
                .flatten()
                .chain(content.as_str().map(|_| content))
                .map(content_of)
                .map(|read| read.text)
                .collect(),
        }
    }

    fn is_complete(&self) -> bool {
        !self.stop.is_empty() || self.blocked.is_some()
    }

    fn usage(&self) -> TokenUsage {
        self.tokens.usage()
    }

    fn is_answer(&self) -> bool {
        self.has_candidate || self.has_counts || self.blocked.is_some()
    }

    fn read(&mut self) -> ReadReply {
        // Without a candidate there is no finish reason. Counts show that the answer is complete, but only once nothing
        // more can come: some services send those of the prompt first, and think then.
        let is_complete = self.is_complete() || (self.has_counts && !self.has_candidate);
        let stop = match self.stop.as_str() {
            "" if self.has_candidate => "stop".to_owned(),
            "" => "empty".to_owned(),
            reason => stop_word(reason),
        };
        let refused = (stop == "content_filter").then(|| {
            format!("{} {}", self.stop, self.stop_words.take().unwrap_or_default()).trim().to_owned()
        });
        ReadReply {
            refusal: self.blocked.take().or(refused),
            is_complete,
            reply: ModelReply {
                cost: None,
                text: String::new(),
                thinking: self.thinking.take(),
                tool_requests: std::mem::take(&mut self.calls),
                usage: self.tokens.usage(),
                stop,
                model: std::mem::take(&mut self.model),
            },
        }
    }
}

impl GenerateContent {
    /// Reads a part and returns its visible text.
    fn part(&mut self, part: &Value) -> String {
        if let Some(call) = part.get("functionCall") {
            self.call(part, call);
            return String::new();
        }
        let Content { text, thinking } = match part.get("text") {
            Some(text) if part.get("thought").and_then(Value::as_bool).unwrap_or_default() => {
                Content { text: String::new(), thinking: content_of(text).text }
            }
            Some(text) => content_of(text),
            None if part.is_string() => content_of(part),
            None => Content::default(),
        };
        self.thinking.push(&thinking);
        text
    }

    fn call(&mut self, part: &Value, call: &Value) {
        let place = self.calls.len();
        if place >= MOST_CALLS {
            return;
        }
        let text = |name: &str| call.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let id = text("id").map_or_else(|| format!("{OWN_ID}{}-{place}", self.answer), str::to_owned);
        let input = call.get("args").filter(|input| !input.is_null()).cloned();
        self.calls.push(ToolRequest {
            id,
            tool: text("name").unwrap_or_default().to_owned(),
            input: Json(input.unwrap_or_else(|| Value::Object(serde_json::Map::new()))),
            opaque: part.get("thoughtSignature").and_then(Value::as_str).map(str::to_owned),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_count_that_the_last_frame_omits_keeps_its_value() {
        let mut reader = GenerateContent::default();
        for counts in [
            json!({"promptTokenCount": 4, "candidatesTokenCount": 2, "thoughtsTokenCount": 20, "cachedContentTokenCount": 1}),
            json!({"promptTokenCount": 4, "candidatesTokenCount": 3}),
        ] {
            reader.frame(&json!({"usageMetadata": counts}));
        }
        assert_eq!(reader.usage(), TokenUsage { input_tokens: 4, output_tokens: 23, cached_tokens: 1 });
    }
}
