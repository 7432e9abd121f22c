//! Variants of a phrase: with short forms expanded or abbreviated, with compounds as one word, and with related words.

use super::synonyms::Synonyms;

/// A word of a phrase, by its stem.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub(super) key: u64,
    pub(super) worth: f64,
    /// For a part of a compound, the largest distance in words after the previous part; else 0.
    pub(super) distance: usize,
    /// Begins a phrase and names an activity: "labeling".
    pub(super) is_activity: bool,
    /// Names the subject by itself, unlike a vague word ("compare") or the name of the whole field ("AI").
    pub(super) is_specific: bool,
}

/// A variant of a phrase.
pub(super) struct Variant {
    pub(super) keys: Vec<Key>,
    /// How close its meaning is to the phrase, at most 1.
    pub(super) nearness: f64,
}

/// Most variants of a phrase.
const MOST_VARIANTS: usize = 96;

/// Most substitutes of a phrase.
const MOST_SUBSTITUTES: usize = 160;

/// Words that may replace a part of a phrase.
pub(super) struct Substitute {
    /// Indices of the replaced words.
    pub(super) part: std::ops::Range<usize>,
    pub(super) keys: Vec<Key>,
    /// How close its meaning is to the replaced words, at most 1.
    pub(super) nearness: f64,
}

impl Substitute {
    fn apply(&self, variant: &Variant) -> Variant {
        let mut keys = variant.keys.clone();
        // "Two-legged robots" for "humanoid" brings its own "robots", so the phrase's "robots" is dropped.
        let is_said = |key: &Key| self.keys.len() > 1 && self.keys.iter().any(|other| other.key == key.key);
        let behind = keys.split_off(self.part.end);
        keys.truncate(self.part.start);
        keys.extend(&self.keys);
        keys.extend(behind.into_iter().filter(|key| !is_said(key)));
        Variant { keys, nearness: variant.nearness * self.nearness }
    }
}

/// The phrase itself, and the phrase with one substitute, and with two substitutes for different parts.
pub(super) fn variants(words: &[Key], substitutes: &[Substitute]) -> Vec<Variant> {
    let asked = Variant { keys: words.to_vec(), nearness: 1.0 };
    let single = substitutes.iter().map(|other| other.apply(&asked));
    // The later part is replaced first, so that the indices of the earlier part stay valid.
    let double = substitutes.iter().enumerate().flat_map(|(at, first)| {
        let later = substitutes[at + 1..].iter().filter(|second| second.part.start >= first.part.end);
        later.map(|second| first.apply(&second.apply(&asked)))
    });
    let mut variants: Vec<Variant> = single.chain(double).take(MOST_VARIANTS - 1).collect();
    variants.push(asked);
    variants
}

/// The substitutes for one or more words of a phrase; a compound may also be written as one word.
pub(super) fn substitutes(words: &[Key], fused: &[u64], synonyms: &Synonyms) -> Vec<Substitute> {
    let plain = |key: u64, worth: f64, is_specific: bool| Key {
        key,
        worth,
        distance: 0,
        is_activity: false,
        is_specific,
    };
    let mut substitutes: Vec<Substitute> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for synonym in synonyms.starting_with(word.key) {
            // Phrases have no grammar words, so those of the expression are skipped.
            let rest = synonym.rest.iter().filter(|word| !synonyms.is_grammar(**word));
            let end = at + 1 + rest.clone().count();
            if end > words.len() || !words[at + 1..end].iter().map(|word| &word.key).eq(rest) {
                continue;
            }
            let worth: f64 = words[at..end].iter().map(|word| word.worth).sum();
            let share = worth / synonym.other.len() as f64;
            // A substitute is as specific as the words it replaces: "artificial intelligence" no more than "AI".
            let is_specific = words[at..end].iter().any(|word| word.is_specific);
            // The words of a substitute must follow each other.
            let keys = synonym.other.iter().enumerate();
            let keys = keys.map(|(place, key)| Key {
                distance: usize::from(place > 0),
                ..plain(*key, share, is_specific)
            });
            substitutes.push(Substitute { part: at..end, keys: keys.collect(), nearness: synonym.nearness });
        }
        if at > 0 && fused[at] != 0 {
            let keys = vec![plain(fused[at], words[at - 1].worth + word.worth, true)];
            substitutes.push(Substitute { part: at - 1..at + 1, keys, nearness: 1.0 });
        }
    }
    // The nearest are kept: a long topic has too many related words.
    substitutes.sort_by(|one, other| other.nearness.total_cmp(&one.nearness));
    substitutes.truncate(MOST_SUBSTITUTES);
    substitutes.sort_by_key(|other| other.part.start);
    substitutes
}
