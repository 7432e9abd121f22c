//! Large values and definitions, each kept once by the hash of its JSON text.
//!
//! What no run refers to any more is deleted when a run is erased, and only then. Each time raises a number, by which
//! every process finds out that a hash it stored once may have to be stored again.

use rusqlite::{Connection, OptionalExtension, Result};

use crate::table::meta;

const ERASURES: &str = "erasures_of_contents";

pub(crate) const CREATE: &str = "CREATE TABLE contents (
    hash TEXT PRIMARY KEY,
    json TEXT NOT NULL
) WITHOUT ROWID, STRICT;";

/// Beside its hash in the key's own tree a value was read whole by SQLite whenever a neighbour of it was looked for.
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

/// How often contents were deleted.
pub(crate) fn erasures(connection: &Connection) -> Result<u64> {
    Ok(meta::get(connection, ERASURES)?.and_then(|count| count.parse().ok()).unwrap_or(0))
}

/// Deletes these; nothing may refer to them any more.
pub(crate) fn erase<'a>(connection: &Connection, hashes: impl Iterator<Item = &'a String>) -> Result<()> {
    let mut statement = connection.prepare_cached("DELETE FROM contents WHERE hash = ?1")?;
    for hash in hashes {
        statement.execute([hash])?;
    }
    meta::set(connection, ERASURES, &erasures(connection)?.wrapping_add(1).to_string())
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

/// How many there are.
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
