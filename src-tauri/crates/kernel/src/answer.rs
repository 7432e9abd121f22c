//! What the world answered.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Fault, Json, Value};

/// Why an effect ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Interruption {
    /// The person stopped the run.
    Cancelled,
    /// The run's time was used up while it waited.
    TimeUsedUp {
        /// The active time that the run was allowed, in seconds.
        most: f64,
    },
}

/// The answer of an effect.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Answer {
    /// It was done. Of a model: a [`ModelReply`]; of a tool: a [`ToolResult`]; of the clock:
    /// milliseconds; of an id: text; of a question: the chosen text.
    Done {
        /// The result.
        result: Value,
    },
    /// It failed for good.
    Failed {
        /// Why.
        fault: Fault,
    },
    /// It was cut off.
    Interrupted {
        /// Why.
        reason: Interruption,
        /// The text received until then.
        partial: String,
    },
}

impl Answer {
    /// Whether this answer is never asked for again.
    pub fn is_done(&self) -> bool {
        matches!(self, Answer::Done { .. })
    }
}

/// What must be known of an answer without the whole of it, which may be large and kept apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Gist {
    /// Of a model: the tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tokens: Option<TokenUsage>,
    /// Of a model: what it cost, in US dollars; nothing where the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// Of a tool: its sentence for the journal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub summary: String,
}

impl Gist {
    /// The gist of an answer that is at hand in full.
    pub fn of(answer: &Answer) -> Gist {
        let Answer::Done { result } = answer else { return Gist::default() };
        let field = |name: &str| result.json().and_then(|json| json.get(name));
        Gist {
            tokens: field("usage").and_then(|usage| TokenUsage::deserialize(usage).ok()),
            cost: field("cost").and_then(serde_json::Value::as_f64),
            summary: field("summary").and_then(|summary| summary.as_str()).unwrap_or_default().to_owned(),
        }
    }
}

/// Tokens of one call, as the provider counted them; 0 where it did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct TokenUsage {
    /// Tokens of the request.
    pub input_tokens: u32,
    /// Tokens of the answer, thinking included.
    pub output_tokens: u32,
}

/// A tool that a model wants called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolRequest {
    /// The provider's id of this call.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The input as the model gave it.
    pub input: Json,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct ModelReply {
    /// The visible text, thinking left out.
    pub text: String,
    /// Tools it wants called.
    #[serde(default)]
    pub tool_requests: Vec<ToolRequest>,
    /// Tokens.
    pub usage: TokenUsage,
    /// What it cost, in US dollars; nothing where the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// Why it stopped, in the provider's word: `stop`, `length`, `content_filter`, …
    pub stop: String,
    /// The model that answered, as it calls itself.
    pub model: String,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct ToolResult {
    /// The result, by the tool's schema.
    pub output: Json,
    /// One sentence for the journal: “5 articles found”.
    pub summary: String,
}
