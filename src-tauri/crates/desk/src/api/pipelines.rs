//! The available pipelines, for forms and lists.

use std::collections::BTreeMap;

pub use interpreter::DefinitionFault;
use kernel::{Json, KeyDeclaration, Limits, Outline};
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
    /// `text` (one line), `long_text`, `number`, `choice`, `date`, `time`, `yes_no`.
    pub kind: String,
    /// Whether the run cannot start without it.
    pub is_required: bool,
    /// What can be chosen, of a choice.
    pub choices: Vec<String>,
    /// An example that works.
    pub example: String,
    /// Further ones, each of which works without a key and without a network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub more_examples: Vec<String>,
    /// Most bytes.
    pub max_bytes: u32,
    /// What is taken when it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub default: Option<Json>,
    /// Of a number, the least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub least: Option<f64>,
    /// Of a number, the most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub most: Option<f64>,
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

/// A tool that fits a slot.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SlotChoice {
    /// The name under which it is chosen.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Whether it needs no network.
    pub is_offline: bool,
}

/// A slot for a tool.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SlotCard {
    /// Its name.
    pub name: String,
    /// Its title, or empty.
    pub title: String,
    /// The tool that the pipeline takes unless the person chooses; `None` where the settings decide.
    pub default: Option<String>,
    /// What fits.
    pub choices: Vec<SlotChoice>,
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
    /// Whether it is a text, which can be copied.
    #[serde(default)]
    pub is_text: bool,
    /// Its inputs.
    pub inputs: Vec<InputField>,
    /// Its tree.
    pub outline: Outline,
    /// Its keys in display order.
    pub keys: Vec<KeyDeclaration>,
    /// Its slots for tools.
    pub slots: Vec<SlotCard>,
    /// Whether tools of servers can be added to it.
    #[serde(default)]
    pub takes_tools: bool,
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
    /// What is wrong.
    pub faults: Vec<DefinitionFault>,
}

/// A pipeline by its id.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineRef {
    /// Its id; of a file its name without its ending.
    pub id: String,
}

/// The text of a pipeline.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineText {
    /// Its id.
    pub id: String,
    /// The TOML.
    pub text: String,
    /// What is named when the file is saved over; nothing for a pipeline of the program, which cannot be changed.
    pub revision: Option<String>,
}

/// Which pipeline a new file begins as.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct CreatePipeline {
    /// The one that is copied; the smallest that there is when not given.
    pub of: Option<String>,
}

/// A text to be checked.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct CheckPipeline {
    /// The TOML.
    pub text: String,
    /// The file that it was opened from; nothing for a text of no file of the data folder.
    #[serde(default)]
    pub id: Option<String>,
}

/// What is found of a text.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PipelineCheck {
    /// The id under which it would be saved: another one than it was opened as where the text says so.
    pub saved_as: Option<String>,
    /// The pipeline, where the text has no faults.
    pub card: Option<PipelineCard>,
    /// What is wrong, in the order of the text.
    pub faults: Vec<DefinitionFault>,
}

/// A text to be saved.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SavePipeline {
    /// The file that it was opened as.
    pub id: String,
    /// The TOML, with faults or without.
    pub text: String,
    /// The revision that it was opened as; nothing when there is to be no file yet.
    pub revision: Option<String>,
}

/// What became of a save.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SavedPipeline {
    /// The file has the text.
    Saved {
        /// The id under which it stands now.
        id: String,
        /// What is named when it is saved over.
        revision: String,
    },
    /// The file was changed or removed since it was opened; nothing was written.
    Changed,
}

/// The plan of a run that is to be made again for every task like it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SavePlanTemplate {
    /// The run.
    pub run: String,
    /// The key that holds the plan.
    pub key: String,
    /// The name of the template and of its file.
    pub name: String,
    /// The regular expression over the whole task, regardless of case. Its named groups fill `{{ NAME }}` in the plan.
    pub pattern: String,
}

/// Where a plan template stands.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SavedPlanTemplate {
    /// Its file.
    pub path: String,
}
