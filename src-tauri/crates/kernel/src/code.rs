//! The closed list of error codes of the API.
//!
//! A code exists only where it changes what happens: the page has a card for each, the terminal an exit code.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{LimitName, Phrase};

/// What kind of error it is; decides what can be done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// What the person gave cannot be used as it is.
    BadInput,
    /// The named thing does not exist.
    NotFound,
    /// The provider refused the key.
    KeyRefused,
    /// The key is not to be had here: none is kept, its variable is not set, or the keyring cannot be used.
    KeyUnavailable,
    /// The quota or the credit is used up; waiting a little does not help.
    QuotaExhausted,
    /// Too many requests just now; waiting helps.
    RateLimited,
    /// The provider is overloaded or broken just now.
    Overloaded,
    /// No answer in time.
    Timeout,
    /// The connection could not be made or broke.
    Network,
    /// The provider refused the content.
    ContentRefused,
    /// The provider refused the request as such (unknown model, unsupported field).
    RequestRefused,
    /// The model's answer could not be used, even after one retry.
    MalformedAnswer,
    /// A limit of the run was reached.
    LimitReached,
    /// A tool failed.
    ToolFailed,
    /// A tool needs the person's permission.
    PermissionNeeded,
    /// An agent did what its contract does not declare.
    ContractBroken,
    /// A recorded request no longer matches.
    ReplayDiffers,
    /// The person stopped it.
    Cancelled,
    /// The run waits for an answer of the person.
    Waiting,
    /// Another process holds the run.
    Busy,
    /// The database was written by a newer program.
    DatabaseNewer,
    /// The database is damaged.
    DatabaseCorrupt,
    /// The database is missing or empty although there was one, or was removed or replaced while it was open.
    DatabaseMissing,
    /// The database is locked by another program.
    DatabaseLocked,
    /// The disk is full.
    DiskFull,
    /// The folder or file cannot be written.
    ReadOnly,
    /// An error of the program itself.
    Internal,
}

impl Code {
    /// Whether the profile fails: its key, credit or rate. Another profile may answer.
    pub fn is_of_profile(self) -> bool {
        matches!(self, Code::KeyRefused | Code::KeyUnavailable | Code::QuotaExhausted | Code::RateLimited)
    }

    /// Whether a model fails for good, so that a fallback, or the agent's function, may replace it.
    pub fn is_of_model(self) -> bool {
        self.is_of_profile()
            || matches!(
                self,
                Code::Network
                    | Code::Overloaded
                    | Code::Timeout
                    | Code::ContentRefused
                    | Code::RequestRefused
                    | Code::NotFound
            )
    }

    /// Whether the disk refuses for now: a write can succeed later, with more space or after another program unlocks.
    pub fn is_of_disk(self) -> bool {
        matches!(self, Code::DiskFull | Code::DatabaseLocked | Code::ReadOnly)
    }

    /// Whether a later retry may succeed.
    pub fn is_transient(self) -> bool {
        matches!(self, Code::RateLimited | Code::Overloaded | Code::Timeout | Code::Network)
    }
}

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Reached {
    /// Which.
    pub name: LimitName,
    /// What it allowed then, in the unit of its name.
    pub most: f64,
    /// The agent whose own limit it is; else it is the run's.
    #[serde(default)]
    pub agent: Option<String>,
    /// The model whose price is not known, where a limit of money stands before a call that costs nobody knows what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unpriced: Option<String>,
}

/// The answer to the question about a reached limit that adds the default amount.
pub const ADD: &str = "add";
/// The answer that lifts a limit of money, for a call of unknown price.
pub const LIFT: &str = "lift";

impl Reached {
    /// A limit of the run.
    pub fn of_run(name: LimitName, most: f64) -> Reached {
        Reached { name, most, agent: None, unpriced: None }
    }

    /// The amount that is added where the person names none.
    pub fn step(&self) -> f64 {
        let half = (self.most / 2.0).ceil();
        match self.name {
            LimitName::MaxLlmCalls | LimitName::MaxToolCalls => half.clamp(2.0, 10.0),
            LimitName::MaxExecutionTimeS => half.max(30.0),
            LimitName::MaxTotalTokens | LimitName::MaxOutputTokens => half.max(2000.0),
            LimitName::MaxCost => half.max(0.1),
        }
    }

    /// The raised limit: `more` is added to the present limit, which may have been raised since it was reached.
    pub fn raised(&self, holds: Option<f64>, more: f64) -> f64 {
        holds.unwrap_or(self.most).max(self.most) + more
    }

    /// Whether this answer to its question lifts the limit.
    pub fn is_lifted(&self, answer: &str) -> bool {
        self.unpriced.is_some() && answer == LIFT
    }

    /// The amount that this answer to its question adds, if any.
    pub fn added(&self, answer: &str) -> Option<f64> {
        // No amount suffices for an unknown price.
        if self.unpriced.is_some() {
            return None;
        }
        if answer == ADD { Some(self.step()) } else { crate::amount(answer) }
    }
}

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
    pub tool_failure: Option<Box<crate::ToolFailure>>,
}

impl Error {
    /// Whether the server of a tool asks questions before it continues the call, which is no failure.
    pub fn asks_first(&self) -> bool {
        matches!(self.tool_failure.as_deref(), Some(crate::ToolFailure::NeedsInput { .. }))
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
