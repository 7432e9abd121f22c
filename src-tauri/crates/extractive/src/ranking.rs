//! Orders documents by how well they answer a query, and leaves out those that do not answer it.
//!
//! A query is cut into the phrases it names ("text-to-SQL", "low-resource languages"). A document is about a phrase when
//! its title has it, or its opening, or several of its sentences; most of a phrase, by the worth of its words, has to
//! stand together, and a word is worth the more the fewer documents have it. What merely mentions the topic is left
//! out, and so is what answers much less of it than the best. BM25 over stems orders what is left. Chinese and Japanese
//! are compared by pairs of characters. Short forms stand for their words, the usual ones of the field ("RAG") and those
//! that the documents define ("vision-language-action (VLA)"), and related words for nearly the same or a kind of it.
//! Where nothing is plainly about a query, few documents are taken that tell each of its words by itself.

mod aboutness;
mod apart;
mod dense;
mod field;
mod indexed;
mod query;
mod short_forms;
mod ways;

use aboutness::{OPENING, is_told_of_field, loose_strength, strength};
use dense::DenseWord;
use indexed::{IndexedDocument, Word};
use prose::tokens::{ByKey, normal};
use prose::without_title;
use query::{Link, Phrase, Term, phrases, terms_of};
use short_forms::ShortForms;

pub use apart::rank_apart;
pub use field::{beside_field, is_of_field};
pub use short_forms::{is_known_word, read_related_words, wider_query};

/// One document to rank.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Weighs more than the body.
    pub title: &'a str,
    /// The text.
    pub body: &'a str,
}

/// How common the terms of a query are in a library of which only candidates are ranked.
#[derive(Clone, Debug)]
pub struct Frequencies {
    /// Documents in the whole library.
    pub documents: usize,
    /// For each of [`query_terms`], in order, how many documents of the library contain it.
    pub holding: Vec<usize>,
}

/// Documents indexed once for many queries.
pub struct Collection {
    postings: ByKey<Vec<Posting>>,
    documents: Vec<IndexedDocument>,
    average_length: f64,
    short_forms: ShortForms,
}

/// A document that answers a query.
struct Ranked {
    index: usize,
    /// How much of the query it answers.
    answered: f64,
    score: f64,
    /// Whether it tells something of each phrase.
    has_all: bool,
}

#[derive(Clone, Copy)]
struct Posting {
    document: usize,
    weight: f64,
}

/// How much an occurrence in the title counts against one in the body.
const TITLE_WEIGHT: f64 = 2.5;
/// BM25: how soon more occurrences of a word stop adding.
const SATURATION: f64 = 1.2;
/// BM25: how much length is held against a document.
const LENGTH_PENALTY: f64 = 0.6;
/// Worth beyond which a rarer word counts no more.
const MOST_WORTH: f64 = 5.0;
/// How much of the query a document must answer: of one phrase, of two, and of more.
const NEEDED: [f64; 3] = [0.5, 0.55, 0.5];
/// The same of a long account, of which each phrase is one of many things; its first is what it is about.
const NEEDED_OF_LONG: f64 = 0.4;
const NEEDED_OF_FIRST: f64 = 0.6;
/// The same of at least one of its others.
const NEEDED_OF_ANOTHER: f64 = 0.02;
/// Terms from which a query is a long account.
const LONG: usize = 8;
/// How much a document must tell of each part of a query that is no long account.
const NEEDED_OF_EACH: f64 = 0.1;
/// The same where a query names nothing but the field.
const OF_FIELD: f64 = 0.9;
/// Share of what the best one answers below which a match is taken for incidental.
const NEEDED_SHARE_OF_BEST: f64 = 0.65;
/// The same where so many documents answer a single phrase fully.
const NEEDED_SHARE_OF_FULL: f64 = 0.9;
const ENOUGH: usize = 3;
/// How much of what is asked for such a document must tell.
const NEEDED_OF_LOOSE: f64 = 0.57;
/// What such a document scores against one that is plainly about all of it.
const LOOSE: f64 = 0.8;
/// Documents that are taken where none is plainly about what is asked for.
const MOST_LOOSE: usize = 2;
/// What an article that is about one of the things between which "and" stands has of all of them.
const OF_ONE: f64 = 0.15;
/// How much of a compound such as "text-to-image" a document must have when the query names one.
const NEEDED_OF_COMPOUND: f64 = 0.25;
/// The same of a kind of work, when the query asks for works of that kind.
const NEEDED_OF_KIND: f64 = 0.5;

/// Words that a document adds to those of the others, about.
const NEW_WORDS: usize = 32;

