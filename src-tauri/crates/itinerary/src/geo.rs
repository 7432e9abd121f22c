//! Distances on the earth, and their walking times.

use kernel::Coordinates;

use crate::{Leg, TravelMode};

/// The mean radius of the earth in metres (IUGG). The sphere errs by at most 0.6 % against the ellipsoid.
pub const EARTH_RADIUS_M: f64 = 6_371_000.0;
/// Ratio of a walking route to the straight line. An assumption for streets in towns, where measured detours are
/// between 1.2 and 1.4.
pub const WALKING_DETOUR: f64 = 1.3;
/// Walking speed in metres per second: 4.8 km/h. Japanese property adverts must use 80 m per minute, the same speed.
pub const WALKING_SPEED_M_PER_S: f64 = 4800.0 / 3600.0;
/// Straight line in metres up to which one walks, whatever transport there is.
pub const WALKING_LIMIT_M: u32 = 1500;

/// Whether these are valid coordinates: latitude -90 to 90, longitude -180 to 180.
pub fn is_on_earth(point: Coordinates) -> bool {
    // A comparison with NaN is false.
    point.latitude.abs() <= 90.0 && point.longitude.abs() <= 180.0
}

/// The great-circle distance in metres; `None` if one of the points is invalid.
pub fn distance_m(from: Coordinates, to: Coordinates) -> Option<u32> {
    great_circle_m(from, to).map(whole)
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

/// The haversine formula, which works across the date line and is exact for short distances.
fn great_circle_m(from: Coordinates, to: Coordinates) -> Option<f64> {
    if !is_on_earth(from) || !is_on_earth(to) {
        return None;
    }
    let half_sine = |degrees: f64| (degrees.to_radians() / 2.0).sin();
    let across = half_sine(to.latitude - from.latitude);
    let along = half_sine(to.longitude - from.longitude);
    let parallels = from.latitude.to_radians().cos() * to.latitude.to_radians().cos();
    let haversine = across * across + parallels * along * along;
    Some(2.0 * EARTH_RADIUS_M * haversine.sqrt().min(1.0).asin())
}

/// A number without its fraction; the `as` cast saturates.
fn whole(number: f64) -> u32 {
    number.round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(latitude: f64, longitude: f64) -> Coordinates {
        Coordinates { latitude, longitude }
    }

    #[test]
    fn distances_are_those_of_the_sphere_also_across_the_date_line() {
        // Tokyo to Kyoto station.
        let tokyo_to_kyoto = distance_m(at(35.681236, 139.767125), at(34.985849, 135.758767)).unwrap();
        assert_eq!(tokyo_to_kyoto, 371_710);
        // A degree along a great circle is 111 194.9 m.
        assert_eq!(distance_m(at(0.0, 179.5), at(0.0, -179.5)), Some(111_195));
        assert_eq!(distance_m(at(10.0, 180.0), at(10.0, -180.0)), Some(0));
        assert_eq!(distance_m(at(-90.0, 0.0), at(90.0, 77.0)), Some(20_015_087));
        assert_eq!(distance_m(at(0.0, 0.0), at(0.0, 180.0)), Some(20_015_087));
    }

    #[test]
    fn numbers_that_are_no_point_have_no_distance() {
        let odd = [(f64::NAN, 1.0), (1.0, f64::NAN), (f64::INFINITY, 0.0), (91.0, 0.0), (0.0, -180.1)];
        for (latitude, longitude) in odd {
            assert_eq!(distance_m(at(latitude, longitude), at(1.0, 1.0)), None);
            assert_eq!(distance_m(at(1.0, 1.0), at(latitude, longitude)), None);
            assert_eq!(walking_leg(at(1.0, 1.0), at(latitude, longitude)), None);
        }
    }

    #[test]
    fn the_way_on_foot_is_longer_than_the_straight_line_and_an_estimate() {
        let (from, to) = (at(35.0, 135.0), at(35.0 + 1000.0 / 111_194.926_6, 135.0));
        assert_eq!(distance_m(from, to), Some(1000));
        let leg = walking_leg(from, to).unwrap();
        assert_eq!((leg.distance_m, leg.duration_s, leg.is_estimate), (1300, 975, true));
    }
}
