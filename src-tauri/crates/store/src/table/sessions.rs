//! Sessions, which group runs and messages.

use rusqlite::{Connection, OptionalExtension, Result};

pub(crate) const CREATE: &str = "CREATE TABLE sessions (
    session TEXT PRIMARY KEY,
    created_at_ms INTEGER NOT NULL
) WITHOUT ROWID, STRICT;";

pub(crate) fn ensure(connection: &Connection, session: &str, at_ms: i64) -> Result<()> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO sessions (session, created_at_ms) VALUES (?1, ?2)")?
        .execute((session, at_ms))?;
    Ok(())
}

/// Deletes a session without runs and messages.
pub(crate) fn erase_empty(connection: &Connection, session: &str) -> Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM sessions WHERE session = ?1 AND NOT EXISTS (SELECT 1 FROM runs WHERE session = ?1)
             AND NOT EXISTS (SELECT 1 FROM messages WHERE session = ?1)",
        )?
        .execute([session])?;
    Ok(())
}

pub(crate) fn created_at(connection: &Connection, session: &str) -> Result<Option<i64>> {
    connection
        .prepare_cached("SELECT created_at_ms FROM sessions WHERE session = ?1")?
        .query_row([session], |row| row.get(0))
        .optional()
}
