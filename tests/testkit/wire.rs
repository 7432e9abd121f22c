//! Turns a reply into what goes over the wire: one JSON completion, or the events of a stream, as recorded from the
//! service (role first, then pieces, then the reason of the end, then usage when asked for, then `[DONE]`).
//! Not in it: sockets. Ids and counts come from the request alone, so the same request gets the same bytes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::dialect::Dialect;
use crate::reply::{Piece, Reply, ToolCall, in_pieces};
use crate::request::ChatRequest;

/// All completions bear the same day: 2026-07-01.
const CREATED: u64 = 1_782_864_000;

/// What happens on the connection, in order.
#[derive(Debug)]
pub(crate) enum Step {
    Send(Bytes),
    Wait(Duration),
    /// Text pieces come from a test; the rest of the stream follows when it is done.
    Hand(UnboundedReceiver<Piece>),
    /// Nothing more, until the client goes away.
    Stall,
    /// The connection breaks.
    Cut,
}

#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) latency: Duration,
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) envelope: Envelope,
}

/// What all parts of one answer have in common.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    dialect: Dialect,
    pub(crate) id: String,
    pub(crate) model: String,
    pub(crate) is_stream: bool,
    wants_usage: bool,
    pub(crate) prompt_tokens: usize,
    token_limit: usize,
    told: Arc<Told>,
}

/// The tokens that a server told of, all its answers together.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) input: AtomicUsize,
    pub(crate) output: AtomicUsize,
}

impl Envelope {
    fn of(request: &ChatRequest, dialect: Dialect, told: Arc<Told>) -> Self {
        Self {
            dialect,
            id: format!("chatcmpl-{:016x}", request.fingerprint),
            model: request.model().to_owned(),
            is_stream: request.is_stream(),
            wants_usage: request.wants_usage(),
            prompt_tokens: request.prompt_tokens(),
            token_limit: request.token_limit().unwrap_or(usize::MAX / 4),
            told,
        }
    }

    fn usage(&self, completion: usize) -> Value {
        json!({
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": completion,
            "total_tokens": self.prompt_tokens + completion,
            "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
            "completion_tokens_details": {
                "reasoning_tokens": 0, "audio_tokens": 0,
                "accepted_prediction_tokens": 0, "rejected_prediction_tokens": 0
            }
        })
    }

    fn tell(&self, completion_tokens: usize) {
        self.told.input.fetch_add(self.prompt_tokens, Ordering::SeqCst);
        self.told.output.fetch_add(completion_tokens, Ordering::SeqCst);
    }

    /// A whole answer.
    fn completion(&self, message: Value, finish_reason: &str, completion_tokens: usize) -> Bytes {
        self.tell(completion_tokens);
        let body = json!({
            "id": self.id,
            "object": "chat.completion",
            "created": CREATED,
            "model": self.model,
            "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason}],
            "usage": self.usage(completion_tokens),
            "service_tier": "default",
            "system_fingerprint": "fp_testkit"
        });
        body.to_string().into()
    }

    /// One event of a stream. Written by hand because streams have very many of them.
    fn event(&self, choices: &str, usage: Option<&str>) -> String {
        let usage = match usage {
            Some(usage) => format!(",\"usage\":{usage}"),
            None if self.wants_usage => ",\"usage\":null".to_owned(),
            None => String::new(),
        };
        let (id, model) = (&self.id, json!(self.model));
        format!(
            "data: {{\"id\":\"{id}\",\"object\":\"chat.completion.chunk\",\"created\":{CREATED},\"model\":{model},\"service_tier\":\"default\",\"system_fingerprint\":\"fp_testkit\",\"choices\":[{choices}]{usage},\"obfuscation\":\"x\"}}\n\n"
        )
    }

    fn delta(&self, delta: &Value, finish_reason: Option<&str>) -> String {
        let reason = json!(finish_reason);
        self.event(
            &format!("{{\"index\":0,\"delta\":{delta},\"logprobs\":null,\"finish_reason\":{reason}}}"),
            None,
        )
    }

    fn first(&self) -> String {
        if let Some(script) = self.dialect.script() {
            return script.first(self);
        }
        self.delta(&json!({"role": "assistant", "content": "", "refusal": null}), None)
    }

    pub(crate) fn piece(&self, text: &str) -> String {
        if let Some(script) = self.dialect.script() {
            return script.piece(self, text);
        }
        self.delta(&json!({"content": text}), None)
    }

