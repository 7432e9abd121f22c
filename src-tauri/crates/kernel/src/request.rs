//! The requests of effects: to a model, and calls of a tool.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Decision, Hash, Phrase, ToolRequest, Value};

/// Who speaks in a conversation with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The pipeline on the person's behalf.
    User,
    /// The model itself, earlier.
    Model,
    /// A tool's result.
    Tool,
}

/// One message of a conversation with a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Message {
    /// Who speaks.
    pub speaker: Speaker,
    /// The text; of a tool, its result as JSON text; of a model that called tools, may be empty.
    pub content: Value,
    /// Calls the model made in this message.
    #[serde(default)]
    pub tool_requests: Vec<ToolRequest>,
    /// For a tool's message: the id of the call it answers.
    #[serde(default)]
    pub answers: Option<String>,
}

impl Message {
    /// A message with text only.
    pub fn new(speaker: Speaker, text: impl Into<String>) -> Message {
        Message { speaker, content: Value::text(text), tool_requests: Vec::new(), answers: None }
    }
}

/// The shape an answer must have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ReplyShape {
    /// A name of letters, digits and underscores.
    pub name: String,
    /// JSON Schema: closed objects, every property required.
    pub schema: Value,
}

/// A tool offered to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolOffer {
    /// The tool's name.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// JSON Schema of its input.
    pub schema: Value,
}

/// One request to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelRequest {
    /// The agent that asks.
    pub agent: String,
    /// The profile's name; `built-in` for the function that needs no model.
    pub profile: String,
    /// The model's name.
    pub model: String,
    /// The system instruction.
    pub instruction: Value,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The shape of the answer, if it is to be JSON.
    pub shape: Option<ReplyShape>,
    /// Tools the model may call.
    #[serde(default)]
    pub tools: Vec<ToolOffer>,
    /// Sampling temperature.
    pub temperature: f64,
    /// Most tokens of visible text.
    pub max_output_tokens: u32,
}

/// How a tool's effect may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Only looks; may be asked any number of times.
    Pure,
    /// Acts, but doing it twice is the same as once.
    Repeatable,
    /// Acts; never repeated silently.
    Once,
}

/// One call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolCall {
    /// The tool's name.
    pub tool: String,
    /// Its input, by its schema.
    pub input: Value,
    /// How it may be repeated, as the tool declares.
    pub class: EffectClass,
    /// A title for the journal: “search the library for …”.
    pub title: Phrase,
    /// The host or folder that it is about, where the tool has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub place: Option<String>,
    /// Whether it gives what somebody on the web wrote.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_of_web: bool,
    /// The tool as it was: a hash of its description and schemas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<Hash>,
    /// Whether it is permitted, and who decided. `None` for a call that cannot be made, which needs no decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub decision: Option<Decision>,
    /// Whose key it uses, where it needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<CredentialRoute>")]
    pub credential_route: Option<Box<CredentialRoute>>,
    /// What its server asked when the call was made before, with the answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, as = "Option<crate::GivenInput>")]
    pub given: Option<Box<crate::GivenInput>>,
}

/// Whose key a tool's call uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CredentialRoute {
    /// The profile; `services.NAME` where the service has a key without a profile.
    pub profile: String,
    /// The profile that stands in when the key, the credit or the rate of this one fails.
    pub fallback: Option<String>,
    /// The model that the tool asks, where it asks one: that is a call of a model like any other.
    pub model: Option<AskedModel>,
}

/// A model that is asked on the way, by a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AskedModel {
    /// The provider, by which it is priced.
    pub provider: String,
    /// The model's name.
    pub name: String,
}
