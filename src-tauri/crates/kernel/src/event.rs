//! The closed list of events of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{
    AgentOutcome, Answer, AnswerSummary, Delta, Effect, Error, Gate, Hash, LoopExit, Note, Origin, Outcome,
    Overrides, Path, Round, RunFile, RunId, Seq, SessionId, Value,
};

/// The version of the event format that this program writes.
pub const EVENT_VERSION: u8 = 5;

/// The author of the person's events.
pub const USER: &str = "user";

/// What happened. Closed: a new variant breaks every match, here and in TypeScript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// The run began.
    RunStarted {
        /// The run.
        run: RunId,
        /// Its session.
        session: SessionId,
        /// The pipeline's id.
        pipeline: String,
        /// The definition by content hash.
        definition: Hash,
        /// The parent, of a fork.
        origin: Option<Origin>,
    },
    /// The run goes on after an end, a crash, or as a fork.
    RunResumed {
        /// Events that no longer hold; they stay in the log.
        drops: Vec<Seq>,
        /// What leads from the state before to the state without the dropped events.
        delta: Delta,
        /// What is different from here on.
        overrides: Overrides,
    },
    /// The person said where the run stops and asks from here on.
    GatesSet {
        /// By the agent or by the place of one call of it.
        gates: BTreeMap<String, Gate>,
    },
    /// An agent began.
    AgentStarted {
        /// Up to which event it knows what the person did.
        sees: Seq,
        /// Of an agent on demand, what it was started with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        instance: Option<Instance>,
    },
    /// An agent ended.
    AgentEnded {
        /// How.
        #[serde(flatten)]
        outcome: AgentOutcome,
        /// Keys it read since its last effect.
        reads: Vec<String>,
        /// How long it took, milliseconds.
        #[ts(type = "number")]
        took_ms: u64,
        /// What an agent on demand came to.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[ts(optional)]
        output: Option<Value>,
    },
    /// A round of a loop ended.
    RoundEnded {
        /// What was measured of it.
        round: Round,
        /// Why the loop goes on, or ended.
        exit: LoopExit,
        /// The number of the best round so far; nothing where nothing is checked or reviewed.
        best: Option<u32>,
    },
    /// The state changed.
    StateChanged {
        /// How.
        delta: Delta,
    },
    /// An agent asked the world.
    EffectAsked {
        /// What.
        effect: Effect,
        /// Keys it read for this since its last effect.
        reads: Vec<String>,
    },
    /// A request failed and is sent again.
    RequestFailed {
        /// The ordinal of the request in this place.
        asked: u32,
        /// Why it failed.
        error: Error,
    },
    /// A request is sent once more.
    RequestSent {
        /// The ordinal of the request in this place.
        asked: u32,
        /// The number of the attempt; the first request is 1.
        attempt: u32,
    },
    /// The world answered.
    EffectAnswered {
        /// The ordinal of the request in this place.
        asked: u32,
        /// The answer.
        answer: Answer,
        /// How long it took, milliseconds.
        #[ts(type = "number")]
        took_ms: u64,
        /// How much of that was waiting which a provider ordered or for the person.
        #[ts(type = "number")]
        waited_ms: u64,
        /// What went wrong on the way, before this answer.
        retries: Vec<Error>,
        /// What is known of it without its text.
        #[serde(default)]
        summary: AnswerSummary,
    },
    /// Another profile stands in for one that failed.
    FellBack {
        /// The profile that failed.
        from: String,
        /// The profile that is asked instead.
        to: String,
        /// Why the first failed.
        error: Error,
    },
    /// A note.
    Noted {
        /// The note.
        note: Note,
    },
    /// The run ended.
    RunEnded {
        /// How.
        outcome: Outcome,
        /// Why, when it is not simply finished.
        error: Option<Error>,
    },
}

/// What an agent on demand was started with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Instance {
    /// The agent as the tree declares it.
    pub agent: String,
    /// Its input.
    pub input: Value,
}

