//! The events of all runs.
//!
//! One number is the key: the run's row above, the event's number in the lower 32 bits. So the
//! events of a run lie together, no second index is written, and an event may fill a whole page
//! before it spills over (in a table without row ids only a quarter).

use kernel::{EVENT_VERSION, Event, Path, Seq};
use rusqlite::{Connection, Result, Row};

use crate::fault::Place;
use crate::json;

pub(crate) const CREATE: &str = "CREATE TABLE events (
    id INTEGER PRIMARY KEY,            -- run << 32 | seq
    at_ms INTEGER NOT NULL,
    v INTEGER NOT NULL,
    n INTEGER NOT NULL,
    surface INTEGER NOT NULL,
    changes_state INTEGER NOT NULL,    -- lets a fold skip the others unread
    author TEXT NOT NULL,
    path TEXT NOT NULL,
    fact TEXT NOT NULL                 -- JSON; large values by hash
) STRICT;";

/// Leads to the few events that refer to contents, so that what nobody refers to is found without reading all of them.
pub(crate) const CREATE_REFERRING: &str =
    "CREATE INDEX events_referring ON events (id) WHERE instr(fact, '\"$stored\"') > 0;";

/// It cost every commit a page more, and to erase a run all that refer to contents are read either way.
pub(crate) const DROP_REFERRING: &str = "DROP INDEX events_referring;";

/// The key of an event.
pub(crate) fn key(run: i64, seq: Seq) -> i64 {
    (run << 32) | i64::from(seq)
}

/// The number of an event in its run, of its key.
pub(crate) fn seq_of(key: i64) -> Seq {
    (key & 0xffff_ffff) as Seq
}

/// An event and its fact as JSON text.
pub(crate) struct Encoded {
    pub(crate) event: Event,
    pub(crate) fact: String,
}

pub(crate) fn insert(connection: &Connection, run: i64, rows: &[Encoded]) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO events (id, at_ms, v, n, surface, changes_state, author, path, fact)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for Encoded { event, fact } in rows {
        statement.execute((
            key(run, event.seq),
            event.at_ms,
            event.v,
            event.n,
            event.surface,
            event.delta().is_some(),
            event.author.as_str(),
            event.path.as_str(),
            fact.as_str(),
        ))?;
    }
    Ok(())
}

const COLUMNS: &str = "id, at_ms, v, n, surface, author, path, fact";

/// Decodes rows; neighbours share the text of their path.
struct Decoder<'a> {
    place: &'a Place,
    path: Option<Path>,
}

impl Decoder<'_> {
    fn event(&mut self, row: &Row<'_>) -> Result<Event, engine::LogError> {
        let read = |error: rusqlite::Error| self.place.fault(&error);
        let v: i64 = row.get(2).map_err(read)?;
        if v > i64::from(EVENT_VERSION) {
            return Err(self.place.newer(v, usize::from(EVENT_VERSION)));
        }
        let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?)).map_err(read);
        let path = text(6)?;
        let shared = match &self.path {
            Some(last) if last.as_str() == path => last.clone(),
            _ => Path::root(path),
        };
        self.path = Some(shared.clone());
        Ok(Event {
            v: v as u8,
            seq: seq_of(row.get(0).map_err(read)?),
            at_ms: row.get(1).map_err(read)?,
            author: text(5)?.to_owned(),
            path: shared,
            n: row.get(3).map_err(read)?,
            surface: row.get(4).map_err(read)?,
            fact: json::decode(text(7)?, "an event", self.place)?,
        })
    }
}

fn collect(
    place: &Place,
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Event>, engine::LogError> {
    let fault = |error: rusqlite::Error| place.fault(&error);
    let mut statement = connection.prepare_cached(sql).map_err(fault)?;
    let mut rows = statement.query(parameters).map_err(fault)?;
    let mut decoder = Decoder { place, path: None };
    let mut events = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        events.push(decoder.event(row)?);
    }
    Ok(events)
}

/// Events from a number on, values as they are stored.
pub(crate) fn list(
    place: &Place,
    connection: &Connection,
    run: i64,
    from: Seq,
    limit: u32,
) -> Result<Vec<Event>, engine::LogError> {
    let sql = format!("SELECT {COLUMNS} FROM events WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3");
    collect(place, connection, &sql, (key(run, from), key(run, Seq::MAX), limit))
}

