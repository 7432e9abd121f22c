//! Measures how much a document is about a phrase.
//!
//! A document is about a phrase if its title contains it, or its opening and another sentence, or several sentences; a
//! single mention later in the text counts little. A word in a compound with another meaning ("text" in "text-rich"),
//! or in the name of another thing ("Lynx" in "Mega-Lynx"), does not count.

use super::indexed_document::{IndexedDocument, Word, is_introduced_before, is_made_before, names_field};
use super::query::Phrase;
use super::variants::{Key, Variant};

/// Most other words between the words of a phrase.
const NEAR_WORDS: usize = 3;
/// The same for a phrase that the title contains in part.
const FAR_WORDS: usize = 8;
/// Number of sentences in the opening of a body.
pub(super) const OPENING_SENTENCES: u32 = 3;
/// Least share of a phrase's worth in a sentence that counts.
const NEEDED_OF_PHRASE: f64 = 0.55;
/// Most parts of a compound that are read on each side of a word.
const LONGEST_COMPOUND: usize = 6;
/// Number of words at the start of a paper's first sentence that name its subject.
const SUBJECT_WORDS: usize = 12;
/// Factor for words in another order than in the phrase.
const REVERSED_FACTOR: f64 = 0.6;
/// Largest distance in words from a head to a modifier after it: "recognition of faces".
const CLOSE_WORDS: usize = 2;
/// Factor for a pair of words if the document lacks one of them.
const HALF_FACTOR: f64 = 0.6;
/// Factor for an occurrence without the head of the phrase.
const HEADLESS_FACTOR: f64 = 0.5;

/// How much a document is about a phrase, from 0 to 1.
pub(super) fn strength(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let of_variant = |variant: &Variant| variant.nearness * variant_strength(document, phrase, &variant.keys);
    phrase.variants.iter().map(of_variant).fold(0.0, f64::max)
}

fn variant_strength(document: &IndexedDocument, phrase: &Phrase, variant: &[Key]) -> f64 {
    // A part of a phrase counts less than its share, above all of a short phrase: "law" is not "scaling law".
    let power = if variant.len() > 3 { 1.4 } else { 2.0 };
    let in_title = best_share(&document.title, variant, phrase, document.title.len(), false);
    // The opening of a paper reports earlier work; only the first words of its first sentence name the subject.
    let is_paper = document.sentences().count() > OPENING_SENTENCES as usize && document.reports_own_work();
    // If the title has a part of the phrase, the words may be further apart in the body, and one sentence is enough.
    let is_begun = document.title.iter().enumerate().any(|(at, word)| {
        let is_part = |key: &Key| key.is_specific && [word.key, word.fused].contains(&key.key);
        variant.iter().any(is_part) && stands_for_itself(&document.title, at, variant, phrase)
    });
    let reach = variant.len() + if is_begun { FAR_WORDS } else { NEAR_WORDS };
    let opens = |sentence: &[Word], share: f64| {
        let first = &sentence[..sentence.len().min(SUBJECT_WORDS)];
        match (sentence[0].sentence, is_paper) {
            (0, true) => best_share(first, variant, phrase, reach, true) >= share,
            (place, is_paper) => !is_paper && place < OPENING_SENTENCES,
        }
    };
    let shares: Vec<(f64, bool)> = document
        .sentences()
        .map(|sentence| {
            // The first sentence of a news article completes its title, so there the distance is not limited.
            let is_lead = is_begun && !is_paper && sentence[0].sentence == 0;
            let reach = if is_lead { sentence.len() } else { reach };
            let share = best_share(sentence, variant, phrase, reach, true);
            (share, share > 0.0 && (opens(sentence, share) || introduces(sentence, variant)))
        })
        .collect();
    let best = shares.iter().map(|(share, _)| *share).fold(0.0, f64::max);
    let least = NEEDED_OF_PHRASE.max(best * 0.9);
    let openings: Vec<bool> =
        shares.iter().filter(|(share, _)| *share >= least).map(|(_, opens)| *opens).collect();
    let opens = openings.contains(&true);
    let place = match (opens, openings.len()) {
        (_, 1..) if phrase.is_kind => 0.85,
        (true, 2..) | (_, 3..) => 0.85,
        (_, 2) => 0.7,
        (true, _) => 0.66,
        (_, 1) if is_begun && best >= 1.0 => 0.66,
        _ => 0.3,
    };
    // One word of a pair alone usually means something else: "signing a bill" is not "sign language".
    let half = if lacks_a_half(document, variant) { HALF_FACTOR } else { 1.0 };
    half * in_title.powf(power).max(best.powf(power) * place)
}

/// Number of specific words of a variant; a compound at its end counts as one.
fn specific_words(variant: &[Key]) -> usize {
    let specific = variant.iter().filter(|key| key.is_specific);
    let behind = specific.clone().rev().take_while(|key| key.distance > 0).count();
    specific.count() - behind
}

