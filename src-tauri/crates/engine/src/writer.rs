//! The one writer of a run.
//!
//! Every event of a run passes here once: it is numbered, stored, applied and published, in that order. Where records
//! exist, each produced event must equal its record and is not stored again; the first difference is reported with both
//! sides (law 3).
//!
//! Not here: how a batch gets into the log (`log_append`), what a fact means (`kernel`), how it is stored (`store`),
//! which code appends it (`context`).

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use kernel::{Definition, EVENT_VERSION, Error, Event, Fact, Path, RunFile, RunFold, RunId, Seq, Usage};
use tokio::sync::{broadcast, watch};

use crate::clock::Moment;
use crate::definitions::Definitions;
use crate::error::Divergence;
use crate::log_hold::{Hold, Patience, has_ended};
use crate::named_addresses::NamedAddresses;
use crate::outside::{next_outside_ordinal, outside_event};
use crate::records::Records;
use crate::{AgentError, Log};

/// Capacity of the channel per run: a follower that leaves more events unread reads the log.
const UNREAD: usize = 128;

/// Whether the run is executed or replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Live,
    Replay,
}

pub(crate) struct Writer {
    pub(crate) run: RunId,
    pub(crate) mode: Mode,
    pub(crate) log: Option<Arc<dyn Log>>,
    inner: Mutex<Inner>,
    /// The writer's hold on the run in the log. Locked while a batch is stored, so that no task treats another's events
    /// as stored too early.
    pub(crate) hold: tokio::sync::Mutex<Hold>,
    pub(crate) patience: Patience,
    /// Why the log refuses events at present; `None` while it accepts them.
    pub(crate) refused: watch::Sender<Option<Error>>,
    audience: broadcast::Sender<Arc<Event>>,
}

struct Inner {
    records: Records,
    outside: Vec<Event>,
    /// Events that are numbered and not stored yet.
    pending: Vec<Arc<Event>>,
    produced: Vec<Arc<Event>>,
    /// The state of the run by the stored events.
    fold: RunFold,
    /// The usage by the numbered events: a limit must count it before it is stored.
    used: Usage,
    definitions: Definitions,
    /// The web addresses that the run was given.
    named: NamedAddresses,
    /// The files of the run by path, as tools left them.
    files: BTreeMap<String, RunFile>,
    last_seq: Seq,
    /// Whether numbering has ended: the run was released before its end was stored.
    is_closed: bool,
}

impl Inner {
    /// The time of the last resumption before an event, or of the fork; the start for an uninterrupted run.
    fn went_on(&self, seq: Seq) -> Moment {
        let goes_on = |event: &&Event| event.seq < seq && matches!(event.fact, Fact::RunResumed { .. });
        self.outside.iter().filter(goes_on).map(Moment::of).fold(Moment::default(), Moment::max)
    }

    /// Counts an event as numbered; it is stored, applied and published later.
    fn number(&mut self, event: Arc<Event>) {
        self.last_seq = self.last_seq.max(event.seq);
        self.used.apply(&event);
        self.named.apply(&event);
        take_files(&mut self.files, &event);
        self.pending.push(event);
    }

    fn emit(&mut self, mode: Mode, draft: Draft<'_>) -> Result<Arc<Event>, AgentError> {
        if let Some(stored) = self.records.get(draft.path, draft.n) {
            if !is_same(&stored.fact, &draft.fact) || stored.surface != draft.surface {
                return Err(Divergence {
                    seq: stored.seq,
                    path: draft.path.to_string(),
                    recorded: serde_json::to_value(&stored.fact).unwrap_or_default(),
                    produced: serde_json::to_value(&draft.fact).unwrap_or_default(),
                }
                .into());
            }
            let stored = Arc::new(stored.clone());
            if mode == Mode::Replay {
                self.fold.apply(&stored);
                self.produced.push(stored.clone());
            }
            return Ok(stored);
        }
        let seq = match mode {
            Mode::Live => self.last_seq + 1,
            Mode::Replay => self.records.take_place(draft.after),
        };
        let Moment { at_ms, ran_ms } = match draft.fact {
            Fact::AgentStarted { .. } => draft.at.max(self.went_on(seq)),
            _ => draft.at,
        };
        let event = Arc::new(Event {
            v: EVENT_VERSION,
            seq,
            at_ms,
            ran_ms,
            author: draft.author.to_owned(),
            path: draft.path.clone(),
            n: draft.n,
            surface: draft.surface,
            fact: draft.fact,
        });
        match mode {
            Mode::Live => self.number(event.clone()),
            Mode::Replay => {
                self.fold.apply(&event);
                self.produced.push(event.clone());
            }
        }
        Ok(event)
    }
}

