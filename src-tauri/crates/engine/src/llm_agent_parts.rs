//! What an agent that asks a model is made of.

use answers::{Reader, SchemaError};
use kernel::{Contract, Delta, Phrase, State, ToolOffer};

use crate::{AgentError, Cx};

pub(crate) type Prompt = dyn Fn(&Cx) -> Result<String, AgentError> + Send + Sync;
pub(crate) type Finish =
    dyn Fn(&State, serde_json::Value) -> Result<serde_json::Value, Vec<String>> + Send + Sync;
pub(crate) type Derive = dyn Fn(&State, serde_json::Value) -> Delta + Send + Sync;
/// What stands in for a model where no profile is chosen: from the state, the answer or why there is none.
pub type BuiltIn = dyn Fn(&State) -> Result<serde_json::Value, Phrase> + Send + Sync;

/// What an answer breaks that `derive` puts right by itself, worded for the model: it is asked once to do so.
pub type Verify = dyn Fn(&State, &serde_json::Value) -> Vec<String> + Send + Sync;

/// The titles of what a model is shown to choose from, by their numbers, from 1.
pub type Titles = dyn Fn(&State) -> Vec<String> + Send + Sync;

/// In which form a model answers.
pub enum AnswerForm {
    /// JSON of a schema, as the crate `answers` reads it: a property with `default` is one that code makes good,
    /// one with `"x-asked": false` is understood but not asked for, one with `"x-draft": true` is a text of which what the
    /// model says around it is no part, and of a list with `"x-partial": true` the items that came whole are taken where the
    /// answer is cut off each time. `examples` are answers that stand in the instruction and are none; `x-nothing` is the
    /// one that says that there is nothing, and gives way to any other.
    Json(serde_json::Value),
    /// A text that is written for readers, which becomes this field: it is looked for in whatever comes, and a word that
    /// stands for none is asked for again.
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
    /// The reader of such answers, which are called `name`.
    pub(crate) fn reader(self, name: &str) -> Result<Reader, SchemaError> {
        match self {
            AnswerForm::Json(schema) => Reader::new(name, schema),
            AnswerForm::Draft { field } => Reader::of_drafts(&field),
            AnswerForm::Text { field } => Reader::of_texts(&field),
        }
    }

    /// The field that a text becomes; none of JSON.
    pub fn text_field(&self) -> Option<&str> {
        match self {
            AnswerForm::Json(_) => None,
            AnswerForm::Draft { field } | AnswerForm::Text { field } => Some(field),
        }
    }
}

/// What an [`LlmAgent`](crate::LlmAgent) is made of.
pub struct LlmAgentParts {
    /// Its name.
    pub name: String,
    /// Its title for people.
    pub title: String,
    /// Its system instruction when the definition has no other.
    pub instruction: String,
    /// The keys it uses; it writes `key`.
    pub contract: Contract,
    /// The key its answer becomes.
    pub key: String,
    /// The field of the answer that streams.
    pub streams: Option<String>,
    /// In which form the model answers.
    pub form: AnswerForm,
    /// The message made of what it reads.
    pub prompt: Box<Prompt>,
    /// What it chooses from, so that an answer may name that by its titles; none where it chooses from nothing.
    pub titles: Option<Box<Titles>>,
    /// The check after every answer: derives what code derives, or lists what is wrong, worded for the model.
    pub finish: Box<Finish>,
    /// What else changes with the answer, in the same event: checks, say. Replaces the plain change.
    pub derive: Option<Box<Derive>>,
    /// What is verified of an answer beside `finish`: an answer that breaks it is asked for once more, and is then taken.
    pub verify: Option<Box<Verify>>,
    /// The plain function that does its work without a model.
    pub built_in: Option<Box<BuiltIn>>,
    /// The boolean field of its answer by which it ends its loop.
    pub exit_field: Option<String>,
    /// Whether the model may call the `exit_loop` tool.
    pub offers_exit: bool,
    /// Tools the model may call.
    pub tools: Vec<ToolOffer>,
}
