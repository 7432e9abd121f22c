//! L1: fills report templates from a reviewed summary without a model, and checks what agents with a model
//! promise when they do.
//!
//! Three steps, each a pure function: [`prune`] takes out what the summary denies or does not speak of, [`fill`]
//! replaces the placeholders that a label or a sentence of the same words answers, [`enrich`] adds sentences of the
//! summary. An open placeholder is honest, a wrong fact is not: what is not certain stays open. The checks compare what
//! a step was given with what it made and name every breach with the words concerned. Nothing here understands a text.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod bound;
#[cfg(test)]
mod cases;
mod checks;
mod choice_words;
mod days;
mod enrich;
mod fill;
mod fixed_text;
mod frames;
#[cfg(test)]
mod gold;
mod grounded;
mod kinds;
mod labels;
mod lines;
#[cfg(test)]
mod pairs;
mod placeholders;
mod prune;
mod spelt;
mod structure;
mod summary;
mod surnames;
#[cfg(test)]
mod tests;
mod tokens;

pub use checks::{Breach, BreachKind, check_enriched, check_filled, check_pruned, filled_values};
pub use enrich::{Addition, Enriched, enrich};
pub use fill::{Filled, Replacement, fill};
pub use grounded::check_grounded;
pub use placeholders::{Placeholder, PlaceholderKind, placeholders};
pub use prune::{Pruned, Removal, RemovalReason, prune};
