//! Keeps a profile's key out of every word that leaves this crate.
//!
//! Providers echo keys: whole, cut, starred, inside an address. Any eight characters in a row that
//! the key also has are covered, in the key's plain, percent-encoded and base64 forms, upper and
//! lower case alike. The forms are made when there are words to clean, so no copy of the key lies about.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretString};

/// As many characters of a key in a row are covered; a shorter key only as a whole.
const WINDOW: usize = 8;
/// As many bytes of a provider's words are looked at.
const MOST_READ: usize = 16 * 1024;
/// As many characters of them are kept.
const MOST_KEPT: usize = 500;
const COVER: &str = "[key]";

/// Words of a provider, fit to be recorded: key covered, white space folded, cut to 500 characters.
pub(crate) fn clean(words: &str, key: Option<&SecretString>) -> String {
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
pub(crate) fn covered(text: &str, key: Option<&SecretString>) -> String {
    let key = key.map(|key| key.expose_secret().trim()).unwrap_or_default();
    if key.is_empty() {
        return text.to_owned();
    }
    // Lower case of ASCII keeps every byte's place.
    let lower = text.to_ascii_lowercase();
    let lower = lower.as_bytes();
    let mut is_secret = vec![false; lower.len()];
    let forms: Vec<Vec<u8>> =
        forms(key).into_iter().map(|form| form.to_ascii_lowercase().into_bytes()).collect();
    let size = key.len().min(WINDOW);
    let traces: HashSet<&[u8]> = forms.iter().flat_map(|form| form.windows(size)).collect();
    for (start, window) in lower.windows(size).enumerate() {
        if traces.contains(window) {
            is_secret[start..start + size].fill(true);
        }
    }
    let mut shown = String::with_capacity(text.len());
    let mut was_secret = false;
    for (at, character) in text.char_indices() {
        if !is_secret[at] {
            shown.push(character);
        } else if !was_secret {
            shown.push_str(COVER);
        }
        was_secret = is_secret[at];
    }
    shown
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
    fn a_short_key_is_covered_as_a_whole() {
        assert_eq!(clean("key hunter2 is wrong", Some(&SecretString::from("hunter2"))), "key [key] is wrong");
    }
}
