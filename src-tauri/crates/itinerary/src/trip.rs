//! What an itinerary is planned from.

use jiff::civil::DateTime;
use kernel::Coordinates;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Legs, OfferedLeg};

/// Minutes that a point is visited where it names none.
pub const DEFAULT_STAY_MINUTES: u16 = 30;
/// How many stops a trip may have; its legs grow with their square.
pub const MOST_POINTS: usize = 400;

/// A point that may be visited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Stop {
    /// Its id, unique in the trip.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is; nothing where that is not known.
    #[serde(default)]
    pub coordinates: Option<Coordinates>,
    /// Its opening hours as OpenStreetMap writes them; nothing where they are not known.
    #[serde(default)]
    pub opening_hours: Option<String>,
    /// How long it is visited, in minutes; nothing for [`DEFAULT_STAY_MINUTES`].
    #[serde(default)]
    pub stay_minutes: Option<u16>,
}

/// A visit of several points from one start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Trip {
    /// Where it begins: the station. Its hours and stay do not count.
    pub start: Stop,
    /// The points.
    pub stops: Vec<Stop>,
    /// When it begins, in the local time of the start: `2026-11-29T10:00:00`. All times of the itinerary are of this
    /// clock.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub departure: DateTime,
    /// Whether it ends where it began.
    #[serde(default)]
    pub returns_to_start: bool,
    /// How many minutes the local time is ahead of UTC (Japan: 540), for hours that name sunrise or sunset.
    #[serde(default)]
    pub utc_offset_minutes: Option<i16>,
    /// The country whose public holidays count, by its code of two letters (`JP`).
    #[serde(default)]
    pub country: Option<String>,
}

impl Trip {
    /// The legs between its points, as [`Legs::between`] computes them. Index 0 is the start, then come the stops.
    pub fn legs(&self, offers: &[OfferedLeg]) -> Legs {
        let points: Vec<Option<Coordinates>> =
            std::iter::once(&self.start).chain(&self.stops).map(|stop| stop.coordinates).collect();
        Legs::between(&points, offers)
    }
}
