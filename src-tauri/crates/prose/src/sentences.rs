//! Splits Markdown or plain text into sentences.
//!
//! The text is split into blocks (paragraph, heading, list item, table or code line), because no sentence crosses the
//! border of a block; then each block at full stops that do not belong to an abbreviation or an initial. Closing quotes
//! and citations after a full stop belong to the sentence before them. Only spelling decides: no grammar, no language
//! detection.

use crate::characters::{is_closer, is_opener, is_wide_stop};
use crate::markup::{line_end, numbers_end, prefix_length, skip_blanks};
use serde::Serialize;

/// The kind of block that contains a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// Running text.
    Paragraph,
    /// A heading line.
    Heading,
    /// An item of a list.
    ListItem,
    /// A line of a table or of fenced code; it counts as one sentence.
    Line,
}

/// One sentence with its byte range in the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence<'a> {
    /// The unchanged text of the sentence, with its trailing citations, without heading or list marks.
    pub text: &'a str,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte.
    pub end: usize,
    /// The kind of its block.
    pub place: Place,
}

/// Abbreviations that never end a sentence.
static NEVER_LAST: [&str; 47] = [
    "approx", "apr", "aug", "cf", "ch", "col", "dec", "dept", "dr", "e.g", "eds", "eg", "eq", "eqs", "est",
    "feb", "fig", "figs", "gen", "gov", "hon", "i.e", "ie", "jan", "jul", "jun", "lt", "mar", "mr", "mrs",
    "ms", "mt", "nov", "oct", "prof", "ref", "refs", "rep", "resp", "rev", "sec", "sen", "sep", "sept", "st",
    "tab", "vs",
];

/// Abbreviations that may end a sentence: the next word decides.
static MAYBE_LAST: [&str; 18] = [
    "a.k.a", "a.m", "al", "bros", "co", "corp", "etc", "inc", "jr", "llc", "ltd", "p.m", "ph.d", "sr", "u.k",
    "u.n", "u.s", "u.s.a",
];

/// Words that are abbreviations only before a number.
static BEFORE_NUMBER: [&str; 9] = ["art", "no", "nos", "nr", "p", "pp", "v", "ver", "vol"];

/// Words that often begin a sentence and rarely a name.
static STARTERS: [&str; 60] = [
    "a",
    "according",
    "across",
    "additionally",
    "after",
    "all",
    "although",
    "an",
    "and",
    "another",
    "as",
    "at",
    "based",
    "because",
    "both",
    "but",
    "by",
    "despite",
    "each",
    "experiments",
    "extensive",
    "finally",
    "first",
    "for",
    "from",
    "furthermore",
    "given",
    "here",
    "how",
    "however",
    "i",
    "if",
    "in",
    "it",
    "its",
    "moreover",
    "most",
    "on",
    "one",
    "our",
    "results",
    "second",
    "since",
    "so",
    "specifically",
    "such",
    "that",
    "the",
    "their",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "unlike",
    "we",
    "when",
    "while",
    "with",
];

/// The sentences of a text, in order. The end of a heading, list item, table row or line of code ends a sentence.
pub fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::with_capacity(text.len() / 120 + 1);
    let bytes = text.as_bytes();
    let mut open: Option<(usize, Place)> = None;
    let mut fence: Option<u8> = None;
    let mut at = 0;
    while at <= bytes.len() {
        let end = line_end(bytes, at);
        let first = skip_blanks(bytes, at);
        let line = bytes.get(first..end).unwrap_or_default();
        let is_fence = line.starts_with(b"```") || line.starts_with(b"~~~");
        let prefix = prefix_length(line);
        let is_empty = line.iter().all(|byte| byte.is_ascii_whitespace());
        let is_border = is_fence || fence.is_some() || is_empty || prefix > 0 || line.first() == Some(&b'|');
        if is_border && let Some((start, place)) = open.take() {
            cut_block(text, start, at.min(bytes.len()), place, &mut found);
        }
        if is_fence {
            fence = match fence {
                None => line.first().copied(),
                Some(mark) if line.first() == Some(&mark) => None,
                kept => kept,
            };
        } else if fence.is_some() || line.first() == Some(&b'|') {
            push(text, first, end, Place::Line, &mut found);
        } else if !is_empty && prefix > 0 {
            let marks = &line[..prefix];
            let start = first + prefix;
            if marks.contains(&b'#') {
                push(text, start, end, Place::Heading, &mut found);
            } else {
                let is_quote =
                    marks.first() == Some(&b'>') && !marks.iter().any(|mark| b"-*+.)".contains(mark));
                open = Some((start, if is_quote { Place::Paragraph } else { Place::ListItem }));
            }
        } else if !is_empty && open.is_none() {
            open = Some((first, Place::Paragraph));
        }
        at = end + 1;
    }
    if let Some((start, place)) = open {
        cut_block(text, start, bytes.len(), place, &mut found);
    }
    found
}

