//! Separates the visible text of Markdown from its markup, in one pass.
//!
//! It is not a Markdown parser: it builds no tree and resolves no references. It decides only which bytes are text,
//! code, a citation or markup. Hostile nesting costs linear time.

/// The kind of a range of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Running text, including marks of emphasis.
    Text,
    /// Code in a span or a fenced block.
    Code,
    /// Markup, addresses of links, markers.
    Hidden,
    /// A bracket of source numbers.
    Citation,
}

/// Most bytes in which a closing mark is searched; a longer link or span counts as plain text.
const REACH: usize = 4096;

struct Scanner<'a, V> {
    bytes: &'a [u8],
    visit: V,
    text_start: usize,
    /// For each run length, the offset up to which no closing run of backticks was found.
    no_backticks: [usize; 9],
    /// The offset up to which no closing parenthesis was found.
    no_parenthesis: usize,
}

/// Visits the ranges of `markdown` in order; together they cover it. All borders are character borders. A backslash
/// before punctuation is [`Mark::Hidden`].
pub(crate) fn scan(markdown: &str, visit: impl FnMut(Mark, usize, usize)) {
    let mut scanner =
        Scanner { bytes: markdown.as_bytes(), visit, text_start: 0, no_backticks: [0; 9], no_parenthesis: 0 };
    scanner.run();
}

/// The byte ranges of a Markdown text that are not running text, in order: code, addresses of links, citations,
/// the marks of headings and lists.
pub fn unread_ranges(markdown: &str) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    scan(markdown, |mark, start, end| {
        if mark != Mark::Text {
            ranges.push(start..end);
        }
    });
    ranges
}

/// Length of the prefix without marks and line ends. Marks are rare, so chunks of 16 bytes are tested at once.
fn plain_length(bytes: &[u8]) -> usize {
    let (chunks, _) = bytes.as_chunks::<16>();
    let is_plain = |chunk: &&[u8; 16]| chunk.iter().fold(0, |found, byte| found | is_mark(*byte)) == 0;
    let plain = chunks.iter().take_while(is_plain).count() * 16;
    bytes[plain..].iter().position(|byte| is_mark(*byte) != 0).map_or(bytes.len(), |at| plain + at)
}

/// 1 for a mark or a line feed, else 0; without branches.
fn is_mark(byte: u8) -> u8 {
    // In ASCII the backslash is between the two brackets, so this is `[`, `\` or `]`.
    let is_bracket = byte.wrapping_sub(b'[') < 3;
    u8::from((byte == b'\n') | is_bracket | (byte == b'`') | (byte == b'<'))
}

impl<V: FnMut(Mark, usize, usize)> Scanner<'_, V> {
    fn run(&mut self) {
        let mut at = 0;
        let mut line_start = true;
        while at < self.bytes.len() {
            if line_start {
                at = self.line_prefix(at);
                line_start = false;
                continue;
            }
            let next = match self.bytes[at] {
                b'\n' => {
                    line_start = true;
                    None
                }
                b'\\' if self.bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                    self.emit(Mark::Hidden, at, at + 1);
                    at += 2;
                    continue;
                }
                b'`' => self.code_span(at),
                b'[' => self.bracket(at),
                b']' if self.bytes.get(at + 1) == Some(&b'(') => {
                    self.destination_end(at + 1).map(|end| (Mark::Hidden, end))
                }
                b'<' => self.tag_end(at).map(|end| (Mark::Hidden, end)),
                _ => None,
            };
            match next {
                Some((mark, end)) => {
                    self.emit(mark, at, end);
                    at = end;
                }
                // An unclosed run of backticks is skipped as a whole; otherwise its tail could open a span.
                None if self.bytes[at] == b'`' => at += run_length(self.bytes, at),
                None if line_start => at += 1,
                None => at += 1 + plain_length(&self.bytes[at + 1..]),
            }
        }
        let end = self.bytes.len();
        self.flush(end);
    }

    fn flush(&mut self, until: usize) {
        if self.text_start < until {
            (self.visit)(Mark::Text, self.text_start, until);
        }
        self.text_start = until;
    }

    fn emit(&mut self, mark: Mark, start: usize, end: usize) {
        self.flush(start);
        if start < end {
            (self.visit)(mark, start, end);
        }
        self.text_start = end;
    }

    /// Emits the marks at the start of a line and returns the offset of its text.
    fn line_prefix(&mut self, start: usize) -> usize {
        let mut at = skip_blanks(self.bytes, start);
        if let Some(end) = self.fence(at) {
            return end;
        }
        let prefix = prefix_length(&self.bytes[at..]);
        if prefix > 0 {
            self.emit(Mark::Hidden, at, at + prefix);
            at += prefix;
        }
        if self.bytes.get(at) == Some(&b'[')
            && let Some(close) = label_end(self.bytes, at)
            && self.bytes.get(close) == Some(&b':')
        {
            let is_note = self.bytes.get(at + 1) == Some(&b'^');
            let end = if is_note { close + 1 } else { line_end(self.bytes, close) };
            self.emit(Mark::Hidden, at, end);
            at = end;
        }
        at
    }

    /// Emits the fenced block that starts at `at` and returns its end.
    fn fence(&mut self, at: usize) -> Option<usize> {
        let mark = self.bytes.get(at).copied().filter(|mark| matches!(mark, b'`' | b'~'))?;
        let length = run_length(self.bytes, at);
        if length < 3 {
            return None;
        }
        let opened = line_end(self.bytes, at);
        if mark == b'`' && self.bytes[at + length..opened].contains(&b'`') {
            return None;
        }
        self.emit(Mark::Hidden, at, opened);
        let mut line = opened;
        while line < self.bytes.len() {
            let end = line_end(self.bytes, line + 1);
            let first = skip_blanks(self.bytes, line + 1);
            if self.bytes.get(first) == Some(&mark) && run_length(self.bytes, first) >= length {
                self.emit(Mark::Code, opened, line);
                self.emit(Mark::Hidden, line, end);
                return Some(end);
            }
            line = end;
        }
        self.emit(Mark::Code, opened, self.bytes.len());
        Some(self.bytes.len())
    }

    /// The end of the code span that starts at `at`, including its backticks.
    fn code_span(&mut self, at: usize) -> Option<(Mark, usize)> {
        let length = run_length(self.bytes, at);
        let failed_until = *self.no_backticks.get(length)?;
        if at < failed_until {
            return None;
        }
        let reach = self.bytes.len().min(at + REACH);
        let mut look = at + length;
        while look < reach && !is_blank_line(self.bytes, look) {
            if self.bytes[look] == b'`' {
                let closing = run_length(self.bytes, look);
                if closing == length {
                    return Some((Mark::Code, look + closing));
                }
                look += closing;
            } else {
                look += 1;
            }
        }
        self.no_backticks[length] = look;
        None
    }

    /// Reads what starts with the `[` at `at`: a citation, a footnote mark, or a link whose text is only a number.
    fn bracket(&mut self, at: usize) -> Option<(Mark, usize)> {
        if self.bytes.get(at + 1) == Some(&b'^') {
            return label_end(self.bytes, at).map(|end| (Mark::Hidden, end));
        }
        let end = numbers_end(self.bytes, at)?;
        if self.bytes.get(end) == Some(&b'(')
            && let Some(end) = self.destination_end(end)
        {
            return Some((Mark::Hidden, end));
        }
        Some((Mark::Citation, end))
    }

    /// One past the `)` that closes the link destination that starts at `at`.
    fn destination_end(&mut self, at: usize) -> Option<usize> {
        if at < self.no_parenthesis {
            return None;
        }
        let reach = self.bytes.len().min(at + REACH);
        let mut depth = 0_usize;
        let mut look = at;
        while look < reach && !is_blank_line(self.bytes, look) {
            match self.bytes[look] {
                b'\\' => look += 1,
                b'(' => depth += 1,
                b')' if depth <= 1 => return Some(look + 1),
                b')' => depth -= 1,
                _ => {}
            }
            look += 1;
        }
        self.no_parenthesis = look;
        None
    }

    fn tag_end(&self, at: usize) -> Option<usize> {
        let first = *self.bytes.get(at + 1)?;
        if !first.is_ascii_alphabetic() && !matches!(first, b'/' | b'!') {
            return None;
        }
        let reach = self.bytes.len().min(at + REACH);
        for look in at + 1..reach {
            match self.bytes[look] {
                b'>' => return Some(look + 1),
                b'<' => return None,
                _ if is_blank_line(self.bytes, look) => return None,
                _ => {}
            }
        }
        None
    }
}

