//! The runs: their start, their position, their holder.
//!
//! The row is written with every append, so long values are in `contents`.

use kernel::{Hash, Origin, Outcome, RunId, Seq, SessionId};
use rusqlite::{Connection, OptionalExtension, Result, Row, params};
use serde::Deserialize;
use serde::de::IntoDeserializer;

pub(crate) const CREATE: &str = "CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    last_seq INTEGER NOT NULL,
    last_at_ms INTEGER NOT NULL,
    outcome TEXT,                      -- NULL while it is open
    holder INTEGER,                    -- a row of processes, or one that is gone
    indexed_seq INTEGER NOT NULL DEFAULT 0,
    started_at_ms INTEGER NOT NULL,
    run TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (session),
    pipeline TEXT NOT NULL,
    title TEXT NOT NULL,
    definition TEXT NOT NULL,          -- hash in contents
    inputs TEXT NOT NULL,              -- hash in contents, or the JSON object itself
    origin_run TEXT,
    origin_seq INTEGER
) STRICT;";

/// Whether an agent presented its last change to the user, who has changed nothing since.
pub(crate) const ADD_RAISED: &str = "ALTER TABLE runs ADD COLUMN is_raised INTEGER NOT NULL DEFAULT 0;";

/// For an imported run, the kinds of data that were left out, as a JSON list; NULL for a run made here.
pub(crate) const ADD_IMPORTED: &str = "ALTER TABLE runs ADD COLUMN imported TEXT;";

/// The row of a new run.
pub(crate) struct NewRun<'a> {
    pub(crate) run: &'a str,
    pub(crate) session: &'a str,
    pub(crate) pipeline: &'a str,
    pub(crate) title: &'a str,
    pub(crate) definition: &'a Hash,
    pub(crate) inputs: &'a str,
    pub(crate) origin: Option<&'a Origin>,
    pub(crate) started_at_ms: i64,
    pub(crate) head: Head,
    /// The process that holds it; none for an imported run.
    pub(crate) holder: Option<i64>,
    pub(crate) imported: Option<&'a str>,
}

/// The columns that an append updates.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) last_seq: Seq,
    pub(crate) last_at_ms: i64,
    /// `None` when the events do not change it.
    pub(crate) outcome: Option<Option<Outcome>>,
    /// Whether a change awaits the user's attention; `None` when the events do not change it.
    pub(crate) is_raised: Option<bool>,
}

/// Inserts a new run with a row number that no erased run had, because the usage of erased runs is stored by row;
/// `None` when the id exists already.
pub(crate) fn insert(connection: &Connection, new: &NewRun<'_>) -> Result<Option<i64>> {
    let stored = connection
        .prepare_cached(
            "INSERT OR IGNORE INTO runs (id, last_seq, last_at_ms, outcome, holder, started_at_ms, run, session,
                 pipeline, title, definition, inputs, origin_run, origin_seq, is_raised, imported)
             VALUES ((SELECT 1 + max(coalesce((SELECT max(id) FROM runs), 0),
                 coalesce((SELECT max(run) FROM spending_known), 0))),
                 ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
        )?
        .execute(params![
            new.head.last_seq,
            new.head.last_at_ms,
            new.head.outcome.flatten().map(Outcome::word),
            new.holder,
            new.started_at_ms,
            new.run,
            new.session,
            new.pipeline,
            new.title,
            new.definition.0,
            new.inputs,
            new.origin.map(|origin| &origin.run.0),
            new.origin.map(|origin| origin.seq),
            new.head.is_raised.unwrap_or_default(),
            new.imported,
        ])?;
    Ok((stored == 1).then(|| connection.last_insert_rowid()))
}

/// Appends to a run if `holder` holds it and the previous event is its last: the statement that writes also checks the
/// lease and the numbering. An end releases the run. Returns whether it was updated.
pub(crate) fn advance(
    connection: &Connection,
    id: i64,
    holder: i64,
    before: Seq,
    head: Head,
) -> Result<bool> {
    let changed = connection
        .prepare_cached(
            "UPDATE runs SET last_seq = ?4, last_at_ms = ?5, outcome = CASE WHEN ?6 THEN ?7 ELSE outcome END,
                 holder = CASE WHEN ?7 IS NULL THEN holder END, is_raised = coalesce(?8, is_raised)
             WHERE id = ?1 AND holder = ?2 AND last_seq = ?3",
        )?
        .execute((
            id,
            holder,
            before,
            head.last_seq,
            head.last_at_ms,
            head.outcome.is_some(),
            head.outcome.flatten().map(Outcome::word),
            head.is_raised,
        ))?;
    Ok(changed == 1)
}

