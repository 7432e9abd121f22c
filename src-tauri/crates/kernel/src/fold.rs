//! Folds over the events of a run: its state at a moment, and the history of a key.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use std::collections::{BTreeMap, BTreeSet};

use crate::usage::KeptUsage;
use crate::{
    Answer, Definition, Effect, Error, Event, Fact, Gate, LimitName, Limits, Note, Outcome, Path, Reached,
    Seq, State, Usage, Value,
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

/// The state, usage and outcome of a run, updated with one event at a time. A stored fold can be continued.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct RunFold {
    /// The state.
    pub state: State,
    /// The usage.
    pub usage: Usage,
    /// The outcome; `None` while the run is open.
    pub outcome: Option<Outcome>,
    /// The error of the outcome.
    pub error: Option<Error>,
    /// The number of the last event.
    pub last_seq: Seq,
    /// The time of the last event, milliseconds since 1970 UTC.
    pub last_at_ms: i64,
    /// Limits of the run that changed since its start; `None` where one was lifted.
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// Limits of agents and instances that changed since the start, by name or path; `None` where one was lifted.
    pub own_limits: BTreeMap<String, BTreeMap<LimitName, Option<f64>>>,
    /// Agents whose profile changed since the start, with the present one.
    pub profiles: BTreeMap<String, String>,
    /// Gates that changed since the start; one without a side was removed.
    pub gates: BTreeMap<String, Gate>,
    /// Agents that worked without a model because it failed, by the event that notes it.
    pub without_model: BTreeMap<Seq, String>,
    /// Limits that open questions are about, by question.
    reached: BTreeMap<(Path, u32), Reached>,
}

impl RunFold {
    /// The present limits, from those of the start.
    pub fn limits_now(&self, mut began_with: Limits) -> Limits {
        for (name, most) in &self.limits {
            began_with.set(*name, *most);
        }
        began_with
    }

    /// The agents that worked without a model because it failed, each once.
    pub fn agents_without_model(&self) -> Vec<String> {
        let agents: BTreeSet<&String> = self.without_model.values().collect();
        agents.into_iter().cloned().collect()
    }

    /// The present limit of active time in seconds, from the definition of the start.
    pub fn time_limit_now(&self, began_with: &Definition) -> Option<f64> {
        match self.limits.get(&LimitName::MaxExecutionTimeS) {
            Some(set) => *set,
            None => began_with.time_limit(&self.usage.speeds),
        }
    }

    /// The present profile of each agent, from the definition of the start.
    pub fn profiles_now(&self, began_with: &Definition) -> BTreeMap<String, String> {
        let mut profiles = began_with.profiles();
        profiles.extend(self.profiles.clone());
        profiles
    }

    /// The present gates, from the definition of the start.
    pub fn gates_now(&self, began_with: &Definition) -> BTreeMap<String, Gate> {
        let mut gates = began_with.gates.clone();
        gates.extend(self.gates.iter().map(|(place, gate)| (place.clone(), *gate)));
        gates.retain(|_, gate| *gate != Gate::default());
        gates
    }

    /// Raises or lifts a limit by the answer to the question about it.
    fn answered(&mut self, path: &Path, asked: u32, answer: &Answer) {
        let Some(reached) = self.reached.remove(&(path.clone(), asked)) else { return };
        let Answer::Done { result } = answer else { return };
        let Some(answer) = result.as_str() else { return };
        let limits = match &reached.agent {
            Some(place) => self.own_limits.entry(place.clone()).or_default(),
            None => &mut self.limits,
        };
        if let Some(more) = reached.added(answer) {
            let raised = reached.raised(limits.get(&reached.name).copied().flatten(), more);
            limits.insert(reached.name, Some(raised));
        } else if reached.is_lifted(answer) {
            limits.insert(reached.name, None);
        }
    }