/// One entry of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Event {
    /// The version of the format.
    pub v: u8,
    /// Its number in the run.
    pub seq: Seq,
    /// When, milliseconds since 1970 UTC. Between two effects of a place no time passes.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// When by the run's own clock: for how many milliseconds the program had worked on the run. It is monotonic, and
    /// stands while the machine sleeps and while no process works on the run; what counts against a limit is measured by it.
    #[serde(default)]
    #[ts(type = "number")]
    pub ran_ms: u64,
    /// The agent's name, or `user`.
    pub author: String,
    /// The place in the tree.
    pub path: Path,
    /// Its ordinal in that place, from 1.
    pub n: u32,
    /// Whether it is put before the person's eyes.
    pub surface: bool,
    /// What happened.
    pub fact: Fact,
}

/// Reads a present field as `Some`, even if it is null: null can be the output of an agent.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl Event {
    /// The files of the run that a tool changed, from the answer in this event.
    pub fn files(&self) -> Vec<RunFile> {
        let Fact::EffectAnswered { answer: Answer::Done { result }, .. } = &self.fact else {
            return Vec::new();
        };
        // A model's reply or a person's answer has no field `files`.
        let changed = result.json().and_then(|json| json.get("files"));
        changed.and_then(|changed| Vec::deserialize(changed).ok()).unwrap_or_default()
    }

    /// The keys that its agent read before this event.
    pub fn reads(&self) -> &[String] {
        match &self.fact {
            Fact::EffectAsked { reads, .. } | Fact::AgentEnded { reads, .. } => reads,
            Fact::RunStarted { .. }
            | Fact::RunResumed { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::RoundEnded { .. }
            | Fact::StateChanged { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::EffectAnswered { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => &[],
        }
    }

    /// Whether the event read or changed the key.
    pub fn concerns(&self, key: &str) -> bool {
        let changes = self.delta().is_some_and(|delta| delta.keys().any(|changed| changed == key));
        changes || self.reads().iter().any(|read| read == key)
    }

    /// Whether the event came from outside the tree: from the person, or the start of the run.
    pub fn is_outside(&self) -> bool {
        self.path.as_str() == USER
    }

    /// All values inside, to store large ones by hash and to load them again.
    pub fn values_mut(&mut self) -> Vec<&mut Value> {
        match &mut self.fact {
            Fact::RunResumed { delta, overrides, .. } => delta
                .set
                .values_mut()
                .chain(overrides.agents.values_mut().filter_map(|change| change.instruction.as_mut()))
                .chain(overrides.already_done.iter_mut().flat_map(|done| [&mut done.input, &mut done.result]))
                .collect(),
            Fact::StateChanged { delta } => delta.set.values_mut().collect(),
            Fact::EffectAsked { effect, .. } => effect.values_mut(),
            Fact::EffectAnswered { answer: Answer::Done { result }, .. } => vec![result],
            Fact::AgentStarted { instance, .. } => {
                instance.as_mut().map(|instance| &mut instance.input).into_iter().collect()
            }
            Fact::AgentEnded { output, .. } => output.as_mut().into_iter().collect(),
            Fact::EffectAnswered { .. }
            | Fact::RunStarted { .. }
            | Fact::GatesSet { .. }
            | Fact::RoundEnded { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => Vec::new(),
        }
    }

    /// All values inside, in the same order, read-only.
    pub fn values(&self) -> Vec<&Value> {
        match &self.fact {
            Fact::RunResumed { delta, overrides, .. } => delta
                .set
                .values()
                .chain(overrides.agents.values().filter_map(|change| change.instruction.as_ref()))
                .chain(overrides.already_done.iter().flat_map(|done| [&done.input, &done.result]))
                .collect(),
            Fact::StateChanged { delta } => delta.set.values().collect(),
            Fact::EffectAsked { effect, .. } => effect.values(),
            Fact::EffectAnswered { answer: Answer::Done { result }, .. } => vec![result],
            Fact::AgentStarted { instance, .. } => {
                instance.as_ref().map(|instance| &instance.input).into_iter().collect()
            }
            Fact::AgentEnded { output, .. } => output.as_ref().into_iter().collect(),
            Fact::EffectAnswered { .. }
            | Fact::RunStarted { .. }
            | Fact::GatesSet { .. }
            | Fact::RoundEnded { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => Vec::new(),
        }
    }

    /// The change of the run's state by this event, if any. Writes in an instance are local to it.
    pub fn delta(&self) -> Option<&Delta> {
        match &self.fact {
            Fact::StateChanged { .. } if self.path.own_instance().is_some() => None,
            Fact::StateChanged { delta } | Fact::RunResumed { delta, .. } => Some(delta),
            Fact::RunStarted { .. }
            | Fact::GatesSet { .. }
            | Fact::AgentStarted { .. }
            | Fact::AgentEnded { .. }
            | Fact::RoundEnded { .. }
            | Fact::EffectAsked { .. }
            | Fact::RequestFailed { .. }
            | Fact::RequestSent { .. }
            | Fact::EffectAnswered { .. }
            | Fact::FellBack { .. }
            | Fact::Noted { .. }
            | Fact::RunEnded { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{EVENT_VERSION, Event, Fact, USER};
    use crate::{Path, Value};

    #[test]
    fn values_and_mutable_values_are_the_same_in_the_same_order() {
        let delta = json!({"set": {"b": 1, "a": [2]}, "removed": ["c"]});
        let message =
            |text: &str| json!({"speaker": "user", "content": text, "tool_requests": [], "answers": null});
        let request = json!({
            "agent": "w", "profile": "p", "model": "m", "instruction": "i", "shape": {"name": "s", "schema": {}},
            "messages": [message("u"), message("v")], "tools": [], "temperature": 0.2, "max_output_tokens": 1,
        });
        let title = json!({"id": "t", "parameters": {}});
        let call = json!({"tool": "t", "input": {"q": 1}, "class": "pure", "title": title});
        let question = json!({
            "kind": {"kind": "agent"}, "text": title, "choices": [], "default": "", "is_free": true,
            "details": {"d": 1},
        });
        let answered = json!({
            "kind": "effect_answered", "asked": 1, "answer": {"status": "done", "result": {"r": 1}},
            "took_ms": 1, "waited_ms": 0, "retries": [], "summary": {},
        });
        let overrides = json!({
            "agents": {"w": {"instruction": "other"}},
            "already_done": [{"tool": "t", "input": 1, "result": 2}],
        });
        let asked = |effect| json!({"kind": "effect_asked", "effect": effect, "reads": []});
        for (fact, count) in [
            (json!({"kind": "state_changed", "delta": delta}), 2),
            (json!({"kind": "run_resumed", "drops": [], "delta": delta, "overrides": overrides}), 5),
            (asked(json!({"effect": "model", "request": request})), 4),
            (asked(json!({"effect": "tool", "call": call})), 1),
            (asked(json!({"effect": "question", "question": question})), 1),
            (answered, 1),
            (json!({"kind": "agent_started", "sees": 1}), 0),
        ] {
            let fact: Fact = serde_json::from_value(fact).unwrap();
            let path = Path::root("p");
            let mut event = Event {
                v: EVENT_VERSION,
                seq: 1,
                at_ms: 0,
                ran_ms: 0,
                author: USER.to_owned(),
                path,
                n: 0,
                surface: false,
                fact,
            };
            let seen: Vec<Value> = event.values().into_iter().cloned().collect();
            assert_eq!(seen.len(), count);
            assert!(
                event.values_mut().into_iter().zip(&seen).all(|(value, seen)| value.is_shared_with(seen))
            );
            assert_eq!(event.values_mut().len(), count);
        }
    }
}
