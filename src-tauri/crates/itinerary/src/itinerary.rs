//! The itinerary: what lists, maps, booklets, calendars and links are made from.

use jiff::civil::DateTime;
use kernel::Coordinates;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CheckReason, Choice, Leg, OpeningState};

/// A visit of several points with its times. All times are of the clock of the trip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Itinerary {
    /// The id of the start.
    pub start_id: String,
    /// The name of the start.
    pub start_name: String,
    /// Where the start is.
    pub start_coordinates: Coordinates,
    /// When it begins.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub departure: DateTime,
    /// How many minutes its clock is ahead of UTC; nothing where that is not known.
    #[serde(default)]
    pub utc_offset_minutes: Option<i16>,
    /// The visits in order.
    pub visits: Vec<Visit>,
    /// The way back to the start, where the trip returns.
    #[serde(default)]
    pub return_leg: Option<ReturnLeg>,
    /// The points that are not visited, and why.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// What it comes to.
    pub totals: Totals,
    /// Who or what chose the order.
    pub order: OrderOrigin,
    /// What the person chose; the operations of the person change it.
    #[serde(default)]
    pub choice: Choice,
}

impl Itinerary {
    /// A time of its clock as lists, maps and booklets tell it: `14:05`, after its first day with the day, `12-06 00:15`.
    pub fn clock(&self, time: DateTime) -> String {
        let is_first_day = time.date() == self.departure.date();
        time.strftime(if is_first_day { "%H:%M" } else { "%m-%d %H:%M" }).to_string()
    }

    /// The points of the way in order: the start, the visits, and the start again where it returns.
    pub fn way_points(&self) -> Vec<Coordinates> {
        let back = self.return_leg.as_ref().map(|_| self.start_coordinates);
        let visits = self.visits.iter().map(|visit| visit.coordinates);
        std::iter::once(self.start_coordinates).chain(visits).chain(back).collect()
    }

    /// The ways in order, the one back included.
    pub fn legs(&self) -> impl Iterator<Item = &Leg> {
        let visits = self.visits.iter().map(|visit| &visit.leg);
        visits.chain(self.return_leg.as_ref().map(|back| &back.leg))
    }
}

/// The visit of one point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Visit {
    /// The id of the point.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Where it is.
    pub coordinates: Coordinates,
    /// Its position, from 1.
    pub position: u32,
    /// Whether the person fixed it at this position.
    pub is_fixed: bool,
    /// The way to it from the point before, or from the start.
    pub leg: Leg,
    /// When one arrives.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub arrival: DateTime,
    /// How long one waits until it opens, in seconds.
    pub wait_s: u32,
    /// How long it is visited, in seconds.
    pub stay_s: u32,
    /// When one leaves it.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub departure: DateTime,
    /// The length of the way from the start to it, in metres.
    pub cumulative_distance_m: u32,
    /// The time from the begin of the trip to the arrival, in seconds: ways, waits and stays.
    pub cumulative_duration_s: u32,
    /// Its opening hours as they were given.
    #[serde(default)]
    pub opening_hours: Option<String>,
    /// Whether it is open on arrival.
    pub opening: OpeningState,
    /// Why its hours have to be checked although they decide `opening`; nothing where they are certain.
    #[serde(default)]
    pub check: Option<CheckReason>,
    /// Whether it is closed on arrival and does not open later that day.
    pub is_closed_on_arrival: bool,
    /// Whether it closes before one leaves it.
    pub closes_during_stay: bool,
}

/// The way back to the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct ReturnLeg {
    /// The way.
    pub leg: Leg,
    /// When one arrives.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub arrival: DateTime,
}

/// A point that is not visited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct LeftOut {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: LeftOutReason,
}

/// Why a point is not visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// The person dropped it.
    Dropped,
    /// It has no coordinates on the earth.
    NoPosition,
}

/// What an itinerary comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Totals {
    /// The length of all ways in metres.
    pub distance_m: u32,
    /// The time of all ways in seconds.
    pub travel_s: u32,
    /// The time of all waits in seconds.
    pub wait_s: u32,
    /// The time of all stays in seconds.
    pub stay_s: u32,
    /// The time from the begin to the end in seconds.
    pub duration_s: u32,
    /// When it ends: the last departure, or the arrival at the start.
    #[schemars(with = "String")]
    #[ts(type = "string")]
    pub end: DateTime,
    /// How many points are closed on arrival.
    pub closed_on_arrival: u32,
    /// How many points have hours that the person has to check.
    pub to_check: u32,
    /// Whether one of its ways is an estimate: then so are the distances and times.
    pub is_estimate: bool,
}

/// Who or what chose the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum OrderOrigin {
    /// The person.
    Person,
    /// It is proven to be the best.
    Best,
    /// It is a good one, and there may be a better one: the best is not looked for among so many points, nor where rides
    /// that were not compared for every order shorten the way.
    Good,
}
