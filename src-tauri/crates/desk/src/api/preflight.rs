//! The estimate and the remarks before a run starts.

use kernel::{CallRange, Limits, Phrase};
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

/// Why the time limit of a run is another than its pipeline's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TimeLimitReason {
    /// The person set it.
    Set,
    /// A server of the person's own answers; whether it needs more is not known yet.
    LocalServer {
        /// The profile of that server.
        profile: String,
    },
    /// A server of the person's own needs so much at the speed that was measured.
    Measured {
        /// The profile of that server.
        profile: String,
        /// How fast it answers.
        tokens_per_second: f64,
    },
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
    /// The models that would be asked; none when the pipeline's own functions do the work.
    pub models: Vec<String>,
    /// The limits in force.
    pub limits: Limits,
    /// Why the time limit is another than the pipeline's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub time_limit: Option<TimeLimitReason>,
    /// The day as of which the library has something recent, where it has nothing as of the run's day.
    pub recent_as_of: Option<String>,
    /// Remarks: a limit that cuts something off, a missing input, in sentences.
    pub remarks: Vec<Phrase>,
}

impl Preflight {
    /// The reason why a run gets the time that a slow server needs, in a sentence; `None` where it does not.
    pub fn time_remark(&self) -> Option<String> {
        let (seconds, reason) = (self.limits.max_execution_time_s?, self.time_limit.as_ref()?);
        let TimeLimitReason::Measured { profile, tokens_per_second } = reason else { return None };
        Some(format!(
            "The run may take {seconds} s of active time, because `{profile}` answers {tokens_per_second:.1} tokens a second"
        ))
    }
}
