//! Selects the events that a page needs to draw a moment of a long run.
//!
//! A page that opens a run of a hundred thousand events reads a few hundred: the newest calls of every agent, the
//! newest changes of every key, the events for the person. It folds them as it folds all events; the values that need
//! every event (state, usage) are sent beside them.
//!
//! An excerpt is a fold: it takes one event at a time, and can be stored and continued. The constants below limit its
//! size for any run. Not here: how events are displayed (the page).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{AgentOutcome, Effect, Event, Fact, GateSide, Note, Path, Seq, Value};

/// How many of an agent's newest calls are kept, beside every open call.
const CALLS: usize = 6;
/// How many of an agent's newest instances are kept; those that ended before the newest calls keep their first and last
/// event.
const INSTANCES: usize = 1000;
/// How many of the newest events of one call are kept, beside its first.
const EVENTS_OF_CALL: usize = 40;
/// How many of the newest changes of a key are kept completely.
const CHANGES: usize = 100;
/// How many older changes of a key are remembered by number; when there are more, every other one is dropped.
const OLDER: usize = 200;
/// How many of the newest ends of rounds are kept.
const ROUNDS: usize = 200;
/// How many of the newest events of other kinds are kept.
const OTHERS: usize = 200;

/// The numbers of the events from which a moment can be drawn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    calls: Vec<CallEvents>,
    /// The changes of each key.
    pub changes: BTreeMap<String, Changes>,
    others: Vec<Seq>,
    rounds: Vec<Seq>,
    /// The keys that each agent read and wrote so far, also in calls that are not kept.
    pub touched: BTreeMap<String, Touched>,
    /// The number of calls of each agent.
    pub times: BTreeMap<String, u32>,
    /// Keys whose last version a person typed, without another event since: their next save continues that version.
    #[serde(default)]
    pub typed: BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CallEvents {
    path: Path,
    agent: String,
    is_open: bool,
    first: Seq,
    newest: Vec<Seq>,
}

/// The changes of one key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Changes {
    /// The author and the event of the last change.
    pub last: Option<(String, Seq)>,
    /// The number of versions: consecutive changes by one person are one version; emptying the key is none.
    pub versions: u32,
    /// A selection of the older changes.
    pub older: Vec<Seq>,
    newest: Vec<Seq>,
}

/// The keys that an agent read and wrote.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct Touched {
    /// Keys it read.
    pub reads: BTreeSet<String>,
    /// Keys it wrote.
    pub wrote: BTreeSet<String>,
}

