//! Evaluations: what was decided at their start, and their cells.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

pub(crate) const CREATE: &str = "CREATE TABLE evaluations (
    id INTEGER PRIMARY KEY,
    evaluation TEXT NOT NULL UNIQUE,
    data_set TEXT NOT NULL,            -- its name at the start
    plan TEXT NOT NULL,                -- JSON: cases, choices and judge, which never change
    started_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,               -- NULL while it is open
    ending TEXT,                       -- NULL while it is open
    holder INTEGER                     -- a row of processes, or one that is gone
) STRICT;
CREATE TABLE evaluation_cells (
    evaluation INTEGER NOT NULL,       -- a row of evaluations
    number INTEGER NOT NULL,           -- from 0
    content TEXT NOT NULL,             -- JSON
    PRIMARY KEY (evaluation, number)
) STRICT, WITHOUT ROWID;";

/// The row of an evaluation.
pub(crate) struct EvaluationRow {
    pub(crate) id: i64,
    pub(crate) evaluation: String,
    pub(crate) data_set: String,
    pub(crate) plan: String,
    pub(crate) started_at_ms: i64,
    pub(crate) ended_at_ms: Option<i64>,
    pub(crate) ending: Option<String>,
    pub(crate) holder: Option<i64>,
}

const COLUMNS: &str = "id, evaluation, data_set, plan, started_at_ms, ended_at_ms, ending, holder";

fn from_row(row: &Row<'_>) -> Result<EvaluationRow> {
    Ok(EvaluationRow {
        id: row.get(0)?,
        evaluation: row.get(1)?,
        data_set: row.get(2)?,
        plan: row.get(3)?,
        started_at_ms: row.get(4)?,
        ended_at_ms: row.get(5)?,
        ending: row.get(6)?,
        holder: row.get(7)?,
    })
}

pub(crate) fn insert(
    connection: &Connection,
    (evaluation, data_set, plan): (&str, &str, &str),
    holder: i64,
    now_ms: i64,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO evaluations (evaluation, data_set, plan, started_at_ms, holder)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![evaluation, data_set, plan, now_ms, holder])?;
    Ok(())
}

pub(crate) fn get(connection: &Connection, evaluation: &str) -> Result<Option<EvaluationRow>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM evaluations WHERE evaluation = ?1"))?
        .query_row([evaluation], from_row)
        .optional()
}

/// The newest first.
pub(crate) fn list(connection: &Connection) -> Result<Vec<EvaluationRow>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM evaluations ORDER BY id DESC"))?
        .query_map([], from_row)?
        .collect()
}

/// The ids that begin with this, the newest first.
pub(crate) fn beginning_with(connection: &Connection, prefix: &str) -> Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT evaluation FROM evaluations WHERE substr(evaluation, 1, length(?1)) = ?1 ORDER BY id DESC",
        )?
        .query_map([prefix], |row| row.get(0))?
        .collect()
}

/// Takes an evaluation for a process; it is open again.
pub(crate) fn take(connection: &Connection, id: i64, holder: i64) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE evaluations SET holder = ?2, ended_at_ms = NULL, ending = NULL WHERE id = ?1",
        )?
        .execute([id, holder])?;
    Ok(())
}

/// Writes the ending and lets go of an evaluation that this process holds.
pub(crate) fn end(
    connection: &Connection,
    evaluation: &str,
    holder: i64,
    (ending, now_ms): (&str, i64),
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE evaluations SET holder = NULL, ended_at_ms = ?3, ending = ?4
             WHERE evaluation = ?1 AND holder = ?2",
        )?
        .execute(params![evaluation, holder, now_ms, ending])?;
    Ok(())
}

pub(crate) fn put_cell(connection: &Connection, id: i64, number: u32, content: &str) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO evaluation_cells (evaluation, number, content) VALUES (?1, ?2, ?3)
             ON CONFLICT (evaluation, number) DO UPDATE SET content = ?3",
        )?
        .execute(params![id, number, content])?;
    Ok(())
}

/// The cells that began, each with its number.
pub(crate) fn cells(connection: &Connection, id: i64) -> Result<Vec<(u32, String)>> {
    connection
        .prepare_cached("SELECT number, content FROM evaluation_cells WHERE evaluation = ?1 ORDER BY number")?
        .query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

pub(crate) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM evaluation_cells WHERE evaluation = ?1")?.execute([id])?;
    connection.prepare_cached("DELETE FROM evaluations WHERE id = ?1")?.execute([id])?;
    Ok(())
}
