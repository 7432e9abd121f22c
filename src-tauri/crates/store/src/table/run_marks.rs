//! The user's marks of a run: a title, a pin, tags, the trash.

use rusqlite::{Connection, Result};

pub(crate) const CREATE: &str = "CREATE TABLE run_marks (
    run INTEGER PRIMARY KEY,           -- a row of runs
    title TEXT,                        -- NULL: the title it began with
    is_pinned INTEGER NOT NULL DEFAULT 0,
    trashed_at_ms INTEGER              -- NULL: not in the trash
) STRICT;";

/// The user's tags.
pub(crate) const ADD_TAGS: &str = "ALTER TABLE run_marks ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';";

/// A change of the marks; `None` leaves a mark unchanged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    /// Empty: the original title.
    pub(crate) title: Option<String>,
    pub(crate) is_pinned: Option<bool>,
    pub(crate) tags: Option<Vec<String>>,
    /// When it was moved into the trash; `Some(None)` restores it.
    pub(crate) trashed_at_ms: Option<Option<i64>>,
}

pub(crate) fn change(connection: &Connection, run: i64, change: &Change) -> Result<()> {
    connection.prepare_cached("INSERT OR IGNORE INTO run_marks (run) VALUES (?1)")?.execute([run])?;
    if let Some(title) = &change.title {
        connection
            .prepare_cached("UPDATE run_marks SET title = NULLIF(?2, '') WHERE run = ?1")?
            .execute((run, title))?;
        // The run must be indexed again with its new title.
        connection.prepare_cached("UPDATE runs SET indexed_seq = 0 WHERE id = ?1")?.execute([run])?;
    }
    if let Some(is_pinned) = change.is_pinned {
        connection
            .prepare_cached("UPDATE run_marks SET is_pinned = ?2 WHERE run = ?1")?
            .execute((run, is_pinned))?;
    }
    if let Some(tags) = &change.tags {
        let tags = serde_json::Value::from(tags.as_slice()).to_string();
        connection.prepare_cached("UPDATE run_marks SET tags = ?2 WHERE run = ?1")?.execute((run, tags))?;
    }
    if let Some(trashed_at_ms) = change.trashed_at_ms {
        connection
            .prepare_cached("UPDATE run_marks SET trashed_at_ms = ?2 WHERE run = ?1")?
            .execute((run, trashed_at_ms))?;
    }
    Ok(())
}

/// Whether a run is in the trash.
pub(crate) fn is_trashed(connection: &Connection, run: i64) -> Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM run_marks WHERE run = ?1 AND trashed_at_ms IS NOT NULL)",
        )?
        .query_row([run], |row| row.get(0))
}

pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM run_marks WHERE run = ?1")?.execute([run])?;
    Ok(())
}
