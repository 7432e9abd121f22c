//! The events of all runs.
//!
//! One number is the key: the run's row above, the event's number in the lower 32 bits. So the
//! events of a run lie together, no second index is written, and an event may fill a whole page
//! before it spills over (in a table without row ids only a quarter).

use std::cmp::Ordering;

use engine::LogError;
use kernel::{EVENT_VERSION, Event, Path, Seq};
use rusqlite::{Connection, Result, Row};

use crate::error::Place;
use crate::json;
use crate::omissions::Omissions;

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

/// How long the program had worked on the run then: what counts against a limit.
pub(crate) const ADD_RAN: &str = "ALTER TABLE events ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0;";

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
        "INSERT INTO events (id, at_ms, v, n, surface, changes_state, author, path, fact, ran_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
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
            i64::try_from(event.ran_ms).unwrap_or(i64::MAX),
        ))?;
    }
    Ok(())
}

const COLUMNS: &str = "id, at_ms, v, n, surface, author, path, fact, ran_ms";

/// Where events are read, and what becomes of those that cannot be.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) place: &'a Place,
    pub(crate) connection: &'a Connection,
    /// Takes what is left out where a person wants to see the rest of a damaged run; without it that is an error.
    pub(crate) left_out: Option<&'a Omissions>,
}

/// What a missing event is.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    Damage,
    /// Taken out on purpose, where the file is sound: from the rest a run can be replayed.
    Accepted,
}

/// Decodes rows; neighbours share the text of their path.
struct Decoder<'a> {
    place: &'a Place,
    path: Option<Path>,
}

impl Decoder<'_> {
    fn event(&mut self, row: &Row<'_>) -> Result<Event, LogError> {
        let read = |error: rusqlite::Error| self.place.explain(&error);
        check_version(self.place, row.get(2).map_err(read)?)?;
        let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?)).map_err(read);
        let path = text(6)?;
        let shared = match &self.path {
            Some(last) if last.as_str() == path => last.clone(),
            _ => Path::root(path),
        };
        self.path = Some(shared.clone());
        Ok(Event {
            v: row.get(2).map_err(read)?,
            seq: seq_of(row.get(0).map_err(read)?),
            at_ms: row.get(1).map_err(read)?,
            ran_ms: row.get::<_, i64>(8).map_err(read)?.try_into().unwrap_or(0),
            author: text(5)?.to_owned(),
            path: shared,
            n: row.get(3).map_err(read)?,
            surface: row.get(4).map_err(read)?,
            fact: json::decode(text(7)?, "an event", self.place)?,
        })
    }
}

fn check_version(place: &Place, v: i64) -> Result<(), LogError> {
    match v.cmp(&i64::from(EVENT_VERSION)) {
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(place.newer(v, usize::from(EVENT_VERSION))),
        Ordering::Less => Err(place.damaged(&format!(
            "its events have format {v} of an earlier program, and this one reads {EVENT_VERSION} only"
        ))),
    }
}

