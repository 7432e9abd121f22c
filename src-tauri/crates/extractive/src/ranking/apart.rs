//! Which documents tell each thing of a topic, by its own words, by words for nearly the same, or by kinds of it, though in
//! other places than side by side.
//!
//! Of things that are tied by "and" or "or" one is enough. What is only mentioned counts little.

use super::aboutness::{OPENING, stands_in};
use super::indexed::{IndexedDocument, Word};
use super::query::{Phrase, phrases, terms_of};
use super::{Collection, Document, dense, groups};

/// How much of a topic a document must tell: more than its title alone.
const NEEDED: f64 = 0.505;
/// The same of each thing that the topic names, but for those it is tied to.
const NEEDED_OF_EACH: f64 = 0.4;
/// How much the best of tied things counts against their mean.
const OF_BEST: f64 = 0.7;
/// From so many other ways to say a word on, an article on it is expected to have one of them; what is left without.
const USUAL: usize = 6;
const OF_ALONE: f64 = 0.5;
/// Share of the best document's answer below which others are left out.
const SHARE_OF_BEST: f64 = 0.6;

/// The documents that tell each thing of a topic, best first, as (index, share from 0 to 1).
pub fn rank_apart(topic: &str, documents: &[Document<'_>]) -> Vec<(usize, f64)> {
    let collection = Collection::new(documents);
    let words = dense::words_of(topic);
    if !words.is_empty() {
        return sorted(documents.len(), |at| dense::strength(&collection.documents[at], &words));
    }
    let terms = terms_of(topic);
    let names_field = terms.iter().any(|term| term.is_field);
    let mut phrases = phrases(&terms, &vec![1.0; terms.len()], &collection.short_forms);
    if phrases.iter().any(|phrase| phrase.is_telling) {
        phrases.retain(|phrase| phrase.is_telling);
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

/// How much a document is about things that are tied together.
fn of_group(document: &IndexedDocument, group: &[Phrase]) -> f64 {
    let strengths: Vec<f64> = group.iter().map(|phrase| of_phrase(document, phrase)).collect();
    let best = strengths.iter().copied().fold(0.0, f64::max);
    OF_BEST * best + (1.0 - OF_BEST) * strengths.iter().sum::<f64>() / strengths.len() as f64
}

/// How much a document is about each word of a phrase, on average.
fn of_phrase(document: &IndexedDocument, phrase: &Phrase) -> f64 {
    let telling = || (0..phrase.words.len()).filter(|at| phrase.words[*at].is_telling);
    let of_word = |at: usize| {
        let own = (vec![phrase.words[at].key], 1.0);
        let others = phrase.others.iter().filter(|other| other.part.contains(&at));
        let others = others.map(|other| (other.keys.iter().map(|key| key.key).collect(), other.nearness));
        let ways: Vec<(Vec<u64>, f64)> = std::iter::once(own).chain(others).collect();
        of_ways(document, &ways)
    };
    telling().map(of_word).sum::<f64>() / telling().count().max(1) as f64
}

/// How much a document is about what is said in any of these ways, each of which means it so nearly.
fn of_ways(document: &IndexedDocument, ways: &[(Vec<u64>, f64)]) -> f64 {
    let nearest = |part: &[Word]| {
        let nearness = ways.iter().filter(|(keys, _)| stands_in(part, keys)).map(|(_, nearness)| *nearness);
        nearness.fold(0.0, f64::max)
    };
    let in_title = nearest(&document.title);
    let in_body: Vec<f64> = document.sentences().map(nearest).collect();
    let count = in_body.iter().filter(|strength| **strength > 0.0).count();
    let opens = in_body.iter().take(OPENING as usize).any(|strength| *strength > 0.0);
    let place = match (in_title > 0.0, count, opens) {
        (true, 1.., _) => 1.0,
        (false, 4.., _) => 0.85,
        (false, 3, _) => 0.75,
        (false, 2, true) => 0.65,
        (false, 2, false) => 0.55,
        // What is named once is only mentioned.
        (true, 0, _) => 0.5,
        (false, 1, true) => 0.4,
        (false, 1, false) => 0.25,
        (false, 0, _) => 0.0,
    };
    // A word without any that belongs to it may mean something else: the regulation of entropy.
    let is_alone = ways.len() >= USUAL
        && !document.parts().any(|part| ways[1..].iter().any(|(keys, _)| stands_in(part, keys)));
    let alone = if is_alone { OF_ALONE } else { 1.0 };
    place * alone * in_body.iter().copied().fold(in_title, f64::max)
}
