//! Functions of no pipeline in particular: checks of texts with sources, and work that needs no model.

mod articles;
mod checks;
mod general;
pub(crate) mod search;
mod trips;
pub(crate) mod undated;

pub(crate) use articles::references;

use interpreter::Registry;

/// Puts them into the table.
pub(crate) fn register(registry: &mut Registry) {
    articles::register(registry);
    checks::register(registry);
    general::register(registry);
    search::register(registry);
    trips::register(registry);
}
