//! Orders documents by how well they answer a query, and leaves out those that do not answer it.
//!
//! BM25 over stems, the title weighing more, with a bonus for words that stand together as in the query.
//! What keeps a library about one subject from answering every question: a document must hold most of what
//! the query's words are worth, and a word is worth the more the fewer documents have it. Chinese and
//! Japanese are compared by pairs of characters. Not here: synonyms and meaning; of short forms only the
//! usual ones of the field ("RAG") stand for their words.

use crate::known_words::SHORT_FORMS;
use crate::stop_words::{is_filler, is_stop};
use crate::tokens::{ByKey, Token, TokenKind, each_pair, each_token, normal, singular, stem_key};
use std::sync::OnceLock;

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
    /// Stems of each document in their order, a mark between title and body.
    sequences: Vec<Vec<u64>>,
    average_length: f64,
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
/// Share of the query's worth that a document must hold.
const NEEDED_COVERAGE: f64 = 0.6;
/// Share of the best score below which a match is taken for incidental: for one word, and for several.
const NEEDED_SHARE_OF_BEST: [f64; 2] = [0.6, 0.4];
/// Of several terms two must stand within so many words of each other somewhere.
const NEARNESS: usize = 8;
/// Terms of a query beyond which the rest is not read.
const MOST_TERMS: usize = 64;
/// Stands between title and body, so that no phrase crosses them.
const BORDER: u64 = 0;

struct Term {
    key: u64,
    text: String,
    /// Follows the term before it in the query.
    is_adjacent: bool,
    /// Names the whole field ("AI"): it lifts a document but none must have it.
    is_optional: bool,
}

