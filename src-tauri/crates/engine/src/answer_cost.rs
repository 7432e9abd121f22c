//! The cost of the answers that an agent and the agents below it got.

use kernel::{Effect, Event, Fact};

/// The cost of answers by models.
#[derive(Debug, Clone, Default)]
pub(crate) struct AnswerCost {
    cost: Option<f64>,
    pub(crate) unpriced_calls: u32,
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
