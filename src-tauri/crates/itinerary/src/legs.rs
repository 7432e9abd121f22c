//! The legs between the points of a trip: computed from coordinates, or given by a routing service.

use std::borrow::Cow;

use jiff::civil::DateTime;
use kernel::{Code, Coordinates, Error, phrase};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::geo::{distance_m, great_circle_m, whole};

/// Ratio of a walking route to the straight line. An assumption for streets in towns, where measured detours are
/// between 1.2 and 1.4.
pub const WALKING_DETOUR: f64 = 1.3;
/// Walking speed in metres per second: 4.8 km/h. Japanese property adverts must use 80 m per minute, the same speed.
pub const WALKING_SPEED_M_PER_S: f64 = 4800.0 / 3600.0;
/// Straight line in metres up to which one walks, whatever transport there is.
pub const WALKING_LIMIT_M: u32 = 1500;

/// How a leg is travelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum TravelMode {
    /// On foot.
    Walking,
    /// By train, bus or ship.
    Transit,
    /// By car.
    Driving,
}

/// The way from one point to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Leg {
    /// How it is travelled.
    pub mode: TravelMode,
    /// Its length in metres.
    pub distance_m: u32,
    /// Its duration in seconds.
    pub duration_s: u32,
    /// Whether it was computed from a straight line; else a service gave it.
    pub is_estimate: bool,
    /// What the service says of the way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub instructions: Option<String>,
}

/// A leg that a routing service gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct OfferedLeg {
    /// The index of the point it leaves: 0 is the start, then the stops of the trip from 1.
    pub from: u32,
    /// The index of the point it reaches.
    pub to: u32,
    /// The leg.
    pub leg: Leg,
}

/// A ride that a service of trains and buses was asked for. It is known for one way and one departure alone, so it counts
/// where the way is travelled, and not where the order is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Ride {
    /// The index of the point it leaves, as in [`OfferedLeg`].
    pub from: u32,
    /// The index of the point it reaches.
    pub to: u32,
    /// The time of the trip's clock for which it was asked; nothing where it was asked without a time.
    #[schemars(with = "Option<String>")]
    pub departure: Option<DateTime>,
    /// The ride; nothing where the service knows none.
    pub leg: Option<Leg>,
}

/// The estimated walking route between two points; `None` if one of them is invalid.
pub fn walking_leg(from: Coordinates, to: Coordinates) -> Option<Leg> {
    let way = great_circle_m(from, to)? * WALKING_DETOUR;
    Some(Leg {
        mode: TravelMode::Walking,
        distance_m: whole(way),
        duration_s: whole(way / WALKING_SPEED_M_PER_S),
        is_estimate: true,
        instructions: None,
    })
}

/// The legs between all points of a trip, in both directions. Index 0 is the start, then come the stops of the trip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legs {
    count: usize,
    legs: Vec<Option<Leg>>,
    rides: Vec<Ride>,
}

impl Legs {
    /// Legs of these points: on foot as an estimate where nothing better was offered. Up to a straight line of
    /// [`WALKING_LIMIT_M`] one walks, beyond it the faster of walking and transit is taken, walking where both take as
    /// long. An offered way on foot replaces the estimate of this crate. Of several offers of a mode those that are no
    /// estimates come first, then the fastest. Offers of driving and of unknown points are left out. Points that are
    /// not on the earth have no legs.
    pub fn between(points: &[Option<Coordinates>], offers: &[OfferedLeg]) -> Legs {
        let count = points.len();
        let mut walking: Vec<Option<&Leg>> = vec![None; count * count];
        let mut transit = walking.clone();
        for OfferedLeg { from, to, leg } in offers {
            let (from, to) = (*from as usize, *to as usize);
            if from >= count || to >= count {
                continue;
            }
            let best = match leg.mode {
                TravelMode::Walking => &mut walking[from * count + to],
                TravelMode::Transit => &mut transit[from * count + to],
                TravelMode::Driving => continue,
            };
            let rank = |leg: &Leg| (leg.is_estimate, leg.duration_s);
            if best.is_none_or(|best| rank(leg) < rank(best)) {
                *best = Some(leg);
            }
        }
        let legs = walking.into_iter().zip(transit).enumerate().map(|(index, (walk, ride))| {
            let (from, to) = (points[index / count]?, points[index % count]?);
            let straight_m = distance_m(from, to)?;
            let walk = walk.cloned().or_else(|| walking_leg(from, to))?;
            let faster =
                ride.filter(|ride| straight_m > WALKING_LIMIT_M && ride.duration_s < walk.duration_s);
            Some(faster.cloned().unwrap_or(walk))
        });
        Legs { count, legs: legs.collect(), rides: Vec::new() }
    }

