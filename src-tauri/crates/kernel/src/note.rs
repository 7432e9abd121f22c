//! Notes in the journal: typed facts for the program, phrases by id for people.
//!
//! Not here: the phrases (`words`), and the facts that the program decides by (`event`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::Phrase;

/// The texts of a pipeline's own notes, by id.
pub type NoteTexts = BTreeMap<String, String>;

/// A note in the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// Agents are passed over.
    Skipped {
        /// Their names.
        agents: Vec<String>,
    },
    /// An answer was repaired.
    Repair {
        /// What was done to it.
        rungs: Vec<Phrase>,
    },
    /// An answer cannot be used, and the model is asked once more.
    AskedAgain {
        /// What is wrong with the answer.
        flaws: Vec<Phrase>,
        /// By how much the limit of output tokens grows.
        room: u32,
    },
    /// An answer could not be used, even after one retry.
    Malformed {
        /// The answer.
        raw: String,
        /// What is wrong with it.
        flaws: Vec<Phrase>,
    },
    /// The agent works without a model because its model failed.
    WithoutModel,
    /// The agent works without a model, which reads no instruction, though one was given for this run.
    InstructionUnread,
    /// The agent tried to write a key that it does not declare.
    Refused {
        /// The key.
        key: String,
    },
    /// The person keeps the version of a text apart from the next.
    Kept {
        /// The key.
        key: String,
    },
    /// What happened on the way to an answer.
    Remark(Remark),
    /// What the pipeline notes of its own flow. Its definition has the text of this id.
    Decision(Phrase),
}

impl Note {
    /// A note of the pipeline; `parameters` is a JSON object.
    pub fn decision(id: &str, parameters: serde_json::Value) -> Note {
        Note::Decision(Phrase::new(id, parameters))
    }
}

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
    /// All parts, in the order of the list.
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

/// What a model's client did on the way to an answer that a person should know of.
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
    /// Two streams in a row ended without a word that they were whole, and an answer in one piece was: such are asked for
    /// from now on.
    UnendedStreams {
        /// The profile.
        profile: String,
        /// The model.
        model: String,
    },
    /// Pieces of the stream could not be read and were passed over.
    PiecesSkipped {
        /// How many.
        count: u32,
    },
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