impl Collection {
    /// Indexes documents. Time and memory are linear in their length.
    pub fn new(documents: &[Document<'_>]) -> Self {
        let mut collection = Self {
            postings: ByKey::with_capacity_and_hasher(documents.len() * NEW_WORDS, Default::default()),
            documents: Vec::with_capacity(documents.len()),
            average_length: 1.0,
            short_forms: ShortForms::of(documents),
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
        let Self { postings, short_forms, .. } = self;
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
            // What is only related is looked for by the ways to say a topic.
            for form in short_forms.same_of_word(word.key) {
                let following = words[at + 1..].iter().map(|word| word.key);
                if following.take(form.rest.len()).eq(form.rest.iter().copied()) {
                    form.other.iter().for_each(|word| post(*word));
                }
            }
        }
    }

    /// As [`rank`].
    pub fn rank(&self, query: &str) -> Vec<(usize, f64)> {
        let terms = terms_of(query);
        let holding: Vec<usize> =
            terms.iter().map(|term| self.postings.get(&term.key).map_or(0, Vec::len)).collect();
        self.score(&terms, &dense::words_of(query), &holding, self.documents.len())
    }

    fn score(
        &self,
        terms: &[Term],
        dense: &[DenseWord],
        holding: &[usize],
        documents: usize,
    ) -> Vec<(usize, f64)> {
        let worths: Vec<f64> = (0..terms.len())
            .map(|index| {
                let is_pair = terms[index].text.chars().next().is_some_and(prose::is_ideographic);
                // A pair that no document has mostly stands across two words.
                let known = if is_pair && holding.get(index) == Some(&0) { 0.4 } else { 1.0 };
                let holding = holding.get(index).copied().unwrap_or(0).min(documents) as f64;
                (1.0 + (documents as f64 - holding + 0.5) / (holding + 0.5)).ln().min(MOST_WORTH) * known
            })
            .collect();
        let scores = self.bm25(terms, &worths);
        let most = scores.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        let mut phrases = phrases(terms, &worths, &self.short_forms);
        // What fits anything decides nothing beside what does not.
        if phrases.iter().any(|phrase| phrase.is_telling) {
            phrases.retain(|phrase| phrase.is_telling);
        }
        let (all, asked) = (answer(&phrases, &vec![1.0; phrases.len()]), groups(&phrases).count());
        if all <= 0.0 {
            return Vec::new();
        }
        // The name of the whole field stands in nearly everything: only titles tell what is about it.
        let is_field = terms.iter().all(|term| term.is_field);
        let names_field = terms.iter().any(|term| term.is_field && term.weight < 1.0);
        let has_choice = phrases.iter().any(|phrase| matches!(phrase.link, Link::Or | Link::Other));
        let is_long = terms.len() >= LONG && asked > 1;
        let needed = match (is_field, is_long) {
            (true, _) => OF_FIELD,
            (_, true) => NEEDED_OF_LONG,
            _ => NEEDED[(asked - 1).min(2)],
        };
        let mut ranked: Vec<Ranked> = Vec::new();
        let asks_for_more = asked > 1;
        let mut has_word = vec![false; self.documents.len()];
        for key in phrases.iter().flat_map(|phrase| &phrase.ways).flat_map(|way| &way.keys) {
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
                !(phrase.is_affair && document.is_research())
                    && (!phrase.is_compound || *strength >= NEEDED_OF_COMPOUND)
                    && (!phrase.is_long() || *strength >= NEEDED_OF_EACH)
                    && (!(phrase.is_kind && asks_for_more) || *strength >= NEEDED_OF_KIND)
                    && (is_field || !phrase.is_of_field || is_told_of_field(document, phrase))
            });
            let is_wanted = is_wanted && (is_field || !names_field || document.is_of_field(OPENING));
            let mut of_groups = strengths_of_groups(&phrases, &strengths);
            let is_wanted = is_wanted
                && match is_long {
                    true => {
                        of_groups.next().is_none_or(|(first, _)| first >= NEEDED_OF_FIRST)
                            && of_groups.any(|(strength, _)| strength >= NEEDED_OF_ANOTHER)
                    }
                    false => of_groups.all(|(strength, _)| strength >= NEEDED_OF_EACH),
                };
            // "OCR" in a topic in Japanese is only a part of it.
            let is_wanted = is_wanted && (dense.is_empty() || dense::tells_any(document, dense));
            let answered = answer(&phrases, &strengths) / all;
            if is_wanted && answered >= needed {
                let has_all = strengths.iter().all(|strength| *strength >= NEEDED_OF_EACH);
                let score = answered * (1.0 + 0.5 * score / most);
                ranked.push(Ranked { index, answered, score, has_all });
            }
        }
        if ranked.is_empty() && !dense.is_empty() {
            let strength = |document: &IndexedDocument| dense::strength(document, dense);
            ranked = loosest(self.documents.iter().map(strength));
        } else if ranked.is_empty() && !is_field && !is_long {
            ranked = self.loosely(&phrases, &has_word, names_field);
        }
        // Where an article is about all that is asked for, those about a part of it are not wanted.
        if !is_long && ranked.iter().any(|one| one.has_all) {
            ranked.retain(|one| one.has_all || has_choice);
        }
        let best = ranked.iter().map(|one| one.answered).fold(0.0, f64::max);
        let full = ranked.iter().filter(|one| one.answered >= best * NEEDED_SHARE_OF_FULL).count();
        let is_plenty = phrases.len() == 1 && full >= ENOUGH;
        let share = if is_plenty { NEEDED_SHARE_OF_FULL } else { NEEDED_SHARE_OF_BEST };
        ranked.retain(|one| one.answered >= best * share);
        ranked.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.index.cmp(&other.index)));
        ranked.into_iter().map(|one| (one.index, one.score)).collect()
    }

    /// The few documents that have all words of each phrase, where none is plainly about them.
    fn loosely(&self, phrases: &[Phrase], has_word: &[bool], names_field: bool) -> Vec<Ranked> {
        let is_affair = phrases.iter().any(|phrase| phrase.is_affair);
        let strength = |(index, document): (usize, &IndexedDocument)| {
            let is_wanted = has_word[index]
                && (!names_field || document.is_of_field(u32::MAX))
                && !(is_affair && document.is_research());
            let strengths =
                phrases.iter().filter(|_| is_wanted).map(|phrase| loose_strength(document, phrase));
            let strengths: Vec<f64> = strengths.collect();
            match strengths.iter().all(|strength| *strength > 0.0) {
                true => strengths.iter().sum::<f64>() / strengths.len().max(1) as f64,
                false => 0.0,
            }
        };
        loosest(self.documents.iter().enumerate().map(strength))
    }

    /// For each document how often it has which of the terms.
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

