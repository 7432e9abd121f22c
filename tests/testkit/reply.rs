//! What a model can be made to answer, good and bad: each way in which the real service ends a request.
//! Not in it: how an answer becomes bytes, which is `wire`.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;

/// One answer of the server.
#[derive(Debug)]
pub enum Reply {
    /// An ordinary answer. Longer than the request's limit of tokens it is cut there, as the service does.
    Text(String),
    /// An ordinary answer whose text is this JSON.
    Json(Value),
    /// An answer in pieces, each after its pause; to a request without `stream` it is the sum of both.
    Stream { chunks: Vec<(Duration, String)> },
    /// An answer that was cut at the limit of tokens: `finish_reason` is `length`.
    MaxTokens(String),
    /// An answer that the content filter ended: `finish_reason` is `content_filter`.
    ContentFilter(String),
    /// The model declined: `content` is null, `refusal` says why.
    Refusal(String),
    /// The model calls tools.
    ToolCalls(Vec<ToolCall>),
    /// These events as they are, in the frame of the dialect; to a request without `stream` the first alone.
    Events(Vec<Value>),
    /// No completion but an HTTP error with these headers and this body.
    Error { status: u16, headers: Vec<(String, String)>, body: String },
    /// The answer begins and then nothing more comes, until the client goes away.
    Stall { after_text: String },
    /// The answer begins and then the connection breaks.
    CutConnection { after_text: String },
    /// The answer begins and then an error comes as an event of the stream (without `stream`: as a 500).
    ErrorInStream { after_text: String, body: Value },
    /// Nothing at all is sent before this time is over, then the other reply.
    Slow { latency: Duration, then: Box<Reply> },
    /// A test plays the model piece by piece: see [`Reply::by_hand`].
    ByHand(mpsc::UnboundedReceiver<Piece>),
}

/// One call of a tool. Without an `id` the server gives one.
#[derive(Clone, Debug)]
pub struct ToolCall {
    pub id: Option<String>,
    pub name: String,
    pub arguments: Value,
}

/// What a hand sends.
#[derive(Debug)]
pub enum Piece {
    Text(String),
    Cut,
}

/// The test's end of a [`Reply::by_hand`]. When it is dropped the answer ends well.
#[derive(Debug)]
pub struct Hand {
    pieces: mpsc::UnboundedSender<Piece>,
}

impl Hand {
    /// Sends a piece of text; false when the client has gone.
    pub fn say(&self, text: &str) -> bool {
        self.pieces.send(Piece::Text(text.to_owned())).is_ok()
    }

    /// Ends the answer as a model does.
    pub fn finish(self) {}

    /// Breaks the connection.
    pub fn cut(self) -> bool {
        self.pieces.send(Piece::Cut).is_ok()
    }

    /// Resolves when the client no longer listens.
    pub async fn client_gone(&self) {
        self.pieces.closed().await;
    }
}

