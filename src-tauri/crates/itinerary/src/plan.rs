//! Plans an itinerary from a trip, its legs and the person's choice.

use std::borrow::Cow;
use std::collections::BTreeSet;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use kernel::{Code, Coordinates, Error, phrase};

use crate::geo::is_on_earth;
use crate::itinerary::{Itinerary, LeftOut, LeftOutReason, OrderOrigin, ReturnLeg, Totals, Visit};
use crate::order::{TimedTour, Tour, arranged, order_in_windows};
use crate::{
    Choice, DEFAULT_STAY_MINUTES, HoursContext, Leg, Legs, MOST_POINTS, OpeningState, Stop, StopHours, Trip,
};

/// Days from the departure in which hours affect the order. No visit takes longer; points of later days count as open
/// when the order is chosen, and are still flagged by their hours.
const DAYS_IN_ADVANCE: u16 = 7;

/// Plans the itinerary of a trip. `legs` are those between the start (index 0) and the stops of the trip (from 1, in
/// their order), dropped ones and those without coordinates included. The order is chosen by the legs without rides.
///
/// # Errors
/// `bad_input` where the start is not on the earth, an id occurs twice, there are more stops than [`MOST_POINTS`],
/// `legs` belong to another number of points, or lack a leg between points that are visited.
pub fn plan(trip: &Trip, legs: &Legs, choice: &Choice) -> Result<Itinerary, Error> {
    let start_coordinates = checked_start(trip, legs)?;
    let mut points = Vec::new();
    let mut left_out = Vec::new();
    for (stop, index) in trip.stops.iter().zip(1..) {
        let coordinates = stop.coordinates.filter(|point| is_on_earth(*point));
        let reason = match coordinates {
            Some(coordinates) if !choice.dropped.contains(&stop.id) => {
                points.push(Point { stop, index, coordinates, hours: hours_of(trip, stop) });
                continue;
            }
            Some(_) => LeftOutReason::Dropped,
            None => LeftOutReason::NoPosition,
        };
        left_out.push(LeftOut { id: stop.id.clone(), name: stop.name.clone(), reason });
    }
    let planned = Planned { trip, legs, points };
    planned.check_legs()?;
    let (order, origin) = planned.order(choice);
    let mut itinerary = planned.itinerary(start_coordinates, &order, choice);
    itinerary.left_out = left_out;
    let takes_ride = planned
        .ways(&order)
        .zip(itinerary.legs())
        .any(|((from, to), leg)| planned.leg(from, to) != Some(leg));
    itinerary.order = if takes_ride && origin == OrderOrigin::Best { OrderOrigin::Good } else { origin };
    Ok(itinerary)
}

fn checked_start(trip: &Trip, legs: &Legs) -> Result<Coordinates, Error> {
    let refused = |phrase| Err(Error::new(Code::BadInput, phrase));
    let count = trip.stops.len();
    if count > MOST_POINTS {
        return refused(phrase!(
            "The trip has {count} points, more than the {most} that are planned; leave some out",
            count,
            most = MOST_POINTS
        ));
    }
    let mut ids = BTreeSet::new();
    let all = std::iter::once(&trip.start).chain(&trip.stops);
    if let Some(stop) = all.into_iter().find(|stop| !ids.insert(stop.id.as_str())) {
        return refused(phrase!(
            "Two points of the trip have the id `{id}`; give each point its own",
            id = stop.id
        ));
    }
    if legs.count() != count + 1 {
        return refused(phrase!(
            "The legs are those of {found} points, but the trip has {count} with its start; compute them anew",
            found = legs.count(),
            count = count + 1
        ));
    }
    let Some(coordinates) = trip.start.coordinates.filter(|point| is_on_earth(*point)) else {
        return refused(phrase!(
            "The start `{name}` has no position on the earth; give its coordinates",
            name = trip.start.name
        ));
    };
    Ok(coordinates)
}

fn hours_of(trip: &Trip, stop: &Stop) -> StopHours {
    let context = HoursContext {
        coordinates: stop.coordinates,
        utc_offset_minutes: trip.utc_offset_minutes,
        country: trip.country.clone(),
    };
    StopHours::read(stop.opening_hours.as_deref(), &context)
}

