//! An answer as it reaches the run: its text shown while it grows, thinking and key kept out of it, and
//! the check at its end whether it is one.
//!
//! Not here: how it is fetched (`over_http`) and what its frames mean (the readers).

use engine::TextSink;
use kernel::{Code, Fault, ModelReply};
use serde_json::Value;

use crate::fault;
use crate::line::Line;
use crate::reading::{Frames, Read, Reader, error_in};
use crate::thinking::{Thinking, without_thinking};
use redact::Cover;

/// More bytes of text than this end an answer: no agent's text is that long.
const MOST_TEXT: usize = 8 * 1024 * 1024;

/// A streamed answer. What is held back of its text is shown also when it is cut off.
pub(crate) struct Answer<'a> {
    line: &'a Line,
    model: &'a str,
    sink: &'a TextSink,
    visible: String,
    thinking: Thinking,
    cover: Cover,
}

impl<'a> Answer<'a> {
    pub(crate) fn new(line: &'a Line, model: &'a str, sink: &'a TextSink) -> Answer<'a> {
        let (thinking, cover) = (Thinking::default(), line.cover());
        Answer { line, model, sink, visible: String::new(), thinking, cover }
    }

    /// Shows what the frames have brought since the last time, and tells whether that was any text; fails when they
    /// brought an error.
    pub(crate) fn show(&mut self, frames: &Frames) -> Result<bool, Fault> {
        let text = frames.text();
        let piece = self.thinking.pass(&text);
        self.add(&piece);
        self.sink.count(frames.usage());
        if let Some(error) = frames.error() {
            return Err(fault::from_said(self.line, self.model, &error));
        }
        if self.visible.len() > MOST_TEXT || frames.is_too_long() {
            return Err(too_long(self.line));
        }
        Ok(!text.is_empty())
    }

    /// The answer, if the frames make one.
    pub(crate) fn end(mut self, frames: &Frames) -> Result<ModelReply, Fault> {
        let rest = std::mem::take(&mut self.thinking).rest();
        self.add(&rest);
        let rest = self.cover.rest();
        self.push(&rest);
        let text = std::mem::take(&mut self.visible);
        let (is_answer, read) = (frames.is_answer(), frames.read());
        // An end with nothing before it answers nothing, as a body does that has nothing of an answer in it.
        if read.is_complete && !is_answer && text.is_empty() {
            return Err(fault::broken(self.line));
        }
        checked(self.line, self.model, text, read)
    }

    fn add(&mut self, piece: &str) {
        let piece = self.cover.pass(piece);
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
        let rest = self.cover.rest();
        self.push(&rest);
    }
}

/// An answer that came in one piece.
pub(crate) fn whole(
    line: &Line,
    model: &str,
    sink: &TextSink,
    body: &Value,
    mut reader: Box<dyn Reader>,
) -> Result<ModelReply, Fault> {
    // Gemini's stream without frames is one list of what would have been its events.
    let frames = body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice);
    let mut text = String::new();
    for frame in frames {
        // The same rule as in a stream: what was whole before an error stands.
        match error_in(frame) {
            Some(_) if reader.is_complete() => {}
            Some(_) => return Err(fault::from_said(line, model, frame)),
            None => text.push_str(&reader.frame(frame)),
        }
    }
    if !reader.is_answer() {
        return Err(fault::broken(line));
    }
    let text = without_thinking(&text);
    if text.len() > MOST_TEXT {
        return Err(too_long(line));
    }
    let text = line.cover().whole(&text);
    if !text.is_empty() {
        sink.push(&text);
    }
    // A body that could be read has come to its end, whatever it says of itself.
    checked(line, model, text, Read { is_complete: true, ..reader.read() })
}

/// Its text is covered already; here the rest of it is.
fn checked(line: &Line, model: &str, text: String, read: Read) -> Result<ModelReply, Fault> {
    if read.refusal.is_some() || read.reply.stop == "content_filter" {
        let message = format!(
            "Model `{model}` at {} refused the content of this request; change the topic or the text and try again.",
            line.server()
        );
        return Err(line.fault(Code::ContentRefused, &message, read.refusal.as_deref()));
    }
    if !read.is_complete {
        return Err(fault::cut(line));
    }
    let cover = line.cover();
    let mut reply = read.reply;
    reply.text = text;
    reply.stop = cover.whole(&reply.stop);
    reply.model = cover.whole(&reply.model);
    for call in &mut reply.tool_requests {
        call.id = cover.whole(&call.id);
        call.tool = cover.whole(&call.tool);
        call.input.0 = cover.json(std::mem::take(&mut call.input.0));
    }
    Ok(reply)
}

fn too_long(line: &Line) -> Fault {
    let message = format!(
        "The answer of {} was ended because it grew beyond {} MB; ask for less or use another model.",
        line.server(),
        MOST_TEXT / 1024 / 1024
    );
    line.fault(Code::MalformedAnswer, &message, None)
}
