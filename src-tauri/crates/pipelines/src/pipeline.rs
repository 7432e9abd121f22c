//! What every pipeline says of itself, so that forms, stages and checks can be drawn from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::Agent;
use indexmap::IndexMap;
use kernel::{
    Delta, Error, InputDeclaration, KeyDeclaration, Limits, NoteTexts, Phrase, PipelineDefinition,
    ReviewAction, State, ToolSlot, Value,
};

use crate::build::BoundTools;
use crate::one_step::PresentText;
use crate::registry::SourceItem;

/// An input of a pipeline.
#[derive(Debug, Clone)]
pub struct Input {
    /// The key it sets.
    pub key: String,
    /// What is asked.
    pub declaration: InputDeclaration,
}

/// A named set of limits.
#[derive(Debug, Clone)]
pub struct LimitPreset {
    /// Its name.
    pub name: String,
    /// What it means, with what cannot happen under it.
    pub description: String,
    /// The limits.
    pub limits: Limits,
}

/// What a model's agent runs with unless the person says otherwise.
#[derive(Debug, Clone)]
pub struct AgentSetup {
    /// The agent.
    pub name: String,
    /// Its instruction.
    pub instruction: String,
    /// The role under which a profile names its model: `search`, `write`, `review`.
    pub model_role: String,
    /// Sampling temperature.
    pub temperature: f64,
    /// Limits of its own.
    pub limits: Limits,
    /// Most bytes that its message carries of what was found or written before, for the estimate of a run.
    pub material_bytes: u32,
    /// Most times that it is asked in a run, repairs included, for the same.
    pub most_calls: u32,
}

/// What a pipeline says of itself, in one more language: titles, helps and descriptions as they stand in English, and
/// as they are read there.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The language, as the page names it: `zh`, `ja`.
    pub language: String,
    /// English words and theirs.
    pub words: Vec<(String, String)>,
}

/// What a pipeline says of itself.
#[derive(Debug, Clone)]
pub struct Description {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it is for, one line.
    pub purpose: String,
    /// Its inputs.
    pub inputs: Vec<Input>,
    /// Its keys in display order.
    pub keys: Vec<KeyDeclaration>,
    /// Its slots for tools, by name: what a tool must do to fit.
    pub tools: IndexMap<String, ToolSlot>,
    /// Its limits when nothing else is said.
    pub limits: Limits,
    /// Named sets of limits.
    pub presets: Vec<LimitPreset>,
    /// Its model agents.
    pub agents: Vec<AgentSetup>,
    /// The texts of the notes that its flow makes, by id; `{name}` is the place of a parameter.
    pub notes: NoteTexts,
    /// All of this in other languages; what is missing there is shown in English.
    pub catalogues: Vec<Catalogue>,
}

/// What a tree is built for.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// The tool behind each slot.
    pub tools: BoundTools,
    /// Whether the person is asked to decide the issues of a review before the draft is rewritten.
    pub decides_issues: bool,
}

/// A named tree of agents with inputs.
pub trait Pipeline: Send + Sync {
    /// What it is.
    fn describe(&self) -> &Description;

    /// Its definition as data, which is stored with each run; nothing where it is made of code.
    fn definition(&self) -> Option<&Arc<PipelineDefinition>> {
        None
    }

    /// The file that it is read from, as text; nothing where it is made of code or comes from what a run keeps.
    fn source_text(&self) -> Option<&str> {
        None
    }

    /// Its tree.
    ///
    /// # Errors
    /// A tool that it needs is missing, or its definition cannot be built.
    fn tree(&self, setup: &Setup) -> Result<Arc<dyn Agent>, Error>;

    /// The title of a run with these inputs.
    fn title(&self, inputs: &BTreeMap<String, Value>) -> String;

    /// What follows from an edit by the person: the key itself with its derived fields, and the
    /// checks of code, as one change. `state` is the state before, `value` the edited value.
    ///
    /// # Errors
    /// `bad_input` when the value has not the shape of the key.
    fn edited(&self, state: &State, key: &str, value: Value) -> Result<Delta, Error>;

    /// What follows from what the person does at the review desk, as one change. `state` is the state before.
    ///
    /// # Errors
    /// `bad_input` where there is no draft with a review; `not_found` names the issues, sentences or collisions there are.
    fn reviewed(&self, state: &State, action: &ReviewAction) -> Result<Delta, Error> {
        let _ = (state, action);
        Err(crate::draft::no_review_desk(&self.describe().title))
    }

    /// The pipeline from the writer of its draft on, with what a rewrite of this state begins with; nothing where no
    /// agent rewrites a draft.
    fn rewrite(&self, state: &State) -> Option<(PipelineDefinition, BTreeMap<String, Value>)> {
        let _ = state;
        None
    }

    /// The text that a state has come to; nothing where there is none.
    fn present_text(&self, state: &State) -> Option<PresentText> {
        let _ = state;
        None
    }

    /// The sources that the texts of this state are written from, number 1 first; nothing where they are not declared.
    fn sources(&self, state: &State) -> Option<Arc<[SourceItem]>> {
        let _ = state;
        None
    }

    /// What the person asked for, which a text may say without a source.
    fn asked(&self, state: &State) -> String {
        let _ = state;
        String::new()
    }

    /// Remarks on a start with these limits, in sentences: what cannot happen under them.
    fn remarks(&self, limits: &Limits) -> Vec<Phrase>;
}
