//! L0: removes a key from every text of a provider or a service before it is recorded.
//!
//! Providers echo keys: whole, cut, partly masked, reversed, inside an address, and in every encoding of JSON, HTML and
//! addresses. Any eight consecutive characters of the key are covered, in upper or lower case; in answers twelve,
//! because their words are wanted, and a key such as `ollama` is no secret. Encodings of a whole key (hex, base64) are
//! found by its forms (`forms`), escapes of single characters by decoding them (`escapes`). The forms are computed when
//! a text is cleaned, so that no copies of the key stay in memory.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod escapes;
mod forms;

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use escapes::{Unit, levels};
use forms::Forms;

/// The number of consecutive characters of a key that are covered; a shorter key only as a whole.
const WINDOW: usize = 8;
/// The same number for an answer; shorter keys are placeholders where no key is needed.
const ANSWER_WINDOW: usize = 12;
/// The number of consecutive characters of a key at the end of the text so far that are held back until more arrives.
const FEWEST_HELD: usize = 4;
/// The bytes of shown text that are examined again with the next piece, which suffices for a number; more where the
/// characters of a form are encoded in more bytes.
const LOOKED_BACK: usize = 64;
/// The most bytes of shown text that are examined again.
const MOST_LOOKED_BACK: usize = 2048;
/// The bytes that are examined at once.
const AT_ONCE: usize = 16 * 1024;
/// Most bytes of a provider's message that are examined.
const MOST_READ: usize = 16 * 1024;
/// Most characters of the message that are kept.
const MOST_KEPT: usize = 500;
const PLACEHOLDER: &str = "[key]";
/// The replacement of a number, even if some of its digits are left.
const NUMBER: &str = "1";

/// A provider's message for the record: key covered, white space folded, cut to 500 characters.
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

/// Covers a key in an answer that arrives in pieces: a possible part of the key is held back until it is decided,
/// except for three characters. Its lifetime is that of the answer, because it knows the forms of the key. JSON stays
/// valid: no escape is split, and a number becomes a number.
pub struct Redactor {
    forms: Option<Arc<Forms>>,
    /// The end of the shown text, before covering.
    before: String,
    was_secret: bool,
    held: String,
}

impl Redactor {
    /// Makes a redactor for this key, which without a key changes nothing.
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

    /// The text that can be shown after this piece.
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

    /// Shows the held text up to a possible part of the key with at least `fewest` characters; all of it for `None`.
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

    /// The held text, at the end.
    pub fn rest(&mut self) -> String {
        let Some(forms) = self.forms.clone() else { return std::mem::take(&mut self.held) };
        self.show(&forms, None)
    }

    /// Covers a complete text.
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

    /// Covers every text of a value, names of fields too.
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

/// Covers a part of the text. `was_secret` tells whether the end of the shown text before it was covered; returns the
/// same for the end of this part.
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
    // A partly covered escape is covered completely: `\n` before `ew-key…`, and `\\n` where the text is JSON inside
    // JSON.
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

/// Whether the covered text is a number in JSON.
fn is_number(before: &str, secret: &str) -> bool {
    let of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let before = before.trim_end_matches(of_number).trim_end();
    secret.chars().all(of_number) && before.ends_with([':', ',', '['])
}

/// The first byte that may start a part of the key that continues: at least `fewest` characters of it, or an unfinished
/// escape.
fn unfinished(forms: &Forms, levels: &[Vec<Unit>], text: &str, fewest: usize) -> usize {
    let tail = text.ceil_char_boundary(text.len().saturating_sub(MOST_LOOKED_BACK + AT_ONCE));
    let mut from = text.len();
    // An escape that is open in one level is not decoded in the next.
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

/// The first byte of the text shown up to `until` that is examined again, early enough to include the first character
/// of any form that may continue, however it is encoded.
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

/// The byte, or the start of the escape that contains it.
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
