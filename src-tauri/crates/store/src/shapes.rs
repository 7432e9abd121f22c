//! What the store answers with: plain data, no SQL and no border types.

use engine::LibraryArticle;
use kernel::{Excerpt, Origin, Outcome, RunFold, RunId, Seq, SessionId};
use serde::Serialize;

/// How a run stood at a moment.
pub struct Shown {
    /// State, usage, outcome.
    pub fold: RunFold,
    /// The events from which it can be drawn.
    pub excerpt: Excerpt,
}

/// A run as the history lists it.
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
    /// How it ended; `None` while it is open: running, or left behind by a process that died.
    pub outcome: Option<Outcome>,
    /// Whether an agent put its last change before the person, who has changed nothing since.
    pub is_raised: bool,
    /// The parent, of a fork.
    pub origin: Option<Origin>,
    /// Whether it stands above the others.
    pub is_pinned: bool,
    /// When it was put into the trash, milliseconds since 1970 UTC; `None` when it is not there.
    pub trashed_at_ms: Option<i64>,
    /// The words by which the person sorts it.
    pub tags: Vec<String>,
    /// Of a run that was made elsewhere, what was left out of it.
    pub imported: Option<Imported>,
    /// The id of the living process that holds it; `None` when nobody does.
    pub held_by: Option<u32>,
    /// Whether that process is this one.
    pub is_held_here: bool,
    /// Whether that process has events in hand that the disk does not take.
    pub waits_for_disk: bool,
    /// Where a search found it, matches between `[[` and `]]`; `None` without a search.
    pub snippet: Option<String>,
}

/// That a run was made elsewhere and taken in from a file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Imported {
    /// The kinds of things that were left out of the file.
    pub left_out: Vec<String>,
}

/// A session with its runs, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionCard {
    /// The session.
    pub session: SessionId,
    /// When it began, milliseconds since 1970 UTC.
    pub created_at_ms: i64,
    /// Its runs in the order in which they began.
    pub runs: Vec<RunId>,
}

/// One line of a session: what the person asked, what was answered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SessionMessage {
    /// When, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// The run it belongs to, if any.
    pub run: Option<RunId>,
    /// `user`, or the pipeline's id.
    pub author: String,
    /// The text.
    pub text: String,
}

/// An article on its way into the library.
#[derive(Debug, Clone, PartialEq)]
pub struct NewArticle {
    /// The article; an empty id is filled in from its content.
    pub article: LibraryArticle,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its categories.
    pub categories: Vec<String>,
    /// What brought it here: a file's path, a feed's address.
    pub origin: String,
}

/// What an import did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ImportReport {
    /// New articles.
    pub added: u64,
    /// Articles known by id or address whose text is another now.
    pub updated: u64,
    /// Articles that were already there.
    pub unchanged: u64,
}

/// An article as the library lists it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LibraryEntry {
    /// Its id in the library.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty when unknown.
    pub published: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its categories.
    pub categories: Vec<String>,
    /// What brought it here.
    pub origin: String,
    /// When it came, milliseconds since 1970 UTC.
    pub added_at_ms: i64,
    /// The beginning of its text, or where a search found it, matches between `[[` and `]]`.
    pub snippet: String,
}

/// One page of the library.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LibraryPage {
    /// How many articles there are, or how many the search found.
    pub total: u64,
    /// At most as many as were asked for.
    pub entries: Vec<LibraryEntry>,
}
