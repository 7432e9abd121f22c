//! Ranks documents by how well they answer a query, and leaves out the others.
//!
//! A query is split into phrases ("text-to-SQL", "low-resource languages"). A document is about a phrase if its title,
//! its opening or several of its sentences contain it. Most of a phrase, weighted by the worth of its words, must occur
//! together; a word is worth more the fewer documents have it (inverse document frequency). Documents that only mention
//! the topic, or answer much less of the query than the best one, are left out; BM25 over stems helps to order the
//! others. Chinese and Japanese are compared by pairs of characters.
//!
//! Synonyms match, too: usual short forms ("RAG"), short forms that the documents define ("vision-language-action
//! (VLA)"), and related words. If no document is clearly about a query, up to two documents are returned that contain
//! its words apart from each other.

mod aboutness;
mod apart;
mod field;
mod indexed_document;
mod query;
mod synonyms;
mod unspaced;
mod variants;

use aboutness::{OPENING_SENTENCES, is_named_with_field, loose_strength, strength};
use indexed_document::{IndexedDocument, Word};
use prose::tokens::{ByKey, normal};
use prose::without_title;
use query::{Link, Phrase, Term, phrases, terms_of};
use synonyms::Synonyms;
use unspaced::UnspacedWord;

pub use apart::rank_apart;
pub use field::{beside_field, is_of_field};
pub use synonyms::{is_known_word, read_related_words, wider_query};

/// One document to rank.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// The title; it weighs more than the body.
    pub title: &'a str,
    /// The text; it may begin with the title.
    pub body: &'a str,
}

/// Document frequencies of the terms of a query in a library, for a ranking of only some of its documents.
#[derive(Clone, Debug)]
pub struct Frequencies {
    /// Number of documents in the library.
    pub documents: usize,
    /// For each of [`query_terms`], in order, the number of documents that contain it.
    pub holding: Vec<usize>,
}

/// Documents indexed once for many queries.
pub struct Collection {
    postings: ByKey<Vec<Posting>>,
    documents: Vec<IndexedDocument>,
    average_length: f64,
    synonyms: Synonyms,
}

/// A document that answers a query.
struct RankedDocument {
    index: usize,
    /// Share of the query that it answers, from 0 to 1.
    answered: f64,
    score: f64,
    /// Whether it is at least a little about each phrase.
    has_all: bool,
}

#[derive(Clone, Copy)]
struct Posting {
    document: usize,
    weight: f64,
}

/// Weight of an occurrence in the title; one in the body weighs 1.
const TITLE_WEIGHT: f64 = 2.5;
/// BM25's k1: with a smaller value, repeated occurrences of a word add less.
const SATURATION: f64 = 1.2;
/// BM25's b: the influence of a document's length.
const LENGTH_PENALTY: f64 = 0.6;
/// Greatest worth (inverse document frequency) of a term.
const MOST_WORTH: f64 = 5.0;
/// Share of a query that a document must answer, for queries of one phrase, of two, and of more.
const NEEDED: [f64; 3] = [0.5, 0.55, 0.5];
/// The same for a long query, and the strength that a document needs for its first phrase, which names the subject.
const NEEDED_OF_LONG: f64 = 0.4;
const NEEDED_OF_FIRST: f64 = 0.6;
/// Strength that a document needs for at least one other phrase of a long query.
const NEEDED_OF_ANOTHER: f64 = 0.02;
/// Least number of terms of a long query.
const LONG_QUERY_TERMS: usize = 8;
/// Strength that a document needs for each phrase of a query that is not long.
const NEEDED_OF_EACH: f64 = 0.1;
/// Share of the query that a document must answer if the query names only the field ("AI").
const NEEDED_OF_FIELD_QUERY: f64 = 0.9;
/// Least share of the query answered, relative to the best document; below it, a match is incidental.
const NEEDED_SHARE_OF_BEST: f64 = 0.65;
/// The same for a query of one phrase that at least `ENOUGH_FULL_ANSWERS` documents answer nearly as well as the best.
const NEEDED_SHARE_OF_FULL: f64 = 0.9;
const ENOUGH_FULL_ANSWERS: usize = 3;
/// Least strength of a loose match.
const NEEDED_OF_LOOSE: f64 = 0.57;
/// Factor of the score of a loose match.
const LOOSE_FACTOR: f64 = 0.8;
/// Most loose matches of a query.
const MOST_LOOSE: usize = 2;
/// Weight of the best phrase of a group joined by "and"; the mean of the group has the rest.
const BEST_WEIGHT: f64 = 0.15;
/// Strength that a document needs for a compound of the query, such as "text-to-image".
const NEEDED_OF_COMPOUND: f64 = 0.25;
/// Strength that a document needs for a kind of work ("benchmarks") in a query of several phrases.
const NEEDED_OF_KIND: f64 = 0.5;