    /// Adds one more event.
    pub fn apply(&mut self, event: &Event) {
        if let Some(delta) = event.delta() {
            self.state.apply(delta);
        }
        self.usage.apply(event);
        match &event.fact {
            Fact::RunEnded { outcome, error } => {
                self.outcome = Some(*outcome);
                self.error.clone_from(error);
            }
            Fact::RunResumed { overrides, drops, .. } => {
                self.without_model.retain(|seq, _| !drops.contains(seq));
                self.outcome = None;
                self.error = None;
                self.limits.extend(&overrides.limits);
                for (place, change) in &overrides.agents {
                    self.own_limits.entry(place.clone()).or_default().extend(&change.limits);
                }
                self.gates.extend(overrides.gates.clone());
                let profiles = overrides.agents.iter();
                self.profiles.extend(
                    profiles.filter_map(|(agent, change)| Some((agent.clone(), change.profile.clone()?))),
                );
            }
            Fact::RunStarted { .. } => {
                self.outcome = None;
                self.error = None;
            }
            Fact::EffectAsked { effect, .. } => {
                if let Effect::Question { question } = effect
                    && let Some(reached) = question.limit_reached()
                {
                    self.reached.insert((event.path.clone(), event.n), reached);
                }
            }
            Fact::EffectAnswered { asked, answer, .. } => self.answered(&event.path, *asked, answer),
            Fact::GatesSet { gates } => self.gates.extend(gates.clone()),
            Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::FellBack { .. } => {}
            Fact::Noted { note: Note::WithoutModel } => {
                self.without_model.insert(event.seq, event.author.clone());
            }
            Fact::Noted { .. } => {}
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

/// The stored form of a [`RunFold`].
#[derive(Serialize, Deserialize)]
struct Kept {
    state: State,
    usage: KeptUsage,
    outcome: Option<Outcome>,
    error: Option<Error>,
    last_seq: Seq,
    last_at_ms: i64,
    limits: BTreeMap<LimitName, Option<f64>>,
    own_limits: BTreeMap<String, BTreeMap<LimitName, Option<f64>>>,
    profiles: BTreeMap<String, String>,
    gates: BTreeMap<String, Gate>,
    reached: Vec<((Path, u32), Reached)>,
    without_model: BTreeMap<Seq, String>,
}

impl From<Kept> for RunFold {
    fn from(kept: Kept) -> RunFold {
        RunFold {
            state: kept.state,
            usage: kept.usage.into(),
            outcome: kept.outcome,
            error: kept.error,
            last_seq: kept.last_seq,
            last_at_ms: kept.last_at_ms,
            limits: kept.limits,
            own_limits: kept.own_limits,
            profiles: kept.profiles,
            gates: kept.gates,
            without_model: kept.without_model,
            reached: kept.reached.into_iter().collect(),
        }
    }
}

impl From<RunFold> for Kept {
    fn from(fold: RunFold) -> Kept {
        Kept {
            state: fold.state,
            usage: fold.usage.into(),
            outcome: fold.outcome,
            error: fold.error,
            last_seq: fold.last_seq,
            last_at_ms: fold.last_at_ms,
            limits: fold.limits,
            own_limits: fold.own_limits,
            profiles: fold.profiles,
            gates: fold.gates,
            reached: fold.reached.into_iter().collect(),
            without_model: fold.without_model,
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

/// The history of one key: every change with its author, and the agents that read it afterwards.
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
        if event.reads().iter().any(|read| read == key)
            && let Some(last) = history.last_mut()
            && !last.read_by.contains(&event.author)
        {
            last.read_by.push(event.author.clone());
        }
    }
    history
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::EVENT_VERSION;

    fn event(n: u32, fact: serde_json::Value) -> Event {
        let (path, author) = (Path::root("writer"), "writer".to_owned());
        let fact = serde_json::from_value(fact).unwrap();
        Event { v: EVENT_VERSION, seq: n, at_ms: 0, ran_ms: 0, author, path, n, surface: false, fact }
    }

    /// The number of calls without a price when the program dies after these events. Each event continues from the
    /// stored fold.
    fn unpriced(facts: &[serde_json::Value]) -> u32 {
        let mut fold = RunFold::default();
        for (fact, n) in facts.iter().zip(1..) {
            fold.apply(&event(n, fact.clone()));
            fold = serde_json::from_value(json!(fold)).unwrap();
        }
        fold.usage.interrupted().unpriced_calls
    }

    #[test]
    fn a_refused_request_that_waits_for_its_retry_costs_nothing() {
        let asked =
            |effect: serde_json::Value| json!({"kind": "effect_asked", "effect": effect, "reads": []});
        let request = asked(json!({"effect": "model", "request": {
            "agent": "writer", "profile": "p", "model": "m", "instruction": "", "shape": null, "messages": [], "tools": [],
            "temperature": 0.2, "max_output_tokens": 1,
        }}));
        let phrase = json!({"id": "later", "parameters": {}});
        let failed = json!({"kind": "request_failed", "asked": 1, "error": {
            "code": "rate_limited", "message": "later", "phrase": phrase, "provider_words": null, "retry_after_ms": 1,
            "limit": null,
        }});
        let sent = json!({"kind": "request_sent", "asked": 1, "attempt": 2});
        let clock = asked(json!({"effect": "clock"}));
        assert_eq!(unpriced(std::slice::from_ref(&request)), 1);
        assert_eq!(unpriced(&[request.clone(), failed.clone()]), 0);
        assert_eq!(unpriced(&[request.clone(), failed.clone(), clock.clone()]), 0);
        assert_eq!(unpriced(&[request, failed, clock, sent]), 1);
    }
}
