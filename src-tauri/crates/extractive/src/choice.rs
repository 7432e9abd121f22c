//! Chooses sentences by maximal marginal relevance: near the topic and the article, and unlike those already chosen
//! (Carbonell and Goldstein, 1998).

use prose::count_words;

use crate::article::{Article, Quotable};
use crate::language::Language;
use crate::meaning::{Meaning, Measure};
use crate::standing::is_own_work;

/// What nearness to the topic and to the article weigh, and what likeness to a chosen sentence costs.
const OF_TOPIC: f64 = 0.5;
const OF_ARTICLE: f64 = 0.5;
const OF_LIKENESS: f64 = 0.4;
/// What it adds that writers state their own work, and that a sentence has a figure.
const OF_OWN_WORK: f64 = 0.15;
const OF_FIGURE: f64 = 0.08;
/// What the first sentence of an article gets for its place; the tenth gets nothing. If the writers state their own work
/// further down, the sentences before it tell what was known before, and lose this.
const OF_BEGINNING: f64 = 0.15;
const BEGINNING: f64 = 10.0;
/// Most sentences of an abstract.
const ABSTRACT: usize = 15;
/// Characters of an article that its meaning is taken from.
const READ: usize = 3_000;
/// Most sentences that one article is quoted with.
pub(crate) const MOST_QUOTED: usize = 4;
/// Characters of Chinese and Japanese that say as much as one word.
const CHARACTERS_A_WORD: usize = 2;

/// An article with its sentences, best first.
pub(crate) struct Ranked {
    /// How near its title and its text are to the topic.
    pub(crate) nearness: f64,
    pub(crate) language: Language,
    /// The sentences that can be quoted, best first.
    pub(crate) best: Vec<Quotable>,
}

impl Ranked {
    pub(crate) fn new(article: &Article<'_>, topic: &str, measure: &Measure) -> Ranked {
        let quotable = article.quotable();
        let whole = format!("{}. {}", article.title, article.text);
        let whole = measure.of(&whole[..whole.floor_char_boundary(READ)]);
        let topic = measure.of(topic);
        let meanings: Vec<Meaning<'_>> = quotable.iter().map(|one| measure.of(&one.text)).collect();
        // An abstract is short; in a longer text "we" may stand anywhere.
        let own_work = quotable.iter().position(|sentence| is_own_work(&sentence.text));
        let own_work = own_work.filter(|_| quotable.len() <= ABSTRACT);
        let of_place = |place: usize, sentence: &Quotable| match own_work {
            Some(own) if place < own => -OF_BEGINNING,
            Some(_) => 0.0,
            None => OF_BEGINNING * (1.0 - sentence.index as f64 / BEGINNING).max(0.0),
        };
        let worth: Vec<f64> = quotable
            .iter()
            .zip(&meanings)
            .enumerate()
            .map(|(place, (sentence, meaning))| {
                let bonus = |holds: bool, worth: f64| if holds { worth } else { 0.0 };
                OF_TOPIC * meaning.nearness(&topic)
                    + OF_ARTICLE * meaning.nearness(&whole)
                    + bonus(is_own_work(&sentence.text), OF_OWN_WORK)
                    + bonus(sentence.text.chars().any(char::is_numeric), OF_FIGURE)
                    + of_place(place, sentence)
            })
            .collect();
        let order = by_marginal_relevance(&worth, |one, other| meanings[one].nearness(&meanings[other]));
        let best = order.into_iter().map(|place| quotable[place].clone()).collect();
        let title = measure.of(article.title);
        let nearness = whole.nearness(&topic).max(title.nearness(&topic));
        Ranked { nearness, language: article.language(), best }
    }

    /// The best sentences that together have at most this many words, in their order in the article.
    pub(crate) fn quoted(&self, most: usize, max_words: usize) -> Vec<Quotable> {
        let mut left = max_words * if self.language.is_dense() { CHARACTERS_A_WORD } else { 1 };
        let mut chosen: Vec<Quotable> = Vec::new();
        while chosen.len() < most {
            let next = self.best.iter().find(|sentence| {
                let is_behind = |one: &Quotable| one.index + 1 == sentence.index;
                !chosen.contains(sentence)
                    && count_words(&sentence.text) <= left
                    && (!sentence.is_leaning || chosen.iter().any(is_behind))
            });
            let Some(next) = next else { break };
            left -= count_words(&next.text);
            chosen.push(next.clone());
        }
        chosen.sort_by_key(|sentence| sentence.index);
        chosen
    }
}

/// Places in the order in which they are best taken: each time the one whose worth, less its likeness to the nearest
/// one already taken, is largest.
fn by_marginal_relevance(worth: &[f64], likeness: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut left: Vec<(usize, f64)> = (0..worth.len()).map(|place| (place, 0.0)).collect();
    let mut order = Vec::with_capacity(worth.len());
    while !left.is_empty() {
        let value = |(place, like): &(usize, f64)| worth[*place] - OF_LIKENESS * like;
        let best =
            (0..left.len()).fold(0, |best, at| if value(&left[at]) > value(&left[best]) { at } else { best });
        let (taken, _) = left.remove(best);
        for (place, like) in &mut left {
            *like = like.max(likeness(*place, taken));
        }
        order.push(taken);
    }
    order
}

/// The one or two sentences of a text that say most about a query, in their order, with at most `max_words` words
/// together (twice as many characters of Chinese or Japanese). Empty if no sentence fits or can be quoted. Nearness is
/// measured by shared words: agents call this outside of effects, where the result must be the same on every machine.
pub fn extract(text: &str, query: &str, max_words: usize) -> String {
    let article = Article { title: "", source: "", published: "", text };
    let ranked = Ranked::new(&article, query, &Measure::by_words());
    let chosen: Vec<String> = ranked.quoted(2, max_words).into_iter().map(|sentence| sentence.text).collect();
    chosen.join(ranked.language.blank())
}

/// The sentences of an article that say most about a query: passages of neighbouring sentences, in their order, with at
/// most `max_words` words together (twice as many characters of Chinese or Japanese). Empty if none can be quoted.
pub fn quotation(article: &Article<'_>, query: &str, max_words: usize) -> Vec<String> {
    let ranked = Ranked::new(article, query, &Measure::by_encoder());
    passages(&ranked.quoted(MOST_QUOTED, max_words), ranked.language)
}

/// Joins sentences that are neighbours in their article.
pub(crate) fn passages(chosen: &[Quotable], language: Language) -> Vec<String> {
    let neighbours = chosen.chunk_by(|one, other| one.index + 1 == other.index);
    let joined = |passage: &[Quotable]| {
        passage.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(language.blank())
    };
    neighbours.map(joined).collect()
}
