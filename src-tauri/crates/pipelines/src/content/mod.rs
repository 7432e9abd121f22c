//! The code of the content pipeline (seed 004) that its definition, `content.toml`, cannot express as data.

mod output;
mod quotations;
mod search;
mod subject;

pub(crate) use quotations::DISCLOSURES;

use interpreter::Registry;

pub(crate) const DEFINITION: &str = include_str!("content.toml");

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    subject::register(registry);
    search::register(registry);
    quotations::register(registry);
    output::register(registry);
}

#[cfg(test)]
mod tests;
