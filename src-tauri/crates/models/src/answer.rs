//! An answer as it reaches the run: its text shown while it grows, thinking and key kept out of it, and
//! the check at its end whether it is one.
//!
//! Not here: how it is fetched (`http_model`) and what its frames mean (the readers).

use engine::TextSink;
use kernel::{Code, Error, ModelReply, Remark, phrase};

use crate::error::{self, Failure};
use crate::frames::Frames;
use crate::provider_client::ProviderClient;
use crate::reader::Read;
use crate::thinking::Thinking;
use redact::Redactor;

/// More bytes of text than this end an answer: no agent's text is that long.
const MOST_TEXT: usize = 8 * 1024 * 1024;

/// How an answer ended.
pub(crate) struct End {
    pub(crate) is_stream: bool,
    /// Whether a stream of this dialect is a line of JSON a piece.
    pub(crate) streams_lines: bool,
    /// Whether the answer is to be JSON, which tells by itself whether it is whole.
    pub(crate) wants_json: bool,
    /// Whether the connection came to its end, and not only the answer.
    pub(crate) has_ended: bool,
}

/// An answer while it grows. What is held back of its text is shown also when it is cut off.
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

    /// Shows what the frames have brought since the last time, and tells whether that was any text; fails when they
    /// brought an error.
    pub(crate) fn show(&mut self, frames: &mut Frames) -> Result<bool, Failure> {
        let text = frames.text();
        let piece = self.thinking.pass(&text);
        self.add(&piece);
        self.sink.count(frames.usage());
        if let Some(error) = frames.error() {
            return Err(error::from_said(self.client, self.model, &error, !self.visible.is_empty()));
        }
        if self.visible.len() > MOST_TEXT || frames.is_too_long() {
            return Err(too_long(self.client).into());
        }
        Ok(!text.is_empty())
    }

    /// The answer, if the frames make one.
    pub(crate) fn end(mut self, frames: &mut Frames, end: End) -> Result<ModelReply, Failure> {
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
        // One body that can be read has come to its end, whatever it says of itself.
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
            return Err(Failure { is_unmarked: end.is_stream && is_whole, ..error::cut(client).into() });
        }
        if frames.broken() > 0 {
            self.sink.remark(Remark::PiecesSkipped { count: frames.broken() });
        }
        checked(client, self.model, text, thoughts, read).map_err(Failure::from)
    }

    /// Why what came is no answer: it is words or a page, JSON of something else, the start of something, or nothing.
    fn no_answer(&self, frames: &Frames, end: &End) -> Failure {
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

/// Whether a text is one whole JSON, in a fence or not.
fn is_json(text: &str) -> bool {
    let text = text.trim().trim_start_matches("```json").trim_matches('`').trim();
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Its text is covered already; here the rest of it is.
fn checked(
    client: &ProviderClient,
    model: &str,
    text: String,
    thoughts: String,
    read: Read,
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
    // Beside a text nobody needs it; without one, what stands in a field of its own comes before what stood in the text.
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
