//! The ledger of citations: the target and the support of each number in a text.

use kernel::Seq;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The citations of the text that stands at a moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CitationLedger {
    /// The event that wrote the text; 0 where no text stands.
    pub seq: Seq,
    /// The sources, number 1 first.
    pub sources: Vec<CitedSource>,
    /// Every citation, and every sentence without one that has a figure or a name of no source, in the order of the text.
    pub citations: Vec<CitationEntry>,
}

impl CitationLedger {
    /// The entries without a supporting source.
    pub fn unsupported(&self) -> impl Iterator<Item = &CitationEntry> {
        self.citations.iter().filter(|entry| entry.verdict.is_unsupported())
    }
}

/// A source with what is stored of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct CitedSource {
    /// Its number in the text.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its address, or empty.
    pub url: String,
    /// Where it is from, or empty.
    pub source: String,
    /// The day it was published, `2026-06-30`, or empty.
    pub published: String,
    /// When its text came into the run, milliseconds since 1970 UTC; null where the run does not know it.
    #[ts(type = "number | null")]
    pub fetched_at_ms: Option<i64>,
    /// The words that are stored of it.
    pub stored: String,
}

/// One citation of one sentence, or a sentence without one that has a figure or a name of no source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CitationEntry {
    /// The number that is cited; null where the sentence cites none.
    pub number: Option<u32>,
    /// The sentence, Markdown.
    pub sentence: String,
    /// What the citation is worth.
    pub verdict: CitationVerdict,
    /// The words that decide it: what the source has of the sentence where it supports it, else what it lacks.
    pub words: Vec<String>,
    /// The stored sentence that comes nearest, or empty.
    pub passage: String,
}

/// What a citation is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CitationVerdict {
    /// The source says it.
    Supported,
    /// The source says some of it.
    Weak,
    /// The source does not say it.
    NotFound,
    /// There is no source of this number.
    OutOfRange,
}

impl CitationVerdict {
    /// Whether the person should see such a citation before the text leaves the program.
    pub fn is_unsupported(self) -> bool {
        matches!(self, CitationVerdict::NotFound | CitationVerdict::OutOfRange)
    }

    /// The word for this support.
    pub fn word(self) -> &'static str {
        match self {
            CitationVerdict::Supported => "supported",
            CitationVerdict::Weak => "weak",
            CitationVerdict::NotFound => "not found",
            CitationVerdict::OutOfRange => "number out of range",
        }
    }
}
