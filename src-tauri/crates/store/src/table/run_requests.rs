//! Requests to the process that holds a run, and its answers. A row is deleted when its sender stops waiting.

use rusqlite::{Connection, OptionalExtension, Result};

pub(crate) const CREATE: &str = "CREATE TABLE run_requests (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL,              -- a row of runs
    request TEXT NOT NULL,             -- JSON
    answer TEXT,                       -- JSON; NULL: not answered yet
    asked_at_ms INTEGER NOT NULL
) STRICT;";

/// The longest wait for an answer; older rows were left by a process that died.
const ANSWER_TIMEOUT_MS: i64 = 60_000;

pub(crate) fn insert(connection: &Connection, run: i64, request: &str, now_ms: i64) -> Result<i64> {
    connection
        .prepare_cached("DELETE FROM run_requests WHERE asked_at_ms < ?1")?
        .execute([now_ms.saturating_sub(ANSWER_TIMEOUT_MS)])?;
    connection
        .prepare_cached("INSERT INTO run_requests (run, request, asked_at_ms) VALUES (?1, ?2, ?3)")?
        .execute((run, request, now_ms))?;
    Ok(connection.last_insert_rowid())
}

/// The unanswered requests to a run, the oldest first.
pub(crate) fn open(connection: &Connection, run: &str) -> Result<Vec<(i64, String)>> {
    connection
        .prepare_cached(
            "SELECT run_requests.id, request FROM run_requests JOIN runs ON runs.id = run_requests.run
             WHERE runs.run = ?1 AND answer IS NULL ORDER BY run_requests.id",
        )?
        .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

pub(crate) fn answer(connection: &Connection, id: i64, answer: &str) -> Result<()> {
    connection.prepare_cached("UPDATE run_requests SET answer = ?2 WHERE id = ?1")?.execute((id, answer))?;
    Ok(())
}

/// The answer to a request, if there is one.
pub(crate) fn answer_to(connection: &Connection, id: i64) -> Result<Option<String>> {
    let found = connection
        .prepare_cached("SELECT answer FROM run_requests WHERE id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    Ok(found.flatten())
}

pub(crate) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM run_requests WHERE id = ?1")?.execute([id])?;
    Ok(())
}

pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM run_requests WHERE run = ?1")?.execute([run])?;
    Ok(())
}
