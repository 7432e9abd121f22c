//! The events of all runs.
//!
//! The key is one number: the run's row in the upper bits, the event's number in the lower 32. So the events of a run
//! are adjacent, no second index is written, and an event may fill a whole page before it overflows (only a quarter in
//! a table without row ids).

use std::cmp::Ordering;
use std::sync::Arc;

use engine::LogError;
use kernel::{EVENT_VERSION, Event, Path, Seq};
use rusqlite::{Connection, Result, Row};

use crate::error::Place;
use crate::json;
use crate::omissions::Omissions;
use crate::table::event_row::{COLUMNS, StoredEvent, key, seq_of};

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

/// The time that the program had worked on the run, which counts against a limit.
pub(crate) const ADD_RAN: &str = "ALTER TABLE events ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0;";

/// An index of the events that refer to contents, for finding unreferenced contents without reading all events.
pub(crate) const CREATE_REFERRING: &str =
    "CREATE INDEX events_referring ON events (id) WHERE instr(fact, '\"$stored\"') > 0;";

/// The index cost each commit a page, and erasing a run reads all referring events anyway.
pub(crate) const DROP_REFERRING: &str = "DROP INDEX events_referring;";

/// The checksum of the row: see `checksum`. Rows of earlier versions have none.
pub(crate) const ADD_CHECKSUM: &str = "ALTER TABLE events ADD COLUMN checksum INTEGER;";

/// An event with its fact as JSON text.
pub(crate) struct Encoded {
    pub(crate) event: Arc<Event>,
    pub(crate) fact: String,
}

pub(crate) fn insert(connection: &Connection, run: i64, rows: &[Encoded]) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO events (id, at_ms, v, n, surface, changes_state, ran_ms, author, path, fact, checksum)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for Encoded { event, fact } in rows {
        let row = StoredEvent {
            numbers: [
                key(run, event.seq),
                event.at_ms,
                event.v.into(),
                event.n.into(),
                event.surface.into(),
                event.delta().is_some().into(),
                i64::try_from(event.ran_ms).unwrap_or(i64::MAX),
            ],
            texts: [event.author.as_str(), event.path.as_str(), fact.as_str()],
        };
        let [id, at_ms, v, n, surface, changes_state, ran_ms] = row.numbers;
        let [author, path, fact] = row.texts;
        statement.execute((
            id,
            at_ms,
            v,
            n,
            surface,
            changes_state,
            ran_ms,
            author,
            path,
            fact,
            row.checksum(),
        ))?;
    }
    Ok(())
}

/// The source of events, and the handling of unreadable ones.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) place: &'a Place,
    pub(crate) connection: &'a Connection,
    /// Collects what is left out when the user chose to see the readable part of a damaged run; without it that is an
    /// error.
    pub(crate) left_out: Option<&'a Omissions>,
}

/// How a missing event is treated.
#[derive(Clone, Copy, PartialEq)]
enum Gap {
    Damage,
    /// Accepted when it was removed on purpose and the file is intact: the rest of the run can be replayed.
    Accepted,
}

/// Decodes rows; adjacent events share the text of their path.
struct Decoder<'a> {
    place: &'a Place,
    path: Option<Path>,
}

