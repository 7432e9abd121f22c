//! The context of an agent: all that the agent can read.
//!
//! A concrete struct instead of a trait, so that no wrapper can leave out a capability. The state that an agent sees at
//! its start is the fold of the log up to there, without concurrent events (law 7): events from outside count up to its
//! `sees`, and the value with the highest number holds for each key.
//!
//! Not here: what the agent appends (`emission`), effects (`effects`), and numbering and storing events (`writer`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{
    AgentDefinition, Contract, Definition, Delta, Error, Event, Fact, Key, LoopExit, Path, RESULT, Seq,
    State, USER_WORDS, Value, form,
};
use serde::de::DeserializeOwned;

use crate::AgentError;
use crate::answer_cost::AnswerCost;
use crate::clock::Moment;
use crate::error::StateError;
use crate::instance_start::InstanceStart;
use crate::run_shared::Shared;
use crate::slots::Slot;

/// The changes that the person wants an agent to make.
pub(crate) struct AskedChanges {
    /// The person's words.
    pub(crate) words: String,
    /// The state with the agent's former result.
    pub(crate) made: State,
}

/// The context of a running agent.
pub struct Cx {
    pub(crate) shared: Arc<Shared>,
    pub(crate) path: Path,
    pub(crate) author: String,
    pub(crate) contract: Contract,
    /// The ordinal of the last event at this path.
    pub(crate) n: u32,
    pub(crate) state: State,
    /// The event that set each key.
    pub(crate) written: Arc<BTreeMap<String, Seq>>,
    /// The last event in this agent's past.
    pub(crate) at: Seq,
    /// The last event of the person that this agent has seen.
    pub(crate) sees: Seq,
    /// When the last effect in this agent's past was answered. No time passes between effects.
    pub(crate) now: Moment,
    /// The intervals in which this agent's past waited for the person, by the run's own clock, in milliseconds.
    pub(crate) waits: Arc<Vec<(u64, u64)>>,
    /// When the first effect below the innermost instance was requested, in milliseconds of the run's own time; `None`
    /// before. The working time of an instance is measured from here, because the log does not record how long it
    /// waited for a slot.
    pub(crate) first_asked_ms: Option<u64>,
    pub(crate) reads: Mutex<BTreeSet<String>>,
    pub(crate) calls: HashMap<String, u32>,
    /// The cost of the answers that this agent and the agents below it got.
    pub(crate) spent: AnswerCost,
    /// Why this agent, or the last below it, asks its loop to end.
    pub(crate) exit: Option<LoopExit>,
    /// The names of the agents that started in this agent's past.
    pub(crate) begun: Arc<BTreeSet<String>>,
    pub(crate) reported: Option<Error>,
    /// The failure that the steps now running handle.
    failure: Option<Error>,
    /// Profiles that failed in this agent's past. They are not asked again in this run.
    pub(crate) given_up: Arc<BTreeSet<String>>,
    /// The person's decision about a limit that cut off the last effect, where the question was open during the effect.
    pub(crate) decided: Option<String>,
    /// What the person wants this agent to change in its former result.
    pub(crate) changes_asked: Option<AskedChanges>,
    /// In an instance of an agent on demand: its input, and the schema of its output.
    pub(crate) instance: Option<Arc<InstanceStart>>,
    /// In an instance: its slot among those that work concurrently.
    pub(crate) slot: Option<Arc<Slot>>,
    /// Whether this branch has given up its part of the slot while it waits for the person.
    pub(crate) is_away: bool,
}

impl Cx {
    pub(crate) fn root(shared: Arc<Shared>, name: &str, contract: Contract, now: Moment) -> Cx {
        Cx {
            shared,
            path: Path::root(name),
            author: name.to_owned(),
            contract,
            n: 0,
            state: State::default(),
            written: Arc::default(),
            at: 0,
            sees: 0,
            now,
            waits: Arc::default(),
            first_asked_ms: Some(0),
            reads: Mutex::default(),
            calls: HashMap::new(),
            spent: AnswerCost::default(),
            exit: None,
            begun: Arc::default(),
            reported: None,
            failure: None,
            given_up: Arc::default(),
            decided: None,
            changes_asked: None,
            instance: None,
            slot: None,
            is_away: false,
        }
    }

    pub(crate) fn beneath(&self, path: Path, author: &str, contract: Contract) -> Cx {
        Cx {
            shared: self.shared.clone(),
            path,
            author: author.to_owned(),
            contract,
            n: 0,
            state: self.state.clone(),
            written: self.written.clone(),
            at: self.at,
            sees: self.sees,
            now: self.now,
            waits: self.waits.clone(),
            first_asked_ms: self.first_asked_ms,
            reads: Mutex::default(),
            calls: HashMap::new(),
            spent: AnswerCost::default(),
            exit: None,
            begun: self.begun.clone(),
            reported: None,
            failure: None,
            given_up: self.given_up.clone(),
            decided: None,
            changes_asked: None,
            instance: None,
            slot: self.slot.clone(),
            is_away: false,
        }
    }

