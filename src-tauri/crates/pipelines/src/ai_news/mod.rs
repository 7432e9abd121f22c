//! The code of the AI News pipeline (seed 000) that its definition, `ai-news.toml`, cannot express as data.

mod reviewer;
mod searcher;

use interpreter::Registry;

pub(crate) const DEFINITION: &str = include_str!("ai-news.toml");

/// The text that is published, word for word, when nothing was found or nothing may be published.
const FALLBACK: &str = "No recent AI news found on this topic.";

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    searcher::register(registry);
    reviewer::register(registry);
}

#[cfg(test)]
mod tests;