/// Estimated number of new words per document, for the initial capacity.
const NEW_WORDS_PER_DOCUMENT: usize = 32;

impl Collection {
    /// Indexes documents. Time and memory are linear in their length.
    pub fn new(documents: &[Document<'_>]) -> Self {
        let mut collection = Self {
            postings: ByKey::with_capacity_and_hasher(
                documents.len() * NEW_WORDS_PER_DOCUMENT,
                Default::default(),
            ),
            documents: Vec::with_capacity(documents.len()),
            average_length: 1.0,
            synonyms: Synonyms::of(documents),
        };
        let mut total = 0;
        for (index, document) in documents.iter().enumerate() {
            let body = without_title(document.body, document.title);
            let document = IndexedDocument::new(&normal(document.title), &normal(body));
            collection.add(index, &document.title, TITLE_WEIGHT);
            collection.add(index, &document.body, 1.0);
            total += document.len();
            collection.documents.push(document);
        }
        collection.average_length = (total as f64 / documents.len().max(1) as f64).max(1.0);
        collection
    }

    fn add(&mut self, document: usize, words: &[Word], weight: f64) {
        let Self { postings, synonyms, .. } = self;
        let mut post = |key: u64| {
            let postings = postings.entry(key).or_default();
            match postings.last_mut() {
                Some(last) if last.document == document => last.weight += weight,
                _ => postings.push(Posting { document, weight }),
            }
        };
        for (at, word) in words.iter().enumerate() {
            post(word.key);
            if word.fused != 0 {
                post(word.fused);
            }
            // Only exact synonyms are indexed; `variants` adds the related words to the query.
            for synonym in synonyms.exact_starting_with(word.key) {
                let following = words[at + 1..].iter().map(|word| word.key);
                if following.take(synonym.rest.len()).eq(synonym.rest.iter().copied()) {
                    synonym.other.iter().for_each(|word| post(*word));
                }
            }
        }
    }

    /// Like [`rank`], for the documents of this collection.
    pub fn rank(&self, query: &str) -> Vec<(usize, f64)> {
        let terms = terms_of(query);
        let holding: Vec<usize> =
            terms.iter().map(|term| self.postings.get(&term.key).map_or(0, Vec::len)).collect();
        self.score(&terms, &unspaced::words_of(query), &holding, self.documents.len())
    }

    fn score(
        &self,
        terms: &[Term],
        unspaced: &[UnspacedWord],
        holding: &[usize],
        documents: usize,
    ) -> Vec<(usize, f64)> {
        let worths: Vec<f64> = (0..terms.len())
            .map(|index| {
                let is_pair = terms[index].text.chars().next().is_some_and(prose::is_ideographic);
                // A pair of ideographs that no document has probably spans two words.
                let known = if is_pair && holding.get(index) == Some(&0) { 0.4 } else { 1.0 };
                let holding = holding.get(index).copied().unwrap_or(0).min(documents) as f64;
                (1.0 + (documents as f64 - holding + 0.5) / (holding + 0.5)).ln().min(MOST_WORTH) * known
            })
            .collect();
        let scores = self.bm25(terms, &worths);
        let most = scores.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let mut phrases = phrases(terms, &worths, &self.synonyms);
        // Phrases without a specific word count only if there are no others.
        if phrases.iter().any(|phrase| phrase.is_specific) {
            phrases.retain(|phrase| phrase.is_specific);
        }
        let (all, asked) = (answer(&phrases, &vec![1.0; phrases.len()]), groups(&phrases).count());
        if all <= 0.0 {
            return Vec::new();
        }
        // Nearly every document names the field, so a query for the field alone has a higher limit.
        let is_field = terms.iter().all(|term| term.is_field);
        let names_field = terms.iter().any(|term| term.is_field && term.weight < 1.0);
        let has_choice = phrases.iter().any(|phrase| matches!(phrase.link, Link::Or | Link::Other));
        let is_long = terms.len() >= LONG_QUERY_TERMS && asked > 1;
        let needed = match (is_field, is_long) {
            (true, _) => NEEDED_OF_FIELD_QUERY,
            (_, true) => NEEDED_OF_LONG,
            _ => NEEDED[(asked - 1).min(2)],
        };
        let mut ranked: Vec<RankedDocument> = Vec::new();
        let asks_for_more = asked > 1;
        let mut has_word = vec![false; self.documents.len()];
        for key in phrases.iter().flat_map(|phrase| &phrase.variants).flat_map(|variant| &variant.keys) {
            for posting in self.postings.get(&key.key).into_iter().flatten() {
                has_word[posting.document] = true;
            }
        }
        for ((index, score), document) in scores.iter().enumerate().zip(&self.documents) {
            if !has_word[index] {
                continue;
            }
            let strengths: Vec<f64> = phrases.iter().map(|phrase| strength(document, phrase)).collect();
            let is_wanted = phrases.iter().zip(&strengths).all(|(phrase, strength)| {
                !(phrase.is_business_event && document.is_research())
                    && (!phrase.is_compound || *strength >= NEEDED_OF_COMPOUND)
                    && (!phrase.is_long() || *strength >= NEEDED_OF_EACH)
                    && (!(phrase.is_kind && asks_for_more) || *strength >= NEEDED_OF_KIND)
                    && (is_field || !phrase.is_of_field || is_named_with_field(document, phrase))
            });
            let is_wanted =
                is_wanted && (is_field || !names_field || document.is_of_field(OPENING_SENTENCES));
            let mut of_groups = group_strengths(&phrases, &strengths);
            let is_wanted = is_wanted
                && match is_long {
                    true => {
                        of_groups.next().is_none_or(|(first, _)| first >= NEEDED_OF_FIRST)
                            && of_groups.any(|(strength, _)| strength >= NEEDED_OF_ANOTHER)
                    }
                    false => of_groups.all(|(strength, _)| strength >= NEEDED_OF_EACH),
                };
            // In a Japanese query, a Latin word such as "OCR" is not enough.
            let is_wanted = is_wanted && (unspaced.is_empty() || unspaced::mentions_any(document, unspaced));
            let answered = answer(&phrases, &strengths) / all;
            if is_wanted && answered >= needed {
                let has_all = strengths.iter().all(|strength| *strength >= NEEDED_OF_EACH);
                let score = answered * (1.0 + 0.5 * score / most);
                ranked.push(RankedDocument { index, answered, score, has_all });
            }
        }
        if ranked.is_empty() && !unspaced.is_empty() {
            let strength = |document: &IndexedDocument| unspaced::strength(document, unspaced);
            ranked = best_loose_matches(self.documents.iter().map(strength));
        } else if ranked.is_empty() && !is_field && !is_long {
            ranked = self.rank_loosely(&phrases, &has_word, names_field);
        }
        // If a document is about all phrases, documents about only some of them are left out.
        if !is_long && ranked.iter().any(|one| one.has_all) {
            ranked.retain(|one| one.has_all || has_choice);
        }
        let best = ranked.iter().map(|one| one.answered).fold(0.0, f64::max);
        let full = ranked.iter().filter(|one| one.answered >= best * NEEDED_SHARE_OF_FULL).count();
        let is_plenty = phrases.len() == 1 && full >= ENOUGH_FULL_ANSWERS;
        let share = if is_plenty { NEEDED_SHARE_OF_FULL } else { NEEDED_SHARE_OF_BEST };
        ranked.retain(|one| one.answered >= best * share);
        ranked.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.index.cmp(&other.index)));
        ranked.into_iter().map(|one| (one.index, one.score)).collect()
    }

    /// The loose matches: documents that contain all words of each phrase, also apart from each other.
    fn rank_loosely(&self, phrases: &[Phrase], has_word: &[bool], names_field: bool) -> Vec<RankedDocument> {
        let is_business_event = phrases.iter().any(|phrase| phrase.is_business_event);
        let strength = |(index, document): (usize, &IndexedDocument)| {
            let is_wanted = has_word[index]
                && (!names_field || document.is_of_field(u32::MAX))
                && !(is_business_event && document.is_research());
            let strengths =
                phrases.iter().filter(|_| is_wanted).map(|phrase| loose_strength(document, phrase));
            let strengths: Vec<f64> = strengths.collect();
            match strengths.iter().all(|strength| *strength > 0.0) {
                true => strengths.iter().sum::<f64>() / strengths.len().max(1) as f64,
                false => 0.0,
            }
        };
        best_loose_matches(self.documents.iter().enumerate().map(strength))
    }

    /// The BM25 score of each document.
    fn bm25(&self, terms: &[Term], worths: &[f64]) -> Vec<f64> {
        let mut scores = vec![0.0; self.documents.len()];
        for (term, worth) in terms.iter().zip(worths) {
            for posting in self.postings.get(&term.key).map(Vec::as_slice).unwrap_or_default() {
                let length = self.documents[posting.document].len() as f64 / self.average_length;
                let damping = SATURATION * (1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length);
                scores[posting.document] +=
                    term.weight * worth * posting.weight * (SATURATION + 1.0) / (posting.weight + damping);
            }
        }
        scores
    }
}

