//! Finds the placeholders of a template: `{…}`, `[…]`, `［…］` and choices such as "was/was not".
//!
//! Links, citations, check boxes, code and addresses are not placeholders; neither are slashes without options
//! ("and/or", "km/h", "N/A", dates).

use crate::choice_words::{is_choice_of_words, leading_choice, trailing_choice};
use prose::{is_hiragana, is_ideographic, unread_ranges};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The syntax of a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceholderKind {
    /// `{…}`
    Brace,
    /// `[…]`, also `［…］` and `｛…｝`
    Bracket,
    /// `one/other` in prose.
    Slash,
}

/// A placeholder of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placeholder {
    /// Its syntax.
    pub kind: PlaceholderKind,
    /// Its byte range in the text, including brackets.
    pub place: Range<usize>,
    /// Its name, without brackets.
    pub name: String,
    /// The options; empty if any value is allowed.
    pub choices: Vec<String>,
}

/// Longest name of a placeholder in bytes; longer ones are text in brackets.
const LONGEST_NAME: usize = 160;

/// The placeholders of a text, in order.
pub fn placeholders(text: &str) -> Vec<Placeholder> {
    let unread = unread_ranges(text);
    let mut found = Vec::new();
    let mut unread_at = 0;
    let mut at = 0;
    while at < text.len() {
        while unread.get(unread_at).is_some_and(|range| range.end <= at) {
            unread_at += 1;
        }
        if let Some(range) = unread.get(unread_at).filter(|range| range.start <= at) {
            at = range.end;
            continue;
        }
        let limit = unread.get(unread_at).map_or(text.len(), |range| range.start);
        let placeholder = match text.as_bytes()[at] {
            b'{' => bracketed(text, at, b'}', PlaceholderKind::Brace),
            b'[' => bracketed(text, at, b']', PlaceholderKind::Bracket),
            0xEF => full_width(text, at, limit),
            b'/' => slash_choice(text, at, limit, found.last()),
            _ => None,
        };
        let placeholder = placeholder.filter(|one| !is_in_address(text, one.place.start));
        match placeholder {
            Some(placeholder) => {
                at = placeholder.place.end;
                found.push(placeholder);
            }
            None => at += 1,
        }
    }
    found
}

/// Longest part of an address before a placeholder, in bytes.
const LONGEST_ADDRESS: usize = 300;

/// Whether a position is inside a web or mail address: "https://a.example/{id}".
fn is_in_address(text: &str, at: usize) -> bool {
    let near = text.ceil_char_boundary(at.saturating_sub(LONGEST_ADDRESS));
    let is_border =
        |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"' | '(' | '“' | '「') || is_ideographic(c);
    let before = text[near..at].rsplit(is_border).next().unwrap_or_default();
    before.contains("://") || before.starts_with("www.") || before.starts_with("mailto:")
}

fn bracketed(text: &str, at: usize, closing: u8, kind: PlaceholderKind) -> Option<Placeholder> {
    let bytes = text.as_bytes();
    let opening = bytes[at];
    if at > 0 && bytes[at - 1] == b'\\' {
        return None;
    }
    // `{{name}}` is one placeholder.
    let depth = 1 + usize::from(bytes.get(at + 1) == Some(&opening));
    let start = at + depth;
    let reach = bytes.len().min(start + LONGEST_NAME);
    let length = bytes.get(start..reach)?.iter().position(|byte| {
        *byte == closing || *byte == opening || matches!(byte, b'\n' | b'\r' | b'`' | b'"')
    })?;
    let end = start + length;
    let is_closed = (0..depth).all(|more| bytes.get(end + more) == Some(&closing));
    if !is_closed {
        return None;
    }
    let close = end + depth;
    let name = text.get(start..end)?.trim();
    let has_letter = name.chars().any(char::is_alphabetic);
    let is_markup = name.starts_with(['^', '@', '#', '!', '\\', '%', '.', ':']);
    if !has_letter || is_markup {
        return None;
    }
    if kind == PlaceholderKind::Bracket {
        let is_check_box = matches!(name, "x" | "X");
        let is_link = matches!(bytes.get(close), Some(b'(' | b'['));
        let is_image = at > 0 && bytes[at - 1] == b'!';
        let is_definition = bytes.get(close) == Some(&b':') && is_line_start(bytes, at);
        if is_check_box || is_link || is_image || is_definition {
            return None;
        }
    }
    Some(Placeholder { kind, place: at..close, name: name.to_owned(), choices: named_choices(name) })
}

/// `［…］` and `｛…｝`, as Chinese and Japanese forms have them.
fn full_width(text: &str, at: usize, limit: usize) -> Option<Placeholder> {
    let rest = text.get(at..limit)?;
    let (inner, closing) = match rest.strip_prefix('［') {
        Some(inner) => (inner, '］'),
        None => (rest.strip_prefix('｛')?, '｝'),
    };
    let length = inner.find(['［', '］', '｛', '｝', '\n', '`']).filter(|end| *end <= LONGEST_NAME)?;
    let name = inner[..length].trim();
    let is_closed = inner[length..].starts_with(closing) && name.chars().any(char::is_alphabetic);
    let start = at + (rest.len() - inner.len());
    let place = at..start + length + closing.len_utf8();
    let (kind, name) = (PlaceholderKind::Bracket, name.to_owned());
    is_closed.then(|| Placeholder { kind, place, choices: named_choices(&name), name })
}

