//! Figures by which a sentence says what came of something.

use crate::cues::MEASURES;
use crate::known_words::SPELT_NUMBERS;

/// Figures of which one surely measures something.
const SEVERAL_FIGURES: usize = 3;

/// Whether so many numbers stand in a sentence, but for those inside names.
pub(crate) fn has_several_figures(lower: &str) -> bool {
    let words = lower.split_ascii_whitespace().filter(|word| !word.is_empty());
    words
        .filter(|word| {
            word.trim_start_matches(['(', '$', '+', '-', '~', '€', '£'])
                .starts_with(|c: char| c.is_ascii_digit())
        })
        .count()
        >= SEVERAL_FIGURES
}

/// Whether a figure with a sign of measure stands in it: a share, a factor, points, a score, a broken number.
pub(crate) fn has_measure(lower: &str) -> bool {
    if is_share_in_words(lower) {
        return true;
    }
    if !lower.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let mut before = ' ';
    lower.char_indices().any(|(at, character)| {
        let is_start =
            character.is_ascii_digit() && !before.is_alphanumeric() && !matches!(before, '-' | '.');
        before = character;
        is_start && {
            let end = lower[at..]
                .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | '–'))
                .map_or(lower.len(), |length| at + length);
            let figure = lower[at..end].trim_end_matches(['.', ',', '-', '–']);
            let rest = lower[at + figure.len()..].trim_start();
            MEASURES.iter().any(|sign| rest.starts_with(sign)) || figure.contains('.')
        }
    })
}

/// "Nine of ten cases", "two thirds": a share in words.
fn is_share_in_words(lower: &str) -> bool {
    const SHARES: [&str; 8] = ["half", "third", "thirds", "quarter", "quarters", "fifth", "tenth", "twice"];
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_number = |word: &str| SPELT_NUMBERS.iter().any(|(spelt, value)| *spelt == word && *value > 1);
    let mut before = [""; 2];
    words.any(|word| {
        let [first, second] = before;
        before = [second, word];
        match second {
            "of" => is_number(first) && is_number(word),
            "half" => first == "by" && word == "of",
            second => SHARES.contains(&second) && (first == "a" || is_number(first)) && word != "party",
        }
    })
}