/// Length of the heading, quote and list marks at the start of a line.
pub(crate) fn prefix_length(line: &[u8]) -> usize {
    let mut at = 0;
    while line.get(at) == Some(&b'>') {
        at = skip_blanks(line, at + 1);
    }
    let rest = &line[at..];
    let hashes = rest.iter().take(7).take_while(|byte| **byte == b'#').count();
    if (1..=6).contains(&hashes) && is_gap(rest, hashes) {
        return skip_blanks(line, at + hashes);
    }
    let mut marker = 0;
    if matches!(rest.first(), Some(b'-' | b'*' | b'+' | b'|')) {
        marker = 1;
    } else {
        let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        if (1..=3).contains(&digits) && matches!(rest.get(digits), Some(b'.' | b')')) {
            marker = digits + 1;
        }
    }
    if marker > 0 && is_gap(rest, marker) { skip_blanks(line, at + marker) } else { at }
}

fn is_gap(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), None | Some(b' ' | b'\t' | b'\n' | b'\r'))
}

/// The first offset from `at` on that is neither a space nor a tab.
pub(crate) fn skip_blanks(bytes: &[u8], at: usize) -> usize {
    let blanks = bytes.get(at..).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    (at + blanks.count()).min(bytes.len())
}

/// The end of the line that contains `at`: the offset of its line feed, or the end of the text.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    (at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())).min(bytes.len())
}

fn is_blank_line(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\n' && matches!(bytes.get(at + 1), Some(b'\n' | b'\r'))
}

fn run_length(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|byte| **byte == bytes[at]).count()
}

/// One past the `]` of a label of at most 100 bytes without inner brackets.
fn label_end(bytes: &[u8], at: usize) -> Option<usize> {
    let inside = bytes.get(at + 1..)?.iter().take(100);
    let length = inside.take_while(|byte| !matches!(byte, b']' | b'[' | b'\n')).count();
    (bytes.get(at + 1 + length) == Some(&b']')).then_some(at + length + 2)
}

/// One past the `]` of a bracket with only numbers and separators.
pub(crate) fn numbers_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut has_digit = false;
    let mut look = at + 1;
    while look < bytes.len().min(at + 200) {
        match bytes[look] {
            b'0'..=b'9' => has_digit = true,
            b' ' | b',' | b';' | b'-' if has_digit || bytes[look] == b' ' => {}
            // The en dash of a range.
            0xE2 if has_digit && bytes[look..].starts_with("–".as_bytes()) => look += 2,
            b']' if has_digit => return Some(look + 1),
            _ => return None,
        }
        look += 1;
    }
    None
}
