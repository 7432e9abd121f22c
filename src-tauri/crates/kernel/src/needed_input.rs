//! The questions of a tool's server before it continues a call, and their answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Json;

/// What a call needs before it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NeededInput {
    /// The questions, by the names that the server gives them.
    pub questions: BTreeMap<String, ServerQuestion>,
    /// Given back to the server with the answers, unread.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<String>,
}

/// A question of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerQuestion {
    /// The server's words.
    pub message: String,
    /// How it is answered.
    pub asks_for: AskedInput,
}

/// How a question of a server is answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AskedInput {
    /// With a form.
    Form {
        /// JSON Schema: an object of texts, numbers, choices, and yes or no.
        schema: Json,
    },
    /// On a page of the web, which never passes through the program.
    Page {
        /// Its address, `https` or of this machine.
        url: String,
    },
}

/// What the person answers to a question of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ServerAnswer {
    /// The form, filled in.
    Accept(Json),
    /// What the page asks for was done there.
    Done,
    /// The person does not tell.
    Decline,
    /// The person wants the call ended.
    Cancel,
}

impl ServerQuestion {
    /// Whether this can be an answer, apart from the content of the form.
    pub(crate) fn takes(&self, answer: &ServerAnswer) -> bool {
        match answer {
            ServerAnswer::Accept(_) => matches!(self.asks_for, AskedInput::Form { .. }),
            ServerAnswer::Done => matches!(self.asks_for, AskedInput::Page { .. }),
            ServerAnswer::Decline | ServerAnswer::Cancel => true,
        }
    }
}

/// What a call that asked receives when it is made once more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GivenInput {
    /// The answers, by the names of the questions.
    pub answers: BTreeMap<String, ServerAnswer>,
    /// What the server gave with its questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<String>,
}