impl Collection {
    /// Indexes documents. Time and memory are linear in their length.
    pub fn new(documents: &[Document<'_>]) -> Self {
        let mut collection = Self {
            postings: ByKey::default(),
            sequences: Vec::with_capacity(documents.len()),
            average_length: 1.0,
        };
        let mut total = 0;
        for (index, document) in documents.iter().enumerate() {
            let mut sequence = Vec::with_capacity((document.title.len() + document.body.len()) / 6 + 2);
            collection.add(index, document.title, TITLE_WEIGHT, &mut sequence);
            sequence.push(BORDER);
            collection.add(index, document.body, 1.0, &mut sequence);
            total += sequence.len();
            collection.sequences.push(sequence);
        }
        collection.average_length = (total as f64 / documents.len().max(1) as f64).max(1.0);
        collection
    }

    fn add(&mut self, document: usize, text: &str, weight: f64, sequence: &mut Vec<u64>) {
        let text = normal(text);
        let from = sequence.len();
        each_token(&text, 0, text.len(), false, |token| {
            if token.kind != TokenKind::Ideographic {
                sequence.push(token.stem);
            }
        });
        each_pair(&text, |pair| sequence.push(pair));
        for at in from..sequence.len() {
            self.post(sequence[at], document, weight);
            let Some(forms) = short_forms().get(&sequence[at]) else { continue };
            for form in forms {
                match form {
                    Form::Short(words) => words.iter().for_each(|word| self.post(*word, document, weight)),
                    Form::Words(rest, short) => {
                        if sequence[at + 1..].starts_with(rest) {
                            self.post(*short, document, weight);
                        }
                    }
                }
            }
        }
    }

    fn post(&mut self, key: u64, document: usize, weight: f64) {
        let postings = self.postings.entry(key).or_default();
        match postings.last_mut() {
            Some(last) if last.document == document => last.weight += weight,
            _ => postings.push(Posting { document, weight }),
        }
    }

    /// As [`rank`].
    pub fn rank(&self, query: &str) -> Vec<(usize, f64)> {
        let terms = terms_of(query);
        let holding: Vec<usize> =
            terms.iter().map(|term| self.postings.get(&term.key).map_or(0, Vec::len)).collect();
        self.score(&terms, &holding, self.sequences.len())
    }

    fn score(&self, terms: &[Term], holding: &[usize], documents: usize) -> Vec<(usize, f64)> {
        let worths: Vec<f64> = (0..terms.len())
            .map(|index| {
                let holding = holding.get(index).copied().unwrap_or(0).min(documents) as f64;
                (1.0 + (documents as f64 - holding + 0.5) / (holding + 0.5)).ln()
            })
            .collect();
        let is_needed = |index: usize| !terms[index].is_optional;
        let all: f64 =
            worths.iter().enumerate().filter(|(index, _)| is_needed(*index)).map(|(_, worth)| worth).sum();
        let needed = all * NEEDED_COVERAGE;
        let mut scores: Vec<(f64, f64)> = vec![(0.0, 0.0); self.sequences.len()];
        for (term, worth) in terms.iter().zip(&worths) {
            let counted = if term.is_optional { 0.0 } else { *worth };
            for posting in self.postings.get(&term.key).map(Vec::as_slice).unwrap_or_default() {
                let length = self.sequences[posting.document].len() as f64 / self.average_length;
                let damping = SATURATION * (1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length);
                let (score, covered) = &mut scores[posting.document];
                *score += worth * posting.weight * (SATURATION + 1.0) / (posting.weight + damping);
                *covered += counted;
            }
        }
        let mut ranked: Vec<(usize, f64)> = Vec::new();
        for (index, (score, covered)) in scores.iter().enumerate() {
            if *covered > 0.0 && *covered >= needed && self.is_near(index, terms) {
                ranked.push((index, score + self.phrase_bonus(index, terms, &worths)));
            }
        }
        let best = ranked.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        let is_single = terms.iter().filter(|term| !term.is_optional).count() < 2;
        let share = NEEDED_SHARE_OF_BEST[usize::from(!is_single)];
        ranked.retain(|(_, score)| *score >= best * share);
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        ranked
    }

    /// Whether two needed terms, or what stands for them, meet within a few words; a single one needs no other.
    fn is_near(&self, document: usize, terms: &[Term]) -> bool {
        let mut places: ByKey<usize> = ByKey::default();
        let mut needed = 0;
        for (index, term) in terms.iter().enumerate().filter(|(_, term)| !term.is_optional) {
            needed += 1;
            places.insert(term.key, index);
        }
        if needed < 2 {
            return true;
        }
        for (index, term) in terms.iter().enumerate() {
            for form in short_forms().get(&term.key).into_iter().flatten() {
                let other = match form {
                    Form::Short(words) => words.last().copied(),
                    Form::Words(_, short) => Some(*short),
                };
                if let Some(other) = other {
                    places.entry(other).or_insert(index);
                }
            }
        }
        // A short form stands for several terms at once.
        let stands_for_several = |form: &Form| match form {
            Form::Words(rest, short) if rest.iter().any(|word| places.contains_key(word)) => Some(*short),
            _ => None,
        };
        let several: Vec<u64> = terms
            .iter()
            .flat_map(|term| short_forms().get(&term.key).into_iter().flatten())
            .filter_map(stands_for_several)
            .collect();
        let mut last: Option<(usize, usize)> = None;
        let mut has_two = false;
        for (at, key) in self.sequences[document].iter().enumerate() {
            if several.contains(key) {
                return true;
            }
            let Some(term) = places.get(key).copied() else { continue };
            if let Some((place, other)) = last {
                has_two |= other != term;
                if other != term && at - place <= NEARNESS {
                    return true;
                }
            }
            last = Some((at, term));
        }
        // One term alone that is worth enough needs no neighbour.
        !has_two
    }

    /// Extra score for neighbours of the query that are neighbours in the document; more in its title.
    fn phrase_bonus(&self, document: usize, terms: &[Term], worths: &[f64]) -> f64 {
        let sequence = &self.sequences[document];
        let border = sequence.iter().position(|key| *key == BORDER).unwrap_or(0);
        let mut bonus = 0.0;
        for index in 1..terms.len() {
            if !terms[index].is_adjacent {
                continue;
            }
            let pair = [terms[index - 1].key, terms[index].key];
            if let Some(at) = sequence.windows(2).position(|window| window == pair) {
                let worth = worths[index - 1].min(worths[index]);
                bonus += if at < border { worth * 1.5 } else { worth };
            }
        }
        bonus
    }
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
    Collection::new(candidates).score(&terms_of(query), &library.holding, documents)
}

fn terms_of(query: &str) -> Vec<Term> {
    let query = normal(query);
    let query = &query[..query.floor_char_boundary(4096)];
    let mut tokens: Vec<Token> = Vec::new();
    each_token(query, 0, query.len(), false, |token| tokens.push(token));
    let is_word = |token: &Token| token.kind != TokenKind::Ideographic;
    let written = |token: &Token| query[token.start as usize..token.end as usize].to_lowercase();
    let has_pairs = tokens.iter().any(|token| !is_word(token));
    let is_plain = |token: &Token| is_word(token) && !is_stop(token.key);
    let is_year = |token: &Token| {
        token.kind == TokenKind::Number && token.end - token.start == 4 && written(token).starts_with("20")
    };
    let is_field = |token: &Token| matches!(written(token).as_str(), "ai" | "artificial" | "intelligence");
    let is_telling = |token: &Token| is_plain(token) && !is_filler(token.key) && !is_year(token);
    let has_special = tokens.iter().any(|token| is_telling(token) && !is_field(token)) || has_pairs;
    // Each rule gives way when it would leave nothing to ask for.
    let keeps: &dyn Fn(&Token) -> bool = if has_pairs || tokens.iter().any(is_telling) {
        &is_telling
    } else if tokens.iter().any(is_plain) {
        &is_plain
    } else {
        &is_word
    };
    let mut terms: Vec<Term> = Vec::new();
    let mut last_kept = None;
    for (index, token) in tokens.iter().enumerate() {
        if keeps(token) && terms.len() < MOST_TERMS && terms.iter().all(|term| term.key != token.stem) {
            let is_adjacent = index.checked_sub(1).is_some_and(|before| last_kept == Some(before));
            let is_optional = has_special && is_field(token);
            terms.push(Term { key: token.stem, text: written(token), is_adjacent, is_optional });
            last_kept = Some(index);
        }
    }
    let mut pairs = Vec::new();
    each_pair(query, |pair| pairs.push(pair));
    let mut texts = pair_texts(query).into_iter();
    for key in pairs {
        let text = texts.next().unwrap_or_default();
        if terms.len() < MOST_TERMS && terms.iter().all(|term| term.key != key) {
            terms.push(Term { key, text, is_adjacent: false, is_optional: false });
        }
    }
    terms
}

/// The pairs that `each_pair` visits, as text.
fn pair_texts(query: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for run in query.split(|character| !crate::characters::is_ideographic(character)) {
        let characters: Vec<char> = run.chars().collect();
        match characters.as_slice() {
            [] => {}
            [only] => texts.push(only.to_string()),
            several => texts.extend(several.windows(2).map(|pair| pair.iter().collect::<String>())),
        }
    }
    texts
}

/// What a stem begins.
enum Form {
    /// It is a short form of these words.
    Short(Vec<u64>),
    /// With the words after it, it is what the short form stands for.
    Words(Vec<u64>, u64),
}

fn short_forms() -> &'static ByKey<Vec<Form>> {
    static FORMS: OnceLock<ByKey<Vec<Form>>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let mut forms: ByKey<Vec<Form>> = ByKey::default();
        let key = |word: &str| stem_key(singular(word.as_bytes()));
        for (short, words) in SHORT_FORMS {
            let words: Vec<u64> = words.iter().map(|word| key(word)).collect();
            if let [first, rest @ ..] = words.as_slice() {
                forms.entry(*first).or_default().push(Form::Words(rest.to_vec(), key(short)));
            }
            forms.entry(key(short)).or_default().push(Form::Short(words));
        }
        forms
    })
}

#[cfg(test)]
mod tests;
