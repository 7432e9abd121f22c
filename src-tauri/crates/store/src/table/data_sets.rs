//! Data sets and their cases.

use rusqlite::{Connection, OptionalExtension, Result};

pub(crate) const CREATE: &str = "CREATE TABLE data_sets (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pipeline TEXT NOT NULL,
    expect TEXT NOT NULL,              -- JSON list: what is expected of every case
    changed_at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE data_set_cases (
    data_set INTEGER NOT NULL,         -- a row of data_sets
    number INTEGER NOT NULL,           -- from 1
    content TEXT NOT NULL,             -- JSON
    PRIMARY KEY (data_set, number)
) STRICT, WITHOUT ROWID;";

/// The row of a set without its cases.
pub(crate) struct SetRow {
    pub(crate) id: i64,
    pub(crate) pipeline: String,
    pub(crate) expect: String,
}

/// A set in a list: name, pipeline, number of cases, time of its last change.
pub(crate) type ListedSet = (String, String, u32, i64);

pub(crate) fn list(connection: &Connection) -> Result<Vec<ListedSet>> {
    connection
        .prepare_cached(
            "SELECT name, pipeline, (SELECT count(*) FROM data_set_cases WHERE data_set = id), changed_at_ms
             FROM data_sets ORDER BY name",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect()
}

pub(crate) fn get(connection: &Connection, name: &str) -> Result<Option<SetRow>> {
    connection
        .prepare_cached("SELECT id, pipeline, expect FROM data_sets WHERE name = ?1")?
        .query_row([name], |row| Ok(SetRow { id: row.get(0)?, pipeline: row.get(1)?, expect: row.get(2)? }))
        .optional()
}

pub(crate) fn insert(
    connection: &Connection,
    (name, pipeline, expect): (&str, &str, &str),
    now_ms: i64,
) -> Result<i64> {
    connection
        .prepare_cached(
            "INSERT INTO data_sets (name, pipeline, expect, changed_at_ms) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute((name, pipeline, expect, now_ms))?;
    Ok(connection.last_insert_rowid())
}

/// The cases of a set in order, as JSON.
pub(crate) fn cases(connection: &Connection, id: i64) -> Result<Vec<String>> {
    connection
        .prepare_cached("SELECT content FROM data_set_cases WHERE data_set = ?1 ORDER BY number")?
        .query_map([id], |row| row.get(0))?
        .collect()
}

pub(crate) fn append(connection: &Connection, id: i64, case: &str, now_ms: i64) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO data_set_cases (data_set, number, content)
             VALUES (?1, 1 + coalesce((SELECT max(number) FROM data_set_cases WHERE data_set = ?1), 0), ?2)",
        )?
        .execute((id, case))?;
    connection
        .prepare_cached("UPDATE data_sets SET changed_at_ms = ?2 WHERE id = ?1")?
        .execute([id, now_ms])?;
    Ok(())
}

pub(crate) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM data_set_cases WHERE data_set = ?1")?.execute([id])?;
    connection.prepare_cached("DELETE FROM data_sets WHERE id = ?1")?.execute([id])?;
    Ok(())
}
