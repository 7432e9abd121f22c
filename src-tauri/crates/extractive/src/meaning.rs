//! Measures how near texts are in meaning.

use std::sync::Arc;

use embedding::{Embedding, Encoder};

/// Compares texts by the encoder, or by shared words if there is none.
pub(crate) struct Measure(Option<Arc<Encoder>>);

/// A text with its embedding.
#[derive(Clone)]
pub(crate) struct Meaning<'a> {
    text: &'a str,
    embedding: Option<Embedding>,
}

impl Measure {
    pub(crate) fn by_encoder() -> Measure {
        Measure(embedding::shared().ok())
    }

    /// Compares by shared words, which gives the same result on every machine.
    pub(crate) fn by_words() -> Measure {
        Measure(None)
    }

    pub(crate) fn of<'a>(&self, text: &'a str) -> Meaning<'a> {
        Meaning { text, embedding: self.0.as_ref().map(|encoder| encoder.encode(text)) }
    }
}

impl Meaning<'_> {
    /// 1 for the same meaning, about 0 for unrelated texts, and 0 if one of them is empty.
    pub(crate) fn nearness(&self, other: &Meaning<'_>) -> f64 {
        if self.text.trim().is_empty() || other.text.trim().is_empty() {
            return 0.0;
        }
        match (&self.embedding, &other.embedding) {
            (Some(one), Some(other)) => one.nearness(other),
            _ => (prose::support(self.text, other.text) * prose::support(other.text, self.text)).sqrt(),
        }
    }
}