/// All events from `from` up to `until`. Where a page of the file is damaged, SQLite may end a list early without a
/// word: where numbers are missing, the file is looked at. In one that is sound they were taken out on purpose, and
/// what is left can be replayed.
pub(crate) fn every(
    place: &Place,
    connection: &Connection,
    run: i64,
    from: Seq,
    until: Seq,
) -> Result<Vec<Event>, engine::LogError> {
    let wanted = until.saturating_add(1).saturating_sub(from);
    let mut events = list(place, connection, run, from, wanted)?;
    events.retain(|event| event.seq <= until);
    let is_whole =
        events.len() == wanted as usize && events.iter().zip(from..).all(|(event, seq)| event.seq == seq);
    if is_whole || is_sound(connection).map_err(|error| place.fault(&error))? {
        Ok(events)
    } else {
        Err(place.damaged("events of a run are missing"))
    }
}

/// The events with these numbers, those that there are.
pub(crate) fn picked(
    place: &Place,
    connection: &Connection,
    run: i64,
    seqs: &[Seq],
) -> Result<Vec<Event>, engine::LogError> {
    let fault = |error: rusqlite::Error| place.fault(&error);
    let sql = format!("SELECT {COLUMNS} FROM events WHERE id = ?1");
    let mut statement = connection.prepare_cached(&sql).map_err(fault)?;
    let mut decoder = Decoder { place, path: None };
    let mut events = Vec::with_capacity(seqs.len());
    for seq in seqs {
        let mut rows = statement.query((key(run, *seq),)).map_err(fault)?;
        if let Some(row) = rows.next().map_err(fault)? {
            events.push(decoder.event(row)?);
        }
    }
    Ok(events)
}

fn is_sound(connection: &Connection) -> Result<bool> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(found == "ok")
}

/// Events whose fact contains this text somewhere; the caller looks closer.
pub(crate) fn containing(
    place: &Place,
    connection: &Connection,
    run: i64,
    text: &str,
) -> Result<Vec<Event>, engine::LogError> {
    let sql = format!(
        "SELECT {COLUMNS} FROM events WHERE id BETWEEN ?1 AND ?2 AND instr(fact, ?3) > 0 ORDER BY id"
    );
    collect(place, connection, &sql, (key(run, 0), key(run, Seq::MAX), text))
}

/// Calls `with` for every event of these runs whose fact refers to contents: of one, or of all others.
pub(crate) fn each_referring(
    connection: &Connection,
    run: i64,
    is_of_others: bool,
    mut with: impl FnMut(&str),
) -> Result<()> {
    let which = if is_of_others { "NOT BETWEEN" } else { "BETWEEN" };
    let sql =
        format!("SELECT fact FROM events WHERE instr(fact, '\"$stored\"') > 0 AND id {which} ?1 AND ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((key(run, 0), key(run, Seq::MAX)))?;
    while let Some(row) = rows.next()? {
        with(row.get_ref(0)?.as_str()?);
    }
    Ok(())
}

pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM events WHERE id BETWEEN ?1 AND ?2")?
        .execute((key(run, 0), key(run, Seq::MAX)))?;
    Ok(())
}

/// The remarks of a run and the words with which it ended, in their order.
pub(crate) fn remarks(connection: &Connection, run: i64) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare_cached(
            "SELECT coalesce(json_extract(fact, '$.note.sentence'), json_extract(fact, '$.fault.message')) AS said
             FROM events WHERE id BETWEEN ?1 AND ?2
             AND (fact LIKE '{\"kind\":\"noted\"%' OR fact LIKE '{\"kind\":\"run_ended\"%') AND said IS NOT NULL
             ORDER BY id",
        )?
        .query_map((key(run, 0), key(run, Seq::MAX)), |row| row.get(0))?
        .collect()
}

/// Calls `with` for the fact of every event after `after` up to `until` that changed the state.
pub(crate) fn each_change(
    place: &Place,
    connection: &Connection,
    run: i64,
    (after, until): (Seq, Seq),
    mut with: impl FnMut(Seq, kernel::Fact),
) -> Result<(), engine::LogError> {
    let fault = |error: rusqlite::Error| place.fault(&error);
    let mut statement = connection
        .prepare_cached(
            "SELECT id, v, fact FROM events WHERE id > ?1 AND id <= ?2 AND changes_state ORDER BY id",
        )
        .map_err(fault)?;
    let mut rows = statement.query((key(run, after), key(run, until))).map_err(fault)?;
    while let Some(row) = rows.next().map_err(fault)? {
        let v: i64 = row.get(1).map_err(fault)?;
        if v > i64::from(EVENT_VERSION) {
            return Err(place.newer(v, usize::from(EVENT_VERSION)));
        }
        let fact = row.get_ref(2).and_then(|value| Ok(value.as_str()?)).map_err(fault)?;
        with(seq_of(row.get(0).map_err(fault)?), json::decode(fact, "an event", place)?);
    }
    Ok(())
}
