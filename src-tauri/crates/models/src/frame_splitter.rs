//! Splits the bytes of an answer into frames. The format is detected from the bytes, not from the content type:
//! server-sent events with any line end, with or without empty lines between them; JSON lines; one JSON value over many
//! lines; a list of events; a page.
//!
//! Every byte is read once, and at most one frame is buffered. Not here: the meaning of a frame (`reader`), and the
//! repair of invalid JSON (`kernel`).

use std::collections::VecDeque;

use crate::json_scan::{JsonScanner, ScanResult};

/// Most bytes of one frame or line.
const MOST_OF_ONE: usize = 16 * 1024 * 1024;
/// Most bytes that are kept of text outside of frames.
const MOST_STRAY: usize = 16 * 1024;
/// The byte order mark of UTF-8, which some servers send first.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A value that begins and ends like JSON.
    Value(Vec<u8>),
    /// An error that the server sent, as JSON or words.
    Error(Vec<u8>),
    /// An invalid frame, or one that was interrupted by the next one.
    Broken,
    /// The mark that ends some streams.
    Done,
}

/// The format of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Only white space so far.
    Unknown,
    /// Server-sent events. Only their data is used.
    Events,
    /// JSON: one value, one per line, or a list of them.
    Values,
    /// An HTML page.
    Page,
}

/// Splits bytes into pieces.
pub(crate) struct FrameSplitter {
    kind: Kind,
    /// The first bytes, while they may be the byte order mark.
    first: Vec<u8>,
    is_begun: bool,
    scan: JsonScanner,
    /// The current line of events.
    line: Vec<u8>,
    was_return: bool,
    is_line_start: bool,
    /// Whether an empty line came inside a value: the next line shows whether the value continues.
    has_gap: bool,
    is_error: bool,
    stray: Vec<u8>,
    pieces: VecDeque<Piece>,
    is_too_long: bool,
}

impl Default for FrameSplitter {
    fn default() -> FrameSplitter {
        FrameSplitter {
            kind: Kind::Unknown,
            first: Vec::new(),
            is_begun: false,
            scan: JsonScanner::default(),
            line: Vec::new(),
            was_return: false,
            is_line_start: true,
            has_gap: false,
            is_error: false,
            stray: Vec::new(),
            pieces: VecDeque::new(),
            is_too_long: false,
        }
    }
}

