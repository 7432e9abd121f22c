//! Cuts the bytes of an answer into its frames, by what the bytes are and not by what they call themselves: server-sent
//! events with any line end, with or without empty lines between them; lines of JSON; one JSON, also over many lines; a
//! list of what would have been events; a page.
//!
//! Every byte is looked at once, and no more is kept than one frame has. Not here: what a frame means (`reader`), and
//! JSON that is nearly JSON (`kernel`).

use std::collections::VecDeque;

use crate::json_scan::{Scan, Scanned};

/// More bytes of one frame or line than this are no part of any answer.
const MOST_OF_ONE: usize = 16 * 1024 * 1024;
/// As many bytes are kept of what is no frame.
const MOST_STRAY: usize = 16 * 1024;
/// The mark of UTF-8, which some servers put before everything they say.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// One thing that was cut out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A value that begins and ends as JSON does.
    Value(Vec<u8>),
    /// What the server calls an error, JSON or words.
    Error(Vec<u8>),
    /// What stands where a frame should be and is none, or broke off before another began.
    Broken,
    /// The mark that ends some streams.
    Done,
}

/// What the bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing came yet but white space.
    Unknown,
    /// Server-sent events, of which the data count.
    Events,
    /// JSON: one value, one a line, or a list of them.
    Values,
    /// A page for people.
    Page,
}

/// Cuts what it is given.
pub(crate) struct FrameSplitter {
    kind: Kind,
    /// The first bytes, as far as they may still be the mark of UTF-8.
    first: Vec<u8>,
    is_begun: bool,
    scan: Scan,
    /// The line so far, of events.
    line: Vec<u8>,
    was_return: bool,
    is_line_start: bool,
    /// An empty line came inside a value: whether the value goes on, the next line tells.
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
            scan: Scan::default(),
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
    /// Takes bytes in, cut anywhere.
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

    /// The next thing that is whole.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        self.pieces.pop_front()
    }

    /// Takes in that nothing more comes, and tells whether a frame was left in the middle.
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

    /// What the bytes are.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The beginning of what is no frame.
    pub(crate) fn stray(&self) -> String {
        String::from_utf8_lossy(&self.stray).into_owned()
    }

    /// Whether one frame was longer than any is.
    pub(crate) fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// Takes the bytes at the beginning that only go on with a value or with a line of events, as nearly all do; gives how
    /// many.
    fn plain(&mut self, bytes: &[u8]) -> usize {
        match self.kind {
            // What begins a line may be the next value.
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
        // Whoever writes a value a line begins a line with the next one: what was open before it is broken. The lines
        // of one value that goes over many are indented.
        if byte == b'{' && is_line_start && !self.scan.is_idle() && !self.scan.is_in_list {
            self.drop_value();
        }
        self.scanned(byte);
    }

    /// Gives a byte to the value that is open, or begins one.
    fn scanned(&mut self, byte: u8) {
        match self.scan.take(byte) {
            Scanned::Inside => self.is_too_long |= self.scan.bytes.len() > MOST_OF_ONE,
            Scanned::Whole(value) => {
                let is_error = self.is_error;
                self.pieces.push_back(if is_error { Piece::Error(value) } else { Piece::Value(value) });
            }
            Scanned::Outside => self.keep_stray(&[byte]),
        }
    }

    /// Gives the value that is open those bytes that only go on with it; gives how many.
    fn scanned_inside(&mut self, bytes: &[u8]) -> usize {
        let room = (MOST_OF_ONE + 1).saturating_sub(self.scan.bytes.len());
        let taken = self.scan.take_inside(&bytes[..bytes.len().min(room)]);
        self.is_too_long |= self.scan.bytes.len() > MOST_OF_ONE;
        taken
    }

    /// A line of events has ended.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let is_open = !self.scan.is_idle();
        if line.is_empty() {
            self.has_gap = is_open;
            if !is_open {
                self.is_error = false;
                self.scan = Scan::default();
            }
            return;
        }
        let Some((name, value)) = field_of(&line) else {
            if is_open {
                // A line end inside a value, raw.
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

    /// The data of a line of events.
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
                let told = Piece::Error(trimmed.to_vec());
                self.pieces.push_back(if self.is_error { told } else { Piece::Broken });
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
        self.scan = Scan::default();
        self.pieces.push_back(Piece::Broken);
    }

    fn keep_stray(&mut self, bytes: &[u8]) {
        let room = MOST_STRAY.saturating_sub(self.stray.len());
        self.stray.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

/// The name and the value of a field of events; `None` where the line is none.
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

/// Whether data begin a frame and do not go on with one over many lines, whose lines are indented.
fn begins_value(data: &[u8]) -> bool {
    data.starts_with(b"{") || data.trim_ascii().eq_ignore_ascii_case(b"[DONE]")
}

#[cfg(test)]
mod tests;
