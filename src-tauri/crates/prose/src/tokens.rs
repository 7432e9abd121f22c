//! Cuts text into words, figures and ideographs, and hashes each for comparison.
//!
//! Letters and digits are separated ("GPT4", "GPT-4" and "GPT 4" give the same two tokens). Figures are reduced to
//! their digits without separators ("2,000" and "2000" are equal), and words to lower case without a plural or
//! possessive s. Tokens are compared by 64-bit hashes; no strings are stored.

use crate::characters::{is_hyphen, is_ideographic, is_katakana};
pub(crate) use crate::keys::hash;
pub use crate::keys::{ByKey, Keys, mix};
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters.
    Word,
    /// Digits with their separators.
    Number,
    /// One ideograph or kana, or a run of katakana.
    Ideographic,
}

/// One token of a text.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Word, number or ideograph.
    pub kind: TokenKind,
    /// Hash of the normalised form; for a number, of its digits without separators.
    pub key: u64,
    /// Hash of the stem; for a number or an ideograph, the key.
    pub stem: u64,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
    /// Follows the previous token directly, or after a single hyphen, underscore or slash.
    pub is_joined: bool,
    /// Begins with a capital.
    pub is_capital: bool,
    /// Has a capital after its first letter.
    pub has_inner_capital: bool,
    /// The first letter in lower case if it is an ASCII letter, else 0.
    pub initial: u8,
}

/// Most bytes of a text that are read, because positions are stored in 32 bits.
const MOST_BYTES: usize = u32::MAX as usize;

