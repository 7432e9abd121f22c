//! Content (seed 004): what its definition, `content.toml`, cannot say as data.

mod output;
mod quotations;
mod search;
mod subject;

pub(crate) use quotations::DISCLOSURES;

use interpreter::Registry;

/// The definition.
pub(crate) const DEFINITION: &str = include_str!("content.toml");

/// Puts the functions of this pipeline into the table.
pub(crate) fn register(registry: &mut Registry) {
    subject::register(registry);
    search::register(registry);
    quotations::register(registry);
    output::register(registry);
}

#[cfg(test)]
mod tests;