impl Decoder<'_> {
    fn event(&mut self, row: &StoredEvent<'_>) -> Result<Event, LogError> {
        let [_, at_ms, v, n, surface, _, ran_ms] = row.numbers;
        let [author, path, fact] = row.texts;
        let shared = match &self.path {
            Some(last) if last.as_str() == path => last.clone(),
            _ => Path::root(path),
        };
        self.path = Some(shared.clone());
        let unreadable = |_| self.place.damaged("an event cannot be read");
        Ok(Event {
            v: v.try_into().map_err(unreadable)?,
            seq: row.seq(),
            at_ms,
            ran_ms: ran_ms.try_into().unwrap_or(0),
            author: author.to_owned(),
            path: shared,
            n: n.try_into().map_err(unreadable)?,
            surface: surface != 0,
            fact: json::decode(fact, "an event", self.place)?,
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
    /// All events from `from` to `until`; large values stay references.
    ///
    /// # Errors
    /// `database_corrupt` when one of them is missing, changed or unreadable.
    pub(crate) fn every(&self, run: i64, from: Seq, until: Seq) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        self.each(run, (from, until), Gap::Damage, |row| decoder.event(row).map(Some))
    }

    /// The same when some were removed on purpose, which only a replay accepts. Numbers may also be missing because the
    /// file is damaged, so in that case the file is checked.
    pub(crate) fn events_with_gaps(&self, run: i64, from: Seq, until: Seq) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        let found = self.each(run, (from, until), Gap::Accepted, |row| decoder.event(row).map(Some))?;
        let is_whole = found.len() == until.saturating_add(1).saturating_sub(from) as usize
            && found.iter().zip(from..).all(|(event, seq)| event.seq == seq);
        if is_whole
            || self.left_out.is_some()
            || is_sound(self.connection).map_err(|error| self.place.explain(&error))?
        {
            return Ok(found);
        }
        Err(self.place.damaged(&format!("events of {} are missing", self.name(run))))
    }

    /// The events with these numbers.
    pub(crate) fn picked(&self, run: i64, seqs: &[Seq]) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        let mut events = Vec::with_capacity(seqs.len());
        for seq in seqs {
            events.extend(self.each(run, (*seq, *seq), Gap::Damage, |row| decoder.event(row).map(Some))?);
        }
        Ok(events)
    }

    /// Events up to `until` whose fact contains this text anywhere; the caller filters them.
    pub(crate) fn containing(&self, run: i64, until: Seq, text: &str) -> Result<Vec<Event>, LogError> {
        self.those_with(run, until, |fact| fact.contains(text))
    }

    /// The notes, request failures and ends of a run, except events that were removed on purpose.
    pub(crate) fn remarks_and_ends(&self, run: i64, until: Seq) -> Result<Vec<Event>, LogError> {
        let kinds = ["noted", "request_failed", "fell_back", "run_ended"];
        let beginnings = kinds.map(|kind| format!("{{\"kind\":\"{kind}\""));
        self.those_with(run, until, |fact| beginnings.iter().any(|beginning| fact.starts_with(beginning)))
    }

    fn those_with(
        &self,
        run: i64,
        until: Seq,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Event>, LogError> {
        let mut decoder = self.decoder();
        self.each(run, (1, until), Gap::Damage, |row| match is_wanted(row.fact()) {
            true => decoder.event(row).map(Some),
            false => Ok(None),
        })
    }

    /// Calls `with` for the fact of every event after `after` up to `until` that changed the state.
    pub(crate) fn each_change(
        &self,
        run: i64,
        (after, until): (Seq, Seq),
        mut with: impl FnMut(Seq, kernel::Fact),
    ) -> Result<(), LogError> {
        self.each(run, (after.saturating_add(1), until), Gap::Damage, |row| {
            if row.changes_state() {
                with(row.seq(), json::decode(row.fact(), "an event", self.place)?);
            }
            Ok(None::<()>)
        })?;
        Ok(())
    }

    fn decoder(&self) -> Decoder<'a> {
        Decoder { place: self.place, path: None }
    }

    /// The name of a run in messages about damage.
    fn name(&self, run: i64) -> String {
        let name: Result<String> =
            self.connection.query_row("SELECT run FROM runs WHERE id = ?1", [run], |row| row.get(0));
        name.map_or_else(|_| "a run".to_owned(), |name| format!("the run {name}"))
    }

    /// The row, if it matches its checksum.
    fn checked<'r>(&self, run: i64, row: &'r Row<'_>) -> Result<StoredEvent<'r>, LogError> {
        let damaged = |what: &str| {
            let seq = row.get(0).map_or(0, seq_of);
            self.place.damaged(&format!("event {seq} of {} {what}", self.name(run)))
        };
        let (stored, checksum) =
            StoredEvent::read(row).map_err(|error| damaged(&format!("cannot be read: {error}")))?;
        match checksum {
            Some(sum) if sum != i64::from(stored.checksum()) => {
                return Err(damaged("is not what was stored"));
            }
            Some(_) => check_version(self.place, stored.version())?,
            None => {
                check_version(self.place, stored.version())?;
                return Err(damaged("has no checksum: an earlier program wrote it, or it was changed"));
            }
        }
        Ok(stored)
    }

    /// Calls `with` for the row of every event in order.
    fn each<T>(
        &self,
        run: i64,
        (from, until): (Seq, Seq),
        gap: Gap,
        mut with: impl FnMut(&StoredEvent<'_>) -> Result<Option<T>, LogError>,
    ) -> Result<Vec<T>, LogError> {
        if let Some(left_out) = self.left_out {
            return Ok(self.each_readable(run, (from, until), left_out, with));
        }
        let explain = |error: rusqlite::Error| self.place.explain(&error);
        let sql = format!("SELECT {COLUMNS} FROM events WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
        let mut statement = self.connection.prepare_cached(&sql).map_err(explain)?;
        let mut rows = statement.query((key(run, from), key(run, until))).map_err(explain)?;
        let (mut found, mut next) = (Vec::new(), from);
        let missing =
            |seq: Seq| Err(self.place.damaged(&format!("event {seq} of {} is missing", self.name(run))));
        while let Some(row) = rows.next().map_err(explain)? {
            let stored = self.checked(run, row)?;
            let seq = stored.seq();
            if seq != next && gap == Gap::Damage {
                return missing(next);
            }
            found.extend(with(&stored)?);
            next = seq.saturating_add(1);
        }
        if next <= until && gap == Gap::Damage {
            return missing(next);
        }
        Ok(found)
    }

    /// The same with one query per event, so that a damaged page loses only the events on it.
    fn each_readable<T>(
        &self,
        run: i64,
        (from, until): (Seq, Seq),
        left_out: &Omissions,
        mut with: impl FnMut(&StoredEvent<'_>) -> Result<Option<T>, LogError>,
    ) -> Vec<T> {
        let sql = format!("SELECT {COLUMNS} FROM events WHERE id = ?1");
        let mut found = Vec::new();
        for seq in from..=until {
            let read = self.connection.prepare_cached(&sql).and_then(|mut statement| {
                let mut rows = statement.query((key(run, seq),))?;
                let row = rows.next()?.map(|row| self.checked(run, row).and_then(|stored| with(&stored)));
                row.transpose().map_err(|_| rusqlite::Error::QueryReturnedNoRows)
            });
            match read {
                Ok(Some(event)) => found.extend(event),
                Ok(None) | Err(_) => left_out.note_event(seq),
            }
        }
        found
    }
}

/// Whether SQLite finds no error in the table, and every event of every run matches its checksum.
fn is_sound(connection: &Connection) -> Result<bool> {
    let found: String = connection.query_row("PRAGMA quick_check(events)", [], |row| row.get(0))?;
    if found != "ok" {
        return Ok(false);
    }
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM events"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (stored, checksum) = StoredEvent::read(row)?;
        if checksum != Some(stored.checksum().into()) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Calls `with` for every event that refers to contents: of one run, or of all others.
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

/// The number of the last stored event of a run, regardless of its row; 0 if there is none.
pub(crate) fn last_stored(connection: &Connection, run: i64) -> Result<Seq> {
    connection
        .prepare_cached("SELECT coalesce(max(id), 0) FROM events WHERE id BETWEEN ?1 AND ?2")?
        .query_row((key(run, 0), key(run, Seq::MAX)), |row| Ok(seq_of(row.get(0)?)))
}

/// The first number from `from` to `until` without a stored event of the run. Counting reads no event.
pub(crate) fn first_missing(connection: &Connection, run: i64, from: Seq, until: Seq) -> Result<Option<Seq>> {
    let count: i64 = connection
        .prepare_cached("SELECT count(*) FROM events WHERE id BETWEEN ?1 AND ?2")?
        .query_row((key(run, from), key(run, until)), |row| row.get(0))?;
    if count > i64::from(until) - i64::from(from) {
        return Ok(None);
    }
    let mut there =
        connection.prepare_cached("SELECT id FROM events WHERE id BETWEEN ?1 AND ?2 ORDER BY id")?;
    let mut there = there.query((key(run, from), key(run, until)))?;
    let mut next = from;
    while let Some(row) = there.next()? {
        if seq_of(row.get(0)?) != next {
            break;
        }
        next = next.saturating_add(1);
    }
    Ok(Some(next))
}

pub(crate) fn erase(connection: &Connection, run: i64) -> Result<()> {
    connection
        .prepare_cached("DELETE FROM events WHERE id BETWEEN ?1 AND ?2")?
        .execute((key(run, 0), key(run, Seq::MAX)))?;
    Ok(())
}
