//! The answers to effects.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Error, Hash, Json, Phrase, Remark, Value};

/// Why an effect ended without an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Interruption {
    /// The person stopped the run.
    Cancelled,
    /// The run's time was used up while it waited.
    TimeUsedUp {
        /// The active time that was allowed, in seconds.
        most: f64,
        /// The agent whose own time it is; else it is the run's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        agent: Option<String>,
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
        error: Error,
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
    /// Whether this answer is final, so that its effect is never requested again.
    pub fn is_done(&self) -> bool {
        matches!(self, Answer::Done { .. })
    }
}

/// What must be known of an answer without the whole of it, which may be large and kept apart.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct AnswerSummary {
    /// How often it was sent to a model or a tool. 0: it failed before anything was sent. Absent where nothing is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sent: Option<u32>,
    /// Of a model, or of a tool that asked one: the tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tokens: Option<TokenUsage>,
    /// Of a model, or of a tool that asked one: what it cost, in US dollars; nothing where the price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cost: Option<f64>,
    /// Of a model: what happened on the way to the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Remark>>")]
    pub remarks: Vec<Remark>,
    /// Of a tool: its sentence for the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub tool_summary: Option<Phrase>,
}

impl AnswerSummary {
    /// The summary of an answer that is present in full.
    pub fn of(answer: &Answer) -> AnswerSummary {
        let Answer::Done { result } = answer else { return AnswerSummary::default() };
        let field = |name: &str| result.json().and_then(|json| json.get(name));
        AnswerSummary {
            sent: None,
            remarks: Vec::new(),
            tokens: field("usage").and_then(|usage| TokenUsage::deserialize(usage).ok()),
            cost: field("cost").and_then(serde_json::Value::as_f64),
            tool_summary: field("summary").and_then(|summary| Phrase::deserialize(summary).ok()),
        }
    }

    /// Adds the usage of attempts that broke off before this answer, or of this answer itself if it broke off.
    #[must_use]
    pub fn with(self, wasted: WastedUsage) -> AnswerSummary {
        if wasted.tokens == TokenUsage::default() && !wasted.is_uncounted {
            return self;
        }
        let (tokens, cost) = match self.tokens {
            // A sum with an unknown part is unknown.
            Some(tokens) => {
                (tokens.and(wasted.tokens), self.cost.zip(wasted.cost).map(|(cost, wasted)| cost + wasted))
            }
            None => (wasted.tokens, wasted.cost),
        };
        AnswerSummary { tokens: Some(tokens), cost, ..self }
    }
}

/// Tokens of one call, as the provider counted them; 0 where it did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
pub struct TokenUsage {
    /// Tokens of the request.
    pub input_tokens: u32,
    /// Tokens of the answer, thinking included.
    pub output_tokens: u32,
    /// Of the request's tokens, those that the provider still had from an earlier one and bills for less.
    #[serde(default, skip_serializing_if = "is_none")]
    #[ts(optional, as = "Option<u32>")]
    pub cached_tokens: u32,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl TokenUsage {
    /// The sum of these tokens and those of another call.
    pub fn and(self, other: TokenUsage) -> TokenUsage {
        TokenUsage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
        }
    }
}

/// The usage of attempts that broke off, as far as it was reported.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WastedUsage {
    /// The tokens.
    pub tokens: TokenUsage,
    /// Whether one of them reported no usage.
    pub is_uncounted: bool,
    /// Their cost in US dollars; `None` where the price or the usage is not known.
    pub cost: Option<f64>,
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
    /// What the provider wants back with the conversation, as it came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opaque: Option<String>,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct ModelReply {
    /// The visible text, thinking left out.
    pub text: String,
    /// What it thought, where there is no visible text: some servers put the whole answer there. Else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[ts(optional, as = "Option<String>")]
    pub thinking: String,
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
    pub summary: Phrase,
    /// The files of the run that it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<RunFile>>")]
    pub files: Vec<RunFile>,
}

/// A file in the folder of a run, as a tool left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RunFile {
    /// Its path below the folder, its parts parted by `/`.
    pub path: String,
    /// Its content by hash; nothing where it was removed.
    pub hash: Option<Hash>,
    /// How many bytes it has.
    #[ts(type = "number")]
    pub bytes: u64,
}
