//! The dialects that the server can speak: where each has its calls and its key, what it refuses, and how
//! its requests read in the words of chat completions, so that one model can answer in all of them.
//!
//! Sources: recorded exchanges of the services and their published specifications (see the fixtures).
//! Not in it: how answers are written (`wire`, and the files beside this one).

mod anthropic;
mod gemini;
mod ollama;

use axum::http::Method;
use serde_json::{Value, json};

use crate::check::{self, Refusal};
use crate::reply::{Reply, ToolCall, starred};
use crate::request::ChatRequest;
use crate::wire::Envelope;

/// Which service the server plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI's chat completions.
    #[default]
    OpenAi,
    /// Google's `generateContent`.
    Gemini,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's `/api/chat`.
    Ollama,
}

/// The parts of an answer, each as the bytes of its dialect.
pub(crate) trait Script {
    /// What a stream begins with.
    fn first(&self, envelope: &Envelope) -> String;
    /// A piece of text in a stream.
    fn piece(&self, envelope: &Envelope, text: &str) -> String;
    /// The end of a stream.
    fn last(&self, envelope: &Envelope, finish_reason: &str, completion_tokens: usize) -> String;
    /// An answer of text in one piece.
    fn whole(&self, envelope: &Envelope, text: &str, finish_reason: &str, completion_tokens: usize) -> Value;
    /// An answer that calls tools, in one piece; a stream is made of it where that is the same.
    fn calls(&self, envelope: &Envelope, calls: &[ToolCall], completion_tokens: usize) -> String;
    /// One event as a test wrote it.
    fn event(&self, event: &Value) -> String;
}

