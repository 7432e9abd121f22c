//! Appends events to the log: number, store, apply, publish (law 1); and keeps them while the log refuses.
//!
//! A full disk or a locked database is waited for: numbered events stay pending, are set aside in a file beside the
//! log, and are retried until they are stored. No paid request is repeated because its answer could not be written.
//!
//! Not here: where events get their numbers (`writer`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::{Effect, EffectClass, Event, Fact, Phrase, phrase};

use crate::log_hold::{Hold, has_ended, while_held};
use crate::writer::Writer;
use crate::{AgentError, Durability, Log, LogError};

/// The first wait before the log is tried again; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How long a stopped run waits for a pending append before it sets the events aside.
const STOPPED_WAIT: Duration = Duration::from_millis(800);

impl Writer {
    /// Stores all numbered events, applies them and publishes them. A batch with the request of an effect that may be
    /// executed only once is synced to the disk. While the disk refuses, this waits.
    pub(crate) async fn commit(&self) -> Result<(), AgentError> {
        let Some(log) = &self.log else { return Ok(()) };
        let mut hold = self.hold.lock().await;
        let mut wait = FIRST_WAIT;
        loop {
            let batch = self.pending();
            if batch.is_empty() {
                return Ok(());
            }
            if let Some(released) = &hold.let_go {
                return Err(released.clone().into());
            }
            let refusal = match self.append(log.as_ref(), &mut hold, &batch).await {
                Ok(()) => {
                    self.stored(batch);
                    if hold.refused_since.take().is_some() {
                        hold.set_aside = 0;
                        self.patience.clock.skip();
                        self.refused.send_replace(None);
                    }
                    return Ok(());
                }
                Err(error) if hold.is_held && error.code.is_of_disk() => error,
                Err(error) => return Err(error.into()),
            };
            tracing::warn!(%refusal, "the log takes nothing now");
            let since = *hold.refused_since.get_or_insert_with(Instant::now);
            let error = self.set_aside(log.as_ref(), &mut hold, &refusal).await;
            self.refused.send_replace(Some(error.clone().into()));
            let is_over = self.patience.most.is_some_and(|most| since.elapsed() >= most);
            if is_over || self.patience.cancel.is_cancelled() {
                return Err(error.into());
            }
            tokio::select! {
                () = tokio::time::sleep(wait) => {}
                () = self.patience.cancel.cancelled() => {
                    return Err(self.set_aside(log.as_ref(), &mut hold, &refusal).await.into());
                }
            }
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// Appends an action of the person; it is stored when this returns.
    pub(crate) async fn outside(&self, fact: Fact) -> Result<Event, AgentError> {
        let event = self.number_outside(fact)?;
        self.commit().await?;
        Ok(event)
    }

    /// Releases a run whose end could not be written: all numbered events are set aside, and the next process that
    /// holds the run may number on. This writer stores nothing any more.
    pub(crate) async fn let_go(&self) -> Result<(), LogError> {
        let mut hold = self.hold.lock().await;
        let Some(log) = self.log.as_ref().filter(|_| std::mem::take(&mut hold.is_held)) else {
            return Ok(());
        };
        let mut error = has_ended();
        // Events that are numbered meanwhile are set aside too. A log that is broken, not full, takes no further
        // events.
        while !self.close(hold.set_aside) {
            let before = hold.set_aside;
            if hold.refused_since.is_some() {
                error = self.set_aside(log.as_ref(), &mut hold, &has_ended()).await;
            }
            if hold.set_aside == before {
                self.close(usize::MAX);
            }
        }
        hold.let_go = Some(error);
        log.release(&self.run).await
    }

    async fn append(&self, log: &dyn Log, hold: &mut Hold, batch: &[Arc<Event>]) -> Result<(), LogError> {
        let is_once = batch.iter().any(|event| is_intent_of_once(event));
        let durability = if is_once { Durability::Synced } else { Durability::Committed };
        let appending = log.append(&self.run, batch.to_vec(), durability);
        if !hold.is_held {
            return while_held(log, &self.run, appending).await;
        }
        let is_refused = hold.refused_since.is_some();
        let stopped = async {
            self.patience.cancel.cancelled().await;
            tokio::time::sleep(if is_refused { Duration::ZERO } else { STOPPED_WAIT }).await;
        };
        tokio::select! {
            biased;
            stored = appending => stored?,
            // If the append succeeds later, the process that takes up the set-aside events detects that.
            () = stopped => return Err(too_slow()),
        }
        hold.is_held = !batch.iter().any(|event| matches!(event.fact, Fact::RunEnded { .. }));
        Ok(())
    }

    /// Sets aside all numbered events that are not stored. Returns why they are not stored, and where they are kept.
    async fn set_aside(&self, log: &dyn Log, hold: &mut Hold, refusal: &LogError) -> LogError {
        let batch = self.pending();
        let events: Vec<Event> = batch.iter().map(|event| Event::clone(event)).collect();
        // The file is written again only when there are more events; the log remembers its path.
        let is_more = events.len() > hold.set_aside;
        let count = events.len();
        let kept = log.set_aside(&self.run, if is_more { events } else { Vec::new() }).await;
        let kept = match kept {
            Ok(file) => {
                hold.set_aside = count;
                phrase!("What the run has in hand is kept in {file} and taken up when the run goes on.", file)
            }
            Err(error) => error.phrase,
        };
        LogError::new(refusal.code, Phrase::sentences([refusal.phrase.clone(), kept]))
    }
}

fn too_slow() -> LogError {
    let message = phrase!(
        "The run was stopped while its last answer was being stored, and the database did not take it in \
                   time. Resume the run once the database answers."
    );
    LogError::new(kernel::Code::DatabaseLocked, message)
}

fn is_intent_of_once(event: &Event) -> bool {
    matches!(&event.fact, Fact::EffectAsked { effect: Effect::Tool { call }, .. } if call.class == EffectClass::Once)
}