impl Reply {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// An answer of which the test sends each piece when it likes.
    pub fn by_hand() -> (Hand, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Hand { pieces: sender }, Self::ByHand(receiver))
    }

    /// A text in pieces of so many characters, each after the same pause.
    pub fn stream(text: &str, chunk_characters: usize, pause: Duration) -> Self {
        let chunks = in_pieces(text, chunk_characters).map(|piece| (pause, piece.to_owned())).collect();
        Self::Stream { chunks }
    }

    pub fn tool_call(name: &str, arguments: Value) -> Self {
        Self::ToolCalls(vec![ToolCall { id: None, name: name.to_owned(), arguments }])
    }

    pub fn after(self, latency: Duration) -> Self {
        Self::Slow { latency, then: Box::new(self) }
    }

    /// Nothing, not even headers, until the client goes away.
    pub fn silence() -> Self {
        Self::text("").after(Duration::from_secs(86_400))
    }

    /// Any error with the service's envelope `{"error": {message, type, param, code}}`.
    pub fn error(status: u16, kind: &str, code: Option<&str>, message: &str) -> Self {
        Self::Error { status, headers: Vec::new(), body: error_body(kind, None, code, message).to_string() }
    }

    /// 429 per minute; `Retry-After` in whole seconds, as the service sends it when it computed a delay.
    pub fn rate_limit(retry_after_s: u64) -> Self {
        Self::limited(
            &format!("Please try again in {retry_after_s}s."),
            vec![("retry-after".to_owned(), retry_after_s.to_string())],
        )
    }

    /// 429 per minute with the finer `retry-after-ms`, beside a `Retry-After` that rounds it up.
    pub fn rate_limit_ms(retry_after_ms: u64) -> Self {
        Self::limited(
            &format!("Please try again in {retry_after_ms}ms."),
            vec![
                ("retry-after".to_owned(), retry_after_ms.div_ceil(1000).to_string()),
                ("retry-after-ms".to_owned(), retry_after_ms.to_string()),
            ],
        )
    }

    fn limited(advice: &str, headers: Vec<(String, String)>) -> Self {
        let message =
            format!("Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1. {advice}");
        let body = error_body("requests", None, Some("rate_limit_exceeded"), &message).to_string();
        Self::Error { status: 429, headers, body }
    }

    /// 429 that no waiting cures: the quota is used up, and there is no `Retry-After`.
    pub fn insufficient_quota() -> Self {
        let message = "You exceeded your current quota, please check your plan and billing details.";
        Self::error(429, "insufficient_quota", Some("insufficient_quota"), message)
    }

    /// 401 that echoes the key with stars, as the service does.
    pub fn invalid_key(key: &str) -> Self {
        Self::incorrect_key(&starred(key))
    }

    /// 401 of a compatible server that echoes the whole key: nothing of it may be kept or shown.
    pub fn invalid_key_in_full(key: &str) -> Self {
        Self::incorrect_key(key)
    }

    fn incorrect_key(shown: &str) -> Self {
        let message = format!(
            "Incorrect API key provided: {shown}. You can find your API key at https://platform.openai.com/account/api-keys."
        );
        Self::error(401, "invalid_request_error", Some("invalid_api_key"), &message)
    }

    pub fn overloaded() -> Self {
        let message = "The engine is currently overloaded, please try again later.";
        Self::error(503, "server_error", None, message)
    }

    pub fn server_error() -> Self {
        let message = "The server had an error while processing your request. Sorry about that!";
        Self::error(500, "server_error", None, message)
    }

    /// 504 of a gateway in front of the service: its body is a page, not JSON.
    pub fn gateway_timeout() -> Self {
        Self::Error {
            status: 504,
            headers: vec![("content-type".to_owned(), "text/html".to_owned())],
            body: "<html><head><title>504 Gateway Time-out</title></head></html>".to_owned(),
        }
    }

    /// 404 for a model that is not there (chat completions; the code is from memory).
    pub fn model_not_found(model: &str) -> Self {
        let message = format!("The model `{model}` does not exist or you do not have access to it.");
        Self::error(404, "invalid_request_error", Some("model_not_found"), &message)
    }
}

/// The service's error envelope.
pub(crate) fn error_body(kind: &str, parameter: Option<&str>, code: Option<&str>, message: &str) -> Value {
    json!({"error": {"message": message, "type": kind, "param": parameter, "code": code}})
}

/// A key as the service echoes it: eight characters, stars, four characters; short keys in full (from memory).
pub(crate) fn starred(key: &str) -> String {
    let characters: Vec<char> = key.chars().collect();
    let hidden = characters.len().saturating_sub(12);
    let (start, end) = if hidden == 0 { (characters.len(), characters.len()) } else { (8, 8 + hidden) };
    let head: String = characters[..start].iter().collect();
    let tail: String = characters[end..].iter().collect();
    format!("{head}{}{tail}", "*".repeat(hidden))
}

/// A text in pieces of so many characters (at least one).
pub(crate) fn in_pieces(text: &str, characters: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().nth(characters.max(1)).map_or(rest.len(), |(index, _)| index);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}
