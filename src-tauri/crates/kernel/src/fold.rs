//! Folds over the events of a run: its state at a moment, and the history of a key.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Answer, Definition, Event, Fact, Fault, Interruption, LimitName, Limits, Outcome, Path, Reached, Seq,
    State, Usage, Value,
};

/// The state after these events.
pub fn fold_state<'a>(events: impl IntoIterator<Item = &'a Event>) -> State {
    let mut state = State::default();
    for event in events {
        if let Some(delta) = event.delta() {
            state.apply(delta);
        }
    }
    state
}

/// How a run stands: state, usage, outcome. One event at a time. What is kept of it can go on from there.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct RunFold {
    /// The state.
    pub state: State,
    /// What is used up.
    pub usage: Usage,
    /// How it ended; `None` while it is open.
    pub outcome: Option<Outcome>,
    /// Why it ended so.
    pub fault: Option<Fault>,
    /// The number of the last event.
    pub last_seq: Seq,
    /// When the last event happened.
    pub last_at_ms: i64,
    /// Limits of the run that were changed since its beginning.
    pub limits: BTreeMap<LimitName, f64>,
    /// Agents whose profile was changed since its beginning, with the one they ask now.
    pub profiles: BTreeMap<String, String>,
    /// Limits that were reached and not answered for yet, by the place that reached them.
    reached: BTreeMap<Path, Reached>,
}

impl RunFold {
    /// The limits in force, of those it began with.
    pub fn limits_now(&self, mut began_with: Limits) -> Limits {
        for (name, most) in &self.limits {
            began_with.set(*name, *most);
        }
        began_with
    }

    /// The profile of each agent in force, of those it began with.
    pub fn profiles_now(&self, began_with: &Definition) -> BTreeMap<String, String> {
        let mut profiles = began_with.profiles();
        profiles.extend(self.profiles.clone());
        profiles
    }

    /// A limit is raised by the answer to the question that follows its refusal at the same place.
    fn answered(&mut self, path: &Path, answer: &Answer) {
        let reached = match answer {
            Answer::Failed { fault } => fault.limit.as_deref().cloned(),
            Answer::Interrupted { reason: Interruption::TimeUsedUp { most }, .. } => {
                Some(Reached { name: LimitName::MaxExecutionTimeS, most: *most, agent: None })
            }
            Answer::Interrupted { reason: Interruption::Cancelled, .. } | Answer::Done { .. } => None,
        };
        if let Some(reached) = reached {
            self.reached.insert(path.clone(), reached);
        } else if let (Some(reached), Answer::Done { result }) = (self.reached.remove(path), answer)
            && reached.agent.is_none()
            && let Some(more) = result.as_str().and_then(|answer| reached.added(answer))
        {
            *self.limits.entry(reached.name).or_insert(reached.most) += more;
        }
    }

    /// Takes one more event into account.
    pub fn apply(&mut self, event: &Event) {
        if let Some(delta) = event.delta() {
            self.state.apply(delta);
        }
        self.usage.apply(event);
        match &event.fact {
            Fact::RunEnded { outcome, fault } => {
                self.outcome = Some(*outcome);
                self.fault.clone_from(fault);
            }
            Fact::RunResumed { overrides, .. } => {
                self.outcome = None;
                self.fault = None;
                self.limits.extend(&overrides.limits);
                let profiles = overrides.agents.iter();
                self.profiles.extend(
                    profiles.filter_map(|(agent, change)| Some((agent.clone(), change.profile.clone()?))),
                );
            }
            Fact::RunStarted { .. } => {
                self.outcome = None;
                self.fault = None;
            }
            Fact::EffectAnswered { answer, .. } => self.answered(&event.path, answer),
            Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::EffectAsked { .. }
            | Fact::Noted { .. } => {}
        }
        self.last_seq = event.seq;
        self.last_at_ms = event.at_ms;
    }