/// The best loose matches, from the strength of each document.
fn best_loose_matches(strengths: impl Iterator<Item = f64>) -> Vec<RankedDocument> {
    let enough = strengths.enumerate().filter(|(_, answered)| *answered >= NEEDED_OF_LOOSE);
    let of_loose =
        |(index, answered)| RankedDocument { index, answered, score: answered * LOOSE_FACTOR, has_all: true };
    let mut ranked: Vec<RankedDocument> = enough.map(of_loose).collect();
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.index.cmp(&other.index)));
    ranked.truncate(MOST_LOOSE);
    ranked
}

/// The phrases of a query in groups: "and" and "or" join phrases to a group.
fn groups(phrases: &[Phrase]) -> impl Iterator<Item = &[Phrase]> {
    phrases.chunk_by(|_, next| next.link != Link::None)
}

/// For each group of phrases, the strength of a document with these strengths for the phrases, and the group's worth.
fn group_strengths(phrases: &[Phrase], strengths: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    let mut at = 0;
    groups(phrases).map(move |group| {
        let strengths = &strengths[at..at + group.len()];
        at += group.len();
        let worth = group.iter().map(|phrase| phrase.worth).fold(0.0, f64::max);
        let is_of_kind = group.iter().any(|phrase| phrase.link == Link::Other);
        let counts = |strength: &f64| !is_of_kind || *strength >= 1.0;
        let (own, others) = strengths.split_at(1);
        let own = own.iter().copied().filter(counts);
        let most = own.chain(others.iter().copied()).fold(0.0, f64::max);
        let mean = strengths.iter().sum::<f64>() / group.len() as f64;
        let is_choice = is_of_kind || group.iter().any(|phrase| phrase.link == Link::Or);
        (if is_choice { most } else { BEST_WEIGHT * most + (1.0 - BEST_WEIGHT) * mean }, worth)
    })
}

