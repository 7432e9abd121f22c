//! Effects: the requests of an agent to the outside world, as plain data that can be compared and stored.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{BUILT_IN, ModelRequest, Question, ToolCall, Value};

/// A request to the world, journalled before its answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// A model, or the built-in function that stands in for one.
    Model {
        /// The request.
        request: ModelRequest,
    },
    /// A tool.
    Tool {
        /// The call.
        call: ToolCall,
    },
    /// The run's clock: answered with milliseconds since 1970 UTC.
    Clock,
    /// A fresh random id, UUIDv7 text.
    Id,
    /// A question to the person.
    Question {
        /// The question.
        question: Question,
    },
}

impl Effect {
    /// A word for messages: `model`, `tool`, …
    pub fn noun(&self) -> &'static str {
        match self {
            Effect::Model { .. } => "model",
            Effect::Tool { .. } => "tool",
            Effect::Clock => "clock",
            Effect::Id => "id",
            Effect::Question { .. } => "question",
        }
    }

    /// The profile and model that the effect asks and that may cost money: the agent's own, or a tool's. `None` for
    /// built-in answers, which are free.
    pub fn asks(&self) -> Option<(&str, &str)> {
        match self {
            Effect::Model { request } => {
                (request.profile != BUILT_IN).then_some((&*request.profile, &*request.model))
            }
            Effect::Tool { call } => {
                let route = call.credential_route.as_deref()?;
                Some((&*route.profile, &*route.model.as_ref()?.name))
            }
            Effect::Clock | Effect::Id | Effect::Question { .. } => None,
        }
    }

    /// All values inside, to store large ones by hash.
    pub fn values_mut(&mut self) -> Vec<&mut Value> {
        match self {
            Effect::Model { request } => std::iter::once(&mut request.instruction)
                .chain(request.messages.iter_mut().map(|message| &mut message.content))
                .chain(request.shape.iter_mut().map(|shape| &mut shape.schema))
                .collect(),
            Effect::Tool { call } => vec![&mut call.input],
            Effect::Question { question } => vec![&mut question.details],
            Effect::Clock | Effect::Id => Vec::new(),
        }
    }

    /// All values inside, in the same order, read-only.
    pub fn values(&self) -> Vec<&Value> {
        match self {
            Effect::Model { request } => std::iter::once(&request.instruction)
                .chain(request.messages.iter().map(|message| &message.content))
                .chain(request.shape.iter().map(|shape| &shape.schema))
                .collect(),
            Effect::Tool { call } => vec![&call.input],
            Effect::Question { question } => vec![&question.details],
            Effect::Clock | Effect::Id => Vec::new(),
        }
    }
}
