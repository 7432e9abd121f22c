//! The messages of sessions.

use kernel::RunId;
use rusqlite::{Connection, Result, params};

use crate::SessionMessage;

pub(crate) const CREATE: &str = "CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL REFERENCES sessions (session),
    at_ms INTEGER NOT NULL,
    run TEXT,
    author TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX messages_by_session ON messages (session);";

pub(crate) fn insert(connection: &Connection, session: &str, message: &SessionMessage) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO messages (session, at_ms, run, author, text) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            session,
            message.at_ms,
            message.run.as_ref().map(|run| &run.0),
            message.author,
            message.text
        ])?;
    Ok(())
}

/// The author of the replies of runs.
const PROGRAM: &str = "galley";

/// Adds the title of a run as the user's message.
pub(crate) fn ask(connection: &Connection, run: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO messages (session, at_ms, run, author, text)
             SELECT session, started_at_ms, run, ?2, title FROM runs WHERE run = ?1",
        )?
        .execute([run, kernel::USER])?;
    Ok(())
}

/// Adds the reply of a run; replaces its earlier one.
pub(crate) fn reply(connection: &Connection, run: &str, at_ms: i64, text: &str) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM messages WHERE run = ?1 AND author = ?2")?
        .execute([run, PROGRAM])?;
    connection
        .prepare_cached(
            "INSERT INTO messages (session, at_ms, run, author, text)
             SELECT session, ?2, run, ?3, ?4 FROM runs WHERE run = ?1",
        )?
        .execute((run, at_ms, PROGRAM, text))?;
    Ok(())
}

/// Deletes the messages of a run.
pub(crate) fn erase(connection: &Connection, run: &str) -> Result<()> {
    connection.prepare_cached("DELETE FROM messages WHERE run = ?1")?.execute([run])?;
    Ok(())
}

pub(crate) fn list(connection: &Connection, session: &str) -> Result<Vec<SessionMessage>> {
    connection
        .prepare_cached("SELECT at_ms, run, author, text FROM messages WHERE session = ?1 ORDER BY id")?
        .query_map([session], |row| {
            Ok(SessionMessage {
                at_ms: row.get(0)?,
                run: row.get::<_, Option<String>>(1)?.map(RunId),
                author: row.get(2)?,
                text: row.get(3)?,
            })
        })?
        .collect()
}