    /// The fold of a list of events.
    pub fn of<'a>(events: impl IntoIterator<Item = &'a Event>) -> RunFold {
        let mut fold = RunFold::default();
        for event in events {
            fold.apply(event);
        }
        fold
    }
}

/// The place and the number of an effect in flight, with the agent and the tool it counts for.
type InFlight = ((Path, u32), (Option<String>, Option<String>));

/// A [`RunFold`] as it is written out, with what its usage must know to go on.
#[derive(Serialize, Deserialize)]
struct Kept {
    state: State,
    usage: Usage,
    in_flight: Vec<InFlight>,
    used_at_ms: i64,
    outcome: Option<Outcome>,
    fault: Option<Fault>,
    last_seq: Seq,
    last_at_ms: i64,
    // Absent in what older programs wrote.
    #[serde(default)]
    limits: BTreeMap<LimitName, f64>,
    #[serde(default)]
    profiles: BTreeMap<String, String>,
    #[serde(default)]
    reached: Vec<(Path, Reached)>,
    #[serde(default)]
    refused: BTreeSet<Path>,
}

impl From<Kept> for RunFold {
    fn from(kept: Kept) -> RunFold {
        let Kept { state, mut usage, in_flight, used_at_ms, outcome, fault, .. } = kept;
        let Kept { last_seq, last_at_ms, limits, profiles, reached, refused, .. } = kept;
        usage.in_flight = in_flight.into_iter().collect();
        usage.refused = refused;
        usage.last_at_ms = used_at_ms;
        let reached = reached.into_iter().collect();
        RunFold { state, usage, outcome, fault, last_seq, last_at_ms, limits, profiles, reached }
    }
}

impl From<RunFold> for Kept {
    fn from(fold: RunFold) -> Kept {
        let RunFold { state, mut usage, outcome, fault, last_seq, last_at_ms, limits, profiles, reached } =
            fold;
        let in_flight = std::mem::take(&mut usage.in_flight).into_iter().collect();
        let refused = std::mem::take(&mut usage.refused);
        let used_at_ms = usage.last_at_ms;
        let reached = reached.into_iter().collect();
        Kept {
            state,
            usage,
            in_flight,
            used_at_ms,
            outcome,
            fault,
            last_seq,
            last_at_ms,
            limits,
            profiles,
            reached,
            refused,
        }
    }
}

/// One moment in the life of a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeyChange {
    /// The event.
    pub seq: Seq,
    /// When, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// Who wrote.
    pub author: String,
    /// Where in the tree.
    pub path: Path,
    /// The round of the innermost loop, if there is one.
    pub round: Option<u32>,
    /// The new value; `None` when the key was removed.
    pub value: Option<Value>,
    /// The agents that read this value before the next change.
    pub read_by: Vec<String>,
}

/// The history of one key: every change with its author, and who read it afterwards.
pub fn key_history<'a>(events: impl IntoIterator<Item = &'a Event>, key: &str) -> Vec<KeyChange> {
    let mut history: Vec<KeyChange> = Vec::new();
    for event in events {
        if let Some(delta) = event.delta()
            && delta.keys().any(|k| k == key)
        {
            history.push(KeyChange {
                seq: event.seq,
                at_ms: event.at_ms,
                author: event.author.clone(),
                path: event.path.clone(),
                round: event.path.innermost_round(),
                value: delta.set.get(key).cloned(),
                read_by: Vec::new(),
            });
        }
        let reads = match &event.fact {
            Fact::EffectAsked { reads, .. } | Fact::AgentEnded { reads, .. } => reads,
            Fact::RunStarted { .. }
            | Fact::RunResumed { .. }
            | Fact::AgentStarted { .. }
            | Fact::StateChanged { .. }
            | Fact::EffectAnswered { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => continue,
        };
        if reads.iter().any(|k| k == key)
            && let Some(last) = history.last_mut()
            && !last.read_by.contains(&event.author)
        {
            last.read_by.push(event.author.clone());
        }
    }
    history
}
