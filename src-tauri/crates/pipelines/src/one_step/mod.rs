//! One-step rewrite: rewrites the current text of a run as one instruction says, in a linked run of its session.
//!
//! The built-in instructions are here; those of the person are in the desk.

mod functions;
mod instructions;

use std::collections::BTreeMap;

use kernel::{Delta, OwnText, PipelineDefinition, State, Value};
use prose::TextQuote;
use serde_json::{Value as Json, json};

use crate::content::DISCLOSURES;
use interpreter::draft;
use interpreter::own_text::{locked, own_text_in};
use interpreter::{PresentText, Registry, SourceItem};

pub use instructions::{BuiltInInstruction, INSTRUCTIONS, SHORTER};

pub(crate) const DEFINITION: &str = include_str!("one-step.toml");

/// The id of the pipeline.
pub const ONE_STEP: &str = "one-step";
/// The input that takes the text.
pub const TEXT: &str = "text";
/// The input that takes the instruction.
pub const INSTRUCTION: &str = "instruction";
/// The input that takes the name of the instruction.
pub const INSTRUCTION_NAME: &str = "instruction_name";

const SOURCES: &str = "sources";

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    functions::register(registry);
}

/// The text that a one-step rewrite starts from.
pub fn present_text(definition: &PipelineDefinition, began: &BTreeMap<String, Value>) -> PresentText {
    let mut state = State::default();
    state.apply(&Delta {
        set: began.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        ..Delta::default()
    });
    let text = state.get(TEXT).and_then(Value::as_str).unwrap_or_default().to_owned();
    PresentText { own_text: own_text_in(definition, &state).standing_in(&text), text }
}

/// Shortens a text without a model. Locked sentences and the disclosure that no model wrote the text stay. Returns
/// `None` if nothing can be left out.
pub(crate) fn shortened(present: &PresentText) -> Option<String> {
    extractive::shorten(&present.text, &kept(present))
}

/// Whether the text can be shortened without a model. Computes much less than shortening it.
pub fn can_be_shortened(present: &PresentText) -> bool {
    extractive::can_be_shortened(&present.text, &kept(present))
}

/// The passages that stay when the text is shortened.
fn kept(PresentText { text, own_text }: &PresentText) -> Vec<TextQuote> {
    let disclosures = DISCLOSURES.iter().filter_map(|says| text.find(says).map(|at| at..at + says.len()));
    let disclosures = disclosures.map(|range| TextQuote::of(text, range));
    locked(own_text).into_iter().chain(disclosures).collect()
}

/// The sources that a one-step rewrite starts from.
pub fn sources_in(began: &BTreeMap<String, Value>) -> Vec<SourceItem> {
    let items = began.get(SOURCES).map(|sources| sources.json_or_null()["items"].clone());
    items.and_then(|items| serde_json::from_value(items).ok()).unwrap_or_default()
}

/// The keys besides the inputs that a one-step rewrite starts with: the text as the draft, with its checks, the
/// person's sentences and the sources.
pub fn beginning(
    definition: &PipelineDefinition,
    present: &PresentText,
    sources: &[SourceItem],
) -> BTreeMap<String, Json> {
    let mut state = State::default();
    let mut put = |key: &str, value: Json| {
        state.apply(&Delta::of(key, value));
    };
    put(TEXT, json!(present.text));
    if !sources.is_empty() {
        put(SOURCES, json!({ "items": sources }));
    }
    if let Some(key) = definition.own_text_key().filter(|_| present.own_text != OwnText::default()) {
        put(key, json!(present.own_text));
    }
    if let Some(key) = definition.draft_key() {
        let value = draft::with_text(definition, &state, key, &json!(present.text));
        state.apply(&draft::change(definition, &crate::registry(), None, &state, key, value));
    }
    let began =
        state.iter().map(|(key, value): (&str, &Value)| (key.to_owned(), value.json_or_null().clone()));
    began.filter(|(key, _)| !definition.inputs.contains_key(key)).collect()
}

#[cfg(test)]
mod tests;
