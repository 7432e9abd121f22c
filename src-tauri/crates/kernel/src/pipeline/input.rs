//! The inputs of a run.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The default limit of an input's length, in bytes.
const MOST_BYTES: u32 = 200_000;

/// The kind of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// One line of text.
    #[default]
    Line,
    /// Many lines of text.
    LongText,
    /// The text of a document: Markdown, plain text, HTML, PDF or DOCX, read in a process of its own.
    Document,
    /// A number.
    Number,
    /// One of several texts.
    Choice,
    /// A date, `YYYY-MM-DD`.
    Date,
    /// A time of a day, `HH:MM`.
    Time,
    /// Yes or no.
    YesNo,
    /// A list of lines.
    List,
    /// The messages and results of the earlier runs of the session. The program fills it.
    Session,
    /// An earlier run, by its id: its keys are in the initial state.
    Run,
    /// The person's TOML files in a folder of the data folder. The program fills it.
    OwnFiles,
}

impl InputKind {
    /// Whether the program fills it instead of the person.
    pub fn is_filled(self) -> bool {
        matches!(self, InputKind::Session | InputKind::OwnFiles)
    }
}

/// An input of a pipeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputDeclaration {
    /// Its label.
    pub title: String,
    /// Alternative names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// One sentence of help.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub help: String,
    /// Its kind.
    #[serde(default)]
    pub kind: InputKind,
    /// Whether a run can start without it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// An example that works.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub example: String,
    /// Further examples, each of which works without a key and without a network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_examples: Vec<String>,
    /// The default value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The options of a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// Whether only the person fills it, in the form or in a command, never the routing of a request.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub chosen_by_hand: bool,
    /// Of an earlier run: the keys for the initial state, with their values at its end. Given inputs take precedence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// Of an earlier run: the id of its pipeline, if not this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_pipeline: Option<String>,
    /// Of own files: the name of their folder in the data folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Least value of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least: Option<f64>,
    /// Most value of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// Most bytes of a text; for a list, of all its lines together.
    #[serde(default = "most_bytes", skip_serializing_if = "is_most_bytes")]
    pub max_bytes: u32,
}

fn most_bytes() -> u32 {
    MOST_BYTES
}

fn is_most_bytes(bytes: &u32) -> bool {
    *bytes == MOST_BYTES
}

impl InputDeclaration {
    /// A required line of text.
    pub fn titled(title: &str) -> InputDeclaration {
        InputDeclaration {
            title: title.to_owned(),
            aliases: Vec::new(),
            help: String::new(),
            kind: InputKind::Line,
            optional: false,
            example: String::new(),
            more_examples: Vec::new(),
            default: None,
            choices: Vec::new(),
            chosen_by_hand: false,
            takes: Vec::new(),
            of_pipeline: None,
            folder: None,
            least: None,
            most: None,
            max_bytes: MOST_BYTES,
        }
    }

    /// JSON Schema of its values.
    pub fn schema(&self) -> Value {
        match self.kind {
            InputKind::Line | InputKind::LongText | InputKind::Document | InputKind::Run => {
                json!({"type": "string"})
            }
            InputKind::Number => {
                let bounds = [("minimum", self.least), ("maximum", self.most)];
                let bounds =
                    bounds.into_iter().filter_map(|(name, bound)| Some((name.to_owned(), json!(bound?))));
                let number = ("type".to_owned(), json!("number"));
                Value::Object(std::iter::once(number).chain(bounds).collect())
            }
            InputKind::Choice => json!({"type": "string", "enum": self.choices}),
            InputKind::Date => json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
            InputKind::Time => json!({"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$"}),
            InputKind::YesNo => json!({"type": "boolean"}),
            InputKind::List => json!({"type": "array", "items": {"type": "string"}}),
            InputKind::OwnFiles => {
                json!({"type": "array", "items": {"type": "object", "required": ["name", "text"],
                "properties": {"name": {"type": "string"}, "text": {"type": "string"}}}})
            }
            InputKind::Session => json!({"type": "array", "items": {"type": "object", "properties": {
                "said": {"type": ["string", "null"]},
                "replied": {"type": ["string", "null"]},
                "sources": {"type": "array", "items": {"type": "object"}},
            }}}),
        }
    }
}
