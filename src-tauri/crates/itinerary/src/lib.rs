//! L1: the itinerary of a visit to several points from a station: their order, the route, the times, the opening hours.
//!
//! Lists, maps, booklets, calendars and links are made from one [`Itinerary`], which [`plan`] computes from a [`Trip`],
//! the [`Legs`] between its points and the person's [`Choice`]. Everything is data and pure functions: the caller
//! provides the date, the offset from UTC and the answers of a routing service.
//!
//! Not here: finding points, requests to services, and the presentation of an itinerary.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod choice;
mod geo;
mod hours;
mod itinerary;
mod legs;
mod map_links;
mod operation;
pub mod order;
mod plan;
mod trip;
mod trip_plan;

pub use choice::Choice;
pub use geo::{EARTH_RADIUS_M, distance_m, is_on_earth};
pub use hours::{CheckReason, HoursContext, OpeningState, StopHours, is_new_year};
pub use itinerary::{Itinerary, LeftOut, LeftOutReason, OrderOrigin, ReturnLeg, Totals, Visit};
pub use legs::{
    Leg, Legs, OfferedLeg, Ride, TravelMode, WALKING_DETOUR, WALKING_LIMIT_M, WALKING_SPEED_M_PER_S,
    walking_leg,
};
pub use map_links::{MapLink, map_links};
pub use operation::{Operation, change};
pub use plan::plan;
pub use trip::{DEFAULT_STAY_MINUTES, MOST_POINTS, Stop, Trip};
pub use trip_plan::{Attribution, DayWeather, StopDetails, TripPlan, Way, web_address};