    /// Legs as they are given, row by row: `rows[from][to]`. Whatever mode they have is taken.
    ///
    /// # Errors
    /// `bad_input` where the rows are no square.
    pub fn from_rows(rows: Vec<Vec<Option<Leg>>>) -> Result<Legs, Error> {
        let count = rows.len();
        if let Some(row) = rows.iter().position(|row| row.len() != count) {
            let found = rows[row].len();
            return Err(Error::new(
                Code::BadInput,
                phrase!(
                    "The legs between {count} points: row {row} has {found} entries; give one for each point",
                    count,
                    row = row + 1,
                    found
                ),
            ));
        }
        Ok(Legs { count, legs: rows.into_iter().flatten().collect(), rides: Vec::new() })
    }

    /// The legs with rides, which [`Legs::at`] takes where they are faster.
    #[must_use]
    pub fn with_rides(self, rides: &[Ride]) -> Legs {
        Legs { rides: rides.to_vec(), ..self }
    }

    /// How many points it has, the start included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The leg from one point to another, nothing where none is known.
    pub fn get(&self, from: usize, to: usize) -> Option<&Leg> {
        if from >= self.count || to >= self.count {
            return None;
        }
        self.legs[from * self.count + to].as_ref()
    }

    /// The way from one point to another that one leaves at this time: the ride where one is known and faster than
    /// [`Legs::get`]. A ride that was asked for another time is an estimate.
    pub fn at(&self, from: usize, to: usize, departure: DateTime) -> Option<Cow<'_, Leg>> {
        let usual = self.get(from, to)?;
        let is_here = |ride: &&Ride| (ride.from as usize, ride.to as usize) == (from, to);
        let ride = self.rides.iter().rfind(is_here);
        let Some((ride, leg)) = ride.and_then(|ride| Some((ride, ride.leg.as_ref()?))) else {
            return Some(Cow::Borrowed(usual));
        };
        if leg.duration_s >= usual.duration_s {
            return Some(Cow::Borrowed(usual));
        }
        let is_estimate = leg.is_estimate || ride.departure != Some(departure);
        Some(Cow::Owned(Leg { is_estimate, ..leg.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(metres_north: f64) -> Option<Coordinates> {
        Some(Coordinates { latitude: 35.0 + metres_north / 111_194.926_6, longitude: 135.0 })
    }

    fn offer(to: u32, mode: TravelMode, duration_s: u32) -> OfferedLeg {
        let leg = Leg { mode, distance_m: 2000, duration_s, is_estimate: false, instructions: None };
        OfferedLeg { from: 0, to, leg }
    }

    fn chosen(metres: f64, offers: &[OfferedLeg]) -> (TravelMode, u32) {
        let legs = Legs::between(&[point(0.0), point(metres)], offers);
        let leg = legs.get(0, 1).unwrap();
        (leg.mode, leg.duration_s)
    }

    #[test]
    fn one_walks_to_one_and_a_half_kilometres_and_then_takes_what_is_faster() {
        use TravelMode::{Driving, Transit, Walking};
        let ride = [offer(1, Transit, 300)];
        assert_eq!(chosen(1499.0, &ride), (Walking, 1462));
        assert_eq!(chosen(1502.0, &ride), (Transit, 300));
        assert_eq!(chosen(1600.0, &[]), (Walking, 1560));
        assert_eq!(chosen(1600.0, &[offer(1, Transit, 9000)]), (Walking, 1560));
        assert_eq!(
            chosen(1600.0, &[offer(1, Driving, 10)]),
            (Walking, 1560),
            "nobody said that there is a car"
        );
        assert_eq!(chosen(1600.0, &[offer(1, Walking, 1900)]), (Walking, 1900), "a service knows the way");
        let offers =
            [offer(1, Transit, 800), offer(1, Transit, 700), offer(1, Transit, 900), offer(7, Transit, 1)];
        assert_eq!(chosen(1600.0, &offers), (Transit, 700));
        let mut rough = offer(1, Transit, 100);
        rough.leg.is_estimate = true;
        assert_eq!(
            chosen(1600.0, &[rough, offer(1, Transit, 900)]),
            (Transit, 900),
            "known before estimated"
        );
    }

    #[test]
    fn a_leg_back_is_its_own_and_points_that_are_nowhere_have_none() {
        let nowhere = Some(Coordinates { latitude: f64::NAN, longitude: 0.0 });
        let points = [point(0.0), point(5000.0), nowhere, None];
        let legs =
            Legs::between(&points, &[offer(1, TravelMode::Transit, 300), offer(2, TravelMode::Transit, 1)]);
        assert_eq!(legs.get(0, 1).unwrap().mode, TravelMode::Transit);
        assert_eq!(legs.get(1, 0).unwrap().mode, TravelMode::Walking);
        assert_eq!((legs.get(0, 2), legs.get(3, 1), legs.get(0, 4)), (None, None, None));
        assert_eq!(Legs::between(&[], &[]).count(), 0);
    }

    #[test]
    fn rows_that_are_no_square_are_refused_with_the_row_at_fault() {
        let error = Legs::from_rows(vec![vec![None, None], vec![None]]).unwrap_err();
        assert_eq!(error.code, Code::BadInput);
        assert!(error.message.contains("row 2 has 1 entries"), "{}", error.message);
    }
}
