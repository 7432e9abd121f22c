//! The results of the store: plain data without SQL or API types.

use engine::LibraryArticle;
use kernel::{Excerpt, Origin, Outcome, RunFold, RunId, Seq, SessionId, Speed};
use serde::Serialize;

/// A run after one of its events.
pub struct Shown {
    /// State, usage, outcome.
    pub fold: RunFold,
    /// The events for displaying it.
    pub excerpt: Excerpt,
}

/// A run in the history list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunCard {
    /// The run.
    pub run: RunId,
    /// Its session.
    pub session: SessionId,
    /// The pipeline's id.
    pub pipeline: String,
    /// Its title.
    pub title: String,
    /// When it began, milliseconds since 1970 UTC.
    pub started_at_ms: i64,
    /// When its last event happened, milliseconds since 1970 UTC.
    pub last_at_ms: i64,
    /// The number of its last event.
    pub last_seq: Seq,
    /// Its outcome; `None` while it is open: running, or left by a process that died.
    pub outcome: Option<Outcome>,
    /// Whether an agent presented its last change to the user, who has changed nothing since.
    pub is_raised: bool,
    /// The parent of a fork.
    pub origin: Option<Origin>,
    /// Whether it is pinned to the top.
    pub is_pinned: bool,
    /// When it was moved into the trash, in milliseconds since 1970 UTC; `None` when it is not there.
    pub trashed_at_ms: Option<i64>,
    /// The user's tags.
    pub tags: Vec<String>,
    /// For a run that was made elsewhere: what was left out of it.
    pub imported: Option<Imported>,
    /// The id of the living process that holds it, if any.
    pub held_by: Option<u32>,
    /// Whether that process is this one.
    pub is_held_here: bool,
    /// Whether that process has events that could not be written yet.
    pub waits_for_disk: bool,
    /// The text around a search match, matches between `[[` and `]]`; `None` without a search.
    pub snippet: Option<String>,
}

/// Marks a run that was made elsewhere and imported from a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Imported {
    /// The kinds of data that were left out of the file.
    pub left_out: Vec<String>,
}

/// A session with its runs, the oldest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionCard {
    /// The session.
    pub session: SessionId,
    /// When it began, milliseconds since 1970 UTC.
    pub created_at_ms: i64,
    /// Its runs in the order of their start.
    pub runs: Vec<RunId>,
}

/// A message of a session: a request of the user, or an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionMessage {
    /// Its time, in milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The run it belongs to, if any.
    pub run: Option<RunId>,
    /// `user`, or the pipeline's id.
    pub author: String,
    /// The text.
    pub text: String,
}

/// An article to import.
#[derive(Debug, Clone, PartialEq)]
pub struct NewArticle {
    /// The article; an empty id is derived from its content.
    pub article: LibraryArticle,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its categories.
    pub categories: Vec<String>,
    /// Its origin: a file's path, a feed's address.
    pub origin: String,
}

/// The result of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ImportReport {
    /// The number of new articles.
    pub added: u64,
    /// The number of articles known by id or address whose text changed.
    pub updated: u64,
    /// The number of articles that already existed.
    pub unchanged: u64,
}

/// An article in the library list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LibraryEntry {
    /// Its id in the library.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Its publisher.
    pub source: String,
    /// `YYYY-MM-DD`, or empty when unknown.
    pub published: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its categories.
    pub categories: Vec<String>,
    /// Its origin.
    pub origin: String,
    /// When it was added, in milliseconds since 1970 UTC.
    pub added_at_ms: i64,
    /// The beginning of its text, or the text around a search match, matches between `[[` and `]]`.
    pub snippet: String,
}

/// One page of the library.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LibraryPage {
    /// The number of all articles, or of all matches of the search.
    pub total: u64,
    /// The entries, up to the requested limit.
    pub entries: Vec<LibraryEntry>,
}

/// The usage of one model by one agent in a month.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// The month in UTC: `2026-11`.
    pub month: String,
    /// The profile.
    pub profile: String,
    /// The requested model.
    pub model: String,
    /// The agent that made the requests.
    pub agent: String,
    /// The number of requests, including retries.
    pub calls: u32,
    /// Requests among them that failed or were never answered.
    pub failed_calls: u32,
    /// Requests among them that are not answered yet, or never will be because the program ended before.
    pub open_calls: u32,
    /// The input tokens, if the provider reported them.
    pub input_tokens: u64,
    /// The output tokens.
    pub output_tokens: u64,
    /// The cost in US dollars of the calls with a known price; `None` when there is none.
    pub cost: Option<f64>,
    /// The number of calls that used tokens at an unknown price, or whose answer never came.
    pub unpriced_calls: u32,
    /// The input tokens that came from the provider's cache.
    pub cached_tokens: u64,
    /// The speed of the answers.
    pub speed: Speed,
}

