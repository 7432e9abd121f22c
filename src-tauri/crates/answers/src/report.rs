//! What a reading did, and why there was none: closed lists. The second is worded here for the model.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What was done to an answer to read it. The raw text stays in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rung", rename_all = "snake_case")]
pub enum Rung {
    /// Thinking, or a channel that is not the answer's, was left out.
    Thinking,
    /// The visible text held nothing: the answer stood in the thinking.
    FromThinking,
    /// The arguments of a tool call were the answer.
    FromToolCall {
        /// The tool's name.
        tool: String,
    },
    /// The fence around it was taken off.
    Fence,
    /// The text around it was left out.
    Talk,
    /// Earlier objects of the same text, drafts or the quoted format, were left out.
    Drafts,
    /// Its fields stood in several objects, which were put together.
    Merged {
        /// How many objects.
        parts: usize,
    },
    /// It was read leniently: quotes, commas, escapes, comments.
    Lenient,
    /// It was no JSON, but named its fields: lines, headings, a table, elements.
    Labelled,
    /// It was no JSON, but a list of titles of what the model was shown.
    Named,
    /// Missing brackets at its end were added.
    Closed,
    /// It was JSON inside a JSON text.
    JsonInText,
    /// It was taken out of wrappers.
    Unwrapped {
        /// The wrappers, the outer one first; `[]` is a list of one.
        fields: Vec<String>,
    },
    /// Plain text was taken as the only text that is needed.
    PlainText {
        /// The field it became.
        field: String,
    },
    /// A bare list was taken as the only list that is needed.
    BareList {
        /// The field it became.
        field: String,
    },
    /// The answer was cut off for good: the items of its list that came whole were taken.
    Partial {
        /// The list.
        field: String,
    },
    /// Names were read in another spelling.
    Renamed {
        /// The fields.
        fields: Vec<String>,
    },
    /// Unknown properties were dropped.
    Dropped {
        /// The fields.
        fields: Vec<String>,
    },
    /// Missing or empty properties took their defaults.
    Filled {
        /// The fields.
        fields: Vec<String>,
    },
    /// Values were brought to their type: numbers, texts, yes and no.
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
    /// There is nothing in it.
    Empty,
    /// It ends inside a value that matters.
    Cut,
    /// It is longer than is read.
    TooLong {
        /// Most bytes.
        most: usize,
    },
    /// It is nested deeper than is read.
    TooDeep {
        /// Most levels.
        most: usize,
    },
    /// Reading it would take more steps than its length allows.
    Entangled,
    /// The reading was stopped.
    Stopped,
    /// No JSON stands in it.
    NotJson,
    /// No text stands in it that could be a draft.
    NoText,
    /// It repeats the format or an example of the instruction.
    Echo,
    /// JSON stands in it, but not of the wanted shape.
    Shape {
        /// The field, as a path; empty for the whole answer.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// What the pipeline's own check found.
    Check {
        /// What is wrong.
        problem: String,
    },
    /// A tool was called that nobody offered.
    UnknownTool {
        /// The tool's name.
        tool: String,
        /// The tools there are.
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
    /// What is wrong, at least one.
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
