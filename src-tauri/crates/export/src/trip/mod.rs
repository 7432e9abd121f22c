//! Files of a planned trip. All are made from the same plan and show the same names and times, which [`Sheet`] prepares
//! once.

pub(crate) mod booklet;
mod color;
pub(crate) mod geojson;
pub(crate) mod gpx;
pub(crate) mod ics;
pub(crate) mod kml;
pub(crate) mod links;
pub(crate) mod map;
mod sheet;
mod sketch;
#[cfg(test)]
mod tests;
mod way;
mod words;
mod xml;

pub(crate) use sheet::Sheet;

use itinerary::{TripPlan, is_on_earth};
use jiff::Timestamp;
use kernel::{Role, State};
use serde::Deserialize;

use crate::Exportable;

/// The planned trip of a run: the first of its place keys with one; `None` if there is none.
pub(crate) fn plan(run: &Exportable<'_>, state: &State) -> Option<TripPlan> {
    let places = run.keys.iter().filter(|key| matches!(key.role, Role::Places { .. }));
    let values = places.filter_map(|key| state.get(&key.name));
    let mut plans = values.filter_map(|value| TripPlan::deserialize(value.json_or_null()).ok());
    plans.find(is_drawable)
}

/// Whether all its points have valid coordinates; others cannot be drawn.
pub(crate) fn is_drawable(plan: &TripPlan) -> bool {
    let itinerary = &plan.itinerary;
    is_on_earth(itinerary.start_coordinates)
        && itinerary.visits.iter().all(|visit| is_on_earth(visit.coordinates))
}

/// The texts for the files of a run's trip.
pub(crate) fn sheet<'p>(run: &'p Exportable<'_>, plan: &'p TripPlan) -> Sheet<'p> {
    let changed_at = run.events.last().map_or(run.start.at_ms, |event| event.at_ms);
    let changed_at = Timestamp::from_millisecond(changed_at).unwrap_or_default();
    Sheet::of(plan, &run.start.run.0, changed_at)
}
