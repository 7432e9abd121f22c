//! Appends the events of an agent to the log, in the order of its own ordinals.

use std::sync::{Arc, PoisonError};

use kernel::{Error, Event, Fact, Note};

use crate::clock::Moment;
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
