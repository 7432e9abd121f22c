//! Appends the events of an agent to the log, in the order of its own ordinals: changes of the state, notes, requests.

use std::sync::{Arc, PoisonError};

use kernel::{Delta, Error, Event, Fact, Key, Note, form};
use serde::Serialize;

use crate::clock::Moment;
use crate::error::StateError;
use crate::writer::Draft;
use crate::{AgentError, Cx, telemetry};

impl Cx {
    /// Appends a note to the log.
    ///
    /// # Errors
    /// The note cannot be stored, or a replay has another one.
    pub fn note(&mut self, note: Note) -> Result<(), AgentError> {
        self.emit(Fact::Noted { note }, false)?;
        Ok(())
    }

    /// Appends a note to the log and shows it to the person.
    ///
    /// # Errors
    /// The note cannot be stored, or a replay has another one.
    pub fn surface_note(&mut self, note: Note) -> Result<(), AgentError> {
        self.emit(Fact::Noted { note }, true)?;
        Ok(())
    }

    /// Sets a key.
    ///
    /// # Errors
    /// The agent does not declare the key, or the event cannot be stored.
    pub async fn set<T: Serialize>(&mut self, key: &Key<T>, value: &T) -> Result<(), AgentError> {
        let json = serde_json::to_value(value).map_err(|error| {
            AgentError::from(StateError::Shape {
                agent: self.author.clone(),
                key: key.name.into(),
                reason: error.to_string(),
            })
        })?;
        self.change(Delta::of(key.name, json)).await
    }

    /// Changes several keys in one event. A key that the contract does not let this agent write is
    /// refused and journalled.
    ///
    /// # Errors
    /// The event cannot be stored.
    pub async fn change(&mut self, delta: Delta) -> Result<(), AgentError> {
        self.change_shown(delta, false).await
    }

    /// As [`Cx::change`], and shows the event to the person.
    ///
    /// # Errors
    /// The event cannot be stored.
    pub async fn surface(&mut self, delta: Delta) -> Result<(), AgentError> {
        self.change_shown(delta, true).await
    }

    async fn change_shown(&mut self, delta: Delta, surface: bool) -> Result<(), AgentError> {
        if let Some(key) = delta.keys().find(|key| !self.contract.allows_write(key)) {
            let refusal =
                StateError::Undeclared { agent: self.author.clone(), key: key.into(), verb: form!("writes") };
            self.note(Note::Refused { key: key.to_owned() })?;
            return Err(refusal.into());
        }
        let event = self.emit(Fact::StateChanged { delta }, surface)?;
        self.take_over(&event);
        Ok(())
    }

    /// Journals that a request failed and is sent again.
    pub(crate) fn request_failed(&mut self, asked: u32, error: &Error) -> Result<(), AgentError> {
        self.emit(Fact::RequestFailed { asked, error: error.clone() }, false)?;
        Ok(())
    }

    /// Journals that a request is sent once more, before it is sent.
    pub(crate) fn request_sent(&mut self, asked: u32, attempt: u32) -> Result<(), AgentError> {
        self.emit(Fact::RequestSent { asked, attempt }, false)?;
        Ok(())
    }

    /// Journals that another profile replaces one that failed, and shows it to the person.
    pub(crate) fn fell_back(&mut self, from: String, to: String, error: Error) -> Result<(), AgentError> {
        self.emit(Fact::FellBack { from, to, error }, true)?;
        Ok(())
    }

    pub(crate) fn emit(&mut self, fact: Fact, surface: bool) -> Result<Arc<Event>, AgentError> {
        self.emit_at(fact, surface, self.now)
    }

    pub(crate) fn emit_at(
        &mut self,
        fact: Fact,
        surface: bool,
        at: Moment,
    ) -> Result<Arc<Event>, AgentError> {
        let event = self.shared.writer.emit(self.draft(fact, surface, at))?;
        telemetry::log(&event);
        self.went_on(&event);
        self.spent.apply(&event);
        Ok(event)
    }

    pub(crate) fn draft(&self, fact: Fact, surface: bool, at: Moment) -> Draft<'_> {
        let (path, author) = (&self.path, self.author.as_str());
        Draft { path, n: self.n + 1, after: self.at, author, at, surface, fact }
    }

    pub(crate) fn went_on(&mut self, event: &Event) {
        self.n += 1;
        self.at = self.at.max(event.seq);
    }

    pub(crate) fn take_reads(&mut self) -> Vec<String> {
        let mut reads = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *reads).into_iter().collect()
    }
}