impl FrameSplitter {
    /// Takes bytes, split at any position.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some((byte, behind)) = rest.split_first() {
            if self.is_too_long {
                return;
            }
            if self.is_begun {
                let plain = self.plain(rest);
                rest = if plain > 0 { &rest[plain..] } else { behind };
                if plain == 0 {
                    self.byte(*byte);
                }
                continue;
            }
            rest = behind;
            self.first.push(*byte);
            if MARK.starts_with(&self.first) && self.first.len() < MARK.len() {
                continue;
            }
            self.is_begun = true;
            let first = std::mem::take(&mut self.first);
            for byte in first.strip_prefix(MARK).unwrap_or(&first) {
                self.byte(*byte);
            }
        }
    }

    /// The next complete piece.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        self.pieces.pop_front()
    }

    /// Ends the input, and returns whether a frame was incomplete.
    pub(crate) fn end(&mut self) -> bool {
        for byte in std::mem::take(&mut self.first) {
            self.byte(byte);
        }
        if self.kind == Kind::Events && !self.line.is_empty() {
            self.end_line();
        }
        !self.scan.is_idle() || (self.kind == Kind::Values && self.scan.is_in_list)
    }

    /// Whether the values came as one list.
    pub(crate) fn is_list(&self) -> bool {
        self.scan.had_list
    }

    /// The format of the bytes.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The beginning of the text outside of frames.
    pub(crate) fn stray(&self) -> String {
        String::from_utf8_lossy(&self.stray).into_owned()
    }

    /// Whether one frame exceeded the limit.
    pub(crate) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Takes the leading bytes that only continue a value or a line of events, as nearly all do, and returns their
    /// number.
    fn plain(&mut self, bytes: &[u8]) -> usize {
        match self.kind {
            // The first byte of a line may begin a new value.
            Kind::Values if self.is_line_start => 0,
            Kind::Values => self.scanned_inside(bytes),
            Kind::Events => {
                let ends = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                let taken = ends.unwrap_or(bytes.len());
                self.line.extend_from_slice(&bytes[..taken]);
                self.was_return &= taken == 0;
                self.is_too_long |= self.line.len() > MOST_OF_ONE;
                taken
            }
            Kind::Unknown | Kind::Page => 0,
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.kind == Kind::Unknown && !byte.is_ascii_whitespace() {
            self.kind = match byte {
                b'{' | b'[' => Kind::Values,
                b'<' => Kind::Page,
                _ => Kind::Events,
            };
        }
        match self.kind {
            Kind::Unknown => {}
            Kind::Page => self.keep_stray(&[byte]),
            Kind::Values => self.of_values(byte),
            Kind::Events => match byte {
                b'\n' if self.was_return => self.was_return = false,
                b'\n' | b'\r' => {
                    self.was_return = byte == b'\r';
                    self.end_line();
                }
                _ => {
                    self.was_return = false;
                    self.line.push(byte);
                    self.is_too_long |= self.line.len() > MOST_OF_ONE;
                }
            },
        }
    }

    fn of_values(&mut self, byte: u8) {
        let is_line_start = std::mem::replace(&mut self.is_line_start, matches!(byte, b'\n' | b'\r'));
        // A server that sends one value per line starts a line with the next one, so a value that is still open there
        // is invalid. The inner lines of a value over many lines are indented.
        if byte == b'{' && is_line_start && !self.scan.is_idle() && !self.scan.is_in_list {
            self.drop_value();
        }
        self.scanned(byte);
    }

    /// Adds a byte to the open value, or begins one.
    fn scanned(&mut self, byte: u8) {
        match self.scan.take(byte) {
            ScanResult::Inside => self.is_too_long |= self.scan.bytes.len() > MOST_OF_ONE,
            ScanResult::Whole(value) => {
                let is_error = self.is_error;
                self.pieces.push_back(if is_error { Piece::Error(value) } else { Piece::Value(value) });
            }
            ScanResult::Outside => self.keep_stray(&[byte]),
        }
    }

    /// Adds the leading bytes that only continue the open value, and returns their number.
    fn scanned_inside(&mut self, bytes: &[u8]) -> usize {
        let room = (MOST_OF_ONE + 1).saturating_sub(self.scan.bytes.len());
        let taken = self.scan.take_inside(&bytes[..bytes.len().min(room)]);
        self.is_too_long |= self.scan.bytes.len() > MOST_OF_ONE;
        taken
    }

    /// Handles the end of a line of events.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_open = !self.scan.is_idle();
        if line.is_empty() {
            self.has_gap = is_open;
            if !is_open {
                self.is_error = false;
                self.scan = JsonScanner::default();
            }
            return;
        }
        let Some((name, value)) = field_of(&line) else {
            if is_open {
                // A raw line end inside a value.
                let ends: &[u8] = if std::mem::take(&mut self.has_gap) { b"\n\n" } else { b"\n" };
                for byte in ends.iter().chain(&line) {
                    self.scanned(*byte);
                }
            } else {
                self.keep_stray(&line);
                self.keep_stray(b" ");
            }
            return;
        };
        if matches!(name, "comment" | "id" | "retry") {
            return;
        }
        let has_gap = std::mem::take(&mut self.has_gap);
        if is_open && (has_gap || name != "data" || begins_value(value)) {
            self.drop_value();
            self.is_error &= !has_gap;
        }
        match name {
            "data" => self.data(value),
            "error" => self.pieces.push_back(Piece::Error(value.to_vec())),
            "event" => self.is_error = value.trim_ascii() == b"error",
            _ => {}
        }
    }

    /// Handles the data of a line of events.
    fn data(&mut self, data: &[u8]) {
        let trimmed = data.trim_ascii();
        if self.scan.is_idle() {
            if trimmed.is_empty() {
                return;
            }
            if trimmed.eq_ignore_ascii_case(b"[DONE]") {
                self.pieces.push_back(Piece::Done);
                return;
            }
            if !matches!(trimmed.first(), Some(b'{' | b'[')) {
                self.keep_stray(trimmed);
                self.keep_stray(b" ");
                let error = Piece::Error(trimmed.to_vec());
                self.pieces.push_back(if self.is_error { error } else { Piece::Broken });
                return;
            }
        } else {
            self.scanned(b'\n');
        }
        let mut rest = data;
        while let Some((byte, behind)) = rest.split_first() {
            let taken = self.scanned_inside(rest);
            rest = if taken > 0 { &rest[taken..] } else { behind };
            if taken == 0 {
                self.scanned(*byte);
            }
        }
    }

    fn drop_value(&mut self) {
        self.scan = JsonScanner::default();
        self.pieces.push_back(Piece::Broken);
    }

    fn keep_stray(&mut self, bytes: &[u8]) {
        let room = MOST_STRAY.saturating_sub(self.stray.len());
        self.stray.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// The name and the value of an event field; `None` if the line is none.
fn field_of(line: &[u8]) -> Option<(&'static str, &[u8])> {
    if line.first() == Some(&b':') {
        return Some(("comment", &line[1..]));
    }
    ["data", "event", "id", "retry", "error"].into_iter().find_map(|name| {
        let rest = line.strip_prefix(name.as_bytes())?;
        let value = match rest.split_first() {
            None => rest,
            Some((b':', value)) => value,
            Some(_) => return None,
        };
        Some((name, value.strip_prefix(b" ").unwrap_or(value)))
    })
}

/// Whether data begin a frame rather than continue one over many lines, whose inner lines are indented.
fn begins_value(data: &[u8]) -> bool {
    data.starts_with(b"{") || data.trim_ascii().eq_ignore_ascii_case(b"[DONE]")
}

#[cfg(test)]
mod tests;
