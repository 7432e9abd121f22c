//! The gates before and after an agent: the run stops before or after the agent where the person set a mark, and asks
//! how to continue.
//!
//! The marks are part of the definition, which the person may change during the run: a mark holds from the number of
//! its event on. Where records exist they decide, so a replay stops exactly where the run did.

use std::sync::Arc;

use kernel::{BUILT_IN, Contract, Fact, GateAnswer, GateSide, ITEM, Outline, Seq, USER};
use serde::Deserialize;

use crate::writer::Draft;
use crate::{AgentError, Cx, questions};

impl Cx {
    pub(crate) fn stops_before(&self) -> bool {
        if self.is_recorded_gate(GateSide::Before, 1) {
            return true;
        }
        let has_started = self.shared.writer.recorded(&self.path, self.n + 1).is_some();
        !has_started && self.is_marked(GateSide::Before, Seq::MAX)
    }

    /// Decides by the number of the event that ended the agent.
    pub(crate) fn stops_after(&self, ordinal: u32) -> bool {
        self.is_recorded_gate(GateSide::After, ordinal) || self.is_marked(GateSide::After, self.at)
    }

    fn is_recorded_gate(&self, side: GateSide, ordinal: u32) -> bool {
        self.shared.writer.recorded(&self.path.child(side.place(), ordinal), 1).is_some()
    }

    fn is_marked(&self, side: GateSide, seq: Seq) -> bool {
        self.shared.world.is_some() && self.shared.writer.definition_at(seq).gate(&self.path).stops(side)
    }

    /// Asks at a gate. Returns the person's words where the agent has to work again.
    pub(crate) async fn stop(
        &mut self,
        outline: &Outline,
        side: GateSide,
        ordinal: u32,
    ) -> Result<Option<String>, AgentError> {
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
