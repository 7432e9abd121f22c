//! How events get into the log: number, store, apply, show (law 1); and what becomes of them while the log refuses.
//!
//! A full disk or a lock of another program is waited for: what is numbered stays in hand, is set aside beside the log,
//! and is tried again until it is stored. Nothing that was paid for is asked again because it could not be written.
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
/// How long a run that was stopped waits for what is being stored before it sets it aside.
const STOPPED_WAIT: Duration = Duration::from_millis(800);

impl Writer {
    /// Stores what is numbered so far, applies it, then shows it. The intent of what may be done only once is synced,
    /// whoever stores it. While the disk refuses, this waits.
    pub(crate) async fn commit(&self) -> Result<(), AgentError> {
        let Some(log) = &self.log else { return Ok(()) };
        let mut hold = self.hold.lock().await;
        let mut wait = FIRST_WAIT;
        loop {
            let batch = self.pending();
            if batch.is_empty() {
                return Ok(());
            }
            if let Some(told) = &hold.let_go {
                return Err(told.clone().into());
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
            let told = self.set_aside(log.as_ref(), &mut hold, &refusal).await;
            self.refused.send_replace(Some(told.clone().into()));
            let is_over = self.patience.most.is_some_and(|most| since.elapsed() >= most);
            if is_over || self.patience.cancel.is_cancelled() {
                return Err(told.into());
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

    /// Lets go of a run whose end could not be written: all that is numbered is set aside, and who takes the run up
    /// next may number on. Nothing is stored through this writer from then on.
    pub(crate) async fn let_go(&self) -> Result<(), LogError> {
        let mut hold = self.hold.lock().await;
        let Some(log) = self.log.as_ref().filter(|_| std::mem::take(&mut hold.is_held)) else {
            return Ok(());
        };
        let mut told = has_ended();
        // What is numbered meanwhile is set aside too. A log that is broken, not full, takes nothing more at all.
        while !self.close(hold.set_aside) {
            let before = hold.set_aside;
            if hold.refused_since.is_some() {
                told = self.set_aside(log.as_ref(), &mut hold, &has_ended()).await;
            }
            if hold.set_aside == before {
                self.close(usize::MAX);
            }
        }
        hold.let_go = Some(told);
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
            // Should it be stored all the same, that is found out when what was set aside is taken up.
            () = stopped => return Err(too_slow()),
        }
        hold.is_held = !batch.iter().any(|event| matches!(event.fact, Fact::RunEnded { .. }));
        Ok(())
    }

    /// Sets aside all that is numbered and not stored; tells why it is not, and where it is kept.
    async fn set_aside(&self, log: &dyn Log, hold: &mut Hold, refusal: &LogError) -> LogError {
        let batch = self.pending();
        let events: Vec<Event> = batch.iter().map(|event| Event::clone(event)).collect();
        // Written anew only when there is more of it; the log remembers where.
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
