//! Passes the frames of one answer to a reader: repairs JSON that is slightly invalid, counts unreadable frames, and
//! detects errors.

use kernel::TokenUsage;
use net::nearly_json_piece;
use serde_json::{Value, json};

use crate::frame_splitter::{FrameSplitter, Kind, Piece};
use crate::reader::{ReadReply, Reader, error_in};
use crate::surrogates::SurrogateJoiner;

/// Most bytes of one answer that are read, including thinking and framing.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// Most unreadable frames of an answer.
const MOST_BROKEN: u32 = 100;
/// Bytes that are split at once, so that the small frames of a large read do not pile up.
const AT_ONCE: usize = 4096;

/// What arrived of one answer so far.
pub(crate) struct Frames {
    reader: Box<dyn Reader>,
    splitter: FrameSplitter,
    joiner: SurrogateJoiner,
    text: String,
    error: Option<Value>,
    bytes: usize,
    read: u32,
    broken: u32,
    is_cut: bool,
}

impl Frames {
    pub(crate) fn new(reader: Box<dyn Reader>) -> Frames {
        Frames {
            reader,
            splitter: FrameSplitter::default(),
            joiner: SurrogateJoiner::default(),
            text: String::new(),
            error: None,
            bytes: 0,
            read: 0,
            broken: 0,
            is_cut: false,
        }
    }

    /// Takes the next frame from the bytes, or the available part of one. Returns `false` when the bytes are used up or
    /// the answer is over.
    pub(crate) fn next(&mut self, bytes: &mut &[u8]) -> bool {
        if self.error.is_some() || self.is_too_long() || self.reader.is_over() {
            return false;
        }
        if let Some(piece) = self.splitter.next() {
            self.take(piece);
            return true;
        }
        let (now, rest) = bytes.split_at(bytes.len().min(AT_ONCE));
        *bytes = rest;
        self.bytes = self.bytes.saturating_add(now.len());
        self.splitter.push(now);
        !now.is_empty()
    }

    /// Ends the input.
    pub(crate) fn end(&mut self) {
        self.is_cut = self.splitter.end();
        while let Some(piece) = self.splitter.next() {
            self.take(piece);
        }
        let rest = self.joiner.rest();
        self.text.push_str(rest);
    }

    fn take(&mut self, piece: Piece) {
        // A complete answer stays valid whatever follows: an error after its end counts no more than a connection that
        // breaks there.
        let is_complete = self.reader.is_complete();
        match piece {
            Piece::Done => self.reader.end_mark(),
            Piece::Broken => self.broken = self.broken.saturating_add(u32::from(!is_complete)),
            Piece::Error(_) if is_complete => {}
            Piece::Error(error) => {
                let error = nearly_json_piece(&error)
                    .map_or_else(|| json!(String::from_utf8_lossy(&error)), |(error, _)| error);
                let is_wrapped = error.get(0).unwrap_or(&error).get("error").is_some();
                self.error = Some(if is_wrapped { error } else { json!({ "error": error }) });
            }
            Piece::Value(frame) => match nearly_json_piece(&frame) {
                None => self.broken = self.broken.saturating_add(u32::from(!is_complete)),
                Some((frame, _)) if error_in(&frame).is_some() => {
                    if !is_complete && self.error.is_none() {
                        self.error = Some(frame);
                    }
                }
                Some((frame, has_halves)) => {
                    self.read = self.read.saturating_add(1);
                    if has_halves {
                        self.joiner.expect();
                    }
                    let text = self.reader.frame(&frame);
                    self.text.push_str(&self.joiner.pass(text));
                }
            },
        }
    }

    /// The visible text since the last call.
    pub(crate) fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The usage of the answer, as far as it was reported.
    pub(crate) fn usage(&self) -> TokenUsage {
        self.reader.usage()
    }

    /// The error that came in place of an answer.
    pub(crate) fn error(&mut self) -> Option<Value> {
        self.error.take()
    }

    /// Whether the answer exceeded the limits.
    pub(crate) fn is_too_long(&self) -> bool {
        self.bytes > MOST_BYTES || self.splitter.is_too_long()
    }

    /// The number of unreadable frames.
    pub(crate) fn broken(&self) -> u32 {
        self.broken
    }

    /// Whether too many frames are unreadable for an answer.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.broken > MOST_BROKEN
    }

    /// Whether the input ended inside a frame.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether it was one JSON value or one list of events, and no stream.
    pub(crate) fn is_one_piece(&self) -> bool {
        self.splitter.kind() == Kind::Values && (self.read == 1 || self.splitter.is_list())
    }

    /// Whether any frame could be read.
    pub(crate) fn has_read(&self) -> bool {
        self.read > 0
    }

    /// The beginning of the text outside of frames, such as a page.
    pub(crate) fn stray(&self) -> String {
        self.splitter.stray()
    }

    /// Whether the model reported that it had finished.
    pub(crate) fn is_complete(&self) -> bool {
        self.reader.is_complete()
    }

    /// Whether nothing more can follow.
    pub(crate) fn is_over(&self) -> bool {
        self.reader.is_over()
    }

    /// Whether any part of an answer arrived.
    pub(crate) fn is_answer(&self) -> bool {
        self.reader.is_answer()
    }

    /// Everything read except the text.
    pub(crate) fn read(&mut self) -> ReadReply {
        self.reader.read()
    }
}

#[cfg(test)]
mod tests;
