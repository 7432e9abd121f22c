//! How a run stood at every so many events: a cache that makes any moment of a long run cheap to reach.
//! Deleting all of them loses nothing but time.

use kernel::{RunFold, Seq, State};
use rusqlite::{Connection, OptionalExtension};

use super::events;
use crate::fault::Place;
use crate::json;

pub(crate) const CREATE: &str = "CREATE TABLE snapshots (
    id INTEGER PRIMARY KEY,    -- run << 32 | seq
    state TEXT NOT NULL        -- RunFold as JSON; large values by hash
) STRICT;";

/// A snapshot is made at every event whose number is a multiple of this.
pub(crate) const EVERY: Seq = 512;

/// The last snapshot at or before an event, or the empty fold before the first.
pub(crate) fn nearest(
    place: &Place,
    connection: &Connection,
    run: i64,
    seq: Seq,
) -> Result<RunFold, engine::LogError> {
    let fault = |error: rusqlite::Error| place.fault(&error);
    let found: Option<String> = connection
        .prepare_cached("SELECT state FROM snapshots WHERE id BETWEEN ?1 AND ?2 ORDER BY id DESC LIMIT 1")
        .map_err(fault)?
        .query_row((events::key(run, 0), events::key(run, seq)), |row| row.get(0))
        .optional()
        .map_err(fault)?;
    // A cache that cannot be read is as good as none.
    Ok(found.and_then(|text| json::decode(&text, "a snapshot", place).ok()).unwrap_or_default())
}

/// The state after an event, large values left as references.
pub(crate) fn state_at(
    place: &Place,
    connection: &Connection,
    run: i64,
    seq: Seq,
) -> Result<State, engine::LogError> {
    let RunFold { last_seq, mut state, .. } = nearest(place, connection, run, seq)?;
    events::each_change(place, connection, run, (last_seq, seq), |_, fact| apply(&mut state, &fact))?;
    Ok(state)
}

/// How the run stood after an event, large values left as references.
pub(crate) fn fold_at(
    place: &Place,
    connection: &Connection,
    run: i64,
    seq: Seq,
) -> Result<RunFold, engine::LogError> {
    let mut fold = nearest(place, connection, run, seq)?;
    while fold.last_seq < seq {
        let until = seq.min(fold.last_seq.saturating_add(EVERY));
        let events = events::every(place, connection, run, fold.last_seq + 1, until)?;
        events.iter().for_each(|event| fold.apply(event));
        // Also where the last ones were taken out.
        fold.last_seq = until;
    }
    Ok(fold)
}

/// Makes the snapshots that are missing after the last one up to `seq`.
pub(crate) fn build(
    place: &Place,
    connection: &Connection,
    run: i64,
    seq: Seq,
) -> Result<(), engine::LogError> {
    let mut fold = nearest(place, connection, run, seq)?;
    while fold.last_seq.saturating_add(EVERY) <= seq {
        let until = (fold.last_seq / EVERY + 1) * EVERY;
        let events = events::every(place, connection, run, fold.last_seq + 1, until)?;
        events.iter().for_each(|event| fold.apply(event));
        // Also where the last ones were taken out.
        fold.last_seq = until;
        let text = json::encode(&fold, "a snapshot")?;
        connection
            .prepare_cached("INSERT OR REPLACE INTO snapshots (id, state) VALUES (?1, ?2)")
            .and_then(|mut statement| statement.execute((events::key(run, until), text)))
            .map_err(|error| place.fault(&error))?;
    }
    Ok(())
}

fn apply(state: &mut State, fact: &kernel::Fact) {
    if let kernel::Fact::StateChanged { delta } | kernel::Fact::RunResumed { delta, .. } = fact {
        state.apply(delta);
    }
}
