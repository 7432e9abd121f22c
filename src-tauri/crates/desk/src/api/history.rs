//! The list of runs in the API.

use kernel::{Origin, Seq};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a run stands, as a list shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// A process works on it.
    Running,
    /// A process works on it, and the disk does not take what it has in hand.
    WaitingForDisk,
    /// It came to its end.
    Finished,
    /// It could not go on.
    Failed,
    /// A limit ended it.
    Limited,
    /// It waits for an answer.
    Waiting,
    /// It was stopped.
    Cancelled,
    /// Its process died; it can be resumed.
    Interrupted,
}

/// A run in the list.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunCard {
    /// Its id.
    pub run: String,
    /// Its session.
    pub session: String,
    /// Its pipeline.
    pub pipeline: String,
    /// Its title.
    pub title: String,
    /// How it stands.
    pub status: RunStatus,
    /// When it began, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub started_at_ms: i64,
    /// When its last event happened.
    #[ts(type = "number")]
    pub last_at_ms: i64,
    /// The number of its last event.
    pub last_seq: Seq,
    /// Whether an agent put its last change before the person, who has changed nothing since.
    pub is_raised: bool,
    /// Its parent, of a fork.
    pub origin: Option<Origin>,
    /// Whether it stands above the others.
    pub is_pinned: bool,
    /// When it was put into the trash; `null` when it is not there.
    #[ts(type = "number | null")]
    pub trashed_at_ms: Option<i64>,
    /// The words by which the person sorts it.
    pub tags: Vec<String>,
    /// Of a run that was made elsewhere and taken in from a file, the kinds of things that were left out of it.
    pub imported: Option<Vec<String>>,
    /// Where a search found it, with `[[` and `]]` around the hits.
    pub snippet: Option<String>,
}

/// Runs, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunCards {
    /// The runs.
    pub runs: Vec<RunCard>,
    /// Of a search, how many there are on all pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub found: Option<u32>,
    /// Of a search, how many runs it could not look into yet; they are made ready meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub not_indexed: Option<u32>,
}

/// Which runs to list.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ListRuns {
    /// Words to find in titles, drafts and the journal.
    pub search: Option<String>,
    /// Most runs, 1000 at the most; when not given 200, of those that are searched 50.
    pub limit: Option<u32>,
    /// Only runs that began before this one: the last of one page leads to the next.
    #[ts(optional)]
    pub before: Option<String>,
    /// The runs in the trash instead of the history; without search and `before`.
    #[ts(optional, as = "Option<bool>")]
    pub is_trash: bool,
}

/// What a person says about a run; what is not given stays.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ChangeRun {
    /// The run.
    pub run: String,
    /// Its title; empty for the one it began with.
    #[serde(default)]
    pub title: Option<String>,
    /// Whether it stands above the others.
    #[serde(default)]
    pub is_pinned: Option<bool>,
    /// The words by which the person sorts it, all of them.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
}