impl Excerpt {
    /// Adds one more event.
    pub fn apply(&mut self, event: &Event) {
        // A request and its answer do not interrupt a version; a remark of the person marks it as kept.
        let is_aside = match &event.fact {
            Fact::EffectAsked { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::EffectAnswered { .. }
            | Fact::FellBack { .. } => true,
            Fact::Noted { .. } | Fact::StateChanged { .. } => !event.is_outside(),
            Fact::RunStarted { .. }
            | Fact::RunResumed { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::RunEnded { .. } => false,
        };
        let before = if is_aside { BTreeSet::new() } else { std::mem::take(&mut self.typed) };
        match &event.fact {
            Fact::RunStarted { .. } | Fact::GatesSet { .. } | Fact::RunEnded { .. } => {
                self.put_before_person(event)
            }
            Fact::RunResumed { drops, delta, .. } => {
                self.put_before_person(event);
                self.set_aside(&drops.iter().copied().collect());
                for key in delta.keys() {
                    self.changes.entry(key.to_owned()).or_default().last =
                        Some((event.author.clone(), event.seq));
                }
            }
            Fact::AgentStarted { .. } => self.begin(event),
            Fact::AgentEnded { outcome, reads, .. } => {
                self.read(event, reads);
                self.in_call(event, |call| call.is_open = false);
                self.shorten(event);
                if matches!(outcome, AgentOutcome::Failed { .. }) {
                    self.put_before_person(event);
                }
            }
            Fact::RoundEnded { .. } => _ = keep(&mut self.rounds, event.seq, ROUNDS),
            // A write in an instance is local, so no key of the run changes. A change by the person at its gate belongs
            // to no call.
            Fact::StateChanged { .. } if event.path.own_instance().is_some() => {
                match GateSide::of(&event.path) {
                    Some(_) => self.put_before_person(event),
                    None => self.in_call(event, |_| {}),
                }
            }
            Fact::StateChanged { delta } => {
                for key in delta.keys() {
                    let changes = self.changes.entry(key.to_owned()).or_default();
                    let is_version = delta.set.get(key).is_some_and(|value| !is_null(value));
                    changes.add(event, is_version && !before.contains(key));
                    if is_version && event.is_outside() {
                        self.typed.insert(key.to_owned());
                    } else {
                        self.typed.remove(key);
                    }
                    if !event.is_outside() {
                        self.touched.entry(event.author.clone()).or_default().wrote.insert(key.to_owned());
                    }
                }
                self.in_call(event, |_| {});
            }
            Fact::EffectAsked { effect, reads } => {
                self.read(event, reads);
                self.in_call(event, |_| {});
                if matches!(effect, Effect::Question { .. }) {
                    self.put_before_person(event);
                }
            }
            // The question at a gate and its answer belong to no call.
            Fact::EffectAnswered { .. } if GateSide::of(&event.path).is_some() => {
                self.put_before_person(event)
            }
            Fact::RequestFailed { .. } | Fact::RequestSent { .. } | Fact::EffectAnswered { .. } => {
                self.in_call(event, |_| {});
            }
            Fact::FellBack { .. } => {
                self.in_call(event, |_| {});
                self.put_before_person(event);
            }
            Fact::Noted { note } => {
                self.in_call(event, |_| {});
                if event.surface || event.is_outside() || matches!(note, Note::Skipped { .. }) {
                    self.put_before_person(event);
                }
            }
        }
    }

    /// The numbers of the events in order. Changes are included only for keys that `is_shown` selects.
    pub fn seqs(&self, is_shown: impl Fn(&str) -> bool) -> Vec<Seq> {
        let calls = self.calls.iter().flat_map(|call| std::iter::once(&call.first).chain(&call.newest));
        let changes =
            self.changes.iter().filter(|(key, _)| is_shown(key)).flat_map(|(_, changes)| &changes.newest);
        let all: BTreeSet<Seq> =
            calls.chain(changes).chain(&self.others).chain(&self.rounds).copied().collect();
        all.into_iter().collect()
    }

    /// Removes calls that no longer hold; calls whose end no longer holds are open again.
    fn set_aside(&mut self, drops: &BTreeSet<Seq>) {
        for call in self.calls.extract_if(.., |call| drops.contains(&call.first)) {
            let times = self.times.entry(call.agent).or_default();
            *times = times.saturating_sub(1);
        }
        self.rounds.retain(|seq| !drops.contains(seq));
        for call in &mut self.calls {
            call.is_open |= call.newest.last().is_some_and(|last| drops.contains(last));
        }
    }

    fn begin(&mut self, event: &Event) {
        let agent = event.author.clone();
        *self.times.entry(agent.clone()).or_default() += 1;
        self.calls.retain(|call| call.path != event.path);
        let ended = self.ended_like(event);
        let most = if event.path.own_instance().is_some() { INSTANCES } else { CALLS };
        if ended.len() >= most
            && let Some(oldest) = ended.first()
        {
            self.calls.remove(*oldest);
        }
        let (path, first) = (event.path.clone(), event.seq);
        self.calls.push(CallEvents { path, agent, is_open: true, first, newest: Vec::new() });
    }

    /// The ended calls of the same agent, oldest first. Instances count separately from the calls in them.
    fn ended_like(&self, event: &Event) -> Vec<usize> {
        let is_like = |call: &CallEvents| {
            call.agent == event.author && !call.is_open && call.path.is_instance() == event.path.is_instance()
        };
        (0..self.calls.len()).filter(|index| self.calls.get(*index).is_some_and(is_like)).collect()
    }

    /// Keeps only the first and the last event of older calls in instances.
    fn shorten(&mut self, event: &Event) {
        if event.path.own_instance().is_none() {
            return;
        }
        for old in self.ended_like(event).into_iter().rev().skip(CALLS) {
            if let Some(call) = self.calls.get_mut(old) {
                call.newest.drain(..call.newest.len().saturating_sub(1));
            }
        }
    }

    fn in_call(&mut self, event: &Event, change: impl FnOnce(&mut CallEvents)) {
        let Some(call) = self.calls.iter_mut().rev().find(|call| call.path == event.path) else { return };
        keep(&mut call.newest, event.seq, EVENTS_OF_CALL);
        change(call);
    }

    fn read(&mut self, event: &Event, reads: &[String]) {
        if !reads.is_empty() {
            self.touched.entry(event.author.clone()).or_default().reads.extend(reads.iter().cloned());
        }
    }

    fn put_before_person(&mut self, event: &Event) {
        keep(&mut self.others, event.seq, OTHERS);
    }
}

impl Changes {
    fn add(&mut self, event: &Event, is_new: bool) {
        self.versions += u32::from(is_new);
        self.last = Some((event.author.clone(), event.seq));
        if let Some(older) = keep(&mut self.newest, event.seq, CHANGES) {
            if self.older.len() >= OLDER {
                self.older = self.older.iter().copied().step_by(2).collect();
            }
            self.older.push(older);
        }
    }
}

/// Appends a number; returns the oldest one where there are more than `most`.
fn keep(seqs: &mut Vec<Seq>, seq: Seq, most: usize) -> Option<Seq> {
    seqs.push(seq);
    (seqs.len() > most).then(|| seqs.remove(0))
}

fn is_null(value: &Value) -> bool {
    value.json().is_some_and(serde_json::Value::is_null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::USER;
    use crate::{Delta, EVENT_VERSION};

    fn event(seq: Seq, author: &str, path: &Path, fact: Fact) -> Event {
        let (path, author) = (path.clone(), author.to_owned());
        Event {
            v: EVENT_VERSION,
            seq,
            at_ms: i64::from(seq),
            ran_ms: 0,
            author,
            path,
            n: 1,
            surface: false,
            fact,
        }
    }

    /// In each round the writer starts, writes and ends.
    fn rounds(count: u32) -> Vec<Event> {
        let of_round = |round: u32| {
            let path = Path::root("loop").round(round).child("writer", 1);
            let delta = Delta::of("draft", serde_json::json!(format!("draft {round}")));
            let ended = Fact::AgentEnded {
                outcome: AgentOutcome::Done { exits_loop: false },
                reads: vec!["topic".to_owned()],
                took_ms: 1,
                output: None,
            };
            let facts = [Fact::AgentStarted { sees: 0, instance: None }, Fact::StateChanged { delta }, ended];
            facts.into_iter().zip(1..).map(move |(fact, n)| event(3 * (round - 1) + n, "writer", &path, fact))
        };
        (1..=count).flat_map(of_round).collect()
    }

    fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> Excerpt {
        let mut excerpt = Excerpt::default();
        events.into_iter().for_each(|event| excerpt.apply(event));
        excerpt
    }

    #[test]
    fn an_excerpt_does_not_grow_with_the_run() {
        let (short, long) = (of(&rounds(200)), of(&rounds(20_000)));
        let size = |excerpt: &Excerpt| serde_json::to_string(excerpt).unwrap().len();
        assert!(size(&long) < 2 * size(&short), "{} after {}", size(&long), size(&short));
        let seqs = long.seqs(|_| true);
        assert!(seqs.len() < 200 && seqs.last() == Some(&60_000), "{} events, {:?}", seqs.len(), seqs.last());
        assert_eq!(long.seqs(|_| false).len(), 3 * CALLS);
    }

    #[test]
    fn of_every_instance_the_beginning_and_the_end_are_kept() {
        let of_instance = |number: u32| {
            let path = Path::root("each").instance("one", number);
            let delta = || Delta::of(crate::RESULT, serde_json::json!(number));
            let ended = Fact::AgentEnded {
                outcome: AgentOutcome::Done { exits_loop: false },
                reads: Vec::new(),
                took_ms: 1,
                output: None,
            };
            let facts = [
                Fact::AgentStarted { sees: 0, instance: None },
                Fact::StateChanged { delta: delta() },
                Fact::StateChanged { delta: delta() },
                ended,
            ];
            facts.into_iter().zip(1..).map(move |(fact, n)| event(4 * (number - 1) + n, "one", &path, fact))
        };
        let excerpt = of(&(1..=200).flat_map(of_instance).collect::<Vec<Event>>());
        let seqs = excerpt.seqs(|_| true);
        for number in 0..200 {
            assert!(seqs.contains(&(4 * number + 1)) && seqs.contains(&(4 * number + 4)), "{number}");
        }
        assert!(seqs.len() < 2 * 200 + 4 * CALLS, "{}", seqs.len());
        assert!(excerpt.changes.is_empty(), "what an instance writes changes no key of the run");
    }

    #[test]
    fn counts_over_the_whole_run_are_kept() {
        let excerpt = of(&rounds(20_000));
        assert_eq!(excerpt.times["writer"], 20_000);
        let draft = &excerpt.changes["draft"];
        assert_eq!((draft.versions, draft.last.clone()), (20_000, Some(("writer".to_owned(), 59_999))));
        assert!(draft.older.len() <= OLDER && draft.older.first() == Some(&2), "{:?}", draft.older.first());
        let touched = &excerpt.touched["writer"];
        assert!(touched.reads.contains("topic") && touched.wrote.contains("draft"));
    }

    #[test]
    fn a_stored_excerpt_continues_like_one_in_memory() {
        let events = rounds(300);
        let (first, rest) = events.split_at(500);
        let mut kept: Excerpt = serde_json::from_str(&serde_json::to_string(&of(first)).unwrap()).unwrap();
        rest.iter().for_each(|event| kept.apply(event));
        assert_eq!(kept, of(&events));
    }

    #[test]
    fn consecutive_saves_of_a_person_are_one_version() {
        let path = Path::root(USER);
        let typed = |seq| {
            event(seq, USER, &path, Fact::StateChanged { delta: Delta::of("draft", serde_json::json!(seq)) })
        };
        assert_eq!(of(&[typed(1), typed(2), typed(3)]).changes["draft"].versions, 1);
        let written = &rounds(1)[1];
        assert_eq!(of(&[typed(1), written.clone(), typed(3)]).changes["draft"].versions, 3);
        // Another event, or a note that keeps a version, starts a new version.
        let started =
            event(2, "reader", &Path::root("reader"), Fact::AgentStarted { sees: 1, instance: None });
        let kept = event(2, USER, &path, Fact::Noted { note: Note::Kept { key: "draft".into() } });
        for between in [started, kept] {
            assert_eq!(of(&[typed(1), between, typed(3), typed(4)]).changes["draft"].versions, 2);
        }
    }
}
