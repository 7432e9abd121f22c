//! The start of a run in a damaged database: its definition and its inputs.
//!
//! When they are damaged, the run's events are still kept: it gets a placeholder definition that says so, with which it
//! can be displayed and exported, but not executed. This affects all runs with the same definition.

use std::collections::BTreeMap;

use engine::LogError;
use kernel::{AgentKind, CallRange, Contract, Definition, Hash, Limits, OnFailure, Outline};

use crate::error::Place;
use crate::json;
use crate::salvaged_contents::Contents;
use crate::table::contents;

/// The data in the row of a run.
pub(crate) struct StoredStart {
    pub(crate) pipeline: String,
    pub(crate) title: String,
    /// The hash of the definition.
    pub(crate) definition: String,
    /// The hash of the inputs, or their JSON object.
    pub(crate) inputs: String,
}

/// The data for the new row.
pub(crate) struct Beginning {
    pub(crate) definition: String,
    pub(crate) inputs: String,
    /// Whether both are intact.
    pub(crate) is_whole: bool,
    /// The contents that they refer to: hash and JSON text.
    pub(crate) contents: Vec<(String, String)>,
}

/// Copies the readable part of a run's start, and marks the rest as lost.
///
/// # Errors
/// `internal` when a definition cannot be serialized.
pub(crate) fn salvage_beginning(
    place: &Place,
    stored: &Contents<'_>,
    known: &StoredStart,
) -> Result<Beginning, LogError> {
    let inputs = inputs(place, stored, &known.inputs);
    let intact = stored.get(&known.definition).filter(|text| definition(text, place).is_some());
    if let (Some(text), Some(contents)) = (&intact, &inputs) {
        let mut contents = contents.clone();
        contents.push((known.definition.clone(), text.clone()));
        let (definition, inputs) = (known.definition.clone(), known.inputs.clone());
        return Ok(Beginning { definition, inputs, is_whole: true, contents });
    }
    // A definition with one wrong letter is mostly readable, which is enough to display the run.
    let as_it_is = || contents::read(stored.source, &known.definition, str::to_owned).ok().flatten();
    let shown = intact.or_else(as_it_is).and_then(|text| definition(&text, place));
    let lost = Definition { is_lost: true, ..shown.unwrap_or_else(|| stand_in(known)) };
    let text = json::encode(&lost, "a definition")?;
    let hash = Hash::of(text.as_bytes()).0;
    let (inputs, mut contents) = match inputs {
        Some(contents) => (known.inputs.clone(), contents),
        None => ("{}".to_owned(), Vec::new()),
    };
    contents.push((hash.clone(), text));
    Ok(Beginning { definition: hash, inputs, is_whole: false, contents })
}

fn definition(text: &str, place: &Place) -> Option<Definition> {
    json::decode(text, "a definition", place).ok()
}

/// The contents that the inputs refer to, if all of them exist.
fn inputs(place: &Place, stored: &Contents<'_>, inputs: &str) -> Option<Vec<(String, String)>> {
    let mut needed = Vec::new();
    let list = if inputs.starts_with('{') {
        inputs.to_owned()
    } else {
        let list = stored.get(inputs)?;
        needed.push((inputs.to_owned(), list.clone()));
        list
    };
    let inputs: BTreeMap<String, kernel::Value> = json::decode(&list, "the inputs", place).ok()?;
    for value in inputs.values().filter(|value| value.is_stored()) {
        let hash = value.hash().0;
        let text = stored.get(&hash)?;
        needed.push((hash, text));
    }
    Some(needed)
}

/// A placeholder definition made from the row of the run.
fn stand_in(known: &StoredStart) -> Definition {
    Definition {
        pipeline: known.pipeline.clone(),
        title: known.title.clone(),
        outline: Outline {
            is_on_demand: false,
            name: known.pipeline.clone(),
            title: known.title.clone(),
            agent: AgentKind::Custom,
            contract: Contract::default(),
            stream: None,
            calls: CallRange::default(),
            children: Vec::new(),
        },
        agents: BTreeMap::new(),
        limits: Limits::default(),
        declared: None,
        notes: BTreeMap::new(),
        tools: BTreeMap::new(),
        replies: Vec::new(),
        as_of: None,
        allowed_tools: Vec::new(),
        gates: BTreeMap::new(),
        given_instructions: Vec::new(),
        already_done: Vec::new(),
        local_tokens: BTreeMap::new(),
        on_failure: OnFailure::default(),
        decides_issues: false,
        stage_limits: BTreeMap::new(),
        is_rewrite: false,
        foreign_tools: Default::default(),
        taken_over: Vec::new(),
        is_lost: true,
    }
}
