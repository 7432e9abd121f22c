//! The folds of runs at regular intervals: a cache that makes any event of a long run cheap to reach. They can be
//! rebuilt from the events.

use engine::LogError;
use kernel::{Event, Excerpt, RunFold, Seq, State};
use rusqlite::{Connection, OptionalExtension, Row};
use serde::{Deserialize, Serialize};

use super::event_row::key;
use super::events::Source;
use crate::checksum;
use crate::json;

pub(crate) const CREATE: &str = "CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,    -- run << 32 | seq
    state TEXT NOT NULL        -- Snapshot as JSON; large values by hash
) STRICT;";

/// The checksum of the row: see `checksum`. A row without one, from an earlier version, is ignored.
pub(crate) const ADD_CHECKSUM: &str = "ALTER TABLE snapshots ADD COLUMN checksum INTEGER;";

/// A snapshot is made at every event whose number is a multiple of this. The page caches folds at the same numbers, so
/// that its most frequent requests need no folding.
pub(crate) const INTERVAL: Seq = 500;

/// The fold of a run, and the events that display it.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    pub(crate) fold: RunFold,
    pub(crate) excerpt: Excerpt,
}

impl Snapshot {
    fn apply(&mut self, event: &Event) {
        self.fold.apply(event);
        self.excerpt.apply(event);
    }
}

/// The last snapshot at or before an event, or an empty one before the first.
pub(crate) fn nearest(source: &Source<'_>, run: i64, seq: Seq) -> Result<Snapshot, LogError> {
    let explain = |error: rusqlite::Error| source.place.explain(&error);
    let found: Option<Snapshot> = source
        .connection
        .prepare_cached(
            "SELECT id, checksum, state FROM snapshots WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1",
        )
        .map_err(explain)?
        .query_row((key(run, 0), key(run, seq)), |row| Ok(read(source, row)))
        .optional()
        .map_err(explain)?
        .flatten();
    // An unreadable or changed cache entry is ignored.
    Ok(found.unwrap_or_default())
}

/// The snapshot of a row, if it matches its checksum.
fn read(source: &Source<'_>, row: &Row<'_>) -> Option<Snapshot> {
    let (key, checksum): (i64, i64) = (row.get(0).ok()?, row.get(1).ok()?);
    let text = row.get_ref(2).ok()?.as_str().ok()?;
    if checksum != i64::from(checksum::of([key], [text])) {
        return None;
    }
    json::decode(text, "a snapshot", source.place).ok()
}

/// The state after an event; large values stay references.
pub(crate) fn state_at(source: &Source<'_>, run: i64, seq: Seq) -> Result<State, LogError> {
    let RunFold { last_seq, mut state, .. } = nearest(source, run, seq)?.fold;
    source.each_change(run, (last_seq, seq), |_, fact| apply(&mut state, &fact))?;
    Ok(state)
}

/// The fold of the run after an event; large values stay references.
pub(crate) fn at(source: &Source<'_>, run: i64, seq: Seq) -> Result<Snapshot, LogError> {
    let mut snapshot = nearest(source, run, seq)?;
    while snapshot.fold.last_seq < seq {
        fold_until(source, run, &mut snapshot, seq)?;
    }
    Ok(snapshot)
}

/// Makes the missing snapshots after the last one up to `seq`.
pub(crate) fn build(source: &Source<'_>, run: i64, seq: Seq) -> Result<(), LogError> {
    let mut snapshot = nearest(source, run, seq)?;
    while (snapshot.fold.last_seq / INTERVAL + 1) * INTERVAL <= seq {
        let until = fold_until(source, run, &mut snapshot, seq)?;
        let text = json::encode(&snapshot, "a snapshot")?;
        source
            .connection
            .prepare_cached("INSERT OR REPLACE INTO snapshots (id, state, checksum) VALUES (?1, ?2, ?3)")
            .and_then(|mut statement| {
                let key = key(run, until);
                let checksum = checksum::of([key], [text.as_str()]);
                statement.execute((key, text, checksum))
            })
            .map_err(|error| source.place.explain(&error))?;
    }
    Ok(())
}

/// Folds events up to the next multiple of the interval, or up to `seq` if that comes first.
fn fold_until(source: &Source<'_>, run: i64, snapshot: &mut Snapshot, seq: Seq) -> Result<Seq, LogError> {
    let last = snapshot.fold.last_seq;
    let until = seq.min((last / INTERVAL + 1) * INTERVAL);
    let events = source.every(run, last + 1, until)?;
    events.iter().for_each(|event| snapshot.apply(event));
    // Also when the last events were left out.
    snapshot.fold.last_seq = until;
    Ok(until)
}

pub(crate) fn erase(connection: &Connection, run: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM snapshots WHERE id BETWEEN ?1 AND ?2")?
        .execute((key(run, 0), key(run, Seq::MAX)))?;
    Ok(())
}

fn apply(state: &mut State, fact: &kernel::Fact) {
    if let kernel::Fact::StateChanged { delta } | kernel::Fact::RunResumed { delta, .. } = fact {
        state.apply(delta);
    }
}
