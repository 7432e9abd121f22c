//! Runs in the history list, with the user's marks.

use kernel::{RunId, SessionId};
use rusqlite::{Connection, OptionalExtension, Result, Row};

use super::runs::{origin, outcome_of};
use crate::{Imported, RunCard};

/// A card with its holder, which may be dead.
pub(crate) struct ListedRun {
    pub(crate) holder: Option<i64>,
    pub(crate) card: RunCard,
}

const CARD: &str =
    "SELECT holder, runs.run, session, pipeline, coalesce(run_marks.title, runs.title), started_at_ms,
    last_at_ms, last_seq, outcome, origin_run, origin_seq, coalesce(is_pinned, 0), trashed_at_ms, tags, is_raised,
    imported FROM runs LEFT JOIN run_marks ON run_marks.run = runs.id";

fn listed(row: &Row<'_>) -> Result<ListedRun> {
    let outcome: Option<String> = row.get(8)?;
    Ok(ListedRun {
        holder: row.get(0)?,
        card: RunCard {
            run: RunId(row.get(1)?),
            session: SessionId(row.get(2)?),
            pipeline: row.get(3)?,
            title: row.get(4)?,
            started_at_ms: row.get(5)?,
            last_at_ms: row.get(6)?,
            last_seq: row.get(7)?,
            // An unknown outcome is damage of this run only, and must not hide the others.
            outcome: outcome.as_deref().and_then(outcome_of),
            origin: origin(row, 9)?,
            is_raised: row.get(14)?,
            is_pinned: row.get(11)?,
            trashed_at_ms: row.get(12)?,
            tags: row
                .get::<_, Option<String>>(13)?
                .and_then(|tags| serde_json::from_str(&tags).ok())
                .unwrap_or_default(),
            // An unreadable list must not make the run appear as made here.
            imported: row
                .get::<_, Option<String>>(15)?
                .map(|left_out| Imported { left_out: serde_json::from_str(&left_out).unwrap_or_default() }),
            held_by: None,
            is_held_here: false,
            waits_for_disk: false,
            snippet: None,
        },
    })
}

pub(crate) fn card(connection: &Connection, run: &str) -> Result<Option<ListedRun>> {
    connection.prepare_cached(&format!("{CARD} WHERE runs.run = ?1"))?.query_row([run], listed).optional()
}

pub(crate) fn card_by_id(connection: &Connection, id: i64) -> Result<Option<ListedRun>> {
    connection.prepare_cached(&format!("{CARD} WHERE runs.id = ?1"))?.query_row([id], listed).optional()
}

/// The newest runs of the history or the trash, or the newest that began before the run `before`.
pub(crate) fn newest(
    connection: &Connection,
    before: Option<&str>,
    limit: u32,
    shelf: Shelf,
) -> Result<Vec<ListedRun>> {
    let is_there = shelf.condition();
    connection
        .prepare_cached(&format!(
            "{CARD} WHERE runs.id < {BEFORE} AND {is_there} ORDER BY runs.id DESC LIMIT ?2"
        ))?
        .query_map((before, limit), listed)?
        .collect()
}

/// The runs that may wait for an answer, the oldest first: those that ended waiting, and those without a stored end.
pub(crate) fn waiting(connection: &Connection) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT run FROM runs WHERE outcome = 'waiting' OR outcome IS NULL ORDER BY id")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The list in which a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shelf {
    History,
    Trash,
}

impl Shelf {
    fn condition(self) -> &'static str {
        match self {
            Shelf::History => "trashed_at_ms IS NULL",
            Shelf::Trash => "trashed_at_ms IS NOT NULL",
        }
    }
}

/// The row of the run `?1`, or a number above every row if it is null: the beginning of a page of the list.
pub(crate) const BEFORE: &str =
    "CASE WHEN ?1 IS NULL THEN 9223372036854775807 ELSE (SELECT id FROM runs WHERE run = ?1) END";
