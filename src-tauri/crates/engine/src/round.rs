//! The rounds of a loop: why each ends, what it cost, and the record of it.

use kernel::{Fact, LoopExit, Round, RoundMeasures, Seq};

use crate::{AgentError, Cx, Flow};

impl Cx {
    /// Notes why this agent asks its loop to end.
    pub(crate) fn exit_loop(&mut self, exit: LoopExit) -> Flow {
        self.exit = Some(exit);
        Flow::ExitLoop
    }

    /// Keeps the reason of an agent that asked its loop to end.
    pub(crate) fn keep_exit(&mut self, result: &Result<Flow, AgentError>) {
        let known = self.exit.take();
        if matches!(result, Ok(Flow::ExitLoop)) {
            self.exit = known.or_else(|| Some(LoopExit::ExitAgent { agent: self.author.clone() }));
        }
    }
}

/// Measures the rounds of one loop.
pub(crate) struct Rounds<'a> {
    measures: &'a RoundMeasures,
    best: Option<Round>,
    reviewed: Vec<(&'a str, Option<Seq>)>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(measures: &'a RoundMeasures) -> Rounds<'a> {
        Rounds { measures, best: None, reviewed: Vec::new() }
    }

    /// Notes the values at the beginning of a round.
    pub(crate) fn begin(&mut self, within: &Cx) {
        self.reviewed = self.measures.reviews().map(|key| (key, within.written.get(key).copied())).collect();
    }

    /// Measures the round and records its end.
    ///
    /// # Errors
    /// When the records contain another end.
    pub(crate) fn end(&mut self, within: &mut Cx, number: u32, exit: LoopExit) -> Result<(), AgentError> {
        let is_of_round = |key: &str| {
            let now = within.written.get(key).copied();
            self.reviewed.iter().any(|(known, before)| *known == key && now != *before)
        };
        let measured = self.measures.measure(number, within.view(), is_of_round);
        let round = Round {
            cost: within.spent.rounded_cost(),
            unpriced_calls: within.spent.unpriced_calls,
            ..measured
        };
        self.best = round.best(self.best.as_ref()).cloned();
        let best = self.best.as_ref().map(|best| best.number);
        within.emit(Fact::RoundEnded { round, exit, best }, false)?;
        Ok(())
    }
}
