//! The gate around a call of an agent: the run stops before or after it where the person marked it, and asks how to go on.
//!
//! Which side is marked is part of the definition, which the person may change while the run goes on: a mark holds from the
//! number of its event on. Records decide where there are any, so a replay stops where the run did and nowhere else.

use std::sync::Arc;

use kernel::{BUILT_IN, Contract, Fact, GateAnswer, GateSide, ITEM, Seq, State, USER};
use serde::Deserialize;

use crate::agent::{Agent, Flow};
use crate::writer::Draft;
use crate::{AgentError, Cx, questions};

/// What the person asks an agent to change.
pub(crate) struct AskedChanges {
    /// Their words.
    pub(crate) words: String,
    /// The state with what the agent made before.
    pub(crate) made: State,
}

impl Cx {
    /// Starts, runs and ends `agent` in this very place, between its gates. Where the person asks for changes, it runs again
    /// below this place, and what it came to first stays in the log.
    pub(crate) async fn live(&mut self, agent: &dyn Agent) -> Result<Flow, AgentError> {
        let is_stopped = self.stops_before();
        if is_stopped {
            self.stop(agent, GateSide::Before, 1).await?;
        }
        if !self.begin(is_stopped)? {
            // The person marked it in this very moment.
            self.stop(agent, GateSide::Before, 1).await?;
            self.begin(true)?;
        }
        let mut flow = self.work_to_end(agent).await?;
        let outline = agent.outline();
        for ordinal in 1.. {
            if !self.stops_after(ordinal) {
                break;
            }
            let Some(words) = self.stop(agent, GateSide::After, ordinal).await? else { break };
            let path = self.path.child(&outline.name, ordinal + 1);
            let mut again = self.beneath(path, &outline.name, outline.contract.clone());
            again.instance = self.instance.clone();
            again.changes_asked = Some(AskedChanges { words, made: self.state.clone() });
            let result = match again.begin(true) {
                Ok(_) => again.work_to_end(agent).await,
                Err(error) => Err(error),
            };
            self.adopt(again);
            flow = result?;
        }
        Ok(flow)
    }

    fn stops_before(&self) -> bool {
        if self.is_recorded_gate(GateSide::Before, 1) {
            return true;
        }
        let has_started = self.shared.writer.recorded(&self.path, self.n + 1).is_some();
        !has_started && self.is_marked(GateSide::Before, Seq::MAX)
    }

    /// Decided by the number of the event with which the agent ended.
    fn stops_after(&self, ordinal: u32) -> bool {
        self.is_recorded_gate(GateSide::After, ordinal) || self.is_marked(GateSide::After, self.at)
    }

    fn is_recorded_gate(&self, side: GateSide, ordinal: u32) -> bool {
        self.shared.writer.recorded(&self.path.child(side.place(), ordinal), 1).is_some()
    }

    fn is_marked(&self, side: GateSide, seq: Seq) -> bool {
        self.shared.world.is_some() && self.shared.writer.definition_at(seq).gate(&self.path).stops(side)
    }

    /// Asks at a gate. Gives the words with which the agent is to work again, if it is.
    async fn stop(
        &mut self,
        agent: &dyn Agent,
        side: GateSide,
        ordinal: u32,
    ) -> Result<Option<String>, AgentError> {
        let outline = agent.outline();
        let mut gate =
            self.beneath(self.path.child(side.place(), ordinal), &outline.name, Contract::default());
        let asks_model = gate.settings().is_some_and(|own| own.profile != BUILT_IN);
        let asked = gate.ask(questions::gate(outline, side, asks_model, self.instance.as_deref())).await;
        let answer = match asked {
            Ok(value) => GateAnswer::deserialize(value.json_or_null()).ok(),
            Err(error) => {
                self.adopt(gate);
                return Err(error);
            }
        };
        let mut words = None;
        match answer {
            Some(GateAnswer::GoOnWith(delta)) if !delta.is_empty() => {
                let (path, at) = (&gate.path, gate.now);
                let draft = Draft {
                    path,
                    n: gate.n + 1,
                    after: gate.at,
                    author: USER,
                    at,
                    surface: false,
                    fact: Fact::StateChanged { delta },
                };
                let event = gate.shared.writer.emit(draft)?;
                gate.went_on(&event);
                gate.take_over(&event);
            }
            Some(GateAnswer::AskForChanges(said)) => words = Some(said),
            Some(GateAnswer::Stop) => {
                self.shared.cancel.cancel();
                self.adopt(gate);
                return Err(AgentError::Cancelled);
            }
            Some(GateAnswer::GoOn | GateAnswer::GoOnWith(_)) | None => {}
        }
        self.adopt(gate);
        if let Some(started) = &self.instance
            && let Some(item) = self.state.get(ITEM)
            && started.instance.input != *item
        {
            self.instance = Some(Arc::new(started.with_input(item.clone())));
        }
        Ok(words)
    }
}