    /// The end of a stream whose text had so many characters.
    pub(crate) fn last(&self, finish_reason: &str, completion_tokens: usize) -> String {
        self.tell(completion_tokens);
        if let Some(script) = self.dialect.script() {
            return script.last(self, finish_reason, completion_tokens);
        }
        let mut end = self.delta(&json!({}), Some(finish_reason));
        if self.wants_usage {
            end.push_str(&self.event("", Some(&self.usage(completion_tokens).to_string())));
        }
        end.push_str("data: [DONE]\n\n");
        end
    }

    /// The bytes with which a whole answer begins when its text begins so; never valid JSON.
    fn broken_completion(&self, after_text: &str) -> Bytes {
        let text = json!(after_text).to_string();
        let open = text.strip_suffix('"').unwrap_or(&text);
        format!(
            "{{\"id\":\"{}\",\"object\":\"chat.completion\",\"choices\":[{{\"index\":0,\"message\":{{\"role\":\"assistant\",\"content\":{open}",
            self.id
        )
        .into()
    }

    /// A whole text answer, as the request wants it.
    pub(crate) fn text(&self, text: &str, finish_reason: &str, chunk_characters: usize) -> Bytes {
        let (text, cut) = self.within_limit(text);
        let finish_reason = if cut { "length" } else { finish_reason };
        if !self.is_stream {
            if let Some(script) = self.dialect.script() {
                return script.whole(self, text, finish_reason, tokens(text)).to_string().into();
            }
            let message = json!({"role": "assistant", "content": text, "refusal": null, "annotations": []});
            return self.completion(message, finish_reason, tokens(text));
        }
        let mut events = self.first();
        for piece in in_pieces(text, chunk_characters) {
            events.push_str(&self.piece(piece));
        }
        events.push_str(&self.last(finish_reason, tokens(text)));
        events.into()
    }

    /// One event as a test wrote it.
    fn raw(&self, event: &Value) -> String {
        match self.dialect.script() {
            Some(script) => script.event(event),
            None => format!("data: {event}\n\n"),
        }
    }

    /// The text up to the request's limit of tokens, and whether that cut it.
    fn within_limit<'t>(&self, text: &'t str) -> (&'t str, bool) {
        let most = self.token_limit.saturating_mul(4);
        match text.char_indices().nth(most) {
            Some((end, _)) => (&text[..end], true),
            None => (text, false),
        }
    }
}

/// Four characters are one token.
pub(crate) fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

pub(crate) fn play(
    reply: Reply,
    request: &ChatRequest,
    dialect: Dialect,
    chunk_characters: usize,
    told: Arc<Told>,
) -> Played {
    let envelope = Envelope::of(request, dialect, told);
    let content_type = if envelope.is_stream { dialect.stream_type() } else { "application/json" };
    let mut played = Played {
        latency: Duration::ZERO,
        status: 200,
        headers: vec![("content-type".to_owned(), content_type.to_owned())],
        steps: Vec::new(),
        envelope,
    };
    play_into(&mut played, reply, chunk_characters);
    played
}

fn play_into(played: &mut Played, reply: Reply, chunk_characters: usize) {
    let whole = |text: &str, reason: &str| Step::Send(played.envelope.text(text, reason, chunk_characters));
    played.steps = match reply {
        Reply::Text(text) => vec![whole(&text, "stop")],
        Reply::Json(value) => vec![whole(&value.to_string(), "stop")],
        Reply::MaxTokens(text) => vec![whole(&text, "length")],
        Reply::ContentFilter(text) => vec![whole(&text, "content_filter")],
        Reply::Stream { chunks } => streamed(&played.envelope, &chunks),
        Reply::Refusal(reason) => vec![Step::Send(refusal(&played.envelope, &reason))],
        Reply::ToolCalls(calls) => vec![Step::Send(tool_calls(&played.envelope, &calls))],
        Reply::ByHand(pieces) => {
            let mut steps = vec![Step::Hand(pieces)];
            if played.envelope.is_stream {
                steps.insert(0, Step::Send(played.envelope.first().into()));
            }
            steps
        }
        Reply::Stall { after_text } => vec![begun(&played.envelope, &after_text), Step::Stall],
        Reply::CutConnection { after_text } => vec![begun(&played.envelope, &after_text), Step::Cut],
        Reply::ErrorInStream { after_text, body } if played.envelope.is_stream => {
            vec![begun(&played.envelope, &after_text), Step::Send(played.envelope.raw(&body).into())]
        }
        Reply::ErrorInStream { body, .. } => {
            played.status = 500;
            vec![Step::Send(body.to_string().into())]
        }
        Reply::Events(events) if played.envelope.is_stream => {
            let all: String = events.iter().map(|event| played.envelope.raw(event)).collect();
            vec![Step::Send(all.into())]
        }
        Reply::Events(events) => {
            vec![Step::Send(events.first().map(Value::to_string).unwrap_or_default().into())]
        }
        Reply::Error { status, headers, body } => {
            played.status = status;
            played.headers = vec![("content-type".to_owned(), "application/json".to_owned())];
            for (name, value) in headers {
                played.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
                played.headers.push((name, value));
            }
            vec![Step::Send(body.into())]
        }
        Reply::Slow { latency, then } => {
            played.latency += latency;
            return play_into(played, *then, chunk_characters);
        }
    };
}

