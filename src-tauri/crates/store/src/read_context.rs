//! The context of a read: a connection, and the resolution of hashes to values.

use engine::{LogError, now_ms};
use kernel::{Event, Hash, RunId, Start, State, Value, phrase};
use rusqlite::Connection;

use crate::RunCard;
use crate::caches::{CountedEvents, ReadValues};
use crate::error::{Place, not_found};
use crate::job::PendingReleases;
use crate::json;
use crate::mutex::lock;
use crate::omissions::Omissions;
use crate::table::contents;
use crate::table::events::{self, Source};
use crate::table::processes::{self, Process};
use crate::table::run_cards::ListedRun;
use crate::table::runs::{self, Beginning, Standing};
use crate::unstored_files;

pub(crate) struct ReadContext<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) place: &'a Place,
    pub(crate) values: &'a ReadValues,
    pub(crate) counted: &'a CountedEvents,
    pub(crate) process: &'a Process,
    /// Runs that this process released, and whose rows could not be updated yet.
    pub(crate) owed: &'a PendingReleases,
    /// Collects what is left out when the user chose to see the readable part of a damaged run.
    pub(crate) left_out: Option<&'a Omissions>,
}

impl ReadContext<'_> {
    /// The error for an SQLite error.
    pub(crate) fn explain(&self, error: &rusqlite::Error) -> LogError {
        self.place.explain(error)
    }

    /// The source of events.
    pub(crate) fn source(&self) -> Source<'_> {
        Source { place: self.place, connection: self.connection, left_out: self.left_out }
    }

    /// Converts the error of a query.
    pub(crate) fn of<T>(&self, answer: rusqlite::Result<T>) -> Result<T, LogError> {
        answer.map_err(|error| self.explain(&error))
    }

    /// Parses the content with this hash; `None` when it was never stored.
    pub(crate) fn content<T: serde::de::DeserializeOwned>(
        &self,
        hash: &Hash,
    ) -> Result<Option<(T, usize)>, LogError> {
        let read = contents::read(self.connection, &hash.0, |text| {
            if Hash::of(text.as_bytes()) != *hash {
                return Err(self.place.damaged(&format!("the value {} is not what was stored", hash.0)));
            }
            json::decode(text, "a stored value", self.place).map(|thing| (thing, text.len()))
        });
        self.of(read)?.transpose()
    }

    /// The value with this hash.
    pub(crate) fn value(&self, hash: &Hash) -> Result<Option<Value>, LogError> {
        if let Some(value) = self.values.get(hash) {
            return Ok(Some(value));
        }
        let Some((json, bytes)) = self.content::<serde_json::Value>(hash)? else { return Ok(None) };
        let value = Value::new(json);
        self.values.insert(hash, &value, bytes);
        Ok(Some(value))
    }

    /// Resolves a value that is only a hash.
    pub(crate) fn resolve(&self, value: &mut Value) -> Result<(), LogError> {
        if !value.is_stored() {
            return Ok(());
        }
        let hash = value.hash();
        let found = self.value(&hash).and_then(|found| {
            found.ok_or_else(|| self.place.damaged(&format!("the value {} is missing", hash.0)))
        });
        match (found, self.left_out) {
            (Ok(whole), _) => *value = whole,
            (Err(_), Some(left_out)) => left_out.note_value(&hash),
            (Err(error), None) => return Err(error),
        }
        Ok(())
    }

    /// Resolves all values of an event.
    pub(crate) fn resolve_event(&self, event: &mut Event) -> Result<(), LogError> {
        event.values_mut().into_iter().try_for_each(|value| self.resolve(value))
    }

    /// The same state with all values resolved.
    pub(crate) fn resolve_state(&self, state: &State) -> Result<State, LogError> {
        state
            .iter()
            .map(|(key, value)| {
                let mut value = value.clone();
                self.resolve(&mut value)?;
                Ok((key.to_owned(), value))
            })
            .collect()
    }

    /// The position of a run: its row, holder and last event.
    ///
    /// # Errors
    /// `not_found`; `database_corrupt` when events exist after its last one, which would be left out silently.
    pub(crate) fn standing(&self, run: &RunId) -> Result<Standing, LogError> {
        let standing = self.of(runs::standing(self.connection, &run.0))?.ok_or_else(|| no_run(run))?;
        if standing.last_stored > standing.last_seq && self.left_out.is_none() {
            return Err(self.place.damaged(&format!("the run {run} has events behind its last one")));
        }
        Ok(standing)
    }

    /// The same for a run whose events all exist, including those that a snapshot lets the reader skip.
    ///
    /// # Errors
    /// As [`ReadContext::standing`]; `database_corrupt` when an event is missing.
    pub(crate) fn complete(&self, run: &RunId) -> Result<Standing, LogError> {
        let standing = self.standing(run)?;
        let (id, last) = (standing.id, standing.last_seq);
        let counted = self.counted.until(id);
        if self.left_out.is_none() && counted < last {
            if let Some(missing) = self.of(events::first_missing(self.connection, id, counted + 1, last))? {
                return Err(self.place.damaged(&format!("event {missing} of the run {run} is missing")));
            }
            self.counted.note(id, last);
        }
        Ok(standing)
    }

    /// The card, with the process that holds the run if it is alive.
    pub(crate) fn card(&self, listed: ListedRun) -> Result<RunCard, LogError> {
        let mut card = listed.card;
        let is_ours = listed.holder == Some(self.process.id);
        let is_let_go = is_ours && lock(self.owed).contains_key(&card.run.0);
        if let Some(holder) = listed.holder.filter(|_| !is_let_go) {
            let process = self.of(processes::get(self.connection, holder))?;
            card.held_by =
                process.filter(|process| process.is_alive(now_ms(), self.process)).map(|process| process.pid);
            card.is_held_here = is_ours && card.held_by.is_some();
            card.waits_for_disk =
                card.held_by.is_some() && unstored_files::has_unstored_events(self.place, &card.run);
        }
        Ok(card)
    }
}

/// The error for an unknown run.
pub(crate) fn no_run(run: &RunId) -> LogError {
    not_found(phrase!("There is no run {run} in this data folder. List the runs to see their ids.", run))
}

/// The row of a run, and its start.
pub(crate) fn beginning(context: &ReadContext<'_>, run: &RunId) -> Result<(i64, Start), LogError> {
    let beginning: Beginning =
        context.of(runs::beginning(context.connection, &run.0))?.ok_or_else(|| no_run(run))?;
    let missing = |what: &str| context.place.damaged(&format!("{what} of the run {run} is missing"));
    let (definition, _) = context.content(&beginning.definition)?.ok_or_else(|| missing("the definition"))?;
    let mut inputs: std::collections::BTreeMap<String, Value> = if beginning.inputs.starts_with('{') {
        json::decode(&beginning.inputs, "the inputs", context.place)?
    } else {
        context.content(&Hash(beginning.inputs))?.ok_or_else(|| missing("the list of inputs"))?.0
    };
    for value in inputs.values_mut() {
        context.resolve(value)?;
    }
    let start = Start {
        run: run.clone(),
        session: beginning.session,
        at_ms: beginning.started_at_ms,
        definition,
        inputs,
        origin: beginning.origin,
    };
    Ok((beginning.id, start))
}
