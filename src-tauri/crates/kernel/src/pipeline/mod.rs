//! A pipeline as data: inputs, keys, tools, agents and their flow.
//!
//! One type serves the program's own pipelines, a person's TOML files, and the copy that is stored with each run. Its
//! serde form is the grammar of such a file.
//!
//! Not here: the functions behind names and the checks against them (`interpreter`), and how agents run (`engine`).

mod agent;
mod condition;
mod contracts;
mod flow;
mod input;
mod role;
mod step_table;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::{KeyDeclaration, Limits, Role};

pub use agent::{
    AddedTools, AgentDeclaration, CallDeclaration, ITEM, Output, QuestionDeclaration, RESULT, TEMPERATURE,
    TemplateValue,
};
pub use condition::{Condition, ConditionError, ConditionTest, KeyPath};
pub use contracts::{DECISIONS, DISMISSED};
pub use flow::{FailureSteps, FlowDefinition, ForEach, Rounds, Step};
pub use input::{InputDeclaration, InputKind};

/// A pipeline.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineDefinition {
    /// Its id: lower-case letters, digits and hyphens.
    pub id: String,
    /// Its title for people.
    pub title: String,
    /// Its purpose in one line.
    #[serde(default)]
    pub purpose: String,
    /// The title of a run, a template over the inputs. By default the first input is the title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run_title: String,
    /// The inputs by key.
    #[serde(rename = "input", default, skip_serializing_if = "IndexMap::is_empty")]
    pub inputs: IndexMap<String, InputDeclaration>,
    /// The other keys of the state, in display order.
    #[serde(rename = "key", default, skip_serializing_if = "IndexMap::is_empty")]
    pub keys: IndexMap<String, KeyEntry>,
    /// The slots for tools by name: the person chooses one that fits.
    #[serde(rename = "tool", default, skip_serializing_if = "IndexMap::is_empty")]
    pub tools: IndexMap<String, ToolSlot>,
    /// The agents by name.
    #[serde(rename = "agent", default, skip_serializing_if = "IndexMap::is_empty")]
    pub agents: IndexMap<String, AgentDeclaration>,
    /// The flow.
    pub flow: FlowDefinition,
    /// The notes of the flow, by id.
    #[serde(rename = "note", default, skip_serializing_if = "IndexMap::is_empty")]
    pub notes: IndexMap<String, NoteText>,
    /// The default limits of a run.
    #[serde(default)]
    pub limits: Limits,
    /// Named sets of limits.
    #[serde(rename = "preset", default, skip_serializing_if = "IndexMap::is_empty")]
    pub presets: IndexMap<String, LimitPreset>,
    /// Translations by language (`zh`, `ja`), each from the English text to its own.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub translations: IndexMap<String, IndexMap<String, String>>,
    /// Hints for the routing of requests, besides title and purpose.
    #[serde(default, skip_serializing_if = "Routing::is_empty")]
    pub routing: Routing,
}

/// Hints for the routing of requests. A table of its own, so that it can end the file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routing {
    /// Example requests for the pipeline, in any language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

impl Routing {
    fn is_empty(&self) -> bool {
        self.examples.is_empty()
    }
}

/// A key of the state that is not an input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyEntry {
    /// A title for people.
    pub title: String,
    /// Its role.
    #[serde(default = "data", skip_serializing_if = "is_data", with = "role")]
    pub role: Role,
    /// JSON Schema of its value, where the role does not define it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
    /// Whether only code writes it: the person cannot edit it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_computed: bool,
}

fn data() -> Role {
    Role::Data
}

fn is_data(role: &Role) -> bool {
    *role == Role::Data
}

/// A slot for a tool.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToolSlot {
    /// A title for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The kind of the tool: `search`.
    pub kind: String,
    /// The default tool; without it the settings decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Further options of the kind, each an integer: for a search `days`, how many days back it looks.
    #[serde(flatten)]
    pub options: IndexMap<String, serde_json::Value>,
}

impl ToolSlot {
    /// A slot for a tool of this kind.
    pub fn of(kind: &str) -> ToolSlot {
        ToolSlot { kind: kind.to_owned(), ..ToolSlot::default() }
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<u32> {
        self.options.get(name)?.as_u64().and_then(|number| u32::try_from(number).ok())
    }
}

/// A note of the flow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteText {
    /// The sentence, in English or in the language of the pipeline's author.
    pub text: String,
}

/// A named set of limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitPreset {
    /// Its meaning, and what is impossible with it.
    pub description: String,
    /// The limits that differ from those of the pipeline.
    pub limits: Limits,
}

impl PipelineDefinition {
    /// All keys in display order, inputs first, with the schema of their role where they have none.
    pub fn declarations(&self) -> Vec<KeyDeclaration> {
        let inputs = self.inputs.iter().map(|(name, input)| KeyDeclaration {
            name: name.clone(),
            title: input.title.clone(),
            role: Role::Input,
            schema: input.schema().into(),
        });
        let keys = self.keys.iter().map(|(name, key)| KeyDeclaration {
            name: name.clone(),
            title: key.title.clone(),
            role: key.role.clone(),
            schema: key.schema.clone().unwrap_or_else(|| key.role.schema()).into(),
        });
        inputs.chain(keys).collect()
    }

    /// The first key, in display order, with a matching role.
    pub fn key_of_role(&self, fits: impl Fn(&Role) -> bool) -> Option<(&str, &KeyEntry)> {
        self.keys.iter().find(|(_, key)| fits(&key.role)).map(|(name, key)| (name.as_str(), key))
    }

    /// The role of a key; for an input the role `input`.
    pub fn role(&self, key: &str) -> Option<&Role> {
        if self.inputs.contains_key(key) {
            return Some(&Role::Input);
        }
        self.keys.get(key).map(|key| &key.role)
    }
}

#[cfg(test)]
mod tests;
