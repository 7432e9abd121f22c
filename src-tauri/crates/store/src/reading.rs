//! What a read works with: a connection, and the way back from a hash to its value.

use engine::LogError;
use kernel::{Event, Hash, RunId, State, Value};
use rusqlite::Connection;

use crate::RunCard;
use crate::fault::{Place, not_found};
use crate::json;
use crate::recent::ReadValues;
use crate::table::contents;
use crate::table::processes::{self, Process};
use crate::table::runs::{self, Listed, Standing};
use crate::writer::now_ms;

pub(crate) struct Reading<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) place: &'a Place,
    pub(crate) values: &'a ReadValues,
    pub(crate) process: &'a Process,
}

impl Reading<'_> {
    /// What an error of SQLite means for the person.
    pub(crate) fn fault(&self, error: &rusqlite::Error) -> LogError {
        self.place.fault(error)
    }

    /// Unwraps what a table answered.
    pub(crate) fn of<T>(&self, answer: rusqlite::Result<T>) -> Result<T, LogError> {
        answer.map_err(|error| self.fault(&error))
    }

    /// The thing whose JSON has this hash; `None` when it was never stored.
    pub(crate) fn content<T: serde::de::DeserializeOwned>(
        &self,
        hash: &Hash,
    ) -> Result<Option<(T, usize)>, LogError> {
        let read = contents::read(self.connection, &hash.0, |text| {
            json::decode(text, "a stored value", self.place).map(|thing| (thing, text.len()))
        });
        self.of(read)?.transpose()
    }

    /// The value of a hash.
    pub(crate) fn value(&self, hash: &Hash) -> Result<Option<Value>, LogError> {
        if let Some(value) = self.values.get(hash) {
            return Ok(Some(value));
        }
        let Some((json, bytes)) = self.content::<serde_json::Value>(hash)? else { return Ok(None) };
        let value = Value::new(json);
        self.values.insert(hash, &value, bytes);
        Ok(Some(value))
    }

    /// Brings a value back when only its hash is here.
    pub(crate) fn make_whole(&self, value: &mut Value) -> Result<(), LogError> {
        if value.is_stored() {
            *value = self
                .value(&value.hash())?
                .ok_or_else(|| self.place.damaged(&format!("the value {} is missing", value.hash().0)))?;
        }
        Ok(())
    }

    /// Brings every value of an event back.
    pub(crate) fn make_event_whole(&self, event: &mut Event) -> Result<(), LogError> {
        event.values_mut().into_iter().try_for_each(|value| self.make_whole(value))
    }

    /// The same state with every value brought back.
    pub(crate) fn whole_state(&self, state: &State) -> Result<State, LogError> {
        state
            .iter()
            .map(|(key, value)| {
                let mut value = value.clone();
                self.make_whole(&mut value)?;
                Ok((key.to_owned(), value))
            })
            .collect()
    }

    /// Where a run's row is.
    pub(crate) fn standing(&self, run: &RunId) -> Result<Standing, LogError> {
        self.of(runs::standing(self.connection, &run.0))?.ok_or_else(|| no_run(run))
    }

    /// The card, with the process that holds the run if it lives.
    pub(crate) fn card(&self, listed: Listed) -> Result<RunCard, LogError> {
        let mut card = listed.card;
        if let Some(holder) = listed.holder {
            let process = self.of(processes::get(self.connection, holder))?;
            card.held_by =
                process.filter(|process| process.is_alive(now_ms(), self.process)).map(|process| process.pid);
        }
        Ok(card)
    }
}

/// There is no such run.
pub(crate) fn no_run(run: &RunId) -> LogError {
    not_found(format!("There is no run {run} in this data folder. List the runs to see their ids."))
}