/// The usage of a model call of an agent in earlier runs.
#[derive(Debug, Clone, PartialEq)]
pub struct PastCall {
    /// The profile.
    pub profile: String,
    /// The requested model.
    pub model: String,
    /// The agent that made the call.
    pub agent: String,
    /// The number of runs with such calls.
    pub runs: u32,
    /// The input tokens of a request.
    pub input_tokens: u32,
    /// The output tokens of an answer.
    pub output_tokens: u32,
}

/// Whether a schedule fires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleState {
    /// It fires.
    Active,
    /// The person paused it.
    Paused,
    /// It stopped itself after failures.
    Stopped,
}

impl ScheduleState {
    pub(crate) const ALL: [ScheduleState; 3] =
        [ScheduleState::Active, ScheduleState::Paused, ScheduleState::Stopped];

    /// The word in the database.
    pub(crate) fn word(self) -> &'static str {
        match self {
            ScheduleState::Active => "active",
            ScheduleState::Paused => "paused",
            ScheduleState::Stopped => "stopped",
        }
    }
}

/// A stored schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSchedule {
    /// Its row.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What it starts and when, as JSON.
    pub setup: String,
    /// Whether it fires.
    pub state: ScheduleState,
    /// Its failures in a row.
    pub failures: u32,
    /// Its instants up to this one are handled, milliseconds since 1970 UTC.
    pub handled_until_ms: i64,
    /// The next instant, milliseconds since 1970 UTC; `None` where there is no more.
    pub next_at_ms: Option<i64>,
    /// When the person saved it, milliseconds since 1970 UTC.
    pub saved_at_ms: i64,
    /// Counts its changes: a change by an older revision has no effect.
    pub revision: i64,
}

/// The times of a schedule that fires, milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleTimes {
    /// Its instants up to this one are handled.
    pub handled_until_ms: i64,
    /// The next instant; `None` where there is no more.
    pub next_at_ms: Option<i64>,
}

/// An instant of a schedule, and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFiring {
    /// Its row.
    pub id: i64,
    /// The instant, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// When it was handled, milliseconds since 1970 UTC.
    pub begun_at_ms: i64,
    /// When it ended, milliseconds since 1970 UTC; `None` while it goes on or was cut off.
    pub ended_at_ms: Option<i64>,
    /// Its run, once there is one.
    pub run: Option<RunId>,
    /// What became of it, in a word of the caller.
    pub outcome: String,
    /// More about it, as JSON of the caller.
    pub details: String,
}

/// What a firing came to.
#[derive(Debug, Clone, PartialEq)]
pub struct FiringEnd {
    /// When, milliseconds since 1970 UTC.
    pub ended_at_ms: i64,
    /// As of [`StoredFiring`].
    pub outcome: String,
    /// As of [`StoredFiring`].
    pub details: String,
    /// What it means for the failures in a row.
    pub failures: FailureCount,
}

/// What the end of a firing means for the failures of its schedule in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureCount {
    /// It failed: one more, and with this number the schedule stops itself.
    OneMore {
        /// The number.
        stops_at: u32,
    },
    /// It succeeded.
    None,
    /// It says nothing about them.
    Unchanged,
}

/// A data set in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetCard {
    /// Its name.
    pub name: String,
    /// The pipeline that its inputs are for.
    pub pipeline: String,
    /// The number of its cases.
    pub cases: u32,
    /// When it was changed, milliseconds since 1970 UTC.
    pub changed_at_ms: i64,
}

/// An evaluation without its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvaluation {
    /// Its id.
    pub id: String,
    /// The name of its data set at the start.
    pub data_set: String,
    /// What was decided at its start, as JSON.
    pub plan: String,
    /// When it began, milliseconds since 1970 UTC.
    pub started_at_ms: i64,
    /// When it ended; `None` while it is open.
    pub ended_at_ms: Option<i64>,
    /// How it ended; `None` while it is open.
    pub ending: Option<String>,
    /// Whether a living process works on it.
    pub is_held: bool,
}
