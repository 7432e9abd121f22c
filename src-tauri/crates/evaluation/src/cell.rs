//! The result of one cell: a case that was run with a choice.

use std::iter::Sum;
use std::ops::Add;

use kernel::{Error, Outcome, Usage};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Judgement;

/// What a run used up.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Spent {
    /// Requests to a model.
    pub calls: u32,
    /// Tokens in and out together.
    #[ts(type = "number")]
    pub tokens: u64,
    /// Money in US dollars, of the calls whose price is known; `null` when none is.
    pub cost: Option<f64>,
    /// Calls whose price is not known.
    pub unpriced_calls: u32,
    /// Active time in milliseconds.
    #[ts(type = "number")]
    pub active_ms: u64,
}

impl From<&Usage> for Spent {
    fn from(usage: &Usage) -> Spent {
        Spent {
            calls: usage.calls,
            tokens: usage.input_tokens + usage.output_tokens,
            cost: usage.cost,
            unpriced_calls: usage.unpriced_calls,
            active_ms: usage.active_ms,
        }
    }
}

impl Add for Spent {
    type Output = Spent;

    fn add(self, other: Spent) -> Spent {
        Spent {
            calls: self.calls + other.calls,
            tokens: self.tokens + other.tokens,
            cost: self.cost.map_or(other.cost, |cost| Some(cost + other.cost.unwrap_or(0.0))),
            unpriced_calls: self.unpriced_calls + other.unpriced_calls,
            active_ms: self.active_ms + other.active_ms,
        }
    }
}

impl Sum for Spent {
    fn sum<I: Iterator<Item = Spent>>(all: I) -> Spent {
        all.fold(Spent::default(), Add::add)
    }
}

/// The result of a cell, which stays as it is when its run is erased.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CellResult {
    /// How the run ended; `null` when it could not be started.
    pub outcome: Option<Outcome>,
    /// Why, unless it simply finished.
    pub error: Option<Error>,
    /// The resulting text; empty without one.
    pub output: String,
    /// One judgement for each expectation of the case, in their order.
    pub judgements: Vec<Judgement>,
    /// The tools that were not called because nobody was there to allow them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What the run used up.
    pub spent: Spent,
    /// What the judging models used up.
    pub judging: Spent,
}
