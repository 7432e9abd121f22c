//! Named values about this database.

use rusqlite::{Connection, OptionalExtension, Result};

pub(crate) const CREATE: &str =
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;";

pub(crate) fn get(connection: &Connection, name: &str) -> Result<Option<String>> {
    connection
        .prepare_cached("SELECT value FROM meta WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

pub(crate) fn set(connection: &Connection, name: &str, value: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2",
        )?
        .execute([name, value])?;
    Ok(())
}
