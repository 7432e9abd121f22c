//! What a reading did, or why it failed: closed lists. The reasons of a failure are worded here for the model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A repair of an answer while reading it. The raw text stays in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rung", rename_all = "snake_case")]
pub enum Rung {
    /// Thinking, or a channel other than the answer's, was removed.
    Thinking,
    /// The visible text was empty, and the answer was in the thinking.
    FromThinking,
    /// The arguments of a tool call were the answer.
    FromToolCall {
        /// The tool's name.
        tool: String,
    },
    /// A fence around it was removed.
    Fence,
    /// Text around it was removed.
    Talk,
    /// Earlier objects in the text, drafts or the quoted format, were skipped.
    Drafts,
    /// Its fields were in several objects, which were merged.
    Merged {
        /// The number of objects.
        parts: usize,
    },
    /// Errors in quotes, commas, escapes or comments were tolerated.
    Lenient,
    /// It was no JSON, but named its fields: in lines, headings, a table or elements.
    Labelled,
    /// It was no JSON, but a list of titles that the model was shown.
    Named,
    /// Missing brackets at its end were added.
    Closed,
    /// It was JSON inside a JSON string.
    JsonInText,
    /// It was unwrapped.
    Unwrapped {
        /// The wrappers from the outside in; `[]` is a list of one.
        fields: Vec<String>,
    },
    /// Plain text was used as the only required text.
    PlainText {
        /// The field with the text.
        field: String,
    },
    /// A bare list was used as the only required list.
    BareList {
        /// The field with the list.
        field: String,
    },
    /// The answer was truncated repeatedly: the complete items of its list were used.
    Partial {
        /// The list.
        field: String,
    },
    /// Names in another spelling were recognised.
    Renamed {
        /// The fields.
        fields: Vec<String>,
    },
    /// Unknown properties were dropped.
    Dropped {
        /// The fields.
        fields: Vec<String>,
    },
    /// Missing or empty properties got their defaults.
    Filled {
        /// The fields.
        fields: Vec<String>,
    },
    /// Values were converted to their type: numbers, texts, booleans.
    Retyped {
        /// The fields.
        fields: Vec<String>,
    },
    /// Single values became lists, or texts were split at their bullets.
    Listed {
        /// The fields.
        fields: Vec<String>,
    },
    /// Lists or objects became texts.
    Joined {
        /// The fields.
        fields: Vec<String>,
    },
}

/// Why an answer cannot be used, worded for the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum Fault {
    /// The answer is empty.
    Empty,
    /// It ends inside a required value.
    Cut,
    /// It is too long.
    TooLong {
        /// Most bytes.
        most: usize,
    },
    /// It is nested too deep.
    TooDeep {
        /// Most levels.
        most: usize,
    },
    /// Reading it would take more steps than its length allows.
    Entangled,
    /// The reading was stopped.
    Stopped,
    /// It contains no JSON.
    NotJson,
    /// It contains no text that could be a draft.
    NoText,
    /// It repeats the format or an example of the instruction.
    Echo,
    /// It contains JSON, but not of the wanted shape.
    Shape {
        /// The path of the field; empty for the whole answer.
        field: String,
        /// The problem.
        problem: String,
    },
    /// A check of the pipeline rejected it.
    Check {
        /// The problem.
        problem: String,
    },
    /// It calls a tool that was not offered.
    UnknownTool {
        /// The tool's name.
        tool: String,
        /// The offered tools.
        known: Vec<String>,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("the answer is empty"),
            Fault::Cut => f.write_str("the answer was cut off before its end"),
            Fault::TooLong { most } => write!(f, "the answer is longer than {most} bytes"),
            Fault::TooDeep { most } => write!(f, "the answer is nested deeper than {most} levels"),
            Fault::Entangled => f.write_str("the answer is too entangled to be read"),
            Fault::Stopped => f.write_str("the reading was stopped"),
            Fault::NotJson => f.write_str("the answer is not JSON"),
            Fault::NoText => f.write_str("the answer is no text for readers"),
            Fault::Echo => f.write_str("the answer repeats the format instead of filling it"),
            Fault::Shape { field, problem } if field.is_empty() => write!(f, "the answer {problem}"),
            Fault::Shape { field, problem } => write!(f, "`{field}` {problem}"),
            Fault::Check { problem } => f.write_str(problem),
            Fault::UnknownTool { tool, known } if known.is_empty() => {
                write!(f, "there is no tool `{tool}`; there are no tools, answer with the JSON itself")
            }
            Fault::UnknownTool { tool, known } => {
                write!(f, "there is no tool `{tool}`; the tools are {}", known.join(", "))
            }
        }
    }
}

/// An answer that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusable {
    /// The faults, at least one.
    pub faults: Vec<Fault>,
}

impl From<Fault> for Unusable {
    fn from(fault: Fault) -> Unusable {
        Unusable { faults: vec![fault] }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<String> = self.faults.iter().map(ToString::to_string).collect();
        f.write_str(&faults.join("; "))
    }
}

impl std::error::Error for Unusable {}
