//! Functions of no pipeline in particular: checks of texts with sources, and work that needs no model.

mod checks;
mod general;

pub(crate) use general::texts_of;

use std::sync::LazyLock;

use indexmap::IndexMap;

use crate::registry::Registry;

/// What they say in other languages, from the English text to its own.
pub(crate) static WORDS: LazyLock<IndexMap<String, IndexMap<String, String>>> =
    // A test reads it.
    LazyLock::new(|| toml_edit::de::from_str(include_str!("words.toml")).unwrap_or_default());

/// Puts them into the table.
pub(crate) fn register(registry: &mut Registry) {
    checks::register(registry);
    general::register(registry);
}
