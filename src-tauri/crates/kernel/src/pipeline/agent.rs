//! The agents of a pipeline: each calls a tool, asks a model, asks the person, or runs code by name.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::Limits;

/// A value with templates in its texts. A text that is a single expression becomes the value of that expression with
/// its type.
pub type TemplateValue = Value;

/// The key with the input of an instance of an agent on demand.
pub const ITEM: &str = "item";
/// The key for the output of an instance.
pub const RESULT: &str = "result";

/// The declaration of an agent. It first calls its tool, then asks its model. An agent that asks the person, runs a
/// function or is code by name does only that.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentDeclaration {
    /// A title for people; its name where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Whether no step runs it: a `for_each` or an agent of code starts instances of it. Each reads its input under
    /// `item`; its answer is its output, and it writes no other key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_demand: bool,
    /// JSON Schema of an instance's input; without it any value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// For an agent on demand: the role of the workers that make its tool calls, which go through the queue, and with a
    /// remote queue its model requests too; `None`: this process makes them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// Keys that must be there when it starts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Keys that it uses when they are there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_read: Vec<String>,
    /// Keys that it writes; the first takes its answer. A single key may be written without brackets.
    #[serde(default, with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,

    /// The tool that it calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<CallDeclaration>,

    /// The system instruction of its model; an agent with an instruction asks a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction: Option<String>,
    /// The message to its model, a template over the keys that it reads. Without one it gets these keys as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The form of the answer.
    #[serde(default, skip_serializing_if = "Output::is_text")]
    pub output: Output,
    /// Functions, by name, that convert the answer to its final form or return its flaws.
    #[serde(default, with = "one_or_many", skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<String>,
    /// Checks of the draft it writes, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<String>,
    /// Those of its checks whose failure makes the agent ask once more before it takes the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// The function, by name, that replaces the model; without it the agent needs a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_model: Option<String>,
    /// The yes-or-no input that sets a gate behind the agent, where the person approves, changes or refuses what it
    /// wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_after: Option<String>,
    /// The boolean field of its answer by which it ends its loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exits_loop_when: Option<String>,
    /// Whether its model may end the loop by a call of `exit_loop`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exit_tool: bool,
    /// Slots whose tools its model may call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// How it uses the tools of servers that the person adds to the pipeline; `None`: not at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_tools: Option<AddedTools>,
    /// The field of the answer that is shown while it streams; for a free text its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub streams: Option<String>,
    /// The role under which a profile names its model: `search`, `write`, `review`.
    #[serde(default = "write", skip_serializing_if = "is_write")]
    pub model_role: String,
    /// Sampling temperature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Most requests to its model in a run, repairs included. The limits of the run hold too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_llm_calls: Option<u32>,
    /// Most tokens of visible text of one answer, instead of the run's limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// Most seconds of active time of its model and tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_execution_time_s: Option<f64>,
    /// Most tokens of its requests and answers together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_total_tokens: Option<u32>,
    /// Most calls of each tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u32>,
    /// Most cost of its requests, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<f64>,
    /// Most bytes of its message beside the inputs, for the estimate of a run.
    #[serde(default = "material", skip_serializing_if = "is_material")]
    pub material_bytes: u32,

    /// Its question to the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionDeclaration>,
    /// The function that it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The agent of code, by name, that does its work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom: Option<String>,
}

/// How an agent uses the tools of servers that the person adds to its pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddedTools {
    /// Its model may call them.
    Called,
    /// They are tools for the plans that it makes.
    Planned,
}

/// Sampling temperature of an agent without its own.
pub const TEMPERATURE: f64 = 0.4;

fn write() -> String {
    "write".to_owned()
}

fn is_write(role: &str) -> bool {
    role == "write"
}

fn material() -> u32 {
    20_000
}

