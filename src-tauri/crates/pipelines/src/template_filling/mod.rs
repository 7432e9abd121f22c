//! The code of the template filling pipeline (seed 002) that its definition, `template.toml`, cannot express as data.

mod document;
mod promises;
mod steps;

use interpreter::Registry;

pub(crate) const DEFINITION: &str = include_str!("template.toml");

const TEMPLATE: &str = "template";
const SUMMARY: &str = "reviewed_summary";
const PRUNED: &str = "pruned_template";
const FILLED: &str = "filled_template";
const ENRICHED: &str = "enriched_template";
const FEEDBACK: &str = "refinement_feedback";

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    promises::register(registry);
    steps::register(registry);
    document::register(registry);
}

#[cfg(test)]
mod tests;