fn push<'a>(text: &'a str, start: usize, end: usize, place: Place, found: &mut Vec<Sentence<'a>>) {
    let (start, end) = (start.min(end), end);
    let piece = &text[start..end];
    let start = start + (piece.len() - piece.trim_start().len());
    let piece = piece.trim();
    if !piece.is_empty() {
        found.push(Sentence { text: piece, start, end: start + piece.len(), place });
    }
}

fn cut_block<'a>(text: &'a str, start: usize, end: usize, place: Place, found: &mut Vec<Sentence<'a>>) {
    let mut sentence_start = start;
    let mut at = start;
    while let Some(character) = text[at..end].chars().next() {
        let next = at + character.len_utf8();
        if !matches!(character, '.' | '!' | '?' | '…') && !is_wide_stop(character) {
            // Skips ASCII characters that cannot end a sentence.
            let is_plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'.' | b'!' | b'?');
            at = next + text.as_bytes()[next..end].iter().take_while(|byte| is_plain(byte)).count();
            continue;
        }
        let stops_end = next + run_of_stops(&text[next..end]);
        let tail_end = end_of_tail(text, stops_end, end);
        let is_end = if is_inside_quotation(&text[..end], sentence_start, stops_end) && tail_end == stops_end
        {
            false
        } else if is_wide_stop(character) {
            // A stop inside a quotation does not end the sentence if the sentence continues after the quotation.
            tail_end == stops_end || !goes_on_after_quotation(&text[tail_end..end])
        } else {
            is_boundary(text, sentence_start, at, stops_end, tail_end, end)
        };
        if is_end {
            push(text, sentence_start, tail_end, place, found);
            sentence_start = tail_end;
        }
        at = tail_end.max(stops_end);
    }
    push(text, sentence_start, end, place, found);
}

fn run_of_stops(rest: &str) -> usize {
    rest.char_indices()
        .find(|(_, character)| !matches!(character, '.' | '!' | '?' | '…') && !is_wide_stop(*character))
        .map_or(rest.len(), |(at, _)| at)
}

/// The end of the closing marks and citations that follow a stop; spaces may precede a citation.
fn end_of_tail(text: &str, from: usize, end: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..end];
        let closers: usize = rest.chars().take_while(|mark| is_closer(*mark)).map(char::len_utf8).sum();
        at += closers;
        let bytes = &text.as_bytes()[..end];
        let bracket = skip_blanks(bytes, at);
        let citation = (bytes.get(bracket) == Some(&b'[')).then(|| numbers_end(bytes, bracket)).flatten();
        match citation {
            Some(close) if bytes.get(close) != Some(&b'(') => at = close,
            _ => return at,
        }
    }
}

/// Whether a sentence continues after a quotation: in Chinese and Japanese with a particle or a comma.
fn goes_on_after_quotation(rest: &str) -> bool {
    rest.chars().next().is_some_and(|next| {
        matches!(next, 'と' | 'は' | 'が' | 'の' | 'を' | 'に' | 'で' | '、' | '，' | ',')
    })
}

