//! Large values and definitions, each stored once by the hash of its JSON text.
//!
//! Unreferenced contents are deleted only when a run is erased. Each deletion increases a number, from which all
//! processes see that a value they stored may have to be stored again.

use rusqlite::{Connection, OptionalExtension, Result};

use crate::table::meta;

const ERASURES: &str = "erasures_of_contents";

pub(crate) const CREATE: &str = "CREATE TABLE contents (
    hash TEXT PRIMARY KEY,
    json TEXT NOT NULL
) WITHOUT ROWID, STRICT;";

/// In a table keyed by hash SQLite read a whole value whenever it searched a neighbour of it.
pub(crate) const KEEP_BY_ROW: &str = "ALTER TABLE contents RENAME TO contents_by_hash;
CREATE TABLE contents (
    hash TEXT NOT NULL PRIMARY KEY,
    json TEXT NOT NULL
) STRICT;
INSERT INTO contents (hash, json) SELECT hash, json FROM contents_by_hash;
DROP TABLE contents_by_hash;";

pub(crate) fn insert(connection: &Connection, hash: &str, json: &str) -> Result<()> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO contents (hash, json) VALUES (?1, ?2)")?
        .execute([hash, json])?;
    Ok(())
}

/// The number of deletions of contents.
pub(crate) fn erasures(connection: &Connection) -> Result<u64> {
    Ok(meta::get(connection, ERASURES)?.and_then(|count| count.parse().ok()).unwrap_or(0))
}

/// Deletes these contents, which must be unreferenced.
pub(crate) fn erase<'a>(connection: &Connection, hashes: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM contents WHERE hash = ?1")?;
    for hash in hashes {
        statement.execute([hash])?;
    }
    meta::set(connection, ERASURES, &erasures(connection)?.wrapping_add(1).to_string())
}

/// Reads the JSON text with a hash without copying it.
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

/// The number of contents.
pub(crate) fn count(connection: &Connection) -> Result<usize> {
    let count: i64 = connection.query_row("SELECT count(*) FROM contents", [], |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Calls `with` for each hash and its JSON text.
pub(crate) fn each(connection: &Connection, mut with: impl FnMut(&str, &str)) -> Result<()> {
    let mut statement = connection.prepare("SELECT hash, json FROM contents")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        with(row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
    }
    Ok(())
}
