//! Large values and definitions, each kept once by the hash of its JSON text.
//!
//! Nothing is ever deleted here: a hash that was stored once may be relied on.

use rusqlite::{Connection, OptionalExtension, Result};

pub(crate) const CREATE: &str = "CREATE TABLE contents (
    hash TEXT PRIMARY KEY,
    json TEXT NOT NULL
) WITHOUT ROWID, STRICT;";

pub(crate) fn insert(connection: &Connection, hash: &str, json: &str) -> Result<()> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO contents (hash, json) VALUES (?1, ?2)")?
        .execute([hash, json])?;
    Ok(())
}

/// Reads the JSON text of a hash without copying it.
pub(crate) fn read<T>(
    connection: &Connection,
    hash: &str,
    with: impl FnOnce(&str) -> T,
) -> Result<Option<T>> {
    connection
        .prepare_cached("SELECT json FROM contents WHERE hash = ?1")?
        .query_row([hash], |row| Ok(with(row.get_ref(0)?.as_str()?)))
        .optional()
}
