//! Decides by their form which sentences can be quoted alone; the word lists are in `tables`.

use prose::count_words;

use crate::language::Language;
use crate::tables::{CONTRAST, LEANING, OWN_WORK, POINTING};

/// Fewest and most words of a quoted sentence; in Chinese and Japanese twice as many characters.
const LEAST_WORDS: usize = 6;
const MOST_WORDS: usize = 60;

/// Whether a sentence is complete, of ordinary length, and free of markup.
pub(crate) fn can_be_quoted(sentence: &str) -> bool {
    const DEBRIS: [&str; 12] = ["http", "www.", "{", "}", "\\", "|", "…", "...", "[^", "@", "](", "<"];
    let size = count_words(sentence) / if Language::of(sentence).is_unspaced() { 2 } else { 1 };
    (LEAST_WORDS..=MOST_WORDS).contains(&size)
        && sentence.starts_with(|first: char| first.is_alphanumeric() && !first.is_lowercase())
        && sentence.trim_end_matches(['”', '"', '」', '』', '’', ')']).ends_with(['.', '!', '。', '！'])
        && !DEBRIS.iter().any(|mark| sentence.contains(mark))
        && is_balanced(sentence)
}

/// Whether a sentence refers to the previous one by its first word or by another word.
pub(crate) fn depends_on_previous(sentence: &str) -> bool {
    starts_with_any(sentence, &LEANING) && !is_own_work(sentence) || points_back(sentence)
}

/// Whether a sentence contradicts or limits the previous one.
pub(crate) fn contradicts(sentence: &str) -> bool {
    starts_with_any(sentence, &CONTRAST)
}

/// Whether a sentence reports the authors' own work.
pub(crate) fn is_own_work(sentence: &str) -> bool {
    starts_with_any(sentence, &OWN_WORK)
}

fn starts_with_any(sentence: &str, openers: &[&str]) -> bool {
    let lower = sentence.trim_start_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
    openers.iter().filter_map(|opener| Some((opener, lower.strip_prefix(*opener)?))).any(|(opener, rest)| {
        !opener.is_ascii() || !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-')
    })
}

fn points_back(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let words: Vec<&str> =
        lower.split(|mark: char| !mark.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    POINTING.iter().any(|entry| match entry.split_once(':') {
        None => lower.contains(*entry),
        Some((pointing, harmless)) => words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).copied().unwrap_or_default();
            *word == pointing && !harmless.split(' ').any(|word| !word.is_empty() && word == next)
        }),
    })
}

/// Whether every bracket and quotation mark is closed.
pub(crate) fn is_balanced(sentence: &str) -> bool {
    const PAIRS: [(char, char); 6] =
        [('(', ')'), ('[', ']'), ('「', '」'), ('『', '』'), ('（', '）'), ('《', '》')];
    let count = |mark: char| sentence.matches(mark).count();
    // “English”, „German“ and ”Swedish” quotations.
    let is_quoted = match (count('„'), count('“'), count('”')) {
        (0, 0, both) => both.is_multiple_of(2),
        (0, open, close) => open == close,
        (low, left, right) => low == left + right,
    };
    PAIRS.iter().all(|(open, close)| count(*open) == count(*close))
        && is_quoted
        && count('"').is_multiple_of(2)
}