/// Whether a variant has two specific words and the document lacks one of them.
fn lacks_a_half(document: &IndexedDocument, variant: &[Key]) -> bool {
    let specific = || variant.iter().filter(|key| key.is_specific);
    let has = |key: &Key| {
        let is_key = |word: &Word| [word.key, word.fused].contains(&key.key);
        document.title.iter().any(is_key) || document.body.iter().any(is_key)
    };
    specific_words(variant) == 2 && !specific().all(has)
}

/// How much a document is about a phrase whose words or their substitutes occur apart from each other, from 0 to 1; 0
/// if a specific word is missing.
pub(super) fn loose_strength(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let is_research = document.is_research();
    let of = |keys: &[Key]| {
        let keys: Vec<u64> = keys.iter().map(|key| key.key).collect();
        place_of(document, &keys, is_research)
    };
    let mut strengths: Vec<f64> = phrase.words.iter().map(|word| of(std::slice::from_ref(word))).collect();
    for other in &phrase.substitutes {
        let strength = other.nearness * of(&other.keys);
        for place in other.part.clone() {
            strengths[place] = strengths[place].max(strength);
        }
    }
    let specific = || phrase.words.iter().zip(&strengths).filter(|(word, _)| word.is_specific);
    // Three or more words that never occur next to each other do not name the phrase.
    let keys: Vec<u64> = specific().map(|(word, _)| word.key).collect();
    let is_apart = |pair: &[u64]| !document.parts().any(|part| stands_in(part, pair));
    let is_named_together =
        || phrase.substitutes.iter().any(|other| other.part.len() > 1 && of(&other.keys) > 0.0);
    if keys.len() > 2 && keys.windows(2).all(is_apart) && !is_named_together() {
        return 0.0;
    }
    if specific().any(|(_, strength)| *strength <= 0.0) {
        return 0.0;
    }
    let worth: f64 = specific().map(|(word, _)| word.worth).sum();
    specific().map(|(word, strength)| word.worth * strength).sum::<f64>() / worth.max(f64::MIN_POSITIVE)
}

/// Whether a part of a document contains an expression.
pub(super) fn stands_in(words: &[Word], keys: &[u64]) -> bool {
    let is_key = |word: &Word, key: &u64| word.key == *key || word.fused == *key;
    !keys.is_empty()
        && words
            .windows(keys.len())
            .any(|window| window.iter().zip(keys).all(|(word, key)| is_key(word, key)))
}

/// The weight of the place of an expression in a document: title, opening, several sentences or one.
fn place_of(document: &IndexedDocument, keys: &[u64], is_research: bool) -> f64 {
    place_where(document, |words| stands_in(words, keys), is_research)
}

/// The same for any test `has` of the title or a sentence.
pub(super) fn place_where(
    document: &IndexedDocument,
    has: impl Fn(&[Word]) -> bool,
    is_research: bool,
) -> f64 {
    if has(&document.title) {
        return 1.0;
    }
    let mut sentences = document.sentences().filter(|sentence| has(sentence));
    let first = sentences.next().map(|sentence| sentence[0].sentence);
    let more = sentences.count();
    match (first, more) {
        (None, _) => 0.0,
        (Some(first), _) if first < OPENING_SENTENCES && !is_research => 0.8,
        (Some(_), 2..) => 0.7,
        (Some(_), 1) => 0.6,
        _ => 0.3,
    }
}

/// The greatest share of a variant's worth that occurs together in a part of a document.
fn best_share(words: &[Word], variant: &[Key], phrase: &Phrase, reach: usize, is_body: bool) -> f64 {
    let all: f64 = variant.iter().map(|key| key.worth).sum();
    let mut last: Vec<Option<usize>> = vec![None; variant.len()];
    let mut best = 0.0_f64;
    for (at, word) in words.iter().enumerate() {
        let mut is_hit = false;
        for (place, wanted) in last.iter_mut().zip(variant) {
            let has = wanted.key == word.key || wanted.key == word.fused;
            // A kind of work counts only where a sentence says that one was made, not where one was used.
            let is_meant = || !(is_body && phrase.is_kind) || is_made_before(words, at);
            if has
                && is_meant()
                && (word.fused == wanted.key || stands_for_itself(words, at, variant, phrase))
            {
                *place = Some(at);
                is_hit = true;
            }
        }
        if is_hit {
            let met = share(&last, variant, (at, reach)) / all;
            // "We prove a theorem" is not "theorem proving", but "proving of theorems" is.
            let is_free = is_body && reach > variant.len() + NEAR_WORDS;
            let met = if is_free || is_in_order(words, &last, variant) { met } else { met * REVERSED_FACTOR };
            best = best.max(if has_head(&last, variant) { met } else { met * HEADLESS_FACTOR });
        }
    }
    best
}

