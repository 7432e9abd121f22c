//! L0: keeps a key out of every word of a provider or a service, before anybody records it.
//!
//! Providers echo keys: whole, cut, starred, backwards, inside an address, and in every encoding that JSON, HTML and
//! addresses know. Any eight characters in a row that the key also has are covered, upper and lower case alike; in answers
//! it takes twelve, for their words are wanted, and a key like `ollama` is none. What was encoded as a whole (hex, base64)
//! is found by its forms (`forms`), what was escaped character by character is found by undoing that (`escapes`). The forms
//! are made when there are words to clean, so no copy of the key lies about.

mod escapes;
mod forms;

use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use escapes::levels;
use forms::Forms;

/// As many characters of a key in a row are covered; a shorter key only as a whole.
const WINDOW: usize = 8;
/// As many are covered in an answer; a shorter key is what people give where none is wanted.
const ANSWER_WINDOW: usize = 12;
/// As many characters of a key at the end of what came so far are held back until more comes.
const FEWEST_HELD: usize = 4;
/// As many bytes of what was shown are looked at again with what follows: a character may be written in ten.
const LOOKED_BACK: usize = 160;
/// As many bytes are looked at together.
const AT_ONCE: usize = 16 * 1024;
/// As many bytes of a provider's words are looked at.
const MOST_READ: usize = 16 * 1024;
/// As many characters of them are kept.
const MOST_KEPT: usize = 500;
const PLACEHOLDER: &str = "[key]";

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
            let text = format!("{}{}", self.before, self.held);
            let from = unfinished(&forms, &text, fewest).max(self.before.len());
            shown.push_str(&self.show(&forms, text, from));
        }
        shown
    }

    /// Shows a text, which begins with what was shown before, up to a byte; the rest is held.
    fn show(&mut self, forms: &Forms, mut text: String, until: usize) -> String {
        self.held = text.split_off(until);
        let (shown, was_secret) = redact(forms, &text, self.before.len(), self.was_secret);
        self.was_secret = was_secret;
        self.before = text.split_off(text.ceil_char_boundary(text.len().saturating_sub(LOOKED_BACK)));
        shown
    }

    /// What was held back, at the end.
    pub fn rest(&mut self) -> String {
        let Some(forms) = self.forms.clone() else { return std::mem::take(&mut self.held) };
        let text = format!("{}{}", self.before, self.held);
        let until = text.len();
        self.show(&forms, text, until)
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

/// The text from a byte on, covered; before it stands what was shown already, and whether its end was covered. Tells also
/// whether the end of this one is.
fn redact(forms: &Forms, text: &str, from: usize, mut was_secret: bool) -> (String, bool) {
    let levels = levels(text);
    let mut is_secret = vec![false; text.len()];
    for units in &levels {
        let written: Vec<u8> = units.iter().map(|unit| unit.byte).collect();
        for (start, window) in written.windows(forms.size).enumerate() {
            if forms.has_window(window) {
                is_secret[units[start].start..units[start + forms.size - 1].end].fill(true);
            }
        }
    }
    // Half an escape is none: `\n` before `ew-key…` goes with it.
    for unit in levels.get(1).into_iter().flatten().filter(|unit| text.as_bytes()[unit.start] == b'\\') {
        let whole = &mut is_secret[unit.start..unit.end];
        if whole.contains(&true) {
            whole.fill(true);
        }
    }
    let mut shown = String::with_capacity(text.len() - from);
    for (at, character) in text.char_indices().skip_while(|(at, _)| *at < from) {
        if !is_secret[at] {
            shown.push(character);
        } else if !was_secret {
            let end = is_secret[at..]
                .iter()
                .position(|is_secret| !is_secret)
                .map_or(text.len(), |length| at + length);
            shown.push_str(if is_number(&text[..at], &text[at..end]) { "0" } else { PLACEHOLDER });
        }
        was_secret = is_secret[at];
    }
    (shown, was_secret)
}

/// Whether what is covered stands where JSON has a number.
fn is_number(before: &str, secret: &str) -> bool {
    let of_number = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    let before = before.trim_end_matches(of_number).trim_end();
    secret.chars().all(|c| c.is_ascii_digit()) && before.ends_with([':', ',', '['])
}

/// From which byte on a text may be a part of the key of which more follows: so many characters of it or more, or an
/// escape that has not ended.
fn unfinished(forms: &Forms, text: &str, fewest: usize) -> usize {
    let tail = text.ceil_char_boundary(text.len().saturating_sub(LOOKED_BACK + AT_ONCE));
    let levels = levels(text);
    let mut from = text.len();
    for units in &levels {
        from = from.min(escapes::open_at(units).unwrap_or(text.len()));
    }
    for units in &levels {
        let written: Vec<u8> = units.iter().filter(|unit| unit.end <= from).map(|unit| unit.byte).collect();
        let length = forms.begun_at_end(&written);
        if length >= fewest {
            from = from.min(units[written.len() - length].start);
        }
    }
    // Nothing is shown up to the middle of an escape.
    for units in &levels {
        if let Some(unit) = units.iter().find(|unit| unit.start < from && from < unit.end) {
            from = unit.start;
        }
    }
    from.max(tail)
}

#[cfg(test)]
mod tests;
