//! L1: fills report templates from a reviewed summary without a model, and checks what agents with a model
//! promise when they do.
//!
//! Three steps, each a pure function: [`prune`] keeps the sentences of the template that the summary speaks for,
//! [`fill`] replaces placeholders, [`enrich`] adds sentences of the summary. The checks compare what a step was
//! given with what it made and name every breach with the words concerned. Words are compared by their forms and
//! by what stands around them: in English, Chinese and Japanese; nothing here understands a text.

#![warn(missing_docs)]

mod answers;
mod asks;
mod candidates;
#[cfg(test)]
mod cases;
mod checks;
mod choices;
mod contrast;
mod enrich;
mod eras;
mod evidence;
mod fill;
mod fixed_text;
mod fractions;
#[cfg(test)]
mod gold;
mod grounded;
mod labels;
mod largest;
mod lines;
mod measures;
mod names;
mod opposites;
mod phrases;
mod placeholders;
mod printed;
mod prune;
mod spelt;
mod statements;
mod structure;
mod summary;
mod surnames;
#[cfg(test)]
mod tests;
mod thesaurus;
mod tokens;
mod values;
mod vocabulary;

pub use checks::{Breach, BreachKind, check_enriched, check_filled, check_pruned, filled_values};
pub use enrich::{Addition, Enriched, enrich};
pub use fill::{Filled, Replacement, fill};
pub use grounded::{check_grounded, check_values};
pub use placeholders::{Placeholder, PlaceholderKind, placeholders};
pub use prune::{Pruned, Removal, RemovalReason, prune};
