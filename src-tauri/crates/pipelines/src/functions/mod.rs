//! Functions of no pipeline in particular: checks of texts with sources, and work that needs no model.

mod articles;
mod checks;
mod general;
pub(crate) mod undated;

pub(crate) use articles::references;
pub(crate) use general::texts_of;

use crate::registry::Registry;

/// Puts them into the table.
pub(crate) fn register(registry: &mut Registry) {
    articles::register(registry);
    checks::register(registry);
    general::register(registry);
}
