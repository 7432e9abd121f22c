//! The pieces of one answer on their way to a reader: JSON that is nearly JSON mended, what cannot be read passed over and
//! counted, errors found.

use kernel::{TokenUsage, nearly_json_piece};
use serde_json::{Value, json};

use crate::frame_splitter::{FrameSplitter, Kind, Piece};
use crate::reader::{Read, Reader, error_in};
use crate::surrogates::SurrogateJoiner;

/// More bytes than this of one answer, thinking and packing included, are not read.
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// More pieces that cannot be read than this, and it is no answer.
const MOST_BROKEN: u32 = 100;
/// So much is cut at once, so that small pieces of a large read do not pile up.
const AT_ONCE: usize = 4096;

/// What came of one answer so far.
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

    /// Takes the next frame out of bytes, or what there is of one; `false` when they are used up, or nothing more is to be
    /// taken.
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

    /// Takes in that nothing more comes.
    pub(crate) fn end(&mut self) {
        self.is_cut = self.splitter.end();
        while let Some(piece) = self.splitter.next() {
            self.take(piece);
        }
        let rest = self.joiner.rest();
        self.text.push_str(rest);
    }

    fn take(&mut self, piece: Piece) {
        // An answer that was received whole stands, whatever goes wrong behind its end: an error here is no more than the
        // connection that breaks there.
        let is_complete = self.reader.is_complete();
        match piece {
            Piece::Done => self.reader.end_mark(),
            Piece::Broken => self.broken = self.broken.saturating_add(u32::from(!is_complete)),
            Piece::Error(_) if is_complete => {}
            Piece::Error(said) => {
                let said = nearly_json_piece(&said)
                    .map_or_else(|| json!(String::from_utf8_lossy(&said)), |(said, _)| said);
                let is_told = said.get(0).unwrap_or(&said).get("error").is_some();
                self.error = Some(if is_told { said } else { json!({ "error": said }) });
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

    /// The visible text since the last time.
    pub(crate) fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// What the answer used, as far as it was told.
    pub(crate) fn usage(&self) -> TokenUsage {
        self.reader.usage()
    }

    /// The error that was told in place of an answer.
    pub(crate) fn error(&mut self) -> Option<Value> {
        self.error.take()
    }

    /// Whether more came than any answer has.
    pub(crate) fn is_too_long(&self) -> bool {
        self.bytes > MOST_BYTES || self.splitter.is_too_long()
    }

    /// How many pieces could not be read.
    pub(crate) fn broken(&self) -> u32 {
        self.broken
    }

    /// Whether so little can be read that it is no answer.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.broken > MOST_BROKEN
    }

    /// Whether the end came in the middle of a piece.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether it was one JSON or one list of what would have been events, and no stream.
    pub(crate) fn is_one_piece(&self) -> bool {
        self.splitter.kind() == Kind::Values && (self.read == 1 || self.splitter.is_list())
    }

    /// Whether any piece could be read.
    pub(crate) fn has_read(&self) -> bool {
        self.read > 0
    }

    /// The beginning of what was no piece at all: a page, words.
    pub(crate) fn stray(&self) -> String {
        self.splitter.stray()
    }

    /// Whether the model said that it had finished.
    pub(crate) fn is_complete(&self) -> bool {
        self.reader.is_complete()
    }

    /// Whether nothing more can follow.
    pub(crate) fn is_over(&self) -> bool {
        self.reader.is_over()
    }

    /// Whether anything of an answer came.
    pub(crate) fn is_answer(&self) -> bool {
        self.reader.is_answer()
    }

    /// Everything read but the text.
    pub(crate) fn read(&mut self) -> Read {
        self.reader.read()
    }
}

#[cfg(test)]
mod tests;
