//! Estimates from embeddings how likely articles answer a query, for articles that use other words or another language.
//!
//! The constants were fitted to 392 topics; for each, a person marked the wanted ones of sixty articles.

use std::sync::Arc;

use embedding::{Embedding, Encoder};
use extractive::{Document, beside_field, is_of_field};
use prose::without_title;

/// The logit: its weight per cosine, per standard deviation above the other articles, and its constant.
const PER_COSINE: f64 = 2.7;
const PER_DEVIATION: f64 = 1.91;
const INTERCEPT: f64 = -6.05;
/// The prior for unrelated articles, and the number of articles that it weighs as.
const PRIOR_MEAN: f64 = 0.07;
const PRIOR_DEVIATION: f64 = 0.07;
const PRIOR_COUNT: f64 = 20.0;
/// The least likelihood that an article fits what is asked for besides the field.
const LEAST_FIELD_LIKELIHOOD: f64 = 0.1;
/// The version of the model and of its input: stored embeddings of another version are not used.
pub(crate) const MODEL: &str = "use-multilingual-3/1";
/// The cap on the usual mean: in a library about one subject all articles are near each other.
const LARGEST_MEAN: f64 = 0.15;
/// Characters of a text that are embedded after its title; in scripts without spaces a character counts three times.
const BEGINNING: usize = 1_500;

/// A query and its usual distance to a library.
pub(crate) struct Nearness {
    encoder: Arc<Encoder>,
    /// The whole query, and the part that it asks for besides the field.
    asked: QueryText,
    beside_field: Option<QueryText>,
}

/// A query text, with the mean and spread of its nearness to the articles of a library.
struct QueryText {
    meaning: Embedding,
    mean: f64,
    deviation: f64,
}

impl QueryText {
    fn new(query: &str, encoder: &Encoder) -> QueryText {
        QueryText { meaning: encoder.encode(query), mean: PRIOR_MEAN, deviation: PRIOR_DEVIATION }
    }

    fn compare<'a>(&mut self, library: impl Iterator<Item = &'a Embedding>) {
        let near: Vec<f64> = library.map(|article| self.meaning.nearness(article)).collect();
        let count = near.len() as f64 + PRIOR_COUNT;
        let mean = (near.iter().sum::<f64>() + PRIOR_MEAN * PRIOR_COUNT) / count;
        self.mean = mean.min(LARGEST_MEAN);
        let apart = |near: &f64| (near - mean).powi(2);
        let usual = PRIOR_DEVIATION.powi(2) * PRIOR_COUNT;
        self.deviation = ((near.iter().map(apart).sum::<f64>() + usual) / count).sqrt();
    }

    /// By how many standard deviations an article is nearer than others.
    fn deviations(&self, article: &Embedding) -> f64 {
        (self.meaning.nearness(article) - self.mean) / self.deviation
    }

    fn likelihood(&self, article: &Embedding) -> f64 {
        let near = self.meaning.nearness(article);
        let odds = PER_COSINE * near + PER_DEVIATION * self.deviations(article) + INTERCEPT;
        1.0 / (1.0 + (-odds).exp())
    }
}

impl Nearness {
    /// Creates the comparison with the prior only; [`Nearness::compare`] then fits it to a library.
    pub(crate) fn to(query: &str, encoder: Arc<Encoder>) -> Nearness {
        let asked = QueryText::new(query, &encoder);
        let beside_field = beside_field(query).map(|asked| QueryText::new(&asked, &encoder));
        Nearness { encoder, asked, beside_field }
    }

    /// The embedding of an article: its title, which matters most, and the beginning of its text.
    pub(crate) fn embedding(&self, title: &str, text: &str) -> Embedding {
        self.encoder.encode(&format!("{title}. {title}. {}", beginning(without_title(text, title))))
    }

    /// Measures how near the articles of a library usually are to the query.
    pub(crate) fn compare<'a>(&mut self, library: impl Iterator<Item = &'a Embedding> + Clone) {
        for asked in std::iter::once(&mut self.asked).chain(&mut self.beside_field) {
            asked.compare(library.clone());
        }
    }

    /// The likelihood, from 0 to 1, that an article with this embedding answers the query.
    pub(crate) fn likelihood(&self, article: &Embedding) -> f64 {
        self.asked.likelihood(article)
    }

    /// Whether an article fits what the query asks for besides the field it names: neither a course of machine learning
    /// nor an article on quantum dots fits "quantum machine learning".
    pub(crate) fn fits_field(&self, document: Document<'_>, article: &Embedding) -> bool {
        let Some(asked) = &self.beside_field else { return true };
        asked.likelihood(article) >= LEAST_FIELD_LIKELIHOOD && is_of_field(document)
    }
}

/// The beginning of a text, cut between characters.
fn beginning(text: &str) -> &str {
    let mut room = BEGINNING;
    for (at, character) in text.char_indices() {
        let size = if ('\u{2e80}'..='\u{ffef}').contains(&character) { 3 } else { 1 };
        let Some(left) = room.checked_sub(size) else { return &text[..at] };
        room = left;
    }
    text
}
