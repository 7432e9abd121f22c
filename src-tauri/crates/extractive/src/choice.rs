//! Chooses sentences by maximal marginal relevance (Carbonell and Goldstein, 1998): near the topic and the article, and
//! unlike the sentences already chosen.

use prose::count_words;

use crate::article::{Article, QuotableSentence};
use crate::language::Language;
use crate::meaning::{Meaning, Measure};
use crate::sentence_filter::is_own_work;

/// Weights of the nearness to the topic and to the article, and of the likeness to a chosen sentence, a penalty.
const TOPIC_WEIGHT: f64 = 0.5;
const ARTICLE_WEIGHT: f64 = 0.5;
const LIKENESS_PENALTY: f64 = 0.4;
/// Added if a sentence reports the authors' own work, and if it has a figure.
const OWN_WORK_BONUS: f64 = 0.15;
const FIGURE_BONUS: f64 = 0.08;
/// Added for the first sentence of an article, decreasing to nothing at the eleventh. If an abstract comes to its own
/// work later, the sentences before report earlier work: there it is subtracted.
const BEGINNING_BONUS: f64 = 0.15;
const BEGINNING_SENTENCES: f64 = 10.0;
/// Most quotable sentences of an article that counts as an abstract.
const MOST_ABSTRACT_SENTENCES: usize = 15;
/// Most bytes of an article that its meaning is computed from.
const MOST_BYTES_READ: usize = 3_000;
/// Most quoted sentences of one article.
pub(crate) const MOST_QUOTED: usize = 4;
/// Characters of Chinese and Japanese that count as one word in a limit.
const CHARACTERS_PER_WORD: usize = 2;

/// An article with its quotable sentences, best first.
pub(crate) struct RankedArticle {
    /// Nearness of its title or its text, whichever is greater, to the topic.
    pub(crate) nearness: f64,
    pub(crate) language: Language,
    /// The sentences that can be quoted, best first.
    pub(crate) best: Vec<QuotableSentence>,
}

impl RankedArticle {
    pub(crate) fn new(article: &Article<'_>, topic: &str, measure: &Measure) -> RankedArticle {
        let quotable = article.quotable();
        let whole = format!("{}. {}", article.title, article.text);
        let whole = measure.of(&whole[..whole.floor_char_boundary(MOST_BYTES_READ)]);
        let topic = measure.of(topic);
        let meanings: Vec<Meaning<'_>> = quotable.iter().map(|one| measure.of(&one.text)).collect();
        // Only in an abstract does "we" show where the authors' own work begins.
        let own_work = quotable.iter().position(|sentence| is_own_work(&sentence.text));
        let own_work = own_work.filter(|_| quotable.len() <= MOST_ABSTRACT_SENTENCES);
        let of_place = |place: usize, sentence: &QuotableSentence| match own_work {
            Some(own) if place < own => -BEGINNING_BONUS,
            Some(_) => 0.0,
            None => BEGINNING_BONUS * (1.0 - sentence.index as f64 / BEGINNING_SENTENCES).max(0.0),
        };
        let worth: Vec<f64> = quotable
            .iter()
            .zip(&meanings)
            .enumerate()
            .map(|(place, (sentence, meaning))| {
                let bonus = |holds: bool, worth: f64| if holds { worth } else { 0.0 };
                TOPIC_WEIGHT * meaning.nearness(&topic)
                    + ARTICLE_WEIGHT * meaning.nearness(&whole)
                    + bonus(is_own_work(&sentence.text), OWN_WORK_BONUS)
                    + bonus(sentence.text.chars().any(char::is_numeric), FIGURE_BONUS)
                    + of_place(place, sentence)
            })
            .collect();
        let order = by_marginal_relevance(&worth, |one, other| meanings[one].nearness(&meanings[other]));
        let best = order.into_iter().map(|place| quotable[place].clone()).collect();
        let title = measure.of(article.title);
        let nearness = whole.nearness(&topic).max(title.nearness(&topic));
        RankedArticle { nearness, language: article.language(), best }
    }

    /// The best sentences, at most `most`, with at most `max_words` words together, in the order of the article.
    pub(crate) fn quoted(&self, most: usize, max_words: usize) -> Vec<QuotableSentence> {
        let mut left = max_words * if self.language.is_unspaced() { CHARACTERS_PER_WORD } else { 1 };
        let mut chosen: Vec<QuotableSentence> = Vec::new();
        while chosen.len() < most {
            let next = self.best.iter().find(|sentence| {
                let is_behind = |one: &QuotableSentence| one.index + 1 == sentence.index;
                !chosen.contains(sentence)
                    && count_words(&sentence.text) <= left
                    && (!sentence.depends_on_previous || chosen.iter().any(is_behind))
            });
            let Some(next) = next else { break };
            left -= count_words(&next.text);
            chosen.push(next.clone());
        }
        chosen.sort_by_key(|sentence| sentence.index);
        chosen
    }
}

/// Indices in the order of maximal marginal relevance: each time the one with the largest worth minus its greatest
/// likeness to an index already taken.
fn by_marginal_relevance(worth: &[f64], likeness: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let mut left: Vec<(usize, f64)> = (0..worth.len()).map(|place| (place, 0.0)).collect();
    let mut order = Vec::with_capacity(worth.len());
    while !left.is_empty() {
        let value = |(place, like): &(usize, f64)| worth[*place] - LIKENESS_PENALTY * like;
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

/// The one or two sentences of a text that are most relevant to a query, in their order, with at most `max_words` words
/// together (twice as many characters of Chinese or Japanese). Empty if no sentence fits or can be quoted. Nearness is
/// measured by shared words: agents call this outside of effects, so the result must be the same on every machine.
pub fn extract(text: &str, query: &str, max_words: usize) -> String {
    let article = Article { title: "", source: "", published: "", text };
    let ranked = RankedArticle::new(&article, query, &Measure::by_words());
    let chosen: Vec<String> = ranked.quoted(2, max_words).into_iter().map(|sentence| sentence.text).collect();
    chosen.join(ranked.language.blank())
}

/// The sentences of an article that are most relevant to a query, neighbouring ones joined to passages, in their order,
/// with at most `max_words` words together (twice as many characters of Chinese or Japanese). Empty if none fits.
pub fn quotation(article: &Article<'_>, query: &str, max_words: usize) -> Vec<String> {
    let ranked = RankedArticle::new(article, query, &Measure::by_encoder());
    passages(&ranked.quoted(MOST_QUOTED, max_words), ranked.language)
}

/// Joins sentences that follow each other in their article.
pub(crate) fn passages(chosen: &[QuotableSentence], language: Language) -> Vec<String> {
    let neighbours = chosen.chunk_by(|one, other| one.index + 1 == other.index);
    let joined = |passage: &[QuotableSentence]| {
        passage.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(language.blank())
    };
    neighbours.map(joined).collect()
}