/// Sets the end of a run that was salvaged from a damaged database; it has no holder, and is not indexed yet.
pub(crate) fn set_end(
    connection: &Connection,
    id: i64,
    (last_seq, last_at_ms): (Seq, i64),
    outcome: Option<Outcome>,
) -> Result<()> {
    connection
        .prepare_cached(
            "UPDATE runs SET last_seq = ?2, last_at_ms = ?3, outcome = ?4, holder = NULL, indexed_seq = 0 WHERE id = ?1",
        )?
        .execute((id, last_seq, last_at_ms, outcome.map(Outcome::word)))?;
    Ok(())
}

/// A run's row, its last event, and the hashes of its start; short inputs are stored directly.
pub(crate) struct RunRow {
    pub(crate) id: i64,
    pub(crate) run: RunId,
    pub(crate) last_seq: Seq,
    pub(crate) definition: String,
    pub(crate) inputs: String,
}

pub(crate) fn rows(connection: &Connection) -> Result<Vec<RunRow>> {
    let listed = |row: &rusqlite::Row<'_>| {
        Ok(RunRow {
            id: row.get(0)?,
            run: RunId(row.get(1)?),
            last_seq: row.get(2)?,
            definition: row.get(3)?,
            inputs: row.get(4)?,
        })
    };
    connection
        .prepare_cached("SELECT id, run, last_seq, definition, inputs FROM runs ORDER BY id")?
        .query_map([], listed)?
        .collect()
}

/// The row of a run, its holder and its last event.
pub(crate) struct Standing {
    pub(crate) id: i64,
    pub(crate) holder: Option<i64>,
    pub(crate) last_seq: Seq,
    /// The number of the last stored event.
    pub(crate) last_stored: Seq,
}

pub(crate) fn standing(connection: &Connection, run: &str) -> Result<Option<Standing>> {
    connection
        .prepare_cached(
            "SELECT id, holder, last_seq, coalesce((SELECT events.id & 0xffffffff FROM events
                 WHERE events.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff ORDER BY events.id DESC LIMIT 1), 0)
             FROM runs WHERE run = ?1",
        )?
        .query_row([run], |row| {
            let (id, holder, last_seq, last_stored) = row.try_into()?;
            Ok(Standing { id, holder, last_seq, last_stored })
        })
        .optional()
}

pub(crate) fn take(connection: &Connection, id: i64, holder: i64) -> Result<()> {
    connection.prepare_cached("UPDATE runs SET holder = ?2 WHERE id = ?1")?.execute([id, holder])?;
    Ok(())
}

/// Releases a run, unless another process took it meanwhile.
pub(crate) fn let_go(connection: &Connection, id: i64, holder: i64) -> Result<()> {
    connection
        .prepare_cached("UPDATE runs SET holder = NULL WHERE id = ?1 AND holder = ?2")?
        .execute([id, holder])?;
    Ok(())
}

/// The start of a run from its row.
pub(crate) struct Beginning {
    pub(crate) id: i64,
    pub(crate) session: SessionId,
    pub(crate) started_at_ms: i64,
    pub(crate) definition: Hash,
    pub(crate) inputs: String,
    pub(crate) origin: Option<Origin>,
}

pub(crate) fn origin(row: &Row<'_>, run: usize) -> Result<Option<Origin>> {
    let parent: Option<String> = row.get(run)?;
    let seq: Option<Seq> = row.get(run + 1)?;
    Ok(parent.zip(seq).map(|(run, seq)| Origin { run: RunId(run), seq }))
}

pub(crate) fn beginning(connection: &Connection, run: &str) -> Result<Option<Beginning>> {
    connection
        .prepare_cached(
            "SELECT id, session, started_at_ms, definition, inputs, origin_run, origin_seq FROM runs WHERE run = ?1",
        )?
        .query_row([run], |row| {
            Ok(Beginning {
                id: row.get(0)?,
                session: SessionId(row.get(1)?),
                started_at_ms: row.get(2)?,
                definition: Hash(row.get(3)?),
                inputs: row.get(4)?,
                origin: origin(row, 5)?,
            })
        })
        .optional()
}

