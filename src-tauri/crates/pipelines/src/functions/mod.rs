//! Functions that belong to no single pipeline: checks of texts with sources, and work without a model.

mod articles;
mod checks;
mod general;
pub(crate) mod search;
mod trips;
pub(crate) mod undated;

pub(crate) use articles::references;

use interpreter::Registry;

/// Registers these functions.
pub(crate) fn register(registry: &mut Registry) {
    articles::register(registry);
    checks::register(registry);
    general::register(registry);
    search::register(registry);
    trips::register(registry);
}
