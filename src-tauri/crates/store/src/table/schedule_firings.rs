//! The handled instants of schedules. An instant has one row, so it never fires twice.

use kernel::RunId;
use rusqlite::{Connection, OptionalExtension, Result, Row};

use crate::shapes::{FiringEnd, StoredFiring};

pub(crate) const CREATE: &str = "CREATE TABLE schedule_firings (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: a firing may end after its row is gone
    schedule INTEGER NOT NULL,         -- a row of schedules
    at_ms INTEGER NOT NULL,
    begun_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,               -- NULL while it goes on, or when it was cut off
    run TEXT,
    run_row INTEGER,                   -- a row of runs, also when the run is erased: its usage stays
    outcome TEXT NOT NULL,
    details TEXT NOT NULL,             -- JSON
    UNIQUE (schedule, at_ms)
) STRICT;";

const COLUMNS: &str = "id, at_ms, begun_at_ms, ended_at_ms, run, outcome, details";

/// Firings that are kept of a schedule, however old.
const KEPT: u32 = 100;
/// How long all firings are kept, in milliseconds: for the usage of a month and against a clock that goes back.
const KEPT_MS: i64 = 70 * 24 * 3_600_000;

fn read(row: &Row<'_>) -> Result<StoredFiring> {
    Ok(StoredFiring {
        id: row.get(0)?,
        at_ms: row.get(1)?,
        begun_at_ms: row.get(2)?,
        ended_at_ms: row.get(3)?,
        run: row.get::<_, Option<String>>(4)?.map(RunId),
        outcome: row.get(5)?,
        details: row.get(6)?,
    })
}

/// Records an instant; `None` when it was handled before.
pub(crate) fn insert(
    connection: &Connection,
    schedule: i64,
    at_ms: i64,
    now_ms: i64,
    outcome: &str,
    details: &str,
    is_over: bool,
) -> Result<Option<i64>> {
    let inserted = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO schedule_firings (schedule, at_ms, begun_at_ms, ended_at_ms, outcome, details)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute((schedule, at_ms, now_ms, is_over.then_some(now_ms), outcome, details))?;
    if inserted == 0 {
        return Ok(None);
    }
    let id = connection.last_insert_rowid();
    connection
        .prepare_cached(
            "DELETE FROM schedule_firings WHERE schedule = ?1 AND begun_at_ms < ?2 AND id NOT IN
                 (SELECT id FROM schedule_firings WHERE schedule = ?1 ORDER BY id DESC LIMIT ?3)",
        )?
        .execute((schedule, now_ms.saturating_sub(KEPT_MS), KEPT))?;
    Ok(Some(id))
}

/// The newest firings of a schedule, newest first.
pub(crate) fn newest(connection: &Connection, schedule: i64, limit: u32) -> Result<Vec<StoredFiring>> {
    let sql = format!("SELECT {COLUMNS} FROM schedule_firings WHERE schedule = ?1 ORDER BY id DESC LIMIT ?2");
    connection.prepare_cached(&sql)?.query_map((schedule, limit), read)?.collect()
}

/// The newest firing of a schedule that has a run, or goes on.
pub(crate) fn newest_begun(connection: &Connection, schedule: i64) -> Result<Option<StoredFiring>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM schedule_firings WHERE schedule = ?1 AND (run IS NOT NULL OR ended_at_ms IS NULL)
         ORDER BY id DESC LIMIT 1"
    );
    connection.prepare_cached(&sql)?.query_row([schedule], read).optional()
}

pub(crate) fn set_run(connection: &Connection, id: i64, run: &str) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE schedule_firings SET run = ?2, run_row = (SELECT id FROM runs WHERE run = ?2) WHERE id = ?1",
        )?
        .execute((id, run))?;
    Ok(())
}

/// Records the end of a firing that has none yet; returns its schedule.
pub(crate) fn end(connection: &Connection, id: i64, end: &FiringEnd) -> Result<Option<i64>> {
    connection
        .prepare_cached(
            "UPDATE schedule_firings SET ended_at_ms = ?2, outcome = ?3, details = ?4
             WHERE id = ?1 AND ended_at_ms IS NULL RETURNING schedule",
        )?
        .query_row((id, end.ended_at_ms, &end.outcome, &end.details), |row| row.get(0))
        .optional()
}

/// The cost in US dollars and the tokens of the runs that a schedule began since a time.
pub(crate) fn usage(connection: &Connection, schedule: i64, since_ms: i64) -> Result<(f64, u64)> {
    connection
        .prepare_cached(
            "SELECT coalesce(sum(cost), 0.0), coalesce(sum(input_tokens + output_tokens), 0)
             FROM spending JOIN schedule_firings ON run_row = spending.run
             WHERE schedule = ?1 AND begun_at_ms >= ?2",
        )?
        .query_row((schedule, since_ms), |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.unsigned_abs())))
}

pub(crate) fn remove(connection: &Connection, schedule: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM schedule_firings WHERE schedule = ?1")?.execute([schedule])?;
    Ok(())
}

/// Forgets what a run said; that it was fired stays.
pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection
        .prepare_cached("UPDATE schedule_firings SET run = NULL, details = '{}' WHERE run_row = ?1")?
        .execute([run])?;
    Ok(())
}