/// The beginning of an answer that will not end well.
fn begun(envelope: &Envelope, after_text: &str) -> Step {
    if !envelope.is_stream {
        return Step::Send(envelope.broken_completion(after_text));
    }
    let mut events = envelope.first();
    if !after_text.is_empty() {
        events.push_str(&envelope.piece(after_text));
    }
    Step::Send(events.into())
}

fn streamed(envelope: &Envelope, chunks: &[(Duration, String)]) -> Vec<Step> {
    let text: String = chunks.iter().map(|(_, text)| text.as_str()).collect();
    if !envelope.is_stream {
        let pause = chunks.iter().map(|(pause, _)| *pause).sum();
        return vec![Step::Wait(pause), Step::Send(envelope.text(&text, "stop", usize::MAX))];
    }
    let mut steps = vec![Step::Send(envelope.first().into())];
    for (pause, text) in chunks {
        if !pause.is_zero() {
            steps.push(Step::Wait(*pause));
        }
        steps.push(Step::Send(envelope.piece(text).into()));
    }
    steps.push(Step::Send(envelope.last("stop", tokens(&text)).into()));
    steps
}

fn refusal(envelope: &Envelope, reason: &str) -> Bytes {
    if !envelope.is_stream {
        let message = json!({"role": "assistant", "content": null, "refusal": reason, "annotations": []});
        return envelope.completion(message, "stop", tokens(reason));
    }
    let mut events = envelope.first();
    events.push_str(&envelope.delta(&json!({"refusal": reason}), None));
    events.push_str(&envelope.last("stop", tokens(reason)));
    events.into()
}

fn tool_calls(envelope: &Envelope, calls: &[ToolCall]) -> Bytes {
    let spent = calls.iter().map(|call| tokens(&call.arguments.to_string()) + tokens(&call.name)).sum();
    if let Some(script) = envelope.dialect.script() {
        return script.calls(envelope, calls, spent).into();
    }
    let number = envelope.id.trim_start_matches("chatcmpl-");
    let id =
        |index: usize, call: &ToolCall| call.id.clone().unwrap_or_else(|| format!("call_{number}_{index}"));
    if !envelope.is_stream {
        let list: Vec<Value> = calls
            .iter()
            .enumerate()
            .map(|(index, call)| {
                let function = json!({"name": call.name, "arguments": call.arguments.to_string()});
                json!({"id": id(index, call), "type": "function", "function": function})
            })
            .collect();
        let message = json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": list, "annotations": []});
        return envelope.completion(message, "tool_calls", spent);
    }
    let mut events = envelope.delta(&json!({"role": "assistant", "content": null}), None);
    for (index, call) in calls.iter().enumerate() {
        let function = json!({"name": call.name, "arguments": ""});
        let opening =
            json!({"index": index, "id": id(index, call), "type": "function", "function": function});
        events.push_str(&envelope.delta(&json!({"tool_calls": [opening]}), None));
        // The service sends arguments in fragments that are no JSON by themselves.
        for fragment in in_pieces(&call.arguments.to_string(), 8) {
            let part = json!({"index": index, "function": {"arguments": fragment}});
            events.push_str(&envelope.delta(&json!({"tool_calls": [part]}), None));
        }
    }
    events.push_str(&envelope.last("tool_calls", spent));
    events.into()
}
