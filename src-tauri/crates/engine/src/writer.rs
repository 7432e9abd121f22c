//! The one writer of a run.
//!
//! Everything that happens in a run passes here once: it is numbered, stored, applied and shown,
//! in that order. Where records exist, what the tree produces must equal them and is not stored
//! again; the first difference is reported with both sides (law 3).
//!
//! Not here: what a fact means (`kernel`), how it is kept (`store`), who asks for it (`context`).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Definition, EVENT_VERSION, Event, Fact, Path, RunFold, RunId, Seq, USER};
use tokio::sync::broadcast;

use crate::error::Divergence;
use crate::records::Records;
use crate::{AgentError, Durability, Log};

/// Whether the run lives or is only executed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Live,
    Replay,
}

pub(crate) struct Writer {
    pub(crate) run: RunId,
    pub(crate) mode: Mode,
    log: Option<Arc<dyn Log>>,
    inner: Mutex<Inner>,
    /// Held while a batch is stored, so that nobody takes another's events for stored too early.
    storing: tokio::sync::Mutex<()>,
    audience: broadcast::Sender<Arc<Event>>,
}

struct Inner {
    records: Records,
    outside: Vec<Event>,
    pending: Vec<Event>,
    produced: Vec<Event>,
    fold: RunFold,
    /// Definitions with the number of the event from which on they hold.
    definitions: Vec<(Seq, Arc<Definition>)>,
    last_seq: Seq,
    cursor: Seq,
}

/// What an agent is about to append.
pub(crate) struct Draft<'a> {
    pub(crate) path: &'a Path,
    pub(crate) n: u32,
    pub(crate) author: &'a str,
    pub(crate) at_ms: i64,
    pub(crate) surface: bool,
    pub(crate) fact: Fact,
}

