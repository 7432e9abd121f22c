//! What every reader of a provider's answers has in common, and the frames of a stream on their way to one.
//!
//! A reader belongs to a dialect and knows nothing of sockets. Errors that come where an answer should be
//! look alike in all dialects and are found here. Not here: what is shown of a text (`answer`).

use std::sync::{Mutex, MutexGuard, PoisonError};

use kernel::{ModelReply, TokenUsage};
use serde_json::Value;

/// More tool calls than this in one answer are left out.
pub(crate) const MOST_CALLS: usize = 128;
/// More bytes than this of one answer, thinking and packing included, are not read.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// An answer with its unpleasant ends.
#[derive(Debug, Default)]
pub(crate) struct Read {
    /// The answer as far as it was read, without its text.
    pub(crate) reply: ModelReply,
    /// What the model or the provider said in place of an answer; may be empty.
    pub(crate) refusal: Option<String>,
    /// Whether it came to its end, now that nothing more comes.
    pub(crate) is_complete: bool,
}

/// Reads the answers of one dialect: each event of a stream, or the one body of an answer in one piece.
pub(crate) trait Reader: Send {
    /// Takes one of them in and gives back its visible text.
    fn frame(&mut self, frame: &Value) -> String;

    /// Takes in the mark that ends a stream, where the dialect has one that is no JSON.
    fn end_mark(&mut self) {}

    /// Whether the model said that it had finished, whatever happened to the connection afterwards.
    fn is_complete(&self) -> bool;

    /// Whether nothing more can follow, whether or not the connection stays open.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether anything of an answer was in it.
    fn is_answer(&self) -> bool;

    /// What it used, as far as it was told.
    fn usage(&self) -> TokenUsage;

    /// Everything but the text, when nothing more comes. Leaves the reader empty.
    fn read(&mut self) -> Read;
}

/// Why an answer ended, in one word for all providers: `stop`, `length`, `tool_calls`,
/// `content_filter`; what is none of these stays as the provider says it, in lower case.
pub(crate) fn stop_word(said: &str) -> String {
    let said = said.to_ascii_lowercase();
    let word = match said.as_str() {
        "end_turn" | "stop_sequence" => "stop",
        "max_tokens" | "model_context_window_exceeded" => "length",
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
        _ => return said,
    };
    word.to_owned()
}

/// A count of tokens; 0 when it is absent or none.
pub(crate) fn count(counts: &Value, name: &str) -> u32 {
    // The cast saturates; a negative count is 0.
    counts.get(name).and_then(Value::as_f64).unwrap_or_default() as u32
}

/// A text; empty when it is absent or none.
pub(crate) fn text_in<'a>(holder: &'a Value, name: &str) -> &'a str {
    holder.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The error that a body or an event tells in place of an answer.
pub(crate) fn error_in(body: &Value) -> Option<&Value> {
    // Some servers wrap it in a list of one, some say of every piece that its error is null, or nothing.
    let is_nothing = |error: &Value| match error {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Bool(true) | Value::Number(_) => false,
    };
    body.get(0).unwrap_or(body).get("error").filter(|error| !is_nothing(error))
}

/// The frames of one stream, given to a reader as they come.
pub(crate) struct Frames(Mutex<Gathering>);

struct Gathering {
    reader: Box<dyn Reader>,
    text: String,
    error: Option<Value>,
    bytes: usize,
    is_readable: bool,
}

impl Frames {
    pub(crate) fn new(reader: Box<dyn Reader>) -> Frames {
        Frames(Mutex::new(Gathering {
            reader,
            text: String::new(),
            error: None,
            bytes: 0,
            is_readable: true,
        }))
    }

    /// Takes one in.
    pub(crate) fn add(&self, data: &str) {
        let mut gathering = self.lock();
        gathering.bytes = gathering.bytes.saturating_add(data.len());
        match data.trim() {
            "" => {}
            "[DONE]" => gathering.reader.end_mark(),
            data => {
                let frame = serde_json::from_str::<Value>(data);
                gathering.is_readable = frame.is_ok();
                let Ok(frame) = frame else { return };
                match error_in(&frame) {
                    // An answer that was received whole stands, whatever goes wrong behind its end: an error here is
                    // no more than the connection that breaks there.
                    Some(_) if gathering.reader.is_complete() => {}
                    Some(_) => gathering.error = Some(frame),
                    None => {
                        let text = gathering.reader.frame(&frame);
                        gathering.text.push_str(&text);
                    }
                }
            }
        }
    }

    /// The visible text since the last time.
    pub(crate) fn text(&self) -> String {
        std::mem::take(&mut self.lock().text)
    }

    /// What the answer used, as far as it was told.
    pub(crate) fn usage(&self) -> TokenUsage {
        self.lock().reader.usage()
    }

    /// The error that was told in the middle.
    pub(crate) fn error(&self) -> Option<Value> {
        self.lock().error.take()
    }

    /// Whether the latest frame was JSON.
    pub(crate) fn is_readable(&self) -> bool {
        self.lock().is_readable
    }

    /// Whether more came than any answer has.
    pub(crate) fn is_too_long(&self) -> bool {
        self.lock().bytes > MOST_BYTES
    }

    /// Whether the model said that it had finished.
    pub(crate) fn is_complete(&self) -> bool {
        self.lock().reader.is_complete()
    }

    /// Whether nothing more can follow.
    pub(crate) fn is_over(&self) -> bool {
        self.lock().reader.is_over()
    }

    /// Whether anything of an answer came.
    pub(crate) fn is_answer(&self) -> bool {
        self.lock().reader.is_answer()
    }

    /// Everything read but the text.
    pub(crate) fn read(&self) -> Read {
        self.lock().reader.read()
    }

    fn lock(&self) -> MutexGuard<'_, Gathering> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
