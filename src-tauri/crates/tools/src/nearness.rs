//! How likely it is, by what they mean, that articles answer a query: for those that tell it in other words, or in another
//! language.
//!
//! The figures were fitted to 392 topics with, for each, the articles of sixty that a person marked as wanted.

use std::sync::Arc;

use embedding::{Embedding, Encoder};
use prose::{Document, beside_field, is_of_field, without_title};

/// The logarithm of the odds: per cosine, per standard deviation above the other articles, and of none of both.
const PER_COSINE: f64 = 2.7;
const PER_DEVIATION: f64 = 1.91;
const OTHERWISE: f64 = -6.05;
/// What is usual among articles that have nothing to do with a query, and as how many articles that counts.
const USUAL_MEAN: f64 = 0.07;
const USUAL_DEVIATION: f64 = 0.07;
const USUAL_COUNT: f64 = 20.0;
/// How likely an article must answer what is asked for beside the field.
const BESIDE_FIELD: f64 = 0.1;
/// The model, and what it is given of an article: what was kept of another is of no use.
pub(crate) const MODEL: &str = "use-multilingual-3/1";
/// The most that counts as usual: in a library about one thing, all articles are near to it.
const MOST_USUAL: f64 = 0.15;
/// Characters of a text that are read after its title; of those that write without blanks a character counts three times.
const BEGINNING: usize = 1_500;

/// A query beside a library.
pub(crate) struct Nearness {
    encoder: Arc<Encoder>,
    /// The whole query, and what it asks for beside the field.
    asked: Asked,
    beside_field: Option<Asked>,
}

/// Something asked for, and how near the articles of a library usually are to it.
struct Asked {
    meaning: Embedding,
    mean: f64,
    deviation: f64,
}

impl Asked {
    fn new(query: &str, encoder: &Encoder) -> Asked {
        Asked { meaning: encoder.encode(query), mean: USUAL_MEAN, deviation: USUAL_DEVIATION }
    }

    fn compare<'a>(&mut self, library: impl Iterator<Item = &'a Embedding>) {
        let near: Vec<f64> = library.map(|article| self.meaning.nearness(article)).collect();
        let count = near.len() as f64 + USUAL_COUNT;
        let mean = (near.iter().sum::<f64>() + USUAL_MEAN * USUAL_COUNT) / count;
        self.mean = mean.min(MOST_USUAL);
        let apart = |near: &f64| (near - mean).powi(2);
        let usual = USUAL_DEVIATION.powi(2) * USUAL_COUNT;
        self.deviation = ((near.iter().map(apart).sum::<f64>() + usual) / count).sqrt();
    }

    /// How many standard deviations an article is nearer than others.
    fn deviations(&self, article: &Embedding) -> f64 {
        (self.meaning.nearness(article) - self.mean) / self.deviation
    }

    fn likelihood(&self, article: &Embedding) -> f64 {
        let near = self.meaning.nearness(article);
        let odds = PER_COSINE * near + PER_DEVIATION * self.deviations(article) + OTHERWISE;
        1.0 / (1.0 + (-odds).exp())
    }
}

impl Nearness {
    /// Of a query to anything, before it is known how near the articles of the library usually are.
    pub(crate) fn to(query: &str, encoder: Arc<Encoder>) -> Nearness {
        let asked = Asked::new(query, &encoder);
        let beside_field = beside_field(query).map(|asked| Asked::new(&asked, &encoder));
        Nearness { encoder, asked, beside_field }
    }

    /// The embedding of an article: its title, which tells most, and how its text begins.
    pub(crate) fn embedding(&self, title: &str, text: &str) -> Embedding {
        self.encoder.encode(&format!("{title}. {title}. {}", beginning(without_title(text, title))))
    }

    /// Learns how near the articles of a library usually are to the query.
    pub(crate) fn compare<'a>(&mut self, library: impl Iterator<Item = &'a Embedding> + Clone) {
        for asked in std::iter::once(&mut self.asked).chain(&mut self.beside_field) {
            asked.compare(library.clone());
        }
    }

    /// How likely such an article answers the query, from 0 to 1.
    pub(crate) fn likelihood(&self, article: &Embedding) -> f64 {
        self.asked.likelihood(article)
    }

    /// Whether such an article has to do with what is asked for beside the field, where a query names the field: a course of
    /// machine learning has nothing to do with quantum machine learning, and neither have quantum dots.
    pub(crate) fn fits_field(&self, document: Document<'_>, article: &Embedding) -> bool {
        let Some(asked) = &self.beside_field else { return true };
        asked.likelihood(article) >= BESIDE_FIELD && is_of_field(document)
    }
}

/// The beginning of a text, to the character.
fn beginning(text: &str) -> &str {
    let mut room = BEGINNING;
    for (at, character) in text.char_indices() {
        let size = if ('\u{2e80}'..='\u{ffef}').contains(&character) { 3 } else { 1 };
        let Some(left) = room.checked_sub(size) else { return &text[..at] };
        room = left;
    }
    text
}