fn is_boundary(text: &str, start: usize, stop: usize, stops_end: usize, tail_end: usize, end: usize) -> bool {
    let rest = &text[tail_end..end];
    let Some(space) = rest.chars().next() else { return true };
    if &text[stop..tail_end] == "." && space.is_ascii_uppercase() {
        return is_missing_space(&text[start..stop], rest);
    }
    if !space.is_whitespace() {
        return tail_end == stops_end
            && crate::characters::is_ideographic(space)
            && !text[stop..].starts_with('.');
    }
    let is_quoted = text[stops_end..tail_end].contains(['”', '"', '»', '’']);
    if is_quoted && rest.trim_start().starts_with('(') {
        // “Does it scale?” (arXiv, …): the question mark belongs to the title.
        return false;
    }
    let following = rest.trim_start().trim_start_matches(is_opener);
    let word_end = following.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(following.len());
    let word = &following[..word_end];
    let Some(first) = word.chars().next() else { return true };
    // A sentence may begin with a placeholder in lower case, such as `{number} people`.
    let is_placeholder = rest.trim_start().starts_with(['{', '[']);
    if first.is_lowercase() && !is_placeholder {
        // "iPhone" may begin a sentence, "and" does not.
        return word.chars().take(3).any(char::is_uppercase);
    }
    if &text[stop..stops_end] != "." {
        return true;
    }
    let before = last_token(&text[start..stop]);
    let lowered = before.to_ascii_lowercase();
    let is_listed = |list: &[&str]| list.binary_search(&lowered.as_str()).is_ok();
    if is_listed(&NEVER_LAST) {
        return false;
    }
    if is_listed(&BEFORE_NUMBER) {
        return !first.is_ascii_digit();
    }
    let is_initial = before.chars().count() == 1 && before.chars().all(char::is_uppercase);
    let is_dotted = before.len() > 2
        && before.split('.').all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic));
    if is_initial || is_dotted || is_listed(&MAYBE_LAST) {
        return STARTERS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok();
    }
    true
}

/// Whether a quotation that started in this sentence continues after the stop and closes soon, as in the title
/// “Does it scale? A study”.
fn is_inside_quotation(block: &str, start: usize, stop: usize) -> bool {
    let window = stop.saturating_sub(QUOTATION).max(start);
    let before = &block[block.ceil_char_boundary(window)..stop];
    // Only quotation marks with distinct opening and closing forms are read, and those are not ASCII.
    if before.is_ascii() {
        return false;
    }
    let Some((open, mark)) =
        before.char_indices().rev().find(|(_, mark)| matches!(mark, '“' | '”' | '「' | '」' | '《' | '》'))
    else {
        return false;
    };
    let close = match mark {
        '“' => '”',
        '「' => '」',
        '《' => '》',
        _ => return false,
    };
    let after = &block[stop..block.floor_char_boundary(stop + QUOTATION)];
    let reach = after.find(['“', '「', '《', '\n']).unwrap_or(after.len());
    !before[open..].contains(close) && after[..reach].contains(close)
}

/// Most bytes of a title or quotation on either side of a stop inside it.
const QUOTATION: usize = 200;

/// Whether the space after a stop is missing, a frequent error in feeds: "… of this.However, …".
fn is_missing_space(before: &str, rest: &str) -> bool {
    let word = last_token(before);
    let next = rest.find(|character: char| !character.is_ascii_alphabetic()).map_or(rest, |end| &rest[..end]);
    word.len() > 1
        && word.bytes().all(|byte| byte.is_ascii_lowercase())
        && STARTERS.binary_search(&next.to_ascii_lowercase().as_str()).is_ok()
}

/// The word before a stop with its inner stops ("e.g", "U.S"), at most 12 characters: abbreviations are short.
fn last_token(before: &str) -> &str {
    let mut start = before.len();
    for (at, character) in before.char_indices().rev().take(12) {
        if !character.is_alphanumeric() && character != '.' {
            break;
        }
        start = at;
    }
    &before[start..]
}

#[cfg(test)]
mod tests;
