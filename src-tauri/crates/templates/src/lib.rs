//! L1: fills report templates from a reviewed summary without a model, and checks the promises of agents that do it
//! with a model.
//!
//! It has three steps, each a pure function: [`prune`] removes sentences that the summary denies or does not mention,
//! [`fill`] replaces the placeholders for which a label or a sentence with the same words has a value, [`enrich`] adds
//! sentences of the summary. An open placeholder is better than a wrong fact, so uncertain ones stay open. The checks
//! compare the input and the output of a step and report every breach with its words. All of this compares words, not
//! meaning.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod breach;
#[cfg(test)]
mod cases;
mod checks;
mod choice_words;
mod days;
mod enrich;
mod figure_words;
mod fill;
mod fixed_text;
mod frames;
#[cfg(test)]
mod gold;
mod grounding;
mod kinds;
mod labels;
mod lines;
mod number_words;
#[cfg(test)]
mod pairs;
mod placeholders;
mod prune;
mod sections;
mod structure;
mod summary;
mod surnames;
#[cfg(test)]
mod tests;
mod tokens;

pub use breach::{Breach, BreachKind};
pub use checks::{check_enriched, check_filled, check_pruned, filled_values};
pub use enrich::{Addition, Enriched, enrich};
pub use fill::{Filled, Replacement, fill};
pub use grounding::check_grounded;
pub use placeholders::{Placeholder, PlaceholderKind, placeholders};
pub use prune::{Pruned, Removal, RemovalReason, prune};