pub(crate) fn outcome_of(word: &str) -> Option<Outcome> {
    let plain: serde::de::value::StrDeserializer<'_, serde::de::value::Error> = word.into_deserializer();
    Outcome::deserialize(plain).ok()
}

/// Runs whose id begins with this prefix, the newest first, at most a handful.
pub(crate) fn beginning_with(connection: &Connection, prefix: &str) -> Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT run FROM runs WHERE run >= ?1 AND run < ?1 || char(1114111) ORDER BY id DESC LIMIT 5",
        )?
        .query_map([prefix], |row| row.get(0))?
        .collect()
}

/// The runs of a session outside the trash, the oldest first.
pub(crate) fn of_session(connection: &Connection, session: &str) -> Result<Vec<RunId>> {
    connection
        .prepare_cached("SELECT runs.run FROM runs LEFT JOIN run_marks ON run_marks.run = runs.id WHERE session = ?1 AND trashed_at_ms IS NULL ORDER BY runs.id")?
        .query_map([session], |row| row.get(0).map(RunId))?
        .collect()
}

/// The newest runs below a row with events that are not indexed: row, title, last event.
pub(crate) fn not_indexed(
    connection: &Connection,
    below: i64,
    limit: u32,
) -> Result<Vec<(i64, String, Seq)>> {
    connection
        .prepare_cached(
            "SELECT id, coalesce(run_marks.title, runs.title), last_seq
             FROM runs LEFT JOIN run_marks ON run_marks.run = runs.id WHERE last_seq > indexed_seq
             AND id < ?1 ORDER BY id DESC LIMIT ?2",
        )?
        .query_map((below, limit), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect()
}

pub(crate) fn count_not_indexed(connection: &Connection) -> Result<u32> {
    connection
        .prepare_cached("SELECT count(*) FROM runs WHERE last_seq > indexed_seq")?
        .query_row([], |row| row.get(0))
}

pub(crate) fn set_indexed(connection: &Connection, id: i64, seq: Seq) -> Result<()> {
    connection
        .prepare_cached("UPDATE runs SET indexed_seq = ?2 WHERE id = ?1 AND indexed_seq < ?2")?
        .execute((id, seq))?;
    Ok(())
}

/// The inputs of all other runs, as far as they are in `contents`.
pub(crate) fn kept_inputs(connection: &Connection, run: i64) -> Result<Vec<(String, String)>> {
    connection
        .prepare_cached(
            "SELECT hash, json FROM contents WHERE hash IN (SELECT inputs FROM runs WHERE id <> ?1 AND inputs NOT LIKE '{%')",
        )?
        .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The hash of a run's definition.
pub(crate) fn definition(connection: &Connection, id: i64) -> Result<Hash> {
    connection
        .prepare_cached("SELECT definition FROM runs WHERE id = ?1")?
        .query_row([id], |row| Ok(Hash(row.get(0)?)))
}

/// Whether another run has this definition.
pub(crate) fn is_definition(connection: &Connection, run: i64, hash: &str) -> Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM runs WHERE id <> ?1 AND definition = ?2)")?
        .query_row((run, hash), |row| row.get(0))
}

/// Runs that were moved into the trash before this time, the oldest first.
pub(crate) fn trashed_before(connection: &Connection, at_ms: i64) -> Result<Vec<RunId>> {
    connection
        .prepare_cached(
            "SELECT runs.run FROM runs JOIN run_marks ON run_marks.run = runs.id
             WHERE trashed_at_ms < ?1 ORDER BY trashed_at_ms",
        )?
        .query_map([at_ms], |row| row.get(0).map(RunId))?
        .collect()
}

pub(crate) fn erase(connection: &Connection, id: i64) -> Result<()> {
    connection.prepare_cached("DELETE FROM runs WHERE id = ?1")?.execute([id])?;
    Ok(())
}

/// The rows of the processes that hold runs.
pub(crate) fn holders(connection: &Connection) -> Result<Vec<i64>> {
    connection
        .prepare_cached("SELECT DISTINCT holder FROM runs WHERE holder IS NOT NULL")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// The number of runs outside and in the trash.
pub(crate) fn count(connection: &Connection) -> Result<(u32, u32)> {
    connection
        .prepare_cached(
            "SELECT count(*) - count(trashed_at_ms), count(trashed_at_ms)
             FROM runs LEFT JOIN run_marks ON run_marks.run = runs.id",
        )?
        .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
}
