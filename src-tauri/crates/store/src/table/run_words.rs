//! The full-text index over titles and drafts of runs. It holds words only, no text, and is brought
//! up to date before a search, so that an append never pays for it.

use rusqlite::{Connection, Result};

use crate::table::run_cards::BEFORE;
use crate::words;

pub(crate) const CREATE: &str = "CREATE VIRTUAL TABLE run_words USING fts5 (
    title, drafts, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);";

/// Replaces what is known of a run.
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

/// The rows of the runs that match, newest first; of those that began before `before`, when it is given.
pub(crate) fn matching(
    connection: &Connection,
    question: &str,
    before: Option<&str>,
    limit: u32,
) -> Result<Vec<i64>> {
    connection
        .prepare_cached(&format!(
            "SELECT rowid FROM run_words WHERE run_words MATCH ?3 AND rowid < {BEFORE} AND rowid NOT IN
             (SELECT run FROM run_marks WHERE trashed_at_ms IS NOT NULL) ORDER BY rowid DESC LIMIT ?2"
        ))?
        .query_map((before, limit, question), |row| row.get(0))?
        .collect()
}
