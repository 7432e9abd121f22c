//! What a model's client did on the way to an answer that a person should know of: typed, and worded here for all hosts.
//!
//! Not here: retries (they are facts of their own) and what was done to an answer that came (`engine`).

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A part of a request to a model that not every server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RequestPart {
    /// The shape of the answer as a schema.
    JsonSchema,
    /// The demand for some JSON, without a schema.
    JsonObject,
    /// The wish for counts of tokens in a stream.
    StreamOptions,
    /// The answer piece by piece.
    Stream,
    /// Tools that the model may call.
    Tools,
    /// The sampling temperature.
    Temperature,
    /// The limit of the answer under its old name, `max_tokens`.
    MaxTokens,
    /// The limit of the answer under its new name, `max_completion_tokens`.
    MaxCompletionTokens,
    /// How much the model should think.
    Thinking,
    /// The instruction as a message of its own.
    SystemMessage,
}

impl RequestPart {
    /// Every part, in the order of the list.
    pub const ALL: [RequestPart; 10] = [
        RequestPart::JsonSchema,
        RequestPart::JsonObject,
        RequestPart::StreamOptions,
        RequestPart::Stream,
        RequestPart::Tools,
        RequestPart::Temperature,
        RequestPart::MaxTokens,
        RequestPart::MaxCompletionTokens,
        RequestPart::Thinking,
        RequestPart::SystemMessage,
    ];

    /// Its name in settings and messages: `json_schema`.
    pub fn name(self) -> &'static str {
        match self {
            RequestPart::JsonSchema => "json_schema",
            RequestPart::JsonObject => "json_object",
            RequestPart::StreamOptions => "stream_options",
            RequestPart::Stream => "stream",
            RequestPart::Tools => "tools",
            RequestPart::Temperature => "temperature",
            RequestPart::MaxTokens => "max_tokens",
            RequestPart::MaxCompletionTokens => "max_completion_tokens",
            RequestPart::Thinking => "thinking",
            RequestPart::SystemMessage => "system_message",
        }
    }

    /// The part of this name.
    pub fn named(name: &str) -> Option<RequestPart> {
        RequestPart::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// Something that happened on the way to an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "remark", rename_all = "snake_case")]
pub enum Remark {
    /// The server refused a part of the request, which was sent again without it.
    LeftOut {
        /// The profile.
        profile: String,
        /// The model.
        model: String,
        /// The part.
        part: RequestPart,
        /// What the server said, cut and free of secrets.
        words: String,
    },
    /// Pieces of the stream could not be read and were passed over.
    PiecesSkipped {
        /// How many.
        count: u32,
    },
}

impl Remark {
    /// The kind of its note.
    pub fn kind(&self) -> &'static str {
        match self {
            Remark::LeftOut { .. } => "left_out",
            Remark::PiecesSkipped { .. } => "pieces_skipped",
        }
    }

    /// Its sentence, in English; the hosts word it in other languages by its fields.
    pub fn sentence(&self) -> String {
        match self {
            Remark::LeftOut { profile, model, part, .. } => format!(
                "The server of profile {profile} refused `{}` for model {model}; it was asked again without, and will be from now on",
                part.name()
            ),
            Remark::PiecesSkipped { count: 1 } => {
                "One piece of the answer could not be read and was passed over".to_owned()
            }
            Remark::PiecesSkipped { count } => {
                format!("{count} pieces of the answer could not be read and were passed over")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_written_by_its_name_and_found_by_it() {
        for part in RequestPart::ALL {
            assert_eq!(serde_json::to_value(part).unwrap(), part.name());
            assert_eq!(RequestPart::named(part.name()), Some(part));
        }
        assert_eq!(RequestPart::named("weight"), None);
    }
}