/// A point that is visited.
struct Point<'a> {
    stop: &'a Stop,
    /// Its index in the legs.
    index: usize,
    coordinates: Coordinates,
    hours: StopHours,
}

impl Point<'_> {
    fn stay_s(&self) -> u32 {
        u32::from(self.stop.stay_minutes.unwrap_or(DEFAULT_STAY_MINUTES)) * 60
    }
}

/// The visited points. As in a [`Tour`], 0 is the start, and the others have the numbers from 1.
struct Planned<'a> {
    trip: &'a Trip,
    legs: &'a Legs,
    points: Vec<Point<'a>>,
}

impl Planned<'_> {
    fn index(&self, point: usize) -> usize {
        if point == 0 { 0 } else { self.points[point - 1].index }
    }

    fn id(&self, point: usize) -> &str {
        if point == 0 { &self.trip.start.id } else { &self.points[point - 1].stop.id }
    }

    fn leg(&self, from: usize, to: usize) -> Option<&Leg> {
        self.legs.get(self.index(from), self.index(to))
    }

    fn leg_at(&self, from: usize, to: usize, departure: DateTime) -> Option<Leg> {
        self.legs.at(self.index(from), self.index(to), departure).map(Cow::into_owned)
    }

    /// The pairs of points of the legs in this order, including the way back.
    fn ways(&self, order: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        let back = self.trip.returns_to_start.then_some(0);
        std::iter::once(0).chain(order.iter().copied()).zip(order.iter().copied().chain(back))
    }

    fn check_legs(&self) -> Result<(), Error> {
        let count = self.points.len() + 1;
        for (from, to) in (0..count * count).map(|pair| (pair / count, pair % count)) {
            if from != to && self.leg(from, to).is_none() {
                return Err(Error::new(
                    Code::BadInput,
                    phrase!(
                        "No leg from `{from}` to `{to}` is known; give one, or drop the point",
                        from = self.id(from),
                        to = self.id(to)
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The order of the points by their numbers, and its origin.
    fn order(&self, choice: &Choice) -> (Vec<usize>, OrderOrigin) {
        let count = self.points.len();
        let number = |id: &String| (1..=count).find(|point| self.id(*point) == id);
        // Sorted by position, so that of two points for one position the same one gets it regardless of other ids.
        let mut fixed: Vec<(usize, usize)> = choice
            .fixed
            .iter()
            .filter_map(|(id, position)| Some((*position as usize, number(id)?)))
            .collect();
        fixed.sort_unstable();
        if let Some(order) = &choice.order {
            let mut chosen: Vec<usize> = Vec::with_capacity(count);
            for point in order.iter().filter_map(number).chain(1..=count) {
                if !chosen.contains(&point) {
                    chosen.push(point);
                }
            }
            return (arranged(&chosen, &fixed), OrderOrigin::Person);
        }
        let duration = |from, to| self.leg(from, to).map_or(0, |leg| leg.duration_s);
        let tour = Tour::new(count + 1, self.trip.returns_to_start, duration).with_fixed(&fixed);
        let first_day = self.trip.departure.date();
        let windows = self.points.iter().map(|point| point.hours.windows(first_day, DAYS_IN_ADVANCE));
        let found = order_in_windows(&TimedTour {
            tour,
            departure_s: seconds_of_day(self.trip.departure),
            stays_s: std::iter::once(0).chain(self.points.iter().map(Point::stay_s)).collect(),
            windows: std::iter::once(None).chain(windows).collect(),
        });
        (found.order, if found.is_proven { OrderOrigin::Best } else { OrderOrigin::Good })
    }

    fn itinerary(&self, start_coordinates: Coordinates, order: &[usize], choice: &Choice) -> Itinerary {
        let trip = self.trip;
        let mut clock = Clock { now: trip.departure, elapsed_s: 0 };
        let mut totals = Totals {
            distance_m: 0,
            travel_s: 0,
            wait_s: 0,
            stay_s: 0,
            duration_s: 0,
            end: trip.departure,
            closed_on_arrival: 0,
            to_check: 0,
            is_estimate: false,
        };
        let mut visits = Vec::with_capacity(order.len());
        let mut last = 0;
        for (&number, position) in order.iter().zip(1..) {
            let point = &self.points[number - 1];
            let Some(leg) = self.leg_at(last, number, clock.now) else { continue };
            totals.add_leg(&leg);
            clock.advance(leg.duration_s);
            let (arrival, cumulative_duration_s) = (clock.now, clock.elapsed_s);
            let opening = point.hours.at(arrival);
            let (wait_s, is_closed_on_arrival) = wait(&opening, arrival);
            clock.advance(wait_s);
            let on_begin = if wait_s > 0 { point.hours.at(clock.now) } else { opening.clone() };
            let stay_s = point.stay_s();
            clock.advance(stay_s);
            totals.wait_s = totals.wait_s.saturating_add(wait_s);
            totals.stay_s = totals.stay_s.saturating_add(stay_s);
            totals.closed_on_arrival += u32::from(is_closed_on_arrival);
            let check = point.hours.check(arrival, &opening);
            let is_to_check = check.is_some() || matches!(on_begin, OpeningState::Check { .. });
            totals.to_check += u32::from(is_to_check);
            visits.push(Visit {
                id: point.stop.id.clone(),
                name: point.stop.name.clone(),
                coordinates: point.coordinates,
                position,
                is_fixed: choice.fixed.contains_key(&point.stop.id),
                leg,
                arrival,
                wait_s,
                stay_s,
                departure: clock.now,
                cumulative_distance_m: totals.distance_m,
                cumulative_duration_s,
                opening_hours: point.stop.opening_hours.clone(),
                opening,
                check,
                is_closed_on_arrival,
                closes_during_stay: matches!(
                    on_begin, OpeningState::Open { until: Some(until) } if until < clock.now
                ),
            });
            last = number;
        }
        let returns = trip.returns_to_start && last != 0;
        let back = if returns { self.leg_at(last, 0, clock.now) } else { None };
        let return_leg = back.map(|leg| {
            totals.add_leg(&leg);
            clock.advance(leg.duration_s);
            ReturnLeg { leg, arrival: clock.now }
        });
        totals.duration_s = clock.elapsed_s;
        totals.end = clock.now;
        Itinerary {
            start_id: trip.start.id.clone(),
            start_name: trip.start.name.clone(),
            start_coordinates,
            departure: trip.departure,
            utc_offset_minutes: trip.utc_offset_minutes,
            visits,
            return_leg,
            left_out: Vec::new(),
            totals,
            order: OrderOrigin::Person,
            choice: choice.clone(),
        }
    }
}

/// The wait for a point to open, in seconds, and whether it stays closed that day.
fn wait(opening: &OpeningState, arrival: DateTime) -> (u32, bool) {
    match opening {
        OpeningState::OpensAt { at } if at.date() == arrival.date() => {
            let seconds = at.duration_since(arrival).as_secs();
            (u32::try_from(seconds).unwrap_or(0), false)
        }
        OpeningState::OpensAt { .. } | OpeningState::Closed => (0, true),
        OpeningState::Open { .. } | OpeningState::Check { .. } | OpeningState::Unknown => (0, false),
    }
}

/// The start time of the trip, and the elapsed time.
struct Clock {
    now: DateTime,
    elapsed_s: u32,
}

impl Clock {
    /// Legs of a service may have any length, so the sum saturates.
    fn advance(&mut self, seconds: u32) {
        self.now = self.now.saturating_add(SignedDuration::from_secs(i64::from(seconds)));
        self.elapsed_s = self.elapsed_s.saturating_add(seconds);
    }
}

impl Totals {
    fn add_leg(&mut self, leg: &Leg) {
        self.distance_m = self.distance_m.saturating_add(leg.distance_m);
        self.travel_s = self.travel_s.saturating_add(leg.duration_s);
        self.is_estimate |= leg.is_estimate;
    }
}

fn seconds_of_day(time: DateTime) -> u64 {
    let part = |number: i8| u64::from(number.unsigned_abs());
    part(time.hour()) * 3600 + part(time.minute()) * 60 + part(time.second())
}

#[cfg(test)]
#[path = "plan_tests.rs"]
pub(crate) mod tests;
