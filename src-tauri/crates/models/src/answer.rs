//! One answer on its way to the run: streams its text without thinking and key, and checks at the end whether it is
//! complete.
//!
//! Not here: how an answer is requested (`http_model`) and how its frames are read (the readers).

use engine::TextSink;
use kernel::{Code, Error, ModelReply, Remark, phrase};

use crate::error::{self, CallError};
use crate::frames::Frames;
use crate::provider_client::ProviderClient;
use crate::reader::ReadReply;
use crate::thinking::Thinking;
use redact::Redactor;

/// Most bytes of text; more end an answer, because no agent's text is that long.
const MOST_TEXT: usize = 8 * 1024 * 1024;

/// How an answer was requested and how it ended.
pub(crate) struct End {
    pub(crate) is_stream: bool,
    /// Whether a stream of this dialect has one piece of JSON per line.
    pub(crate) streams_lines: bool,
    /// Whether the answer should be JSON, which shows by itself whether it is complete.
    pub(crate) wants_json: bool,
    /// Whether the connection was closed, and not only the answer ended.
    pub(crate) has_ended: bool,
}

/// An answer while it arrives. Text that is held back is shown also when the answer is interrupted.
pub(crate) struct Answer<'a> {
    client: &'a ProviderClient,
    model: &'a str,
    sink: &'a TextSink,
    visible: String,
    thinking: Thinking,
    redactor: Redactor,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(client: &'a ProviderClient, model: &'a str, sink: &'a TextSink) -> Answer<'a> {
        let (thinking, redactor) = (Thinking::default(), client.redactor());
        Answer { client, model, sink, visible: String::new(), thinking, redactor }
    }

    /// Shows the text that arrived since the last call, and returns whether there was any. Fails if the frames contain
    /// an error.
    pub(crate) fn show(&mut self, frames: &mut Frames) -> Result<bool, CallError> {
        let text = frames.text();
        let piece = self.thinking.pass(&text);
        self.add(&piece);
        self.sink.count(frames.usage());
        if let Some(error) = frames.error() {
            return Err(error::from_error_object(self.client, self.model, &error, !self.visible.is_empty()));
        }
        if self.visible.len() > MOST_TEXT || frames.is_too_long() {
            return Err(too_long(self.client).into());
        }
        Ok(!text.is_empty())
    }

    /// The complete answer, if the frames form one.
    pub(crate) fn end(mut self, frames: &mut Frames, end: End) -> Result<ModelReply, CallError> {
        let (rest, thoughts) = std::mem::take(&mut self.thinking).rest();
        self.add(&rest);
        let rest = self.redactor.rest();
        self.push(&rest);
        let text = std::mem::take(&mut self.visible);
        let client = self.client;
        let is_answer = frames.is_answer() || !text.is_empty();
        if !is_answer {
            return Err(self.no_answer(frames, &end));
        }
        let read = frames.read();
        let is_whole = end.has_ended && !frames.is_cut();
        // A single readable body is complete, whatever it says about itself.
        let is_body = frames.is_one_piece() && !(end.is_stream && end.streams_lines);
        let is_complete = read.is_complete
            || read.refusal.is_some()
            || (is_whole && is_body)
            || (end.has_ended
                && end.wants_json
                && (is_json(&text) || is_json(&thoughts) || is_json(&read.reply.thinking)));
        if !is_complete {
            let is_broken = frames.broken() > 0 && !frames.is_cut();
            if is_broken {
                return Err(error::broken(client).into());
            }
            return Err(CallError { is_unmarked: end.is_stream && is_whole, ..error::cut(client).into() });
        }
        if frames.broken() > 0 {
            self.sink.remark(Remark::PiecesSkipped { count: frames.broken() });
        }
        checked(client, self.model, text, thoughts, read).map_err(CallError::from)
    }

    /// The error for an answer that is none: words or a page, JSON of something else, an interrupted answer, or
    /// nothing.
    fn no_answer(&self, frames: &Frames, end: &End) -> CallError {
        let stray = frames.stray();
        if !stray.trim().is_empty() && !frames.has_read() {
            return error::from_words(self.client, self.model, &stray);
        }
        if frames.is_cut() && end.is_stream { error::cut(self.client) } else { error::broken(self.client) }
            .into()
    }

    fn add(&mut self, piece: &str) {
        let piece = self.redactor.pass(piece);
        self.push(&piece);
    }

    fn push(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.sink.push(piece);
            self.visible.push_str(piece);
        }
    }
}

impl Drop for Answer<'_> {
    fn drop(&mut self) {
        let rest = self.redactor.rest();
        self.push(&rest);
    }
}

/// Whether a text is one complete JSON value, with or without a fence.
fn is_json(text: &str) -> bool {
    let text = text.trim().trim_start_matches("```json").trim_matches('`').trim();
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Builds the reply. Its text is redacted already; this redacts the other fields.
fn checked(
    client: &ProviderClient,
    model: &str,
    text: String,
    thoughts: String,
    read: ReadReply,
) -> Result<ModelReply, Error> {
    if read.refusal.is_some() || read.reply.stop == "content_filter" {
        let message = phrase!(
            "Model `{model}` at {server} refused the content of this request; change the topic or the text and try again.",
            model,
            server = client.server()
        );
        return Err(client.error(Code::ContentRefused, message, read.refusal.as_deref()));
    }
    let redactor = client.redactor();
    let mut reply = read.reply;
    // Thinking is only kept if there is no text. A separate field takes precedence over thinking inside the text.
    reply.thinking = match text.trim() {
        "" if reply.thinking.trim().is_empty() => redactor.whole(&thoughts),
        "" => redactor.whole(&reply.thinking),
        _ => String::new(),
    };
    reply.text = text;
    reply.stop = redactor.whole(&reply.stop);
    reply.model = redactor.whole(&reply.model);
    for call in &mut reply.tool_requests {
        call.id = redactor.whole(&call.id);
        call.tool = redactor.whole(&call.tool);
        call.input.0 = redactor.json(std::mem::take(&mut call.input.0));
        call.opaque = call.opaque.take().map(|opaque| redactor.whole(&opaque));
    }
    Ok(reply)
}

fn too_long(client: &ProviderClient) -> Error {
    let message = phrase!(
        "The answer of {server} was ended because it grew beyond {most} MB; ask for less or use another model.",
        server = client.server(),
        most = MOST_TEXT / 1024 / 1024
    );
    client.error(Code::MalformedAnswer, message, None)
}
