//! L0: keeps a key out of every word of a provider or a service, before anybody records it.
//!
//! Providers echo keys: whole, cut, starred, backwards, inside an address, and in every encoding that JSON, HTML and
//! addresses know. Any eight characters in a row that the key also has are covered, upper and lower case alike; in answers
//! it takes twelve, for their words are wanted, and a key like `ollama` is none. What was encoded as a whole (hex, base64)
//! is found by its forms (`forms`), what was escaped character by character is found by undoing that (`escapes`). The forms
//! are made when there are words to clean, so no copy of the key lies about.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod escapes;
mod forms;

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use escapes::{Unit, levels};
use forms::Forms;

/// As many characters of a key in a row are covered; a shorter key only as a whole.
const WINDOW: usize = 8;
/// As many are covered in an answer; a shorter key is what people give where none is wanted.
const ANSWER_WINDOW: usize = 12;
/// As many characters of a key at the end of what came so far are held back until more comes.
const FEWEST_HELD: usize = 4;
/// As many bytes of what was shown are looked at again with what follows, which is enough to know a number; more where
/// the characters of a form are written in more.
const LOOKED_BACK: usize = 64;
/// Never more than these.
const MOST_LOOKED_BACK: usize = 2048;
/// As many bytes are looked at together.
const AT_ONCE: usize = 16 * 1024;
/// As many bytes of a provider's words are looked at.
const MOST_READ: usize = 16 * 1024;
/// As many characters of them are kept.
const MOST_KEPT: usize = 500;
const PLACEHOLDER: &str = "[key]";
/// What stands in place of a number, also where some of its digits are left.
const NUMBER: &str = "1";

/// Words of a provider, fit to be recorded: key covered, white space folded, cut to 500 characters.
pub fn clean(words: &str, key: Option<&SecretString>) -> String {
    let redacted = redact_text(&words[..words.floor_char_boundary(MOST_READ)], key);
    let folded =
        redacted.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let mut kept = String::new();
    for word in folded {
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    match kept.char_indices().nth(MOST_KEPT) {
        Some(_) => kept.chars().take(MOST_KEPT - 1).chain(std::iter::once('…')).collect(),
        None => kept,
    }
}

/// The text with every trace of the key covered.
pub fn redact_text(text: &str, key: Option<&SecretString>) -> String {
    match plain(key) {
        "" => text.to_owned(),
        key => Redactor::with(Forms::of(key, key.len().min(WINDOW))).whole(text),
    }
}

fn plain(key: Option<&SecretString>) -> &str {
    key.map(|key| key.expose_secret().trim()).unwrap_or_default()
}

/// An answer that comes in pieces, with the key covered: what may be a part of the key is held back
/// until it is known, but for three characters. Lives no longer than the answer, because it knows the
/// forms of the key. JSON stays JSON: no escape is cut in two, and a number becomes a number.
pub struct Redactor {
    forms: Option<Arc<Forms>>,
    /// The end of what was shown, as it came.
    before: String,
    was_secret: bool,
    held: String,
}

impl Redactor {
    /// Covers this key; nothing where there is none.
    pub fn of(key: Option<&SecretString>) -> Redactor {
        let key = plain(key);
        let forms = (key.len() >= ANSWER_WINDOW).then(|| Arc::new(Forms::of(key, ANSWER_WINDOW)));
        Redactor { forms, before: String::new(), was_secret: false, held: String::new() }
    }

    fn with(forms: Forms) -> Redactor {
        Redactor {
            forms: Some(Arc::new(forms)),
            before: String::new(),
            was_secret: false,
            held: String::new(),
        }
    }

    /// What can be shown after this piece.
    pub fn pass(&mut self, piece: &str) -> String {
        self.pass_holding(piece, FEWEST_HELD)
    }

    fn pass_holding(&mut self, mut piece: &str, fewest: usize) -> String {
        let Some(forms) = self.forms.clone() else { return piece.to_owned() };
        let mut shown = String::with_capacity(piece.len());
        while !piece.is_empty() {
            let (part, rest) = piece.split_at(piece.ceil_char_boundary(AT_ONCE.min(piece.len())));
            piece = rest;
            self.held.push_str(part);
            shown.push_str(&self.show(&forms, Some(fewest)));
        }
        shown
    }

    /// Shows what is held, up to where it may be so many characters of the key; all of it where that is not said.
    fn show(&mut self, forms: &Forms, fewest: Option<usize>) -> String {
        let begun = self.before.len();
        let mut text = std::mem::take(&mut self.before);
        text.push_str(&self.held);
        let levels = levels(&text);
        let until = fewest.map_or(text.len(), |fewest| unfinished(forms, &levels, &text, fewest).max(begun));
        let (shown, was_secret) = redact(forms, &levels, &text, (begun, until), self.was_secret);
        self.was_secret = was_secret;
        let seen_again = looked_back(forms, &levels, &text, until);
        self.held = text.split_off(until);
        self.before = text.split_off(seen_again);
        shown
    }

    /// What was held back, at the end.
    pub fn rest(&mut self) -> String {
        let Some(forms) = self.forms.clone() else { return std::mem::take(&mut self.held) };
        self.show(&forms, None)
    }

    /// A text that is there at once.
    pub fn whole(&self, text: &str) -> String {
        let mut fresh = Redactor {
            forms: self.forms.clone(),
            before: String::new(),
            was_secret: false,
            held: String::new(),
        };
        let shown = fresh.pass_holding(text, 1);
        shown + &fresh.rest()
    }

    /// Every text of a value, names of fields too.
    pub fn json(&self, value: Value) -> Value {
        match value {
            _ if self.forms.is_none() => value,
            Value::String(text) => Value::String(self.whole(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.whole(&name), self.json(field))).collect()
            }
            Value::Number(number) => {
                let written = number.to_string();
                if self.whole(&written) == written {
                    Value::Number(number)
                } else {
                    Value::String(PLACEHOLDER.to_owned())
                }
            }
            other => other,
        }
    }
}

