//! AI News (seed 000): what its definition, `ai-news.toml`, cannot say as data.

mod reviewer;
mod searcher;

use interpreter::Registry;

/// The definition.
pub(crate) const DEFINITION: &str = include_str!("ai-news.toml");

/// What is published when nothing was found or nothing may be published, word for word.
const FALLBACK: &str = "No recent AI news found on this topic.";

/// Puts the functions of this pipeline into the table.
pub(crate) fn register(registry: &mut Registry) {
    searcher::register(registry);
    reviewer::register(registry);
}

#[cfg(test)]
mod tests;
