//! The breaches of agents' promises.

use serde::{Deserialize, Serialize};

/// The kind of a broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BreachKind {
    /// A sentence that the earlier text does not have, or not in this order.
    ForeignSentence,
    /// Words of the earlier text that are missing or changed.
    ChangedWords,
    /// A sentence whose line, or the mark of its line, differs from the earlier text.
    ChangedLines,
    /// More text at a placeholder than a value needs.
    LongValue,
    /// A word at a choice that is not one of its options.
    ForeignChoice,
    /// A sentence of the earlier text that is missing.
    LostSentence,
    /// A figure that occurs in no sentence on the same subject and is no share of a fraction beside it.
    InventedFigure,
    /// A name that occurs in no sentence on the same subject.
    InventedName,
}

/// A broken promise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// The kind of the breach.
    pub kind: BreachKind,
    /// The words concerned.
    pub words: String,
    /// The sentence with these words, if they are a figure or a name.
    pub sentence: String,
}

/// Number of breaches at which the search ends: such a text is a different one.
pub(crate) const MOST_BREACHES: usize = 50;

pub(crate) fn breach(kind: BreachKind, words: &str) -> Breach {
    Breach { kind, words: words.to_owned(), sentence: String::new() }
}
