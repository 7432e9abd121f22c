//! An error as it is recorded and shown.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Code, Json, Phrase, PhraseParameter, Reached, ToolFailure};

/// An error as it is recorded and shown: a code, a sentence (thing, reason, next step), and the
/// provider's own words when there are some.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
#[ts(rename = "ApiError")]
pub struct Error {
    /// What kind.
    pub code: Code,
    /// One sentence or two: the thing, the reason, the next step.
    pub phrase: Box<Phrase>,
    /// The phrase in English.
    pub message: String,
    /// The provider's own words, cut and free of secrets.
    #[serde(default)]
    pub provider_words: Option<String>,
    /// How long the provider asked to wait, in milliseconds.
    #[serde(default)]
    #[ts(type = "number | null")]
    pub retry_after_ms: Option<u64>,
    /// Which limit, when one was reached.
    #[serde(default)]
    pub limit: Option<Box<Reached>>,
    /// The profile whose key, credit or rate it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<String>")]
    pub profile: Option<Box<str>>,
    /// Of a call of a tool: what kind of failure it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<crate::ToolFailure>")]
    pub tool_failure: Option<Box<ToolFailure>>,
}

impl Error {
    /// Whether the server of a tool asks questions before it continues the call, which is no failure.
    pub fn asks_first(&self) -> bool {
        matches!(self.tool_failure.as_deref(), Some(ToolFailure::NeedsInput { .. }))
    }

    /// An error with a message of our own.
    pub fn new(code: Code, phrase: impl Into<Phrase>) -> Error {
        let phrase = phrase.into();
        Error {
            code,
            message: phrase.english(),
            phrase: Box::new(phrase),
            provider_words: None,
            retry_after_ms: None,
            limit: None,
            profile: None,
            tool_failure: None,
        }
    }

    /// The error with another message.
    #[must_use]
    pub fn reworded(self, phrase: Phrase) -> Error {
        Error { message: phrase.english(), phrase: Box::new(phrase), ..self }
    }
}

impl PhraseParameter for Error {
    fn to_parameter(&self) -> Json {
        self.phrase.to_parameter()
    }
}