/// An event that an agent is about to append.
pub(crate) struct Draft<'a> {
    pub(crate) path: &'a Path,
    pub(crate) n: u32,
    /// The last event in the agent's past, behind which this one is numbered.
    pub(crate) after: Seq,
    pub(crate) author: &'a str,
    pub(crate) at: Moment,
    pub(crate) surface: bool,
    pub(crate) fact: Fact,
}

/// An agent that started.
pub(crate) struct StartedAgent {
    /// The person's events since, which this agent is the first to see.
    pub(crate) changes: Vec<Event>,
    pub(crate) event: Arc<Event>,
}

impl Writer {
    /// A writer that continues behind the stored `events`, which are in the order of their numbers.
    pub(crate) fn new(
        run: RunId,
        mode: Mode,
        log: Option<Arc<dyn Log>>,
        definition: Definition,
        events: Vec<Event>,
        patience: Patience,
    ) -> Writer {
        let mut named = NamedAddresses::beginning_with(&definition.taken_over);
        let mut definitions = Definitions::new(definition);
        let outside: Vec<Event> = events.iter().filter(|event| event.is_outside()).cloned().collect();
        for event in &outside {
            definitions.change_by_person(event);
        }
        let fold = match mode {
            Mode::Live => RunFold::of(&events),
            Mode::Replay => RunFold::default(),
        };
        let last_seq = events.last().map_or(0, |event| event.seq);
        let records = Records::of(events);
        let mut files = BTreeMap::new();
        for event in outside.iter().chain(records.all()) {
            named.apply(event);
            take_files(&mut files, event);
        }
        for (seq, change) in records.changes() {
            definitions.change(seq, move |definition| change.apply(definition));
        }
        let inner = Inner {
            records,
            produced: Vec::new(),
            outside,
            pending: Vec::new(),
            used: fold.usage.clone(),
            fold,
            definitions,
            named,
            files,
            last_seq,
            is_closed: false,
        };
        Writer {
            run,
            mode,
            log,
            inner: Mutex::new(inner),
            hold: tokio::sync::Mutex::new(Hold::default()),
            patience,
            refused: watch::Sender::new(None),
            audience: broadcast::channel(UNREAD).0,
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

    /// The definition that holds for the event at a path, behind the event `after`.
    pub(crate) fn definition(&self, path: &Path, n: u32, after: Seq) -> Arc<Definition> {
        let inner = self.inner();
        let place = match (inner.records.get(path, n), self.mode) {
            (Some(event), _) => event.seq,
            (None, Mode::Live) => Seq::MAX,
            (None, Mode::Replay) => inner.records.free_place(after),
        };
        inner.definitions.of(place)
    }

    /// The definition that holds for the event with this number.
    pub(crate) fn definition_at(&self, seq: Seq) -> Arc<Definition> {
        self.inner().definitions.of(seq)
    }

    /// Lets a changed definition hold from an event on.
    pub(crate) fn change_definition(&self, from: Seq, change: impl Fn(&mut Definition) + Send + 'static) {
        self.inner().definitions.change(from, change);
    }

    /// Reads the usage so far, by the numbered events.
    pub(crate) fn used<T>(&self, read: impl FnOnce(&Usage) -> T) -> T {
        let inner = self.inner();
        match self.mode {
            Mode::Live => read(&inner.used),
            Mode::Replay => read(&inner.fold.usage),
        }
    }

    /// Reads the addresses that the run was given so far.
    pub(crate) fn named_addresses<T>(&self, read: impl FnOnce(&NamedAddresses) -> T) -> T {
        read(&self.inner().named)
    }

    /// The files of the run as tools left them, without those that were removed.
    pub(crate) fn files(&self) -> Vec<RunFile> {
        self.inner().files.values().filter(|file| file.hash.is_some()).cloned().collect()
    }

    /// The state of the run by the stored events.
    pub(crate) fn fold(&self) -> RunFold {
        self.inner().fold.clone()
    }

    /// Starts an agent: returns the person's events since `sees`, and the start event, which records up to where they
    /// are known. One lock covers both, so no event of the person gets between them. `None` where the run has to stop
    /// before the agent and has not stopped yet.
    pub(crate) fn begin(
        &self,
        draft: Draft<'_>,
        sees: Seq,
        is_stopped: bool,
    ) -> Result<Option<StartedAgent>, AgentError> {
        let mut inner = self.inner();
        if !is_stopped
            && self.mode == Mode::Live
            && inner.records.get(draft.path, draft.n).is_none()
            && inner.definitions.of(Seq::MAX).gate(draft.path).before
        {
            return Ok(None);
        }
        let until = match (inner.records.get(draft.path, draft.n).map(|event| &event.fact), self.mode) {
            (Some(Fact::AgentStarted { sees, .. }), _) => *sees,
            (_, Mode::Live) => Seq::MAX,
            (_, Mode::Replay) => inner.records.place_of_start(draft.path, draft.after),
        };
        let known = inner.outside.iter().filter(|event| event.seq > sees && event.seq <= until);
        let changes: Vec<Event> = known.cloned().collect();
        let sees = changes.last().map_or(sees, |event| event.seq);
        let fact = match draft.fact {
            Fact::AgentStarted { instance, .. } => Fact::AgentStarted { sees, instance },
            other => other,
        };
        let event = inner.emit(self.mode, Draft { fact, ..draft })?;
        Ok(Some(StartedAgent { changes, event }))
    }

    /// The person's events after one event, up to another.
    pub(crate) fn done_by_person(&self, after: Seq, until: Seq) -> Vec<Event> {
        let inner = self.inner();
        inner.outside.iter().filter(|event| event.seq > after && event.seq <= until).cloned().collect()
    }

    /// Numbers an event, or finds its record. It is not stored yet: see [`Writer::commit`].
    pub(crate) fn emit(&self, draft: Draft<'_>) -> Result<Arc<Event>, AgentError> {
        self.inner().emit(self.mode, draft)
    }

    /// Numbers an action of the person.
    ///
    /// # Errors
    /// The run has ended.
    pub(crate) fn number_outside(&self, fact: Fact) -> Result<Event, AgentError> {
        let mut inner = self.inner();
        if inner.is_closed {
            return Err(has_ended().into());
        }
        let at = self.patience.clock.now();
        let event = outside_event(inner.last_seq + 1, next_outside_ordinal(&inner.outside), at, fact);
        inner.definitions.change_by_person(&event);
        inner.outside.push(event.clone());
        inner.number(Arc::new(event.clone()));
        Ok(event)
    }

    /// Ends numbering, unless more than `most` events are numbered and not stored. Returns whether it ended.
    pub(crate) fn close(&self, most: usize) -> bool {
        let mut inner = self.inner();
        inner.is_closed |= inner.pending.len() <= most;
        inner.is_closed
    }

    /// The events that are numbered and not stored yet.
    pub(crate) fn pending(&self) -> Vec<Arc<Event>> {
        self.inner().pending.clone()
    }

    /// Applies a stored batch, then publishes it.
    pub(crate) fn stored(&self, batch: Vec<Arc<Event>>) {
        {
            let mut inner = self.inner();
            inner.pending.drain(..batch.len());
            batch.iter().for_each(|event| inner.fold.apply(event));
        }
        for event in batch {
            // Sending without a listener is no error.
            let _ = self.audience.send(event);
        }
    }

    /// The events that a replay produced, and the first recorded one that it did not produce.
    pub(crate) fn produced(&self) -> (Vec<Event>, Option<Event>) {
        let inner = self.inner();
        let mut produced: Vec<Event> = inner.produced.iter().map(|event| Event::clone(event)).collect();
        produced.sort_by_key(|event| event.seq);
        let numbers: std::collections::HashSet<Seq> = produced.iter().map(|event| event.seq).collect();
        let missing = inner.records.all().into_iter().find(|event| !numbers.contains(&event.seq)).cloned();
        (produced, missing)
    }
}

/// The files that the events of a run list, as tools left them, without those that were removed.
pub fn files_of(events: &[Event]) -> Vec<RunFile> {
    let mut files = BTreeMap::new();
    events.iter().for_each(|event| take_files(&mut files, event));
    files.into_values().filter(|file| file.hash.is_some()).collect()
}

/// Adds the files that a tool changed.
fn take_files(files: &mut BTreeMap<String, RunFile>, event: &Event) {
    files.extend(event.files().into_iter().map(|file| (file.path.clone(), file)));
}

/// Whether two facts are equal apart from what the records decide: times, and how far an agent sees.
fn is_same(stored: &Fact, produced: &Fact) -> bool {
    match (stored, produced) {
        (Fact::AgentStarted { instance: a, .. }, Fact::AgentStarted { instance: b, .. }) => a == b,
        (
            Fact::AgentEnded { outcome: a, reads: x, output: p, .. },
            Fact::AgentEnded { outcome: b, reads: y, output: q, .. },
        ) => a == b && x == y && p == q,
        (a, b) => a == b,
    }
}
