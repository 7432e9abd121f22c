//! L0: keeps a key out of every word of a provider or a service, before anybody records it.
//!
//! Providers echo keys: whole, cut, starred, inside an address. Any eight characters in a row that
//! the key also has are covered, in the key's plain, percent-encoded and base64 forms, upper and
//! lower case alike; in answers it takes twelve, for their words are wanted, and a key like `ollama`
//! is none. The forms are made when there are words to clean, so no copy of the key lies about.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

/// As many characters of a key in a row are covered; a shorter key only as a whole.
const WINDOW: usize = 8;
/// As many are covered in an answer; a shorter key is what people give where none is wanted.
const ANSWER_WINDOW: usize = 12;
/// As many characters of a key at the end of what came so far are held back until more comes.
const FEWEST_HELD: usize = 4;
/// As many bytes of a provider's words are looked at.
const MOST_READ: usize = 16 * 1024;
/// As many characters of them are kept.
const MOST_KEPT: usize = 500;
const COVER: &str = "[key]";

/// Words of a provider, fit to be recorded: key covered, white space folded, cut to 500 characters.
pub fn clean(words: &str, key: Option<&SecretString>) -> String {
    let mut end = words.len().min(MOST_READ);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    let covered = covered(&words[..end], key);
    let folded = covered.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
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
pub fn covered(text: &str, key: Option<&SecretString>) -> String {
    match plain(key) {
        "" => text.to_owned(),
        key => Traces::of(key, key.len().min(WINDOW)).cover(text, 0, false).0,
    }
}

fn plain(key: Option<&SecretString>) -> &str {
    key.map(|key| key.expose_secret().trim()).unwrap_or_default()
}

/// An answer that comes in pieces, with the key covered: what may be a part of the key is held back
/// until it is known, but for three characters. Lives no longer than the answer, because it knows the
/// forms of the key.
pub struct Cover {
    traces: Option<Traces>,
    /// The end of what was shown, as it came.
    before: String,
    was_secret: bool,
    held: String,
}

impl Cover {
    /// Covers this key; nothing where there is none.
    pub fn of(key: Option<&SecretString>) -> Cover {
        let key = plain(key);
        let is_key = key.len() >= ANSWER_WINDOW;
        let traces = is_key.then(|| Traces::of(key, ANSWER_WINDOW));
        Cover { traces, before: String::new(), was_secret: false, held: String::new() }
    }

    /// What can be shown after this piece.
    pub fn pass(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let Some(traces) = &self.traces else { return std::mem::take(&mut self.held) };
        let unfinished = traces.unfinished(&format!("{}{}", self.before, self.held));
        let kept = if unfinished < FEWEST_HELD { 0 } else { unfinished.min(self.held.len()) };
        self.show_but(kept)
    }

    /// Shows what is held but for so many bytes at its end.
    fn show_but(&mut self, kept: usize) -> String {
        let kept = self.held.split_off(self.held.len() - kept);
        let Some(traces) = &self.traces else { return std::mem::replace(&mut self.held, kept) };
        let from = self.before.len();
        let mut text = std::mem::take(&mut self.before) + &self.held;
        self.held = kept;
        let (shown, was_secret) = traces.cover(&text, from, self.was_secret);
        self.was_secret = was_secret;
        let mut end = text.len().saturating_sub(ANSWER_WINDOW - 1);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        self.before = text.split_off(end);
        shown
    }

    /// What was held back, at the end.
    pub fn rest(&mut self) -> String {
        self.show_but(0)
    }

    /// A text that is there at once.
    pub fn whole(&self, text: &str) -> String {
        self.traces.as_ref().map_or_else(|| text.to_owned(), |traces| traces.cover(text, 0, false).0)
    }

    /// Every text of a value, names of fields too.
    pub fn json(&self, value: Value) -> Value {
        match value {
            _ if self.traces.is_none() => value,
            Value::String(text) => Value::String(self.whole(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.json(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, field)| (self.whole(&name), self.json(field))).collect()
            }
            other => other,
        }
    }
}

/// What of a key is looked for: so many characters in a row of one of its forms, in lower case.
struct Traces {
    size: usize,
    forms: Vec<Vec<u8>>,
    windows: HashSet<Vec<u8>>,
}

impl Traces {
    fn of(key: &str, size: usize) -> Traces {
        let forms: Vec<Vec<u8>> =
            forms(key).into_iter().map(|form| form.to_ascii_lowercase().into_bytes()).collect();
        let windows = forms.iter().flat_map(|form| form.windows(size)).map(<[u8]>::to_vec).collect();
        Traces { size, forms, windows }
    }

    /// The text from a byte on, covered; before it stands what was shown already, and whether its end
    /// was covered. Tells also whether the end of this one is.
    fn cover(&self, text: &str, from: usize, mut was_secret: bool) -> (String, bool) {
        // Lower case of ASCII keeps every byte's place.
        let lower = text.to_ascii_lowercase();
        let lower = lower.as_bytes();
        let mut is_secret = vec![false; lower.len()];
        for (start, window) in lower.windows(self.size).enumerate() {
            if self.windows.contains(window) {
                is_secret[start..start + self.size].fill(true);
            }
        }
        let mut shown = String::with_capacity(text.len() - from);
        for (at, character) in text.char_indices().skip_while(|(at, _)| *at < from) {
            if !is_secret[at] {
                shown.push(character);
            } else if !was_secret {
                shown.push_str(COVER);
            }
            was_secret = is_secret[at];
        }
        (shown, was_secret)
    }

    /// How many bytes at the end of a text stand in a form of the key, so that more of it may follow.
    fn unfinished(&self, text: &str) -> usize {
        let lower = text.to_ascii_lowercase();
        let lower = lower.as_bytes();
        let stands =
            |end: &[u8]| self.forms.iter().any(|form| form.windows(end.len()).any(|part| part == end));
        let mut length = 0;
        while length < lower.len() && stands(&lower[lower.len() - length - 1..]) {
            length += 1;
        }
        length
    }
}

fn forms(key: &str) -> Vec<String> {
    let mut forms = vec![key.to_owned()];
    if key.len() < WINDOW {
        return forms;
    }
    forms.push(utf8_percent_encode(key, NON_ALPHANUMERIC).to_string());
    // Where the key stands inside what was encoded decides which characters its bytes become; those
    // at the ends also hold bits of their neighbours and are left out.
    for before in 0..3_usize {
        let mut bytes = vec![0; before];
        bytes.extend_from_slice(key.as_bytes());
        let encoded = STANDARD_NO_PAD.encode(&bytes);
        let first = [0, 2, 3][before];
        let last = encoded.len() - usize::from(bytes.len() % 3 != 0);
        let whole = encoded[first..last].to_owned();
        forms.push(whole.replace('+', "-").replace('/', "_"));
        forms.push(whole);
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-proj-Ab3/xY+9qLmN0pRsTuVw";

    fn cleaned(words: &str) -> String {
        clean(words, Some(&SecretString::from(KEY)))
    }

    #[test]
    fn a_key_is_covered_in_every_form_and_part_of_it() {
        let encoded = |text: &str| STANDARD_NO_PAD.encode(text);
        let echoes = [
            format!("Incorrect key {KEY}."),
            format!("Incorrect key {}***", &KEY[..12]),
            format!("Incorrect key ***{}", &KEY[KEY.len() - 9..]),
            format!("url ?key={}", utf8_percent_encode(KEY, NON_ALPHANUMERIC)),
            format!("header {}", encoded(&format!("user:{KEY}"))),
            format!("header {}", encoded(&format!("u:{KEY}!")).replace('+', "-").replace('/', "_")),
            format!("shouted {}", KEY.to_uppercase()),
        ];
        for echo in echoes {
            let shown = cleaned(&echo);
            assert!(shown.contains(COVER), "{shown}");
            for window in KEY.as_bytes().windows(WINDOW) {
                let window = std::str::from_utf8(window).unwrap();
                assert!(!shown.to_lowercase().contains(&window.to_lowercase()), "{shown}");
            }
            assert!(!shown.contains(&encoded(KEY)[4..16]), "{shown}");
        }
    }

    #[test]
    fn words_without_the_key_stay_and_are_folded_and_cut() {
        assert_eq!(cleaned("  Überlastet,\n\tbitte  warten \u{0}"), "Überlastet, bitte warten");
        let long = cleaned(&"字".repeat(40_000));
        assert_eq!(long.chars().count(), MOST_KEPT);
        assert!(long.ends_with('…'));
        assert_eq!(clean("a b", None), "a b");
    }

    #[test]
    fn a_key_in_an_answer_is_covered_wherever_it_is_cut_and_all_else_comes_through() {
        let key = SecretString::from(KEY);
        let text = format!("Is {KEY} yours? sk-proj-A is none, 字 neither; {}", &KEY[..20]);
        for size in 1..text.chars().count() {
            let mut cover = Cover::of(Some(&key));
            let pieces: Vec<char> = text.chars().collect();
            let mut shown: String =
                pieces.chunks(size).map(|piece| cover.pass(&piece.iter().collect::<String>())).collect();
            shown.push_str(&cover.rest());
            // Where the first piece of a key is too short to be held, it is all that is seen of it.
            for start in ["sk-", "sk", "s"] {
                shown = shown.replace(&format!("{start}[key]"), "[key]");
            }
            assert_eq!(shown, "Is [key] yours? sk-proj-A is none, 字 neither; [key]", "{size}");
        }
        let cover = Cover::of(Some(&key));
        let value = serde_json::json!({"q": [format!("a {KEY}"), 7], KEY: null});
        assert_eq!(cover.json(value), serde_json::json!({"q": ["a [key]", 7], "[key]": null}));
        let mut open = Cover::of(Some(&SecretString::from("ollama")));
        assert_eq!(open.pass("ollama") + &open.rest(), "ollama");
    }

    #[test]
    fn a_short_key_is_covered_as_a_whole() {
        assert_eq!(clean("key hunter2 is wrong", Some(&SecretString::from("hunter2"))), "key [key] is wrong");
    }
}