/// Whether the found words of a short phrase are in its order, or close after a head without another modifier:
/// "recognition of faces", but not "personality recognition by the face".
fn is_in_order(words: &[Word], last: &[Option<usize>], variant: &[Key]) -> bool {
    let is_short = variant.iter().filter(|key| key.is_specific).count() <= 3;
    let places: Vec<usize> = last.iter().flatten().copied().collect();
    let is_own = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_free =
            before.is_none_or(|before| !before.is_content || variant.iter().any(|key| key.key == before.key));
        // "Labeled data" is not "data labeling".
        is_free && !words[at].is_participle
    };
    !is_short
        || places
            .windows(2)
            .all(|pair| pair[0] < pair[1] || pair[0] - pair[1] <= CLOSE_WORDS && is_own(pair[1]))
}

/// Whether a sentence presents the last specific word of a variant as made or studied: "we propose a model".
fn introduces(sentence: &[Word], variant: &[Key]) -> bool {
    let last = variant.iter().rfind(|key| key.is_specific).map_or(0, |key| key.key);
    let at = sentence.iter().position(|word| word.key == last);
    at.is_some_and(|at| is_introduced_before(sentence, at))
}

/// Whether the head of a short phrase, its last specific word, was found; modifiers alone may belong to another head.
fn has_head(last: &[Option<usize>], variant: &[Key]) -> bool {
    // The head of "labeling of content" is its first word.
    if variant.first().is_some_and(|first| first.is_activity && last[0].is_none()) {
        return false;
    }
    let head = variant.iter().rposition(|key| key.is_specific);
    let has_compound = variant.iter().zip(last).any(|(key, place)| key.distance > 0 && place.is_some());
    !(2..=3).contains(&specific_words(variant))
        || has_compound
        || head.is_none_or(|head| last[head].is_some())
}

/// The worth of the words found within reach before `at`; a compound counts only as a whole.
fn share(last: &[Option<usize>], variant: &[Key], (at, reach): (usize, usize)) -> f64 {
    let is_near = |place: &Option<usize>| place.is_some_and(|place| at - place < reach);
    let mut from = 0;
    let mut met = 0.0;
    while from < variant.len() {
        let end = from + 1 + variant[from + 1..].iter().take_while(|key| key.distance > 0).count();
        let places = &last[from..end];
        let is_whole =
            places.windows(2).zip(&variant[from + 1..]).all(|(pair, key)| match (pair[0], pair[1]) {
                (Some(one), Some(other)) => (1..=key.distance).contains(&other.wrapping_sub(one)),
                _ => false,
            });
        if is_whole {
            met += places
                .iter()
                .zip(&variant[from..end])
                .filter(|(place, _)| is_near(place))
                .map(|(_, key)| key.worth)
                .sum::<f64>();
        }
        from = end;
    }
    met
}

/// Whether a word keeps its meaning inside the compound that contains it.
fn stands_for_itself(words: &[Word], at: usize, variant: &[Key], phrase: &Phrase) -> bool {
    let before = words[..=at].iter().rev().take(LONGEST_COMPOUND).take_while(|word| word.is_joined).count();
    let start = at - before.min(at);
    let behind = words[at + 1..].iter().take(LONGEST_COMPOUND).take_while(|word| word.is_joined);
    let end = at + 1 + behind.count();
    let is_foreign = |word: &&Word| word.is_content && !variant.iter().any(|key| key.key == word.key);
    let before = words[start..at].iter().find(is_foreign);
    let behind = words[at + 1..end].iter().find(|word| is_foreign(word) || word.roles.is_relating);
    match behind {
        // A name keeps its meaning at the start of a compound: "SAM-ViT" is based on SAM.
        Some(next) => next.roles.is_relating || words[at].is_name,
        None => !(before.is_some_and(|word| word.is_name) && phrase.is_proper_name),
    }
}

/// Whether a document names the field together with a specific word of the phrase: in one sentence, or one of them in
/// the title and the other in the body.
pub(super) fn is_named_with_field(document: &IndexedDocument, phrase: &Phrase) -> bool {
    let has_word = |words: &[Word]| {
        words.iter().any(|word| {
            phrase
                .variants
                .iter()
                .flat_map(|variant| &variant.keys)
                .any(|key| key.is_specific && [word.key, word.fused].contains(&key.key))
        })
    };
    let in_opening = |is_there: &dyn Fn(&[Word]) -> bool| {
        document.sentences().take(OPENING_SENTENCES as usize).any(is_there)
    };
    document.parts().any(|part| names_field(part) && has_word(part))
        || has_word(&document.title) && document.sentences().any(names_field)
        || names_field(&document.title) && in_opening(&has_word)
}