/// The text in Unicode normal form KC, in which tokens are compared (full-width digits, ligatures and so on).
pub fn normal(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfkc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// Visits the tokens of `text[start..end]` in order. With `keeps_katakana` a run of katakana is one token.
pub fn each_token(text: &str, start: usize, end: usize, keeps_katakana: bool, mut visit: impl FnMut(Token)) {
    let bytes = text.as_bytes();
    let end = end.min(MOST_BYTES);
    let mut at = start;
    let mut last_end = usize::MAX;
    while at < end {
        let byte = bytes[at];
        if byte.is_ascii_digit() {
            let stop = number_end(bytes, at, end);
            let key = number_key(&bytes[at..stop]);
            visit(Token {
                kind: TokenKind::Number,
                ..token(key, key, at, stop, is_joined(text, last_end, at))
            });
            last_end = stop;
            at = stop;
        } else if byte.is_ascii_alphabetic() || byte >= 0x80 {
            let Some(character) = text[at..end].chars().next() else { break };
            if is_ideographic(character) {
                let mut stop = at + character.len_utf8();
                if keeps_katakana && is_katakana(character) {
                    let run = text[stop..end].chars().take_while(|c| is_katakana(*c) || *c == '・');
                    stop += run.map(char::len_utf8).sum::<usize>();
                }
                let key = hash(&bytes[at..stop]);
                visit(Token { kind: TokenKind::Ideographic, ..token(key, key, at, stop, false) });
                last_end = usize::MAX;
                at = stop;
            } else if byte < 0x80 || character.is_alphanumeric() {
                let token =
                    ascii_word(&bytes[..end], at).unwrap_or_else(|| word(text, at, word_end(text, at, end)));
                let stop = token.end as usize;
                visit(Token { is_joined: is_joined(text, last_end, at), ..token });
                last_end = stop;
                at = stop;
            } else {
                at += character.len_utf8();
            }
        } else {
            at += 1;
        }
    }
}

fn token(key: u64, stem: u64, start: usize, end: usize, is_joined: bool) -> Token {
    Token {
        kind: TokenKind::Word,
        key,
        stem,
        start: start as u32,
        end: end as u32,
        is_joined,
        is_capital: false,
        has_inner_capital: false,
        initial: 0,
    }
}

fn is_joined(text: &str, last_end: usize, at: usize) -> bool {
    if last_end >= at {
        return last_end == at;
    }
    let between = &text[last_end..at];
    between.len() <= 3 && {
        let mut marks = between.chars();
        marks.next().is_some_and(|mark| is_hyphen(mark) || matches!(mark, '_' | '/'))
            && marks.next().is_none()
    }
}

/// End of the figure that starts at `at`: digits, groups of three after a comma, decimals after a point.
fn number_end(bytes: &[u8], at: usize, end: usize) -> usize {
    let digits = |from: usize| bytes[from..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut stop = at + digits(at);
    let mut is_grouped = stop - at <= 3;
    while stop + 1 < end {
        let more = digits(stop + 1);
        match bytes[stop] {
            b',' if is_grouped && more == 3 => {}
            // In many countries a comma is the decimal sign: "3,5".
            b',' if is_grouped && (more == 1 || more == 2) && stop - at <= 3 => is_grouped = false,
            b'.' if more > 0 => is_grouped = false,
            _ => break,
        }
        stop += 1 + more;
    }
    stop
}

/// Hash of a figure without commas, leading zeros and trailing decimal zeros.
fn number_key(written: &[u8]) -> u64 {
    let has_point = written.contains(&b'.');
    let end = if has_point {
        written.iter().rposition(|byte| *byte != b'0').map_or(0, |last| last + 1)
    } else {
        written.len()
    };
    let start = written.iter().take(end.saturating_sub(1)).take_while(|byte| **byte == b'0').count();
    let digits = written.get(start..end).unwrap_or_default();
    let digits = digits.strip_suffix(b".").unwrap_or(digits);
    digits.iter().filter(|byte| **byte != b',').fold(7, |state, byte| mix(state, (*byte).into()))
}

fn word_end(text: &str, at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut stop = at;
    while stop < end {
        let byte = bytes[stop];
        if byte.is_ascii_alphabetic() {
            stop += 1;
        } else if byte == b'\'' && stop + 1 < end && bytes[stop + 1].is_ascii_alphabetic() {
            stop += 2;
        } else if byte >= 0x80 {
            let mut rest = text[stop..end].chars();
            match rest.next() {
                Some('’') if rest.next().is_some_and(char::is_alphabetic) => stop += '’'.len_utf8(),
                Some(letter) if is_letter(letter) => stop += letter.len_utf8(),
                _ => break,
            }
        } else {
            break;
        }
    }
    stop.max(at + text[at..end].chars().next().map_or(1, char::len_utf8))
}

fn is_letter(character: char) -> bool {
    (character.is_alphanumeric() && !is_ideographic(character)) || matches!(character as u32, 0x300..=0x36F)
}

/// Most bytes of a word that is read without allocating.
const SHORT_WORD_BYTES: usize = 48;

/// The word at `at` if it is short and in ASCII, as nearly all are.
fn ascii_word(bytes: &[u8], at: usize) -> Option<Token> {
    let mut lowered = [0_u8; SHORT_WORD_BYTES];
    let (mut length, mut capitals) = (0, 0_u64);
    loop {
        let letter = match bytes.get(at + length..)? {
            [letter, ..] if letter.is_ascii_alphabetic() => *letter,
            [b'\'', next, ..] if next.is_ascii_alphabetic() => b'\'',
            [0x80..=0xFF, ..] => return None,
            _ => break,
        };
        *lowered.get_mut(length)? = letter.to_ascii_lowercase();
        capitals |= u64::from(letter.is_ascii_uppercase()) << length;
        length += 1;
    }
    let mut token = keyed(&lowered[..length], at, at + length);
    token.is_capital = capitals & 1 == 1;
    token.has_inner_capital = capitals > 1;
    token.initial = lowered[0];
    Some(token)
}

fn word(text: &str, start: usize, end: usize) -> Token {
    let written = &text[start..end];
    let lowered = written.to_lowercase().replace('’', "'");
    let mut token = keyed(lowered.as_bytes(), start, end);
    let mut letters = written.chars();
    token.is_capital = letters.next().is_some_and(char::is_uppercase);
    token.has_inner_capital = letters.any(char::is_uppercase);
    let first = written.as_bytes().first().map_or(0, u8::to_ascii_lowercase);
    token.initial = if first.is_ascii_alphabetic() { first } else { 0 };
    token
}

fn keyed(lowered: &[u8], start: usize, end: usize) -> Token {
    let singular = singular(lowered);
    token(hash(singular), stem_key(singular), start, end, false)
}

/// The [`Token::key`] of a lower-case word.
pub fn word_key(lowered: &str) -> u64 {
    hash(singular(lowered.as_bytes()))
}

/// A lower-case word without its possessive or plural s.
pub fn singular(lowered: &[u8]) -> &[u8] {
    let word = lowered.strip_suffix(b"'s").or_else(|| lowered.strip_suffix(b"'")).unwrap_or(lowered);
    match word {
        [.., b's' | b'u' | b'i', b's'] => word,
        [rest @ .., b's'] if rest.len() >= 2 => rest,
        _ => word,
    }
}

/// A key that the inflected forms of an English word share ("study", "studies", "studied").
pub fn stem(lowered: &str) -> u64 {
    stem_key(singular(lowered.as_bytes()))
}

/// Hash of the stem of a lower-case singular word: common English endings are removed.
pub fn stem_key(singular: &[u8]) -> u64 {
    // "data-centric" and "data-centred" share a stem, and "centre", the place, has another.
    if let [.., b'c', b'e', b'n', b't', b'e', b'r', b'e', b'd']
    | [.., b'c', b'e', b'n', b't', b'r', b'e', b'd']
    | [.., b'c', b'e', b'n', b't', b'r', b'i', b'c'] = singular
    {
        return hash(b"centric");
    }
    // Without its last letter "care" would share the stem of "car".
    if singular == b"care" {
        return hash(b"care");
    }
    let mut word = without_ending(singular);
    // "study", "studie(s)" and "studi(ed)" share a stem that differs from the stem of "stud".
    if let [rest @ .., b'i', b'e'] | [rest @ .., b'y' | b'i'] = word
        && rest.len() >= 2
    {
        return mix(hash(rest), b'y'.into());
    }
    // British and American spellings share a stem: "centre" and "center", "fibre" and "fiber", "colour" and "color".
    if let [rest @ .., b'r', b'e'] | [rest @ .., b'e', b'r'] = word
        && let [_, _, .., b't' | b'b'] = rest
    {
        return mix(hash(rest), b'r'.into());
    }
    if let [rest @ .., b'o', b'u', b'r'] | [rest @ .., b'o', b'r'] = word
        && rest.len() >= 3
    {
        return mix(hash(rest), b'o'.into());
    }
    if let [rest @ .., b'e'] = word
        && rest.len() >= 3
    {
        word = rest;
    }
    if let [rest @ .., last, twin] = word
        && last == twin
        && rest.len() >= 2
    {
        word = &word[..=rest.len()];
    }
    hash(word)
}

/// The word without its ending if enough of it remains; longer endings are tried first.
fn without_ending(word: &[u8]) -> &[u8] {
    match word {
        // "quantisation" and "quantization" share a stem.
        [stem @ .., b'i', b's' | b'z', b'a', b't', b'i', b'o', b'n'] if stem.len() > 3 => stem,
        [stem @ .., b'a', b't', b'i', b'o', b'n'] if stem.len() > 3 => stem,
        [stem @ .., b'i', b'o', b'n'] if stem.len() > 3 && matches!(stem.last(), Some(b't' | b's')) => stem,
        [stem @ .., b'a', b't', b'i', b'v', b'e'] if stem.len() > 3 => stem,
        [stem @ .., b'i', b's' | b'z', b'e'] if stem.len() > 4 => stem,
        [stem @ .., b'i', b's' | b'z', b'e', b'd'] if stem.len() > 4 => stem,
        [stem @ .., b'i', b's' | b'z', b'i', b'n', b'g'] if stem.len() > 4 => stem,
        [stem @ .., b'a', b't', b'e'] if stem.len() > 3 => stem,
        [stem @ .., b'i', b'v', b'e'] if stem.len() > 3 => stem,
        [stem @ .., b'a', b't', b'i', b'n', b'g'] if stem.len() > 3 => stem,
        [stem @ .., b'a', b'b', b'i', b'l', b'i', b't', b'y'] if stem.len() > 4 => stem,
        [stem @ .., b'a', b'b', b'l', b'e'] if stem.len() > 4 => stem,
        [stem @ .., b'm', b'e', b'n', b't'] if stem.len() > 4 => stem,
        [stem @ .., b'n', b'e', b's', b's'] if stem.len() > 3 => stem,
        [stem @ .., b'i', b'n', b'g'] if stem.len() > 2 => stem,
        [stem @ .., b'a', b't', b'e', b'd'] if stem.len() > 3 => stem,
        [stem @ .., b'e', b'd'] if stem.len() > 2 => stem,
        [stem @ .., b'a', b't', b'o', b'r'] if stem.len() > 3 => stem,
        [stem @ .., b'a', b'l', b'l', b'y'] if stem.len() > 4 => stem,
        [stem @ .., b'l', b'y'] if stem.len() > 3 => stem,
        [stem @ .., b'i', b'c', b'a', b'l'] if stem.len() > 4 => stem,
        [stem @ .., b'a', b'l'] if stem.len() > 4 => stem,
        [stem @ .., b'i', b'c'] if stem.len() > 4 => stem,
        _ => word,
    }
}

/// Visits the keys of the character bigrams of each run of ideographs, and of each single ideograph: they replace words
/// in scripts without spaces.
pub fn each_pair(text: &str, mut visit: impl FnMut(u64)) {
    if text.is_ascii() {
        return;
    }
    let mut before: Option<(char, bool)> = None;
    let pair =
        |first: char, second: char| mix(u64::from(u32::from(first)), u64::from(u32::from(second)) | 1 << 32);
    for character in text.chars() {
        match (before, is_ideographic(character)) {
            (Some((first, _)), true) => {
                visit(pair(first, character));
                before = Some((character, true));
            }
            (None, true) => before = Some((character, false)),
            (Some((lonely, false)), false) => {
                visit(pair(lonely, lonely));
                before = None;
            }
            (_, false) => before = None,
        }
    }
    if let Some((lonely, false)) = before {
        visit(pair(lonely, lonely));
    }
}
