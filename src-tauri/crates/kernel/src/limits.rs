//! Limits of a run and of its agents.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The name of a limit, as scripts write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LimitName {
    /// Requests to a model.
    MaxLlmCalls,
    /// Tokens of visible text of one answer.
    MaxOutputTokens,
    /// Active seconds.
    MaxExecutionTimeS,
    /// Tokens in and out together.
    MaxTotalTokens,
    /// Calls of one tool.
    MaxToolCalls,
    /// Money, in the currency of the price table.
    MaxCost,
}

impl LimitName {
    /// All limits that have a name.
    pub const ALL: [LimitName; 6] = [
        LimitName::MaxLlmCalls,
        LimitName::MaxOutputTokens,
        LimitName::MaxExecutionTimeS,
        LimitName::MaxTotalTokens,
        LimitName::MaxToolCalls,
        LimitName::MaxCost,
    ];

    /// The stable name for scripts.
    pub fn word(self) -> &'static str {
        match self {
            LimitName::MaxLlmCalls => "max_llm_calls",
            LimitName::MaxOutputTokens => "max_output_tokens",
            LimitName::MaxExecutionTimeS => "max_execution_time_s",
            LimitName::MaxTotalTokens => "max_total_tokens",
            LimitName::MaxToolCalls => "max_tool_calls",
            LimitName::MaxCost => "max_cost",
        }
    }
}

/// Limits of a run or of an agent; `None` is no limit.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Max model calls.
    #[serde(default)]
    pub max_llm_calls: Option<u32>,
    /// Most tokens of visible text of one answer.
    #[serde(default)]
    pub max_output_tokens: Option<u32>,
    /// Most active time in seconds.
    #[serde(default)]
    pub max_execution_time_s: Option<f64>,
    /// Most tokens, in and out together.
    #[serde(default)]
    pub max_total_tokens: Option<u32>,
    /// Most calls of each tool.
    #[serde(default)]
    pub max_tool_calls: Option<u32>,
    /// Most money. A call whose price is not known is not sent under it.
    #[serde(default)]
    pub max_cost: Option<f64>,
}

impl Limits {
    /// Sets or lifts one limit by name. Counts are truncated to integers.
    pub fn set(&mut self, name: LimitName, value: impl Into<Option<f64>>) {
        let value = value.into();
        let count = value.map(|value| value.clamp(0.0, f64::from(u32::MAX)) as u32);
        match name {
            LimitName::MaxLlmCalls => self.max_llm_calls = count,
            LimitName::MaxOutputTokens => self.max_output_tokens = count,
            LimitName::MaxExecutionTimeS => self.max_execution_time_s = value,
            LimitName::MaxTotalTokens => self.max_total_tokens = count,
            LimitName::MaxToolCalls => self.max_tool_calls = count,
            LimitName::MaxCost => self.max_cost = value,
        }
    }

    /// The value of one limit.
    pub fn get(&self, name: LimitName) -> Option<f64> {
        match name {
            LimitName::MaxLlmCalls => self.max_llm_calls.map(f64::from),
            LimitName::MaxOutputTokens => self.max_output_tokens.map(f64::from),
            LimitName::MaxExecutionTimeS => self.max_execution_time_s,
            LimitName::MaxTotalTokens => self.max_total_tokens.map(f64::from),
            LimitName::MaxToolCalls => self.max_tool_calls.map(f64::from),
            LimitName::MaxCost => self.max_cost,
        }
    }
}