impl<'a> Source<'a> {
    /// All events from `from` up to `until`, values as they are stored.
    ///
    /// # Errors
    /// `database_corrupt` when one of them is missing or cannot be read.
    pub(crate) fn every(&self, run: i64, from: Seq, until: Seq) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        self.each(COLUMNS, run, (from, until), Gap::Damage, |row| decoder.event(row).map(Some))
    }

    /// The same where some were taken out on purpose: SQLite may end a list early without a word when a page of the file
    /// is damaged, so where numbers are missing the file is looked at.
    pub(crate) fn those_there(&self, run: i64, from: Seq, until: Seq) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        let found =
            self.each(COLUMNS, run, (from, until), Gap::Accepted, |row| decoder.event(row).map(Some))?;
        let is_whole = found.len() == until.saturating_add(1).saturating_sub(from) as usize
            && found.iter().zip(from..).all(|(event, seq)| event.seq == seq);
        if is_whole
            || self.left_out.is_some()
            || is_sound(self.connection).map_err(|error| self.place.explain(&error))?
        {
            return Ok(found);
        }
        Err(self.place.damaged("events of a run are missing"))
    }

    /// The events with these numbers.
    pub(crate) fn picked(&self, run: i64, seqs: &[Seq]) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        let mut events = Vec::with_capacity(seqs.len());
        for seq in seqs {
            let found =
                self.each(COLUMNS, run, (*seq, *seq), Gap::Damage, |row| decoder.event(row).map(Some))?;
            events.extend(found);
        }
        Ok(events)
    }

    /// Events up to `until` whose fact contains this text somewhere; the caller looks closer.
    pub(crate) fn containing(&self, run: i64, until: Seq, text: &str) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        self.each(COLUMNS, run, (1, until), Gap::Damage, |row| {
            let fact = row.get_ref(7).and_then(|value| Ok(value.as_str()?));
            let fact = fact.map_err(|error| self.place.explain(&error))?;
            if fact.contains(text) {
                return decoder.event(row).map(Some);
            }
            // What cannot be read may have been what is looked for.
            json::decode::<serde::de::IgnoredAny>(fact, "an event", self.place)?;
            Ok(None)
        })
    }

    /// Calls `with` for the fact of every event after `after` up to `until` that changed the state.
    pub(crate) fn each_change(
        &self,
        run: i64,
        (after, until): (Seq, Seq),
        mut with: impl FnMut(Seq, kernel::Fact),
    ) -> Result<(), LogError> {
        let columns = "id, v, CASE WHEN changes_state THEN fact END";
        self.each(columns, run, (after.saturating_add(1), until), Gap::Damage, |row| {
            let explain = |error: rusqlite::Error| self.place.explain(&error);
            check_version(self.place, row.get(1).map_err(explain)?)?;
            let fact = row.get_ref(2).and_then(|value| Ok(value.as_str_or_null()?)).map_err(explain)?;
            if let Some(fact) = fact {
                with(seq_of(row.get(0).map_err(explain)?), json::decode(fact, "an event", self.place)?);
            }
            Ok(None::<()>)
        })?;
        Ok(())
    }

    fn decoder(&self) -> Decoder<'a> {
        Decoder { place: self.place, path: None }
    }

    /// Calls `with` for the row of every event in its order; the key is the first column.
    fn each<T>(
        &self,
        columns: &str,
        run: i64,
        (from, until): (Seq, Seq),
        gap: Gap,
        mut with: impl FnMut(&Row<'_>) -> Result<Option<T>, LogError>,
    ) -> Result<Vec<T>, LogError> {
        if let Some(left_out) = self.left_out {
            return Ok(self.each_readable(columns, run, (from, until), left_out, with));
        }
        let explain = |error: rusqlite::Error| self.place.explain(&error);
        let sql = format!("SELECT {columns} FROM events WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql).map_err(explain)?;
        let mut rows = statement.query((key(run, from), key(run, until))).map_err(explain)?;
        let (mut found, mut next) = (Vec::new(), from);
        let missing = |seq: Seq| Err(self.place.damaged(&format!("event {seq} of a run is missing")));
        while let Some(row) = rows.next().map_err(explain)? {
            let seq = seq_of(row.get(0).map_err(explain)?);
            if seq != next && gap == Gap::Damage {
                return missing(next);
            }
            found.extend(with(row)?);
            next = seq.saturating_add(1);
        }
        if next <= until && gap == Gap::Damage {
            return missing(next);
        }
        Ok(found)
    }

    /// The same event by event, so that a damaged page takes nothing with it but what lies on it.
    fn each_readable<T>(
        &self,
        columns: &str,
        run: i64,
        (from, until): (Seq, Seq),
        left_out: &Omissions,
        mut with: impl FnMut(&Row<'_>) -> Result<Option<T>, LogError>,
    ) -> Vec<T> {
        let sql = format!("SELECT {columns} FROM events WHERE id = ?1");
        let mut found = Vec::new();
        for seq in from..=until {
            let read = self.connection.prepare_cached(&sql).and_then(|mut statement| {
                let mut rows = statement.query((key(run, seq),))?;
                rows.next()?.map(&mut with).transpose().map_err(|_| rusqlite::Error::QueryReturnedNoRows)
            });
            match read {
                Ok(Some(event)) => found.extend(event),
                Ok(None) | Err(_) => left_out.note_event(seq),
            }
        }
        found
    }
}

fn is_sound(connection: &Connection) -> Result<bool> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(found == "ok")
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

/// The facts of a run that are notes or ends, in their order, each after its author.
pub(crate) fn notes_and_ends(connection: &Connection, run: i64) -> Result<Vec<(String, String)>> {
    connection
        .prepare_cached(
            "SELECT author, fact FROM events WHERE id BETWEEN ?1 AND ?2
             AND (fact LIKE '{\"kind\":\"noted\"%' OR fact LIKE '{\"kind\":\"run_ended\"%') ORDER BY id",
        )?
        .query_map((key(run, 0), key(run, Seq::MAX)), |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}