impl Writer {
    /// A writer over what is stored so far. `events` come in the order of their numbers.
    pub(crate) fn new(
        run: RunId,
        mode: Mode,
        log: Option<Arc<dyn Log>>,
        definition: Definition,
        events: Vec<Event>,
    ) -> Writer {
        let mut definitions = vec![(0, Arc::new(definition))];
        let outside: Vec<Event> = events.iter().filter(|event| event.is_outside()).cloned().collect();
        for event in &outside {
            if let Fact::RunResumed { overrides, .. } = &event.fact {
                push_definition(&mut definitions, event.seq, |definition| definition.apply(overrides));
            }
        }
        let fold = match mode {
            Mode::Live => RunFold::of(&events),
            Mode::Replay => RunFold::default(),
        };
        let last_seq = events.last().map_or(0, |event| event.seq);
        let inner = Inner {
            records: Records::of(events),
            produced: Vec::new(),
            outside,
            pending: Vec::new(),
            fold,
            definitions,
            last_seq,
            cursor: 0,
        };
        Writer {
            run,
            mode,
            log,
            inner: Mutex::new(inner),
            storing: tokio::sync::Mutex::default(),
            audience: broadcast::channel(1024).0,
        }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows the events as they are stored.
    pub(crate) fn follow(&self) -> broadcast::Receiver<Arc<Event>> {
        self.audience.subscribe()
    }

    /// The recorded event at a place, if there is one.
    pub(crate) fn recorded(&self, path: &Path, n: u32) -> Option<Event> {
        self.inner().records.get(path, n).cloned()
    }

    /// The recorded answer to the request at a place.
    pub(crate) fn recorded_answer(&self, path: &Path, asked: u32) -> Option<Event> {
        self.inner().records.answer_to(path, asked).cloned()
    }

    /// The definition that holds for the event at a place.
    pub(crate) fn definition(&self, path: &Path, n: u32) -> Arc<Definition> {
        let inner = self.inner();
        let place = inner.records.get(path, n).map_or(Seq::MAX, |event| event.seq);
        let held = inner.definitions.iter().rev().find(|(from, _)| *from < place);
        held.map_or_else(|| inner.definitions[0].1.clone(), |(_, definition)| definition.clone())
    }

    /// Lets a changed definition hold from an event on.
    pub(crate) fn change_definition(&self, from: Seq, change: impl FnOnce(&mut Definition)) {
        push_definition(&mut self.inner().definitions, from, change);
    }

    /// What is used up, and when the last event happened.
    pub(crate) fn fold(&self) -> RunFold {
        self.inner().fold.clone()
    }

    /// What the person did after `after` and up to `until`, and the number up to which it is known now.
    pub(crate) fn outside_changes(&self, after: Seq, until: Option<Seq>) -> (Vec<Event>, Seq) {
        let inner = self.inner();
        let known = match self.mode {
            Mode::Live => Seq::MAX,
            // The next event stands behind every outside event whose number comes before its own.
            Mode::Replay => {
                let mut next = inner.cursor + 1;
                while inner.outside.iter().any(|event| event.seq == next) {
                    next += 1;
                }
                next
            }
        };
        let until = until.unwrap_or(known);
        let changes: Vec<Event> =
            inner.outside.iter().filter(|event| event.seq > after && event.seq <= until).cloned().collect();
        let last = inner.outside.iter().map(|event| event.seq).filter(|seq| *seq <= until).max();
        (changes, last.unwrap_or(0).max(after))
    }

    /// Numbers an event, or finds it recorded. Nothing is stored yet: see [`Writer::commit`].
    pub(crate) fn emit(&self, draft: Draft<'_>) -> Result<Event, AgentError> {
        let mut inner = self.inner();
        if let Some(stored) = inner.records.get(draft.path, draft.n) {
            if !is_same(&stored.fact, &draft.fact) || stored.surface != draft.surface {
                return Err(Divergence {
                    seq: stored.seq,
                    path: draft.path.to_string(),
                    recorded: serde_json::to_value(&stored.fact).unwrap_or_default(),
                    produced: serde_json::to_value(&draft.fact).unwrap_or_default(),
                }
                .into());
            }
            let stored = stored.clone();
            inner.cursor = inner.cursor.max(stored.seq);
            if self.mode == Mode::Replay {
                inner.fold.apply(&stored);
                inner.produced.push(stored.clone());
            }
            return Ok(stored);
        }
        let seq = match self.mode {
            Mode::Live => inner.last_seq + 1,
            Mode::Replay => {
                let mut seq = inner.cursor + 1;
                while inner.records.is_occupied(seq) || inner.outside.iter().any(|event| event.seq == seq) {
                    seq += 1;
                }
                seq
            }
        };
        let event = Event {
            v: EVENT_VERSION,
            seq,
            at_ms: draft.at_ms,
            author: draft.author.to_owned(),
            path: draft.path.clone(),
            n: draft.n,
            surface: draft.surface,
            fact: draft.fact,
        };
        inner.last_seq = inner.last_seq.max(seq);
        inner.cursor = inner.cursor.max(seq);
        inner.fold.apply(&event);
        match self.mode {
            Mode::Live => inner.pending.push(event.clone()),
            Mode::Replay => inner.produced.push(event.clone()),
        }
        Ok(event)
    }

    /// Appends what the person did; it is stored when this returns.
    pub(crate) async fn outside(&self, at_ms: i64, fact: Fact) -> Result<Event, AgentError> {
        let event = {
            let mut inner = self.inner();
            let event = outside_event(inner.last_seq + 1, next_outside_ordinal(&inner.outside), at_ms, fact);
            inner.last_seq = event.seq;
            inner.fold.apply(&event);
            inner.outside.push(event.clone());
            inner.pending.push(event.clone());
            if let Fact::RunResumed { overrides, .. } = &event.fact {
                push_definition(&mut inner.definitions, event.seq, |definition| definition.apply(overrides));
            }
            event
        };
        self.commit(Durability::Committed).await?;
        Ok(event)
    }

    /// Stores what is numbered so far, then shows it.
    pub(crate) async fn commit(&self, durability: Durability) -> Result<(), AgentError> {
        let Some(log) = &self.log else { return Ok(()) };
        let _storing = self.storing.lock().await;
        let batch = std::mem::take(&mut self.inner().pending);
        if batch.is_empty() {
            return Ok(());
        }
        let shown = (self.audience.receiver_count() > 0).then(|| batch.clone());
        log.append(&self.run, batch, durability).await?;
        for event in shown.into_iter().flatten() {
            // Nobody listening is no fault.
            let _ = self.audience.send(Arc::new(event));
        }
        Ok(())
    }

    /// Whether something waits to be stored.
    pub(crate) fn has_pending(&self) -> bool {
        !self.inner().pending.is_empty()
    }

    /// What a replay produced, and what is recorded but did not come out.
    pub(crate) fn produced(&self) -> (Vec<Event>, Option<Event>) {
        let inner = self.inner();
        let mut produced = inner.produced.clone();
        produced.sort_by_key(|event| event.seq);
        let numbers: std::collections::HashSet<Seq> = produced.iter().map(|event| event.seq).collect();
        let missing = inner.records.all().into_iter().find(|event| !numbers.contains(&event.seq)).cloned();
        (produced, missing)
    }
}

/// The ordinal of the next outside event.
pub(crate) fn next_outside_ordinal(outside: &[Event]) -> u32 {
    u32::try_from(outside.len()).unwrap_or(u32::MAX - 1) + 1
}

/// An event of the person.
pub(crate) fn outside_event(seq: Seq, n: u32, at_ms: i64, fact: Fact) -> Event {
    Event {
        v: EVENT_VERSION,
        seq,
        at_ms,
        author: USER.to_owned(),
        path: Path::root(USER),
        n,
        surface: false,
        fact,
    }
}

fn push_definition(
    definitions: &mut Vec<(Seq, Arc<Definition>)>,
    from: Seq,
    change: impl FnOnce(&mut Definition),
) {
    if definitions.iter().any(|(place, _)| *place == from) {
        return;
    }
    let Some((_, last)) = definitions.last() else { return };
    let mut definition = Definition::clone(last);
    change(&mut definition);
    definitions.push((from, Arc::new(definition)));
    definitions.sort_by_key(|(place, _)| *place);
}

/// Whether two facts are the same but for what the records decide: times, and how far an agent sees.
fn is_same(stored: &Fact, produced: &Fact) -> bool {
    match (stored, produced) {
        (Fact::AgentStarted { .. }, Fact::AgentStarted { .. }) => true,
        (Fact::AgentEnded { ended: a, reads: x, .. }, Fact::AgentEnded { ended: b, reads: y, .. }) => {
            a == b && x == y
        }
        (a, b) => a == b,
    }
}
