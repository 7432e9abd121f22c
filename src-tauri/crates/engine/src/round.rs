//! A round of a loop: how it ends, what it cost, and what is recorded of it.

use kernel::{Effect, Event, Fact, LoopExit, Round, RoundMeasures, Seq};

use crate::{AgentError, Cx, Flow};

impl Cx {
    /// Says why this agent asks its loop to end.
    pub(crate) fn exit_loop(&mut self, exit: LoopExit) -> Flow {
        self.exit = Some(exit);
        Flow::ExitLoop
    }

    /// Keeps the reason of an agent that ended with this result, where it asks its loop to end.
    pub(crate) fn keep_exit(&mut self, result: &Result<Flow, AgentError>) {
        let known = self.exit.take();
        if matches!(result, Ok(Flow::ExitLoop)) {
            self.exit = known.or_else(|| Some(LoopExit::ExitAgent { agent: self.author.clone() }));
        }
    }
}

/// What answers of models cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spent {
    cost: Option<f64>,
    unpriced_calls: u32,
    /// Ordinals of the requests in this place that a model is to answer.
    asked: Vec<u32>,
}

impl Spent {
    /// Takes one more event of an agent into account, also a recorded one.
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

    /// Takes over what was spent below.
    pub(crate) fn add(&mut self, below: &Spent) {
        self.cost = match (self.cost, below.cost) {
            (Some(own), Some(more)) => Some(own + more),
            (own, more) => own.or(more),
        };
        self.unpriced_calls += below.unpriced_calls;
    }

    /// The cost in whole billionths of a dollar: written with few digits it is read again as the very same number.
    pub(crate) fn rounded_cost(&self) -> Option<f64> {
        self.cost.map(|cost| (cost * 1e9).round() / 1e9)
    }
}

/// The measuring of the rounds of one loop.
pub(crate) struct Rounds<'a> {
    measures: &'a RoundMeasures,
    best: Option<Round>,
    reviewed: Vec<(&'a str, Option<Seq>)>,
}

impl<'a> Rounds<'a> {
    pub(crate) fn new(measures: &'a RoundMeasures) -> Rounds<'a> {
        Rounds { measures, best: None, reviewed: Vec::new() }
    }

    /// Notes what stands at the beginning of a round.
    pub(crate) fn begin(&mut self, within: &Cx) {
        self.reviewed = self.measures.reviews().map(|key| (key, within.written.get(key).copied())).collect();
    }

    /// Measures the round and records its end.
    ///
    /// # Errors
    /// When the records tell of another end.
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