impl Dialect {
    /// What stands before the paths of its calls.
    pub(crate) fn base_path(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Anthropic => "/v1",
            Self::Gemini => "/v1beta",
            Self::Ollama => "",
        }
    }

    pub(crate) fn is_list(self, method: &Method, path: &str) -> bool {
        let list = if self == Self::Ollama { "/api/tags" } else { "/models" };
        *method == Method::GET && path.strip_prefix(self.base_path()) == Some(list)
    }

    /// Whether a request is not part of the dialect but asks which server answers, and how long requests may be.
    pub(crate) fn is_about_server(self, method: &Method, path: &str) -> bool {
        match self {
            Self::OpenAi => {
                *method == Method::GET && ["/props", "/api/v0/models", "/version"].contains(&path)
            }
            Self::Ollama => *method == Method::POST && path == "/api/show",
            Self::Gemini | Self::Anthropic => false,
        }
    }

    pub(crate) fn is_chat(self, method: &Method, path: &str) -> bool {
        let Some(call) = path.strip_prefix(self.base_path()) else { return false };
        *method == Method::POST
            && match self {
                Self::OpenAi => call == "/chat/completions",
                Self::Anthropic => call == "/messages",
                Self::Ollama => call == "/api/chat",
                Self::Gemini => {
                    call.starts_with("/models/")
                        && (call.ends_with(":generateContent") || call.ends_with(":streamGenerateContent"))
                }
            }
    }

    /// The key where this service looks for it; a key in the address is none.
    pub(crate) fn key(self, request: &ChatRequest) -> Option<&str> {
        match self {
            Self::OpenAi | Self::Ollama => request.key(),
            Self::Gemini => request.header("x-goog-api-key"),
            Self::Anthropic => request.header("x-api-key"),
        }
    }

    /// Refuses what the service refuses.
    pub(crate) fn check(self, request: &ChatRequest) -> Result<(), Refusal> {
        let is_json = request.header("content-type").is_some_and(|kind| kind.starts_with("application/json"));
        if self != Self::OpenAi && (!is_json || !request.sent.is_object()) {
            return Err(Refusal::plain("The body must be a JSON object, and say so."));
        }
        if request.query.contains("key=") {
            return Err(Refusal::plain("The key stands in the address, where logs would keep it."));
        }
        match self {
            Self::OpenAi => check::check(request),
            Self::Gemini => gemini::check(request),
            Self::Anthropic => anthropic::check(request),
            Self::Ollama => ollama::check(request),
        }
    }

    /// The body of a request in the words of chat completions.
    pub(crate) fn in_chat_words(self, path: &str, body: Value) -> Value {
        match self {
            Self::OpenAi => body,
            Self::Gemini => gemini::in_chat_words(path, &body),
            Self::Anthropic => anthropic::in_chat_words(&body),
            Self::Ollama => ollama::in_chat_words(&body),
        }
    }

    /// How answers are written; `None` for chat completions, which `wire` writes.
    pub(crate) fn script(self) -> Option<&'static dyn Script> {
        match self {
            Self::OpenAi => None,
            Self::Gemini => Some(&gemini::Gemini),
            Self::Anthropic => Some(&anthropic::Anthropic),
            Self::Ollama => Some(&ollama::Ollama),
        }
    }

    pub(crate) fn stream_type(self) -> &'static str {
        match self {
            Self::Ollama => "application/x-ndjson",
            _ => "text/event-stream; charset=utf-8",
        }
    }

    /// The body of a refusal.
    pub(crate) fn refusal(self, refusal: &Refusal) -> Value {
        let (status, message) = (refusal.status, &refusal.message);
        match self {
            Self::OpenAi => refusal.body(),
            Self::Gemini => {
                json!({"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT"}})
            }
            Self::Anthropic => {
                json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}})
            }
            Self::Ollama => json!({ "error": message }),
        }
    }

    /// What the service answers to a wrong key, or to none.
    pub(crate) fn wrong_key(self, key: Option<&str>) -> Reply {
        let (status, body) = match (self, key) {
            (Self::OpenAi | Self::Ollama, Some(key)) => return Reply::invalid_key(key),
            (Self::OpenAi | Self::Ollama, None) => {
                let message = "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).";
                return Reply::error(401, "invalid_request_error", None, message);
            }
            (Self::Gemini, key) => {
                let key = key.map(starred).unwrap_or_default();
                let message = format!("API key not valid. Please pass a valid API key. {key}");
                let reason = json!({"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com"});
                (
                    400,
                    json!({"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT", "details": [reason]}}),
                )
            }
            (Self::Anthropic, _) => {
                let error = json!({"type": "authentication_error", "message": "invalid x-api-key"});
                (401, json!({"type": "error", "error": error, "request_id": null}))
            }
        };
        Reply::Error { status, headers: Vec::new(), body: body.to_string() }
    }

    /// The list of models.
    pub(crate) fn list(self, names: &[String]) -> Value {
        let each = |card: &dyn Fn(&String) -> Value| names.iter().map(card).collect::<Vec<Value>>();
        match self {
            Self::OpenAi => {
                json!({"object": "list", "data": each(&|id| json!({"id": id, "object": "model", "created": 1_782_864_000, "owned_by": "testkit", "shutdown_date": null}))})
            }
            Self::Gemini => {
                json!({"models": each(&|id| json!({"name": format!("models/{id}"), "displayName": id, "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "supportedGenerationMethods": ["generateContent", "countTokens"]}))})
            }
            Self::Anthropic => {
                json!({"has_more": false, "data": each(&|id| json!({"type": "model", "id": id, "display_name": id, "created_at": "2026-07-01T00:00:00Z"}))})
            }
            Self::Ollama => {
                json!({"models": each(&|id| json!({"name": id, "model": id, "size": 1, "details": {"parameter_size": "4B", "families": null}}))})
            }
        }
    }
}

/// A field that is there and not null.
fn present<'v>(body: &'v Value, name: &str) -> Option<&'v Value> {
    body.get(name).filter(|value| !value.is_null())
}

/// The first field that the service does not know.
fn only(body: &Value, place: &str, known: &[&str]) -> Result<(), Refusal> {
    let unknown =
        body.as_object().and_then(|fields| fields.keys().find(|name| !known.contains(&name.as_str())));
    match unknown {
        Some(name) => {
            Err(Refusal::plain(format!("Unknown name \"{name}\" at '{place}': Cannot find field.")))
        }
        None => Ok(()),
    }
}

/// The text of parts or blocks that have one.
fn text_of(parts: &Value) -> String {
    match parts {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
