//! The questions of runs and the rules for tools in the API.

use kernel::{Question, Seq};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A question that waits for the person.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct OpenQuestion {
    /// The run.
    pub run: String,
    /// The run's title.
    pub title: String,
    /// The number of the event that asks: by it the question is answered.
    pub id: Seq,
    /// When it was asked, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub asked_at_ms: i64,
    /// The agent that asks.
    pub agent: String,
    /// Of an instance of an agent on demand, the item that it works on, its texts and lists cut: JSON where it is no text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub item: Option<String>,
    /// The question.
    pub question: Question,
}

/// Every question that waits for the person, the oldest first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct OpenQuestions {
    /// The questions.
    pub questions: Vec<OpenQuestion>,
}

/// Whose questions are asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ListQuestions {
    /// The run; all runs when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub run: Option<String>,
}

/// A rule about what a tool may do.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct StandingRule {
    /// The rule: `TOOL` or `TOOL@PLACE`.
    pub rule: String,
    /// Whether it allows; else it forbids.
    pub is_allowed: bool,
    /// Whether it can be read. One that forbids and cannot be read stops every tool.
    pub is_readable: bool,
    /// Since when it holds, milliseconds since 1970 UTC.
    #[ts(type = "number | null")]
    pub since_ms: Option<i64>,
    /// When it decided last, milliseconds since 1970 UTC.
    #[ts(type = "number | null")]
    pub last_used_ms: Option<i64>,
}

/// Every rule that the person keeps.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PermissionRules {
    /// The rules, by what they cover.
    pub rules: Vec<StandingRule>,
    /// The tools that there are.
    pub tools: Vec<String>,
}

/// A rule to keep.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct AddRule {
    /// The rule: `TOOL` or `TOOL@PLACE`.
    pub rule: String,
    /// Whether it allows; else it forbids.
    pub is_allowed: bool,
}

/// A rule that is kept.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RuleRef {
    /// The rule as it stands.
    pub rule: String,
}
