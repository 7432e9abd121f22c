//! The pipelines there are, as forms and lists show them.

use std::collections::BTreeMap;

use kernel::{KeyDeclaration, Limits, Outline};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an input of a pipeline looks like in a form.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct InputField {
    /// The key it sets.
    pub key: String,
    /// Its label.
    pub title: String,
    /// A sentence of help.
    pub help: String,
    /// `text` (one line), `long_text`, `number`, `choice`, `date`, `yes_no`.
    pub kind: String,
    /// Whether the run cannot start without it.
    pub is_required: bool,
    /// What can be chosen, of a choice.
    pub choices: Vec<String>,
    /// An example that works.
    pub example: String,
    /// Most bytes.
    pub max_bytes: u32,
}

/// A named set of limits.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Preset {
    /// Its name.
    pub name: String,
    /// What it means, with what cannot happen under it.
    pub description: String,
    /// The limits.
    pub limits: Limits,
}

/// A pipeline as it is offered.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineCard {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is for, one line.
    pub purpose: String,
    /// Whether it is a file of the person.
    #[serde(default)]
    pub is_own_file: bool,
    /// Its inputs.
    pub inputs: Vec<InputField>,
    /// Its tree.
    pub outline: Outline,
    /// Its keys in display order.
    pub keys: Vec<KeyDeclaration>,
    /// Search sources it can use; empty when it does not search.
    pub sources: Vec<String>,
    /// Its limits when nothing else is said.
    pub limits: Limits,
    /// Named sets of limits.
    pub presets: Vec<Preset>,
    /// What it says of itself, by language (`zh`, `ja`) and by the English words.
    pub words: BTreeMap<String, BTreeMap<String, String>>,
}

/// All pipelines.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineCards {
    /// Those of the program, then those of the person's own files.
    pub pipelines: Vec<PipelineCard>,
    /// Files that cannot run.
    #[serde(default)]
    pub faulty: Vec<FaultyPipeline>,
}

/// A file of a pipeline that cannot run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FaultyPipeline {
    /// Its name without its ending.
    pub id: String,
    /// What is wrong, each with its line and column.
    pub faults: Vec<String>,
}