/// The worth of the query that a document with these strengths for the phrases answers.
fn answer(phrases: &[Phrase], strengths: &[f64]) -> f64 {
    group_strengths(phrases, strengths).map(|(strength, worth)| strength * worth).sum()
}

/// The content terms of a query, in lower case, each once, in order. Filler words ("latest news about") are left out
/// unless there are no others. Chinese and Japanese give pairs of characters.
pub fn query_terms(query: &str) -> Vec<String> {
    terms_of(query).into_iter().map(|term| term.text).collect()
}

/// The documents that answer the query as (0-based index, score), best first. Equal scores keep the order of the input.
pub fn rank(query: &str, documents: &[Document<'_>]) -> Vec<(usize, f64)> {
    Collection::new(documents).rank(query)
}

/// Like [`rank`], for candidates from a larger library with known frequencies: a word that is rare among the candidates
/// may be common in the library, and the reverse.
pub fn rank_within(query: &str, candidates: &[Document<'_>], library: &Frequencies) -> Vec<(usize, f64)> {
    let documents = library.documents.max(candidates.len());
    let (collection, terms) = (Collection::new(candidates), terms_of(query));
    // The library's index may count only one form of a word; the candidates are counted by stem.
    let here = |term: &Term| collection.postings.get(&term.key).map_or(0, Vec::len);
    let counted = library.holding.iter().copied().chain(std::iter::repeat(0));
    let holding: Vec<usize> = terms.iter().zip(counted).map(|(term, known)| known.max(here(term))).collect();
    collection.score(&terms, &unspaced::words_of(query), &holding, documents)
}

#[cfg(test)]
mod subject_tests;
#[cfg(test)]
mod tests;
