//! L1: the itinerary of a visit of several points from a station: their order, the way, the times, the opening hours.
//!
//! Lists, maps, booklets, calendars and links are made from one [`Itinerary`], which [`plan`] computes from a [`Trip`],
//! the [`Legs`] between its points and the [`Choice`] of the person. Everything is data and pure functions: the caller
//! brings the day, the offset of the local time from UTC and what a routing service answered.
//!
//! Not here: finding points, asking services, and how an itinerary looks.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod choice;
mod geo;
mod hours;
mod itinerary;
mod legs;
mod map_links;
pub mod order;
mod plan;
mod trip;
mod trip_plan;

pub use choice::{Choice, Operation, change};
pub use geo::{
    EARTH_RADIUS_M, WALKING_DETOUR, WALKING_LIMIT_M, WALKING_SPEED_M_PER_S, distance_m, is_on_earth,
    walking_leg,
};
pub use hours::{CheckReason, HoursContext, OpeningState, StopHours, is_new_year};
pub use itinerary::{Itinerary, LeftOut, LeftOutReason, OrderOrigin, ReturnLeg, Totals, Visit};
pub use legs::{Leg, Legs, OfferedLeg, Ride, TravelMode};
pub use map_links::{MapLink, map_links};
pub use plan::plan;
pub use trip::{DEFAULT_STAY_MINUTES, MOST_POINTS, Stop, Trip};
pub use trip_plan::{Attribution, DayWeather, StopDetails, TripPlan, Way, web_address};