    /// Reads a key and records that it was read.
    ///
    /// # Errors
    /// The key is absent, or its value has another shape.
    pub fn get<T: DeserializeOwned>(&self, key: &Key<T>) -> Result<T, StateError> {
        let value = self.value(key.name)?;
        let value =
            value.ok_or_else(|| StateError::Missing { agent: self.author.clone(), key: key.name.into() })?;
        self.shaped(key.name, &value)
    }

    /// Reads a key that may be absent, and records that it was read.
    ///
    /// # Errors
    /// Its value has another shape.
    pub fn find<T: DeserializeOwned>(&self, key: &Key<T>) -> Result<Option<T>, StateError> {
        self.value(key.name)?.map(|value| self.shaped(key.name, &value)).transpose()
    }

    /// Reads a value without converting it, and records that it was read.
    ///
    /// # Errors
    /// The key is absent.
    pub fn value(&self, key: &str) -> Result<Option<Value>, StateError> {
        if !self.contract.allows_read(key) && key != USER_WORDS {
            return Err(StateError::Undeclared {
                agent: self.author.clone(),
                key: key.into(),
                verb: form!("reads"),
            });
        }
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned());
        Ok(self
            .state
            .get(key)
            .filter(|value| !matches!(value.json(), Some(serde_json::Value::Null)))
            .cloned())
    }

    /// Whether the contract lets this agent read a key.
    pub fn may_read(&self, key: &str) -> bool {
        self.contract.allows_read(key)
    }

    fn shaped<T: DeserializeOwned>(&self, key: &str, value: &Value) -> Result<T, StateError> {
        T::deserialize(value.json_or_null()).map_err(|error| StateError::Shape {
            agent: self.author.clone(),
            key: key.into(),
            reason: error.to_string(),
        })
    }

    /// Takes over the keys of a change. The latest value of each key holds, as in the fold of the log: the next agent
    /// sees an edit of the person only when it starts, and the agent before it may have written the key since.
    pub(crate) fn take_over(&mut self, event: &Event) {
        let Fact::StateChanged { delta } = &event.fact else { return };
        let written = Arc::make_mut(&mut self.written);
        let is_later = |key: &String| written.get(key) < Some(&event.seq);
        let delta = Delta {
            set: delta
                .set
                .iter()
                .filter(|(key, _)| is_later(key))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
            removed: delta.removed.iter().filter(|key| is_later(key)).cloned().collect(),
        };
        self.state.apply(&delta);
        written.extend(delta.keys().map(|key| (key.to_owned(), event.seq)));
    }

    /// Adds an error to the run's result although the run continues.
    pub fn report(&mut self, error: Error) {
        self.reported = Some(error);
    }

    /// The failure of the steps before, while its handler runs.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Sets the failure that the next steps handle, and returns the former one.
    pub(crate) fn set_failure(&mut self, failure: Option<Error>) -> Option<Error> {
        std::mem::replace(&mut self.failure, failure)
    }

    pub(crate) fn reported(&self) -> Option<Error> {
        self.reported.clone()
    }

    /// The state that this agent sees, without recording a read: for functions that check an answer.
    pub fn view(&self) -> &State {
        &self.state
    }

    /// The definition that holds for this agent's next event.
    pub fn definition(&self) -> Arc<Definition> {
        self.shared.writer.definition(&self.path, self.n + 1, self.at)
    }

    /// The settings of this agent, where it asks a model.
    pub(crate) fn settings(&self) -> Option<AgentDefinition> {
        self.definition().agent(&self.author, &self.path).map(|(_, own)| own.clone())
    }

    /// This agent's name.
    pub fn name(&self) -> &str {
        &self.author
    }

    /// This agent's place in the tree.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The output of this instance so far; `None` outside an instance.
    pub(crate) fn output(&self) -> Option<Value> {
        self.instance.as_ref()?;
        self.state.get(RESULT).cloned()
    }

    /// Waits for the slot of its instance, if it is in one.
    pub(crate) async fn work_again(&self) {
        if let Some(slot) = &self.slot {
            slot.enter(&self.shared.cancel).await;
        }
    }

    /// Leaves the slot, to wait for the person or because the branch has ended.
    pub(crate) fn leave_slot(&self) {
        if let Some(slot) = &self.slot {
            slot.leave();
        }
    }

    pub(crate) fn stop_if_cancelled(&self) -> Result<(), AgentError> {
        // In a replay, the records decide where the run was stopped.
        if self.shared.world.is_some() && self.shared.cancel.is_cancelled() {
            Err(AgentError::Cancelled)
        } else {
            Ok(())
        }
    }
}
