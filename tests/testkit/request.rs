//! One request as the server got it, with the questions that tests and models ask of it.
//! Not in it: judging the request, which is `check`.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, Method};
use serde_json::Value;

/// A request that reached the server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ChatRequest {
    pub method: Method,
    /// The path as asked, for example `/v1/chat/completions`.
    pub path: String,
    /// What follows the question mark of the address; empty without one.
    pub query: String,
    pub headers: HeaderMap,
    /// When it arrived, counted from the start of the server.
    pub arrived: Duration,
    /// The parsed JSON body as it was sent; `Null` where there was none or it did not parse.
    pub sent: Arc<Value>,
    /// The same in the words of chat completions, whatever dialect it was sent in.
    pub body: Arc<Value>,
    /// The sum of the body's bytes: the same request has the same number, so ids can be made from it.
    pub(crate) fingerprint: u64,
}

impl ChatRequest {
    /// The value of a header as text, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The key of `Authorization: Bearer KEY`.
    pub fn key(&self) -> Option<&str> {
        let (scheme, key) = self.header("authorization")?.split_once(' ')?;
        let key = key.trim();
        (scheme.eq_ignore_ascii_case("bearer") && !key.is_empty()).then_some(key)
    }

    pub fn model(&self) -> &str {
        self.body["model"].as_str().unwrap_or_default()
    }

    pub fn messages(&self) -> &[Value] {
        self.body["messages"].as_array().map_or(&[], Vec::as_slice)
    }

    /// The text of every message of a role, in order, joined by empty lines.
    pub fn text_of(&self, role: &str) -> String {
        let texts: Vec<String> =
            self.messages().iter().filter(|message| message["role"] == role).map(content_text).collect();
        texts.join("\n\n")
    }

    /// What the system and developer messages say.
    pub fn instruction(&self) -> String {
        let developer = self.text_of("developer");
        if developer.is_empty() { self.text_of("system") } else { developer }
    }

    /// What the last user message says.
    pub fn last_user_text(&self) -> String {
        let last = self.messages().iter().rev().find(|message| message["role"] == "user");
        last.map(content_text).unwrap_or_default()
    }

    /// Everything that every message says, in order.
    pub fn whole_text(&self) -> String {
        self.messages().iter().map(content_text).collect::<Vec<_>>().join("\n\n")
    }

    pub fn is_stream(&self) -> bool {
        self.body["stream"] == true
    }

    pub(crate) fn wants_usage(&self) -> bool {
        self.body["stream_options"]["include_usage"] == true
    }

    /// The JSON Schema that the answer must follow, if one was asked for.
    pub fn schema(&self) -> Option<&Value> {
        self.body["response_format"]["json_schema"].get("schema")
    }

    /// The name given to that schema.
    pub fn schema_name(&self) -> Option<&str> {
        self.body["response_format"]["json_schema"]["name"].as_str()
    }

    /// Whether the answer's schema has a field of this name at its top level.
    pub fn asks_for(&self, field: &str) -> bool {
        self.schema().is_some_and(|schema| schema["properties"].get(field).is_some())
    }

    /// The most tokens the answer may have.
    pub(crate) fn token_limit(&self) -> Option<usize> {
        let limit =
            self.body["max_completion_tokens"].as_u64().or_else(|| self.body["max_tokens"].as_u64())?;
        usize::try_from(limit).ok()
    }

    /// Tokens of the prompt by this server's rule: four characters are one token.
    pub(crate) fn prompt_tokens(&self) -> usize {
        let characters: usize =
            self.messages().iter().map(|message| content_text(message).chars().count()).sum();
        characters.div_ceil(4)
    }
}

/// The text of a message, whether its content is a string or parts.
pub(crate) fn content_text(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
