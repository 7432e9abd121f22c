//! The rounds of a loop: why each ends, what it cost, and the record of it.

use kernel::{Effect, Event, Fact, LoopExit, Round, RoundMeasures, Seq};

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

/// The cost of answers by models.
#[derive(Debug, Clone, Default)]
pub(crate) struct AnswerCost {
    cost: Option<f64>,
    unpriced_calls: u32,
    /// Ordinals of the model requests at this path without an answer yet.
    asked: Vec<u32>,
}

impl AnswerCost {
    /// Counts one more event of an agent, also a recorded one.
    pub(crate) fn apply(&mut self, event: &Event) {
        match &event.fact {
            Fact::EffectAsked { effect, .. } if Effect::asks(effect).is_some() => self.asked.push(event.n),
            Fact::EffectAnswered { asked, summary, .. } => {
                let is_asked = self.asked.iter().any(|n| n == asked);
                self.asked.retain(|n| n != asked);
                match summary.cost {
                    _ if !is_asked || summary.tokens.is_none() => {}
                    Some(cost) => self.cost = Some(self.cost.unwrap_or(0.0) + cost),
                    None => self.unpriced_calls += 1,
                }
            }
            _ => {}
        }
    }

    /// Adds the cost of an agent below.
    pub(crate) fn add(&mut self, below: &AnswerCost) {
        self.cost = match (self.cost, below.cost) {
            (Some(own), Some(more)) => Some(own + more),
            (own, more) => own.or(more),
        };
        self.unpriced_calls += below.unpriced_calls;
    }

    /// The cost rounded to billionths of a dollar, so that its short decimal text parses to the same number.
    pub(crate) fn rounded_cost(&self) -> Option<f64> {
        self.cost.map(|cost| (cost * 1e9).round() / 1e9)
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
