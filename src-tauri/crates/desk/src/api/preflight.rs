//! What is known of a run before it begins.

use kernel::{CallRange, Limits};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// From the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct Span {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
}

/// What the start would cost and whether it can work.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Preflight {
    /// Least and most model calls.
    pub calls: CallRange,
    /// Tokens in and out together, all calls.
    pub tokens: Span,
    /// How many earlier runs the most is taken from: what they used of the same models, doubled. 0: it is the bound.
    pub earlier_runs: u32,
    /// The tokens that it cannot use more than, by the lengths of what may be read and written.
    pub bound_tokens: f64,
    /// US dollars; nothing where the price of a model is not known.
    pub cost: Option<Span>,
    /// Models whose price is not known.
    pub unpriced: Vec<String>,
    /// The profiles that would be asked.
    pub profiles: Vec<String>,
    /// The limits in force.
    pub limits: Limits,
    /// The day as of which the library has something recent, where it has nothing as of the run's day.
    pub recent_as_of: Option<String>,
    /// Remarks: a limit that cuts something off, a missing input, in sentences.
    pub remarks: Vec<String>,
}
