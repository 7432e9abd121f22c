//! Distances on the earth.

use kernel::Coordinates;

/// The mean radius of the earth in metres (IUGG). The sphere errs by at most 0.6 % against the ellipsoid.
pub const EARTH_RADIUS_M: f64 = 6_371_000.0;

/// Whether these are valid coordinates: latitude -90 to 90, longitude -180 to 180.
pub fn is_on_earth(point: Coordinates) -> bool {
    // A comparison with NaN is false.
    point.latitude.abs() <= 90.0 && point.longitude.abs() <= 180.0
}

/// The great-circle distance in metres; `None` if one of the points is invalid.
pub fn distance_m(from: Coordinates, to: Coordinates) -> Option<u32> {
    great_circle_m(from, to).map(whole)
}

/// The distance in metres by the haversine formula, which works across the date line and is exact for short distances.
pub(crate) fn great_circle_m(from: Coordinates, to: Coordinates) -> Option<f64> {
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
pub(crate) fn whole(number: f64) -> u32 {
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
            assert_eq!(crate::walking_leg(at(1.0, 1.0), at(latitude, longitude)), None);
        }
    }

    #[test]
    fn the_way_on_foot_is_longer_than_the_straight_line_and_an_estimate() {
        let (from, to) = (at(35.0, 135.0), at(35.0 + 1000.0 / 111_194.926_6, 135.0));
        assert_eq!(distance_m(from, to), Some(1000));
        let leg = crate::walking_leg(from, to).unwrap();
        assert_eq!((leg.distance_m, leg.duration_s, leg.is_estimate), (1300, 975, true));
    }
}