fn is_material(bytes: &u32) -> bool {
    *bytes == material()
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallDeclaration {
    /// The slot.
    pub tool: String,
    /// The input, with templates over the keys that the agent reads and over `today`, the date of the run's clock.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub input: IndexMap<String, TemplateValue>,
    /// A template for the whole input, instead of its fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_from: Option<String>,
    /// The key for the tool's output; without it the first key that the agent writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes: Option<String>,
    /// The function, by name, that converts the tool's output to the shape of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
}

impl CallDeclaration {
    /// The input with its templates.
    pub fn template(&self) -> TemplateValue {
        match &self.input_from {
            Some(template) => TemplateValue::String(template.clone()),
            None => self.input.iter().map(|(field, value)| (field.clone(), value.clone())).collect(),
        }
    }
}

/// A question to the person. Its answer is a text, or an item of a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionDeclaration {
    /// The question, a template over the keys that the agent reads.
    pub text: String,
    /// Answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The list to choose from instead, a value of the keys that the agent reads: `candidates.items`. Its items are
    /// texts, or objects with `title` and optionally `details` and `picture`; the whole item is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices_from: Option<String>,
    /// The answer with `--yes`; for a list the number of the item, from 1, by default the first.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub default: String,
    /// Whether another text is an answer too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_free: bool,
}

/// The form of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Output {
    /// Free text without a form. For a draft it goes into the text field.
    #[default]
    Text,
    /// A text for readers, which is extracted from the reply without the model's remarks around it.
    Draft,
    /// The schema of the role of the key that takes the answer: `"role"`.
    Role,
    /// A JSON Schema.
    Schema(Value),
}

impl Output {
    fn is_text(&self) -> bool {
        *self == Output::Text
    }
}

impl Serialize for Output {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Output::Text => serializer.serialize_str("text"),
            Output::Draft => serializer.serialize_str("draft"),
            Output::Role => serializer.serialize_str("role"),
            Output::Schema(schema) => schema.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Output {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Output, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(text) if text == "text" => Ok(Output::Text),
            Value::String(text) if text == "draft" => Ok(Output::Draft),
            Value::String(text) if text == "role" => Ok(Output::Role),
            schema @ Value::Object(_) => Ok(Output::Schema(schema)),
            other => Err(serde::de::Error::custom(format!(
                "{other} is no output; write \"text\", \"draft\", \"role\" or a JSON Schema"
            ))),
        }
    }
}

impl AgentDeclaration {
    /// Its own limits.
    pub fn limits(&self) -> Limits {
        Limits {
            max_llm_calls: self.max_llm_calls,
            max_output_tokens: self.max_output_tokens,
            max_execution_time_s: self.max_execution_time_s,
            max_total_tokens: self.max_total_tokens,
            max_tool_calls: self.max_tool_calls,
            max_cost: self.max_cost,
        }
    }

    /// The declaration with its implicit keys: for an agent on demand its input and its output.
    #[must_use]
    pub fn with_own_keys(&self) -> AgentDeclaration {
        let mut agent = self.clone();
        if self.on_demand {
            let add = |keys: &mut Vec<String>, key: &str| {
                if !keys.iter().any(|known| known == key) {
                    keys.push(key.to_owned());
                }
            };
            add(&mut agent.reads, ITEM);
            // Its model may read the output of its tool.
            if agent.call.is_some() {
                add(&mut agent.may_read, RESULT);
            }
            agent.writes = vec![RESULT.to_owned()];
        }
        agent
    }

    /// Whether it asks a model.
    pub fn asks_model(&self) -> bool {
        self.instruction.is_some()
    }
}

/// A list with one item that may be written without brackets.
mod one_or_many {
    use super::*;

    pub(super) fn serialize<S: Serializer>(list: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        match list {
            [one] => serializer.serialize_str(one),
            many => many.serialize(serializer),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a text or a list of texts")]
        enum OneOrMany {
            One(String),
            Many(Vec<String>),
        }
        Ok(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        })
    }
}
