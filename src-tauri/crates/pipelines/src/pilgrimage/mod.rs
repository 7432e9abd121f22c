//! The code of the pilgrimage pipeline (seed 003) that its definition, `pilgrimage.toml`, cannot express as data.

mod agents;
mod candidates;
mod departure;
mod enrichment;
mod extraction;
mod failures;
mod known_points;
mod outcome;
mod points;
mod remarks;
mod requests;
mod trip;
mod weather;
mod words;

use interpreter::{Registry, Run};

pub(crate) const DEFINITION: &str = include_str!("pilgrimage.toml");

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    agents::register(registry);
    candidates::register(registry);
    enrichment::register(registry);
    extraction::register(registry);
    failures::register(registry);
    known_points::register(registry);
    outcome::register(registry);
    points::register(registry);
    weather::register(registry);
    registry.run.insert("set_departure", departure::set_departure as Run);
}

#[cfg(test)]
mod tests;
