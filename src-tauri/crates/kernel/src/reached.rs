//! A limit that was reached, and how an answer of the person raises it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::LimitName;

/// A limit that was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Reached {
    /// Which.
    pub name: LimitName,
    /// What it allowed then, in the unit of its name.
    pub most: f64,
    /// The agent whose own limit it is; else it is the run's.
    #[serde(default)]
    pub agent: Option<String>,
    /// The model whose price is not known, where a limit of money stands before a call of unknown cost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub unpriced: Option<String>,
}

/// The answer to the question about a reached limit that adds the default amount.
pub const ADD: &str = "add";
/// The answer that lifts a limit of money, for a call of unknown price.
pub const LIFT: &str = "lift";

impl Reached {
    /// A limit of the run.
    pub fn of_run(name: LimitName, most: f64) -> Reached {
        Reached { name, most, agent: None, unpriced: None }
    }

    /// The amount that is added where the person names none.
    pub fn step(&self) -> f64 {
        let half = (self.most / 2.0).ceil();
        match self.name {
            LimitName::MaxLlmCalls | LimitName::MaxToolCalls => half.clamp(2.0, 10.0),
            LimitName::MaxExecutionTimeS => half.max(30.0),
            LimitName::MaxTotalTokens | LimitName::MaxOutputTokens => half.max(2000.0),
            LimitName::MaxCost => half.max(0.1),
        }
    }

    /// The raised limit: `more` is added to the present limit, which may have been raised since it was reached.
    pub fn raised(&self, holds: Option<f64>, more: f64) -> f64 {
        holds.unwrap_or(self.most).max(self.most) + more
    }

    /// Whether this answer to its question lifts the limit.
    pub fn is_lifted(&self, answer: &str) -> bool {
        self.unpriced.is_some() && answer == LIFT
    }

    /// The amount that this answer to its question adds, if any.
    pub fn added(&self, answer: &str) -> Option<f64> {
        // No amount suffices for an unknown price.
        if self.unpriced.is_some() {
            return None;
        }
        if answer == ADD { Some(self.step()) } else { amount(answer) }
    }
}

/// The amount of a limit in a typed answer.
pub fn amount(answer: &str) -> Option<f64> {
    answer.trim().parse().ok().filter(|more: &f64| more.is_finite() && *more > 0.0)
}
