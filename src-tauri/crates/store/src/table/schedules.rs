//! Schedules: runs that begin by themselves.

use rusqlite::{Connection, OptionalExtension, Result, Row, params};

use crate::shapes::{FailureCount, ScheduleState, ScheduleTimes, StoredSchedule};

pub(crate) const CREATE: &str = "CREATE TABLE schedules (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again
    name TEXT NOT NULL,
    folded TEXT NOT NULL UNIQUE,       -- the name in small letters
    setup TEXT NOT NULL,               -- JSON
    state TEXT NOT NULL,               -- active, paused or stopped
    failures INTEGER NOT NULL DEFAULT 0,
    handled_until_ms INTEGER NOT NULL,
    next_at_ms INTEGER,                -- NULL: there is no more
    saved_at_ms INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0
) STRICT;";

const COLUMNS: &str = "id, name, setup, state, failures, handled_until_ms, next_at_ms, saved_at_ms, revision";

fn read(row: &Row<'_>) -> Result<StoredSchedule> {
    let word: String = row.get(3)?;
    let state = ScheduleState::ALL.into_iter().find(|state| state.word() == word);
    Ok(StoredSchedule {
        id: row.get(0)?,
        name: row.get(1)?,
        setup: row.get(2)?,
        // A state of a later program does not fire here.
        state: state.unwrap_or(ScheduleState::Paused),
        failures: row.get(4)?,
        handled_until_ms: row.get(5)?,
        next_at_ms: row.get(6)?,
        saved_at_ms: row.get(7)?,
        revision: row.get(8)?,
    })
}

/// All schedules by name.
pub(crate) fn all(connection: &Connection) -> Result<Vec<StoredSchedule>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM schedules ORDER BY folded"))?
        .query_map([], read)?
        .collect()
}

/// The schedule of a name, in capital letters or not.
pub(crate) fn named(connection: &Connection, name: &str) -> Result<Option<StoredSchedule>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM schedules WHERE folded = ?1"))?
        .query_row([name.to_lowercase()], read)
        .optional()
}

/// The times of the schedules that fire.
pub(crate) fn times(connection: &Connection) -> Result<Vec<ScheduleTimes>> {
    connection
        .prepare("SELECT handled_until_ms, next_at_ms FROM schedules WHERE state = ?1")?
        .query_map([ScheduleState::Active.word()], |row| {
            Ok(ScheduleTimes { handled_until_ms: row.get(0)?, next_at_ms: row.get(1)? })
        })?
        .collect()
}

/// Inserts a schedule, or replaces the one in this row.
pub(crate) fn save(
    connection: &Connection,
    replaced: Option<i64>,
    name: &str,
    setup: &str,
    times: ScheduleTimes,
    now_ms: i64,
) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO schedules (id, name, folded, setup, state, handled_until_ms, next_at_ms, saved_at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, folded = excluded.folded,
                 setup = excluded.setup, state = excluded.state, failures = 0,
                 handled_until_ms = excluded.handled_until_ms, next_at_ms = excluded.next_at_ms,
                 saved_at_ms = excluded.saved_at_ms, revision = revision + 1",
        )?
        .execute(params![
            replaced,
            name,
            name.to_lowercase(),
            setup,
            ScheduleState::Active.word(),
            times.handled_until_ms,
            times.next_at_ms,
            now_ms,
        ])?;
    Ok(())
}

/// Moves the marks of a schedule that nobody changed since this revision; returns whether it did.
pub(crate) fn advance(connection: &Connection, id: i64, revision: i64, times: ScheduleTimes) -> Result<bool> {
    let changed = connection
        .prepare_cached(
            "UPDATE schedules SET handled_until_ms = ?3, next_at_ms = ?4, revision = revision + 1
             WHERE id = ?1 AND revision = ?2 AND state = ?5",
        )?
        .execute((id, revision, times.handled_until_ms, times.next_at_ms, ScheduleState::Active.word()))?;
    Ok(changed == 1)
}

/// Sets the state and clears the failures.
pub(crate) fn set_state(
    connection: &Connection,
    id: i64,
    state: ScheduleState,
    times: Option<ScheduleTimes>,
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE schedules SET state = ?2, failures = 0, revision = revision + 1,
                 handled_until_ms = coalesce(?3, handled_until_ms),
                 next_at_ms = CASE WHEN ?3 IS NULL THEN next_at_ms ELSE ?4 END
             WHERE id = ?1",
        )?
        .execute((
            id,
            state.word(),
            times.map(|times| times.handled_until_ms),
            times.and_then(|times| times.next_at_ms),
        ))?;
    Ok(())
}

/// Counts the end of a firing.
pub(crate) fn count_failures(connection: &Connection, id: i64, count: FailureCount) -> Result<()> {
    match count {
        FailureCount::Unchanged => return Ok(()),
        FailureCount::None => connection
            .prepare_cached("UPDATE schedules SET failures = 0, revision = revision + 1 WHERE id = ?1")?
            .execute([id])?,
        FailureCount::OneMore { stops_at } => connection
            .prepare_cached(
                "UPDATE schedules SET failures = failures + 1, revision = revision + 1,
                     state = CASE WHEN failures + 1 >= ?2 AND state = ?3 THEN ?4 ELSE state END
                 WHERE id = ?1",
            )?
            .execute((id, stops_at, ScheduleState::Active.word(), ScheduleState::Stopped.word()))?,
    };
    Ok(())
}

pub(crate) fn remove(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM schedules WHERE id = ?1")?.execute([id])?;
    Ok(())
}
