//! The ways to say a phrase: with short forms written out or put in, with compounds as one word, and with related words.

use super::short_forms::ShortForms;

/// A word of a phrase.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) key: u64,
    pub(super) worth: f64,
    /// Of a part of a compound: how many words behind the part before it it has to stand; else 0.
    pub(super) distance: usize,
    /// Begins a phrase as the name of what is done: "labeling".
    pub(super) is_activity: bool,
    /// Says by itself what is meant.
    pub(super) is_telling: bool,
}

/// A way to say a phrase.
pub(super) struct Way {
    pub(super) keys: Vec<Key>,
    /// How nearly it means the phrase, at most 1.
    pub(super) nearness: f64,
}

/// Ways to say a phrase beyond which no more are tried.
const MOST_WAYS: usize = 96;

/// What may stand for parts of a phrase beyond which no more is tried.
const MOST_OTHERS: usize = 160;

/// What may stand for a part of a phrase.
pub(super) struct Other {
    /// Places of the words that it stands for.
    pub(super) part: std::ops::Range<usize>,
    pub(super) keys: Vec<Key>,
    /// How nearly it means them, at most 1.
    pub(super) nearness: f64,
}

impl Other {
    fn instead(&self, way: &Way) -> Way {
        let mut keys = way.keys.clone();
        // "Two-legged robots" stands for "humanoid robots" with its own robots.
        let is_said = |key: &Key| self.keys.len() > 1 && self.keys.iter().any(|other| other.key == key.key);
        let behind = keys.split_off(self.part.end);
        keys.truncate(self.part.start);
        keys.extend(&self.keys);
        keys.extend(behind.into_iter().filter(|key| !is_said(key)));
        Way { keys, nearness: way.nearness * self.nearness }
    }
}

/// A phrase as it stands, with each other way to say a part of it, or two parts, in the place of these, and with each
/// compound written as one word.
pub(super) fn ways(words: &[Key], others: &[Other]) -> Vec<Way> {
    let asked = Way { keys: words.to_vec(), nearness: 1.0 };
    let single = others.iter().map(|other| other.instead(&asked));
    // Of two, the later part first: the places before it stay.
    let double = others.iter().enumerate().flat_map(|(at, first)| {
        let later = others[at + 1..].iter().filter(|second| second.part.start >= first.part.end);
        later.map(|second| first.instead(&second.instead(&asked)))
    });
    let mut ways: Vec<Way> = single.chain(double).take(MOST_WAYS - 1).collect();
    ways.push(asked);
    ways
}

/// What may stand for a word of a phrase, or for several.
pub(super) fn others(words: &[Key], fused: &[u64], forms: &ShortForms) -> Vec<Other> {
    let plain = |key: u64, worth: f64, is_telling: bool| Key {
        key,
        worth,
        distance: 0,
        is_activity: false,
        is_telling,
    };
    let mut others: Vec<Other> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for form in forms.of_word(word.key) {
            // Grammar inside an expression is not in the phrase.
            let rest = form.rest.iter().filter(|word| !forms.is_grammar(**word));
            let end = at + 1 + rest.clone().count();
            if end > words.len() || !words[at + 1..end].iter().map(|word| &word.key).eq(rest) {
                continue;
            }
            let worth: f64 = words[at..end].iter().map(|word| word.worth).sum();
            let share = worth / form.other.len() as f64;
            // "Artificial intelligence" says no more than "AI".
            let is_telling = words[at..end].iter().any(|word| word.is_telling);
            // An expression of several words is a fixed one.
            let keys = form.other.iter().enumerate();
            let keys = keys.map(|(place, key)| Key {
                distance: usize::from(place > 0),
                ..plain(*key, share, is_telling)
            });
            others.push(Other { part: at..end, keys: keys.collect(), nearness: form.nearness });
        }
        if at > 0 && fused[at] != 0 {
            let keys = vec![plain(fused[at], words[at - 1].worth + word.worth, true)];
            others.push(Other { part: at - 1..at + 1, keys, nearness: 1.0 });
        }
    }
    // The nearest first; a long topic names too much to look for all that is related.
    others.sort_by(|one, other| other.nearness.total_cmp(&one.nearness));
    others.truncate(MOST_OTHERS);
    others.sort_by_key(|other| other.part.start);
    others
}
