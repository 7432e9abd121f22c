//! What words of reports mean to each other: groups of one meaning, opposites, words of quantity, negations.
//!
//! General words only: nothing here belongs to one subject.

use crate::vocabulary::{
    COUNTERS, DENIALS, DOWN, IDEOGRAPHIC_DENIALS, LIGHT, OPPOSITES, QUANTITIES, SAME, UP,
};
use std::collections::HashMap;
use std::sync::OnceLock;

struct Tables {
    same: HashMap<u64, u64>,
    light: Vec<u64>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut same = HashMap::new();
        for group in SAME {
            let mut words = group.split(' ').map(prose::stem);
            let Some(first) = words.next() else { continue };
            let first = *same.entry(first).or_insert(first);
            for word in words {
                same.entry(word).or_insert(first);
            }
        }
        let mut light: Vec<u64> = LIGHT.iter().map(|word| prose::stem(word)).collect();
        light.sort_unstable();
        Tables { same, light }
    })
}

/// The key of a lower-case word that all words of its meaning share.
pub(crate) fn word_key(lowered: &str) -> u64 {
    let stem = prose::stem(lowered);
    tables().same.get(&stem).copied().unwrap_or(stem)
}

/// The key of an ideograph, the same for counters of the same things.
pub(crate) fn ideograph_key(character: char) -> u64 {
    let counter = COUNTERS.iter().find(|(other, _)| *other == character);
    u64::from(u32::from(counter.map_or(character, |(_, same)| *same)))
}

/// Whether a lower-case word says little.
pub(crate) fn is_light(lowered: &str) -> bool {
    tables().light.binary_search(&prose::stem(lowered)).is_ok()
}

/// Whether a lower-case word denies.
pub(crate) fn is_denial(lowered: &str) -> bool {
    DENIALS.contains(&lowered)
}

/// Byte places in Chinese or Japanese text where a denial begins.
pub(crate) fn ideographic_denials(text: &str) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    if text.is_ascii() {
        return found;
    }
    for denial in IDEOGRAPHIC_DENIALS {
        found.extend(text.match_indices(denial).map(|(at, _)| at));
    }
    found.sort_unstable();
    found
}

/// 1 for a word that goes up, -1 for one that goes down, 0 for any other.
pub(crate) fn direction(lowered: &str) -> i8 {
    i8::from(UP.contains(&lowered)) - i8::from(DOWN.contains(&lowered))
}

/// The least share in per cent that a word of quantity stands for.
pub(crate) fn least_share(lowered: &str) -> Option<u8> {
    QUANTITIES.iter().find(|(word, _)| *word == lowered).map(|(_, share)| *share)
}

/// Whether lower-case words joined by slashes offer a choice.
pub(crate) fn is_choice_of_words(words: &[String]) -> bool {
    let is_word = |word: &String| word.chars().count() > 1;
    if words.len() < 2 || words.len() > 9 || !words.iter().all(is_word) {
        return false;
    }
    if words.iter().all(|word| least_share(word).is_some()) || words.iter().all(|word| direction(word) != 0) {
        return true;
    }
    if words.len() > 2 {
        return words.iter().all(|word| word.len() > 2 && word != "and" && word != "or");
    }
    let pair = |first: usize, second: usize| format!("{} {}", words[first], words[second]);
    let endings = ["ed", "er", "ly", "ing", "able", "ive", "ful"];
    OPPOSITES.contains(&pair(0, 1).as_str())
        || OPPOSITES.contains(&pair(1, 0).as_str())
        || endings.iter().any(|end| words.iter().all(|word| word.len() > 4 && word.ends_with(end)))
}

fn ideographic_choices() -> impl Iterator<Item = &'static str> {
    let directions = UP.iter().chain(DOWN).copied();
    let others = ["有", "无", "無", "是", "否", "已", "未", "良好", "合格", "不合格"];
    directions.chain(QUANTITIES.iter().map(|(word, _)| *word)).chain(others).filter(|word| !word.is_ascii())
}

/// The longest known word to choose that ends a run of ideographs.
pub(crate) fn trailing_choice(run: &str) -> Option<&str> {
    let length = ideographic_choices().filter(|word| run.ends_with(word)).map(str::len).max()?;
    run.get(run.len() - length..)
}

/// The longest known word to choose that begins a run of ideographs.
pub(crate) fn leading_choice(run: &str) -> Option<&str> {
    let length = ideographic_choices().filter(|word| run.starts_with(word)).map(str::len).max()?;
    run.get(..length)
}
