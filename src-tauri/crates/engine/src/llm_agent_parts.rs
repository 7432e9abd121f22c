//! The parts that an agent that asks a model is built from.

use answers::{Reader, SchemaError};
use kernel::{Contract, Delta, Phrase, State, ToolOffer};

use crate::{AgentError, Cx};

pub(crate) type Prompt = dyn Fn(&Cx) -> Result<String, AgentError> + Send + Sync;
pub(crate) type Finish =
    dyn Fn(&State, serde_json::Value) -> Result<serde_json::Value, Vec<String>> + Send + Sync;
pub(crate) type Derive = dyn Fn(&State, serde_json::Value) -> Delta + Send + Sync;
/// The function that replaces the model where no profile is chosen: returns the answer from the state, or the reason
/// why there is none.
pub type BuiltIn = dyn Fn(&State) -> Result<serde_json::Value, Phrase> + Send + Sync;

/// Checks what `derive` would repair by itself, worded for the model, which is asked once to repair it.
pub type Verify = dyn Fn(&State, &serde_json::Value) -> Vec<String> + Send + Sync;

/// The titles of the items that the model chooses from, in the order of their numbers, from 1.
pub type Titles = dyn Fn(&State) -> Vec<String> + Send + Sync;

/// The form of a model's answer.
pub enum AnswerForm {
    /// JSON of a schema, as the crate `answers` reads it. Code fills in a property with `default`; one with `"x-asked":
    /// false` is understood but not requested; one with `"x-draft": true` is a text without the remarks of the model
    /// around it; of a list with `"x-partial": true` the complete items are used where every answer is cut off.
    /// `examples` are answers of the instruction that the model must not repeat; `x-nothing` is the answer for "nothing
    /// found", which any other answer replaces.
    Json(serde_json::Value),
    /// A text for readers, which becomes this field. It is extracted from any form of reply; an answer that only
    /// announces the text is asked for again.
    Draft {
        /// The field.
        field: String,
    },
    /// Any text, which becomes this field word for word.
    Text {
        /// The field.
        field: String,
    },
}

impl AnswerForm {
    /// The reader of such answers; `name` names the answer.
    pub(crate) fn reader(self, name: &str) -> Result<Reader, SchemaError> {
        match self {
            AnswerForm::Json(schema) => Reader::new(name, schema),
            AnswerForm::Draft { field } => Reader::of_drafts(&field),
            AnswerForm::Text { field } => Reader::of_texts(&field),
        }
    }

    /// The field that a text becomes; `None` for JSON.
    pub fn text_field(&self) -> Option<&str> {
        match self {
            AnswerForm::Json(_) => None,
            AnswerForm::Draft { field } | AnswerForm::Text { field } => Some(field),
        }
    }
}

/// The parts of an [`LlmAgent`](crate::LlmAgent).
pub struct LlmAgentParts {
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// The default system instruction.
    pub instruction: String,
    /// The keys it uses; it writes `key`.
    pub contract: Contract,
    /// The key its answer becomes.
    pub key: String,
    /// The field of the answer that streams.
    pub streams: Option<String>,
    /// The form of the model's answer.
    pub form: AnswerForm,
    /// Builds the message from the keys that the agent reads.
    pub prompt: Box<Prompt>,
    /// The titles of the items to choose from, by which an answer may name them; `None` where there is no choice.
    pub titles: Option<Box<Titles>>,
    /// The check after every answer: derives what code derives, or lists what is wrong, worded for the model.
    pub finish: Box<Finish>,
    /// Computes the whole change of the state from the answer, in one event. Replaces the plain change.
    pub derive: Option<Box<Derive>>,
    /// Further checks beside `finish`: the model is asked once to repair an answer that fails them, and the next answer
    /// is used.
    pub verify: Option<Box<Verify>>,
    /// The function that replaces the model.
    pub built_in: Option<Box<BuiltIn>>,
    /// The boolean field of its answer by which it ends its loop.
    pub exit_field: Option<String>,
    /// Whether the model may call the `exit_loop` tool.
    pub offers_exit: bool,
    /// Tools the model may call.
    pub tools: Vec<ToolOffer>,
}