/// A part of the text, covered; before it stands what was shown already, and whether its end was covered. Tells also
/// whether the end of this one is.
fn redact(
    forms: &Forms,
    levels: &[Vec<Unit>],
    text: &str,
    (from, until): (usize, usize),
    mut was_secret: bool,
) -> (String, bool) {
    let mut is_secret = vec![false; text.len()];
    for units in levels {
        let written: Vec<u8> = units.iter().map(Unit::of_form).collect();
        for (start, window) in written.windows(forms.size).enumerate() {
            if forms.has_window(window) {
                is_secret[units[start].start..units[start + forms.size - 1].end].fill(true);
            }
        }
    }
    // Half an escape is none: `\n` before `ew-key…` goes with it, and `\\n` where the text is JSON inside JSON.
    for unit in levels.iter().skip(1).flatten().filter(|unit| text.as_bytes()[unit.start] == b'\\') {
        let whole = &mut is_secret[unit.start..unit.end];
        if whole.contains(&true) {
            whole.fill(true);
        }
    }
    let mut shown = String::with_capacity(until - from);
    for (at, character) in text[..until].char_indices().skip_while(|(at, _)| *at < from) {
        if !is_secret[at] {
            shown.push(character);
        } else if !was_secret {
            let end = is_secret[at..]
                .iter()
                .position(|is_secret| !is_secret)
                .map_or(text.len(), |length| at + length);
            shown.push_str(if is_number(&text[..at], &text[at..end]) { NUMBER } else { PLACEHOLDER });
        }
        was_secret = is_secret[at];
    }
    (shown, was_secret)
}

/// Whether what is covered stands where JSON has a number.
fn is_number(before: &str, secret: &str) -> bool {
    let of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let before = before.trim_end_matches(of_number).trim_end();
    secret.chars().all(of_number) && before.ends_with([':', ',', '['])
}

/// From which byte on a text may be a part of the key of which more follows: so many characters of it or more, or an
/// escape that has not ended.
fn unfinished(forms: &Forms, levels: &[Vec<Unit>], text: &str, fewest: usize) -> usize {
    let tail = text.ceil_char_boundary(text.len().saturating_sub(MOST_LOOKED_BACK + AT_ONCE));
    let mut from = text.len();
    // What is open in one level is not there yet in the next.
    for units in levels {
        let there = &units[..units.partition_point(|unit| unit.end <= from)];
        from = from.min(escapes::open_at(there).unwrap_or(from));
    }
    for units in levels {
        let written: Vec<u8> = units.iter().filter(|unit| unit.end <= from).map(Unit::of_form).collect();
        let length = forms.begun_at_end(&written);
        if length >= fewest {
            from = from.min(units[written.len() - length].start);
        }
    }
    outside_escapes(levels, from).max(tail)
}

/// From which byte on what was shown up to `until` is looked at again: so that whatever may still become so many
/// characters of a form, however wide they are written, is there from its first.
fn looked_back(forms: &Forms, levels: &[Vec<Unit>], text: &str, until: usize) -> usize {
    let least = until.saturating_sub(LOOKED_BACK);
    let begun = |units: &Vec<Unit>| {
        let shown = units.partition_point(|unit| unit.end <= until);
        let of_form = |unit: &&Unit| forms.has_byte(unit.of_form());
        units[..shown].iter().rev().take(forms.size).take_while(of_form).last().map(|unit| unit.start)
    };
    let from = levels.iter().filter_map(begun).min().map_or(least, |begun| begun.min(least));
    let from = outside_escapes(levels, from).max(until.saturating_sub(MOST_LOOKED_BACK));
    text.ceil_char_boundary(from).min(until)
}

/// The byte, or the first of the escape in whose middle it is.
fn outside_escapes(levels: &[Vec<Unit>], mut at: usize) -> usize {
    for units in levels {
        let next = units.partition_point(|unit| unit.end <= at);
        if let Some(unit) = units.get(next).filter(|unit| unit.start < at) {
            at = unit.start;
        }
    }
    at
}

#[cfg(test)]
mod tests;