/// The few documents that tell most of a query, by how much each of all tells of it.
fn loosest(strengths: impl Iterator<Item = f64>) -> Vec<Ranked> {
    let enough = strengths.enumerate().filter(|(_, answered)| *answered >= NEEDED_OF_LOOSE);
    let of_loose = |(index, answered)| Ranked { index, answered, score: answered * LOOSE, has_all: true };
    let mut ranked: Vec<Ranked> = enough.map(of_loose).collect();
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.index.cmp(&other.index)));
    ranked.truncate(MOST_LOOSE);
    ranked
}

/// The phrases of a query, those together that are tied by "and" or "or".
fn groups(phrases: &[Phrase]) -> impl Iterator<Item = &[Phrase]> {
    phrases.chunk_by(|_, next| next.link != Link::None)
}

/// How much a document says about each group that is about each phrase to such a degree, and what the group is worth.
fn strengths_of_groups(phrases: &[Phrase], strengths: &[f64]) -> impl Iterator<Item = (f64, f64)> {
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
        (if is_choice { most } else { OF_ONE * most + (1.0 - OF_ONE) * mean }, worth)
    })
}

/// How much of a query such a document answers.
fn answer(phrases: &[Phrase], strengths: &[f64]) -> f64 {
    strengths_of_groups(phrases, strengths).map(|(strength, worth)| strength * worth).sum()
}

/// The terms of a query that carry meaning, in lower case, each once, in order. Words that only wrap a topic
/// ("latest news about") are left out unless there are no others; of Chinese and Japanese, pairs.
pub fn query_terms(query: &str) -> Vec<String> {
    terms_of(query).into_iter().map(|term| term.text).collect()
}

/// Documents that answer the query, best first, as (index, score); the others are left out. Equal scores keep
/// the order of the input.
pub fn rank(query: &str, documents: &[Document<'_>]) -> Vec<(usize, f64)> {
    Collection::new(documents).rank(query)
}

/// As [`rank`], for candidates out of a larger library whose frequencies are known: what is rare among the
/// candidates may be common in the library, and the other way round.
pub fn rank_within(query: &str, candidates: &[Document<'_>], library: &Frequencies) -> Vec<(usize, f64)> {
    let documents = library.documents.max(candidates.len());
    let (collection, terms) = (Collection::new(candidates), terms_of(query));
    // A library may count only what is written alike; the candidates have the other forms of a word too.
    let here = |term: &Term| collection.postings.get(&term.key).map_or(0, Vec::len);
    let counted = library.holding.iter().copied().chain(std::iter::repeat(0));
    let holding: Vec<usize> = terms.iter().zip(counted).map(|(term, known)| known.max(here(term))).collect();
    collection.score(&terms, &dense::words_of(query), &holding, documents)
}

#[cfg(test)]
mod subject_tests;
#[cfg(test)]
mod tests;
