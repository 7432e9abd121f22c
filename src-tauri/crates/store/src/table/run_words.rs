//! The full-text index of the titles and drafts of runs. It stores words only, and appends do not update it.

use rusqlite::{Connection, Result};

use crate::table::run_cards::BEFORE;
use crate::words;

pub(crate) const CREATE: &str = "CREATE VIRTUAL TABLE run_words USING fts5 (
    title, drafts, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);";

/// Replaces the words of a run.
pub(crate) fn replace(connection: &Connection, run: i64, title: &str, drafts: &str) -> Result<()> {
    connection.prepare_cached("DELETE FROM run_words WHERE rowid = ?1")?.execute([run])?;
    connection
        .prepare_cached("INSERT INTO run_words (rowid, title, drafts) VALUES (?1, ?2, ?3)")?
        .execute((run, words::indexed(title), words::indexed(drafts)))?;
    Ok(())
}

pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM run_words WHERE rowid = ?1")?.execute([run])?;
    Ok(())
}

const IN_HISTORY: &str = "rowid NOT IN (SELECT run FROM run_marks WHERE trashed_at_ms IS NOT NULL)";

/// The number of matching runs.
pub(crate) fn count_matching(connection: &Connection, question: &str) -> Result<u32> {
    connection
        .prepare_cached(&format!("SELECT count(*) FROM run_words WHERE run_words MATCH ?1 AND {IN_HISTORY}"))?
        .query_row([question], |row| row.get(0))
}

/// The rows of the matching runs, the newest first, or of those that began before the run `before`.
pub(crate) fn matching(
    connection: &Connection,
    question: &str,
    before: Option<&str>,
    limit: u32,
) -> Result<Vec<i64>> {
    connection
        .prepare_cached(&format!(
            "SELECT rowid FROM run_words WHERE run_words MATCH ?3 AND rowid < {BEFORE} AND {IN_HISTORY}
             ORDER BY rowid DESC LIMIT ?2"
        ))?
        .query_map((before, limit, question), |row| row.get(0))?
        .collect()
}
