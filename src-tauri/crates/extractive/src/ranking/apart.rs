//! Ranks documents by each word of a topic separately: the word, or a substitute, may occur anywhere in a document.
//!
//! Of words joined by "and" or "or" the best counts most. A word that is only mentioned counts little.

use super::aboutness::{OPENING_SENTENCES, stands_in};
use super::indexed_document::{IndexedDocument, Word};
use super::query::{Phrase, phrases, terms_of};
use super::{Collection, Document, groups, unspaced};

/// Least strength of a document: more than the mention in the title alone gives.
const NEEDED: f64 = 0.505;
/// Least strength for each group of phrases.
const NEEDED_OF_EACH: f64 = 0.4;
/// Weight of the best phrase of a group; the mean of the group has the rest.
const BEST_WEIGHT: f64 = 0.7;
/// A document about a word with at least so many variants should contain one of the others; otherwise its strength has
/// this factor.
const MANY_VARIANTS: usize = 6;
const ALONE_FACTOR: f64 = 0.5;
/// Least strength of a document, as a share of the best document's.
const SHARE_OF_BEST: f64 = 0.6;

/// The documents that contain each word of a topic, or a substitute, also apart from each other, as (0-based index,
/// strength from 0 to 1), best first.
pub fn rank_apart(topic: &str, documents: &[Document<'_>]) -> Vec<(usize, f64)> {
    let collection = Collection::new(documents);
    let words = unspaced::words_of(topic);
    if !words.is_empty() {
        return sorted(documents.len(), |at| unspaced::strength(&collection.documents[at], &words));
    }
    let terms = terms_of(topic);
    let names_field = terms.iter().any(|term| term.is_field);
    let mut phrases = phrases(&terms, &vec![1.0; terms.len()], &collection.synonyms);
    if phrases.iter().any(|phrase| phrase.is_specific) {
        phrases.retain(|phrase| phrase.is_specific);
    }
    if phrases.is_empty() || terms.iter().all(|term| term.is_field) {
        return collection.rank(topic).into_iter().map(|(at, strength)| (at, strength.min(1.0))).collect();
    }
    sorted(documents.len(), |at| {
        let document = &collection.documents[at];
        let strengths: Vec<f64> = groups(&phrases).map(|group| of_group(document, group)).collect();
        let is_about = strengths.iter().all(|strength| *strength >= NEEDED_OF_EACH);
        let is_of_field = !names_field || document.is_of_field(u32::MAX);
        if is_about && is_of_field { strengths.iter().sum::<f64>() / strengths.len() as f64 } else { 0.0 }
    })
}

fn sorted(count: usize, strength: impl Fn(usize) -> f64) -> Vec<(usize, f64)> {
    let mut ranked: Vec<(usize, f64)> = (0..count).map(|at| (at, strength(at))).collect();
    ranked.retain(|(_, strength)| *strength >= NEEDED);
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let best = ranked.first().map_or(0.0, |(_, strength)| *strength);
    ranked.retain(|(_, strength)| *strength >= best * SHARE_OF_BEST);
    ranked
}

/// How much a document is about a group of phrases.
fn of_group(document: &IndexedDocument, group: &[Phrase]) -> f64 {
    let strengths: Vec<f64> = group.iter().map(|phrase| of_phrase(document, phrase)).collect();
    let best = strengths.iter().copied().fold(0.0, f64::max);
    BEST_WEIGHT * best + (1.0 - BEST_WEIGHT) * strengths.iter().sum::<f64>() / strengths.len() as f64
}

/// How much a document is about the specific words of a phrase, on average.
fn of_phrase(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let specific = || (0..phrase.words.len()).filter(|at| phrase.words[*at].is_specific);
    let of_word = |at: usize| {
        let own = (vec![phrase.words[at].key], 1.0);
        let substitutes = phrase.substitutes.iter().filter(|other| other.part.contains(&at));
        let substitutes =
            substitutes.map(|other| (other.keys.iter().map(|key| key.key).collect(), other.nearness));
        let variants: Vec<(Vec<u64>, f64)> = std::iter::once(own).chain(substitutes).collect();
        of_variants(document, &variants)
    };
    specific().map(of_word).sum::<f64>() / specific().count().max(1) as f64
}

/// How much a document is about a word with these variants and their nearness; the word itself comes first.
fn of_variants(document: &IndexedDocument, variants: &[(Vec<u64>, f64)]) -> f64 {
    let nearest = |part: &[Word]| {
        let nearness =
            variants.iter().filter(|(keys, _)| stands_in(part, keys)).map(|(_, nearness)| *nearness);
        nearness.fold(0.0, f64::max)
    };
    let in_title = nearest(&document.title);
    let in_body: Vec<f64> = document.sentences().map(nearest).collect();
    let count = in_body.iter().filter(|strength| **strength > 0.0).count();
    let opens = in_body.iter().take(OPENING_SENTENCES as usize).any(|strength| *strength > 0.0);
    let place = match (in_title > 0.0, count, opens) {
        (true, 1.., _) => 1.0,
        (false, 4.., _) => 0.85,
        (false, 3, _) => 0.75,
        (false, 2, true) => 0.65,
        (false, 2, false) => 0.55,
        // A single occurrence is only a mention.
        (true, 0, _) => 0.5,
        (false, 1, true) => 0.4,
        (false, 1, false) => 0.25,
        (false, 0, _) => 0.0,
    };
    // Without any related word, the word may mean something else, as in "regulation of entropy".
    let is_alone = variants.len() >= MANY_VARIANTS
        && !document.parts().any(|part| variants[1..].iter().any(|(keys, _)| stands_in(part, keys)));
    let alone = if is_alone { ALONE_FACTOR } else { 1.0 };
    place * alone * in_body.iter().copied().fold(in_title, f64::max)
}
