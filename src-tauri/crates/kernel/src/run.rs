//! A run: its ids, its start and its outcomes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Definition, Error, Json, PhraseParameter, Value};

/// The number of an event in its run, from 1 without gaps.
pub type Seq = u32;

/// A run's id, UUIDv7 text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct RunId(pub String);

/// A session's id: runs and messages that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
pub struct SessionId(pub String);

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl PhraseParameter for RunId {
    fn to_parameter(&self) -> Json {
        Json(self.to_string().into())
    }
}

/// Where a fork comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Origin {
    /// The parent.
    pub run: RunId,
    /// The last event that is reused.
    pub seq: Seq,
}

/// The start of a run, from which its first two events follow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// The start time, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The definition.
    pub definition: Definition,
    /// The inputs by key.
    pub inputs: BTreeMap<String, Value>,
    /// The parent of a fork.
    pub origin: Option<Origin>,
}

/// How a run stands at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It came to its end.
    Finished,
    /// It could not go on.
    Failed,
    /// A limit ended it; the best so far is its result.
    Limited,
    /// It waits for an answer of the person.
    Waiting,
    /// The person stopped it.
    Cancelled,
}

impl Outcome {
    /// The stable name for scripts.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Finished => "finished",
            Outcome::Failed => "failed",
            Outcome::Limited => "limited",
            Outcome::Waiting => "waiting",
            Outcome::Cancelled => "cancelled",
        }
    }
}

/// How an agent ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "ended", rename_all = "snake_case")]
pub enum AgentOutcome {
    /// Its work is done.
    Done {
        /// Whether it asked its loop to end.
        exits_loop: bool,
    },
    /// It could not do its work.
    Failed {
        /// Why.
        error: Error,
    },
}