fn is_line_start(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|byte| **byte != b'\n').all(u8::is_ascii_whitespace)
}

/// The options that a name in brackets lists.
fn named_choices(name: &str) -> Vec<String> {
    let choices: Vec<&str> = name.split(['/', '／']).map(str::trim).collect();
    let is_date = |choice: &&str| choice.chars().all(|c| "dmyhsDMYHS".contains(c));
    let is_list = (2..=12).contains(&choices.len())
        && choices.iter().all(|choice| !choice.is_empty() && choice.len() < 60 && !choice.contains("://"))
        && !choices.iter().all(is_date)
        && !choices.iter().all(|choice| choice.chars().all(|c| c.is_ascii_digit()))
        && !matches!(choices[..], ["and", "or"] | ["N", "A"] | ["n", "a"]);
    if is_list { choices.into_iter().map(str::to_owned).collect() } else { Vec::new() }
}

/// A choice in prose around the slash at `at`: in Latin letters, or in ideographs.
fn slash_choice(text: &str, at: usize, limit: usize, last: Option<&Placeholder>) -> Option<Placeholder> {
    let from = last.map_or(0, |last| last.place.end);
    let before = text[from..at].chars().next_back()?;
    let place = if is_ideographic(before) {
        ideographic_choice(text, from, at, limit)?
    } else {
        latin_choice(text, from, at, limit)?
    };
    let name = text[place.clone()].to_owned();
    let choices = name.split('/').map(str::to_owned).collect();
    Some(Placeholder { kind: PlaceholderKind::Slash, place, name, choices })
}

/// Longest run of words with slashes in bytes.
const LONGEST_RUN: usize = 120;

fn latin_choice(text: &str, from: usize, at: usize, limit: usize) -> Option<Range<usize>> {
    let is_word = |character: char| character.is_alphabetic() && !is_ideographic(character);
    let near = text.ceil_char_boundary(at.saturating_sub(LONGEST_RUN)).max(from);
    let start =
        at - text[near..at].chars().rev().take_while(|c| is_word(*c)).map(char::len_utf8).sum::<usize>();
    let far = text.floor_char_boundary(limit.min(at + LONGEST_RUN));
    let run = text[at..far].chars().take_while(|c| is_word(*c) || *c == '/').map(char::len_utf8);
    let end = at + run.sum::<usize>();
    // Part of an address, of a path or of a measure.
    let outside_before = text[..start].chars().next_back();
    let outside_after = text[end..].chars().next();
    let is_outside = |mark: Option<char>| {
        mark.is_some_and(|mark| {
            mark.is_alphanumeric() || matches!(mark, '/' | '_' | '@' | '\\' | '-' | '}' | ']')
        })
    };
    let followed_by_point =
        outside_after == Some('.') && text[end + 1..].chars().next().is_some_and(char::is_alphanumeric);
    if is_outside(outside_before) && !outside_before.is_some_and(is_ideographic)
        || is_outside(outside_after) && !outside_after.is_some_and(is_ideographic)
        || outside_before == Some('.')
        || followed_by_point
    {
        return None;
    }
    let words: Vec<String> = text[start..end].split('/').map(str::to_lowercase).collect();
    // "was/was not": the repeated word includes its "not".
    if let [first, second] = &words[..]
        && first == second
        && !first.is_empty()
    {
        let negated = text[end..far].strip_prefix(" not")?;
        return (!negated.starts_with(char::is_alphanumeric)).then_some(start..end + " not".len());
    }
    is_choice_of_words(&words).then_some(start..end)
}

/// Longest option of a choice in ideographs, in characters.
const LONGEST_OPTION: usize = 8;

fn ideographic_choice(text: &str, from: usize, at: usize, limit: usize) -> Option<Range<usize>> {
    let is_part = |character: char| is_ideographic(character) && !is_hiragana(character);
    let run = text[from..at].chars().rev().take(LONGEST_OPTION).take_while(|c| is_part(*c));
    let before = at - run.map(char::len_utf8).sum::<usize>();
    // A run of maximal length has no recognisable border.
    let first = trailing_choice(&text[before..at]).unwrap_or(&text[before..at]);
    let mut end = at;
    let mut options = vec![first];
    while text[end..limit.max(end)].starts_with('/') && options.len() < 9 {
        let start = end + 1;
        let run = text[start..limit].chars().take(LONGEST_OPTION).take_while(|c| is_part(*c));
        let all = &text[start..start + run.map(char::len_utf8).sum::<usize>()];
        let is_last = !text[start + all.len()..limit].starts_with('/');
        let option = if is_last { leading_choice(all).unwrap_or(all) } else { all };
        if option.is_empty() {
            return None;
        }
        options.push(option);
        end = start + option.len();
    }
    let is_short = options.iter().all(|option| (1..=6).contains(&option.chars().count()));
    let is_neutral = options.iter().any(|option| matches!(*option, "和" | "或" | "及"));
    (options.len() > 1 && is_short && !is_neutral).then_some(at - first.len()..end)
}
