use jiff::civil::date;
use proptest::prelude::*;

use super::*;
use crate::{CheckReason, OfferedLeg, Operation, Ride, TravelMode, change};

/// A stop this many metres north and east of the start.
pub(crate) fn stop(id: &str, north_m: f64, east_m: f64, opening_hours: Option<&str>) -> Stop {
    let degrees = |metres: f64| metres / 111_194.926_6;
    Stop {
        id: id.to_owned(),
        name: id.to_uppercase(),
        // Near the equator a degree of longitude is as long as one of latitude.
        coordinates: Some(Coordinates { latitude: degrees(north_m), longitude: degrees(east_m) }),
        opening_hours: opening_hours.map(str::to_owned),
        stay_minutes: None,
    }
}

/// A trip on Wednesday, 25 November 2026, 9:00.
pub(crate) fn trip(stops: Vec<Stop>) -> Trip {
    Trip {
        start: stop("station", 0.0, 0.0, None),
        stops,
        departure: date(2026, 11, 25).at(9, 0, 0, 0),
        returns_to_start: false,
        utc_offset_minutes: Some(540),
        country: Some("JP".to_owned()),
    }
}

pub(crate) fn planned(trip: &Trip, choice: &Choice) -> Itinerary {
    plan(trip, &trip.legs(&[]), choice).unwrap()
}

pub(crate) fn ids(itinerary: &Itinerary) -> Vec<&str> {
    itinerary.visits.iter().map(|visit| visit.id.as_str()).collect()
}

fn nowhere(id: &str, latitude: f64) -> Stop {
    Stop { coordinates: Some(Coordinates { latitude, longitude: 0.0 }), ..stop(id, 0.0, 0.0, None) }
}

#[test]
fn times_and_distances_add_up_along_the_way() {
    let mut trip = trip(vec![
        stop("far", 2000.0, 0.0, None),
        Stop { stay_minutes: Some(10), ..stop("near", 1000.0, 0.0, Some("09:30-16:00")) },
    ]);
    trip.returns_to_start = true;
    let ride = Leg {
        mode: TravelMode::Transit,
        distance_m: 2500,
        duration_s: 600,
        is_estimate: false,
        instructions: Some("Line 3".to_owned()),
    };
    let itinerary =
        plan(&trip, &trip.legs(&[OfferedLeg { from: 1, to: 0, leg: ride.clone() }]), &Choice::default());
    let itinerary = itinerary.unwrap();
    assert_eq!(ids(&itinerary), ["near", "far"]);
    let [near, far] = &itinerary.visits[..] else { panic!() };
    let at = |hour, minute, second| date(2026, 11, 25).at(hour, minute, second, 0);
    // 1000 m straight are 1300 m on foot: 975 s.
    assert_eq!((near.arrival, near.wait_s, near.stay_s), (at(9, 16, 15), 825, 600));
    assert_eq!((near.departure, near.position), (at(9, 40, 0), 1));
    assert_eq!(near.opening, OpeningState::OpensAt { at: at(9, 30, 0) });
    assert!(!near.is_closed_on_arrival && !near.closes_during_stay);
    assert_eq!((far.arrival, far.stay_s, far.departure), (at(9, 56, 15), 1800, at(10, 26, 15)));
    assert_eq!((far.cumulative_distance_m, far.cumulative_duration_s), (2600, 3375));
    assert_eq!(far.opening, OpeningState::Unknown);
    assert_eq!(itinerary.return_leg, Some(ReturnLeg { leg: ride, arrival: at(10, 36, 15) }));
    let totals = Totals {
        distance_m: 5100,
        travel_s: 2550,
        wait_s: 825,
        stay_s: 2400,
        duration_s: 5775,
        end: at(10, 36, 15),
        closed_on_arrival: 0,
        to_check: 0,
        is_estimate: true,
    };
    assert_eq!((itinerary.totals, itinerary.order), (totals, OrderOrigin::Best));
}

#[test]
fn hours_decide_the_order_and_closed_points_are_flagged() {
    let itinerary = planned(
        &trip(vec![
            stop("evening", 100.0, 0.0, Some("17:00-23:00")),
            stop("morning", 5000.0, 0.0, Some("08:00-10:30")),
            stop("shut", 200.0, 0.0, Some("Mo off")),
            stop("odd", 300.0, 0.0, Some("ask the priest")),
        ]),
        &Choice::default(),
    );
    let visit = |id: &str| itinerary.visits.iter().find(|visit| visit.id == id).unwrap();
    assert_eq!((itinerary.visits[0].id.as_str(), itinerary.visits[3].id.as_str()), ("morning", "evening"));
    assert!(visit("shut").is_closed_on_arrival && !visit("evening").is_closed_on_arrival);
    assert!(visit("evening").wait_s > 0);
    assert_eq!(visit("odd").opening, OpeningState::Check { reason: CheckReason::Unreadable });
    assert_eq!(visit("odd").opening_hours.as_deref(), Some("ask the priest"));
    assert_eq!((itinerary.totals.closed_on_arrival, itinerary.totals.to_check), (1, 1));
}

#[test]
fn a_point_that_closes_before_the_stay_ends_is_flagged() {
    let closing = Stop { stay_minutes: Some(90), ..stop("closing", 100.0, 0.0, Some("08:00-10:00")) };
    let itinerary = planned(&trip(vec![closing]), &Choice::default());
    assert!(itinerary.visits[0].closes_during_stay && !itinerary.visits[0].is_closed_on_arrival);
}

#[test]
fn around_the_new_year_known_hours_hold_and_are_to_be_checked() {
    let always = stop("always", 200.0, 0.0, Some("24/7"));
    let mut trip = trip(vec![stop("shrine", 100.0, 0.0, Some("10:00-18:00")), always]);
    trip.departure = date(2026, 12, 31).at(9, 50, 0, 0);
    let itinerary = planned(&trip, &Choice { order: Some(vec!["shrine".to_owned()]), ..Choice::default() });
    let openings: Vec<_> =
        itinerary.visits.iter().map(|visit| (visit.opening.clone(), visit.check)).collect();
    let opens = OpeningState::OpensAt { at: date(2026, 12, 31).at(10, 0, 0, 0) };
    let open = OpeningState::Open { until: None };
    assert_eq!(openings, [(opens, Some(CheckReason::NewYear)), (open, None)]);
    assert_eq!((itinerary.visits[0].wait_s, itinerary.totals.to_check), (502, 1));
}

/// Three points on a line, 2 km apart, and a ride to the second that leaves at nine.
fn with_ride(returns: bool) -> (Trip, Ride) {
    let stops = (1..).zip(["a", "b", "c"]).map(|(at, id)| stop(id, f64::from(at) * 2000.0, 0.0, None));
    let trip = Trip { returns_to_start: returns, ..trip(stops.collect()) };
    let leg = Leg {
        mode: TravelMode::Transit,
        distance_m: 4000,
        duration_s: 300,
        is_estimate: false,
        instructions: Some("Line 3 from A to B".to_owned()),
    };
    let ride = Ride { from: 0, to: 2, departure: Some(trip.departure), leg: Some(leg) };
    (trip, ride)
}

#[test]
fn a_ride_is_taken_on_its_way_and_does_not_choose_the_order() {
    let (trip, ride) = with_ride(false);
    let legs = trip.legs(&[]).with_rides(std::slice::from_ref(&ride));
    let first = plan(&trip, &legs, &Choice::default()).unwrap();
    assert_eq!((ids(&first), first.order), (vec!["a", "b", "c"], OrderOrigin::Best));
    let order = ["b", "a", "c"].map(str::to_owned).to_vec();
    let changed = plan(&trip, &legs, &Choice { order: Some(order), ..Choice::default() }).unwrap();
    assert_eq!(Some(&changed.visits[0].leg), ride.leg.as_ref());
    assert_eq!(changed.visits[1].leg.mode, TravelMode::Walking);
}

#[test]
fn an_order_whose_way_a_ride_shortens_is_not_called_the_best() {
    let (trip, ride) = with_ride(true);
    for (from, to, origin) in
        [(0, 1, OrderOrigin::Good), (3, 0, OrderOrigin::Good), (0, 3, OrderOrigin::Best)]
    {
        let legs = trip.legs(&[]).with_rides(&[Ride { from, to, ..ride.clone() }]);
        let fixed = [("a".to_owned(), 1), ("b".to_owned(), 2)].into();
        let itinerary = plan(&trip, &legs, &Choice { fixed, ..Choice::default() }).unwrap();
        assert_eq!(itinerary.order, origin, "{from} to {to}");
    }
}

#[test]
fn a_ride_for_another_time_is_an_estimate_and_a_slow_or_unknown_one_is_not_taken() {
    let (mut trip, ride) = with_ride(false);
    let order = Choice { order: Some(vec!["b".to_owned()]), ..Choice::default() };
    let leg = |trip: &Trip, ride: &Ride| {
        let legs = trip.legs(&[]).with_rides(std::slice::from_ref(ride));
        plan(trip, &legs, &order).unwrap().visits.swap_remove(0).leg
    };
    let slow = Leg { duration_s: 20_000, ..ride.leg.clone().unwrap() };
    for unknown in [Some(slow), None] {
        assert_eq!(leg(&trip, &Ride { leg: unknown, ..ride.clone() }).mode, TravelMode::Walking);
    }
    assert!(leg(&trip, &Ride { departure: None, ..ride.clone() }).is_estimate);
    trip.departure = date(2026, 11, 25).at(9, 1, 0, 0);
    let later = leg(&trip, &ride);
    assert_eq!((later.is_estimate, later.duration_s), (true, 300));
    assert_eq!(later.instructions.as_deref(), Some("Line 3 from A to B"));
}

#[test]
fn times_after_the_first_day_are_told_with_their_day_and_the_calendar_may_end() {
    let mut trip = trip(vec![stop("far", 2000.0, 0.0, Some("10:00-18:00"))]);
    trip.departure = date(2026, 12, 5).at(23, 30, 0, 0);
    let itinerary = planned(&trip, &Choice::default());
    let clocks = [itinerary.departure, itinerary.visits[0].arrival].map(|time| itinerary.clock(time));
    assert_eq!(clocks, ["23:30", "12-06 00:02"]);
    trip.departure = date(9999, 12, 31).at(23, 30, 0, 0);
    let last = planned(&trip, &Choice::default());
    assert_eq!((last.totals.end, last.totals.travel_s), (jiff::civil::DateTime::MAX, 1950));
}

#[test]
fn points_that_are_nowhere_are_left_out_and_equal_points_follow_each_other() {
    let missing = Stop { coordinates: None, ..stop("missing", 0.0, 0.0, None) };
    let stops = vec![
        nowhere("nan", f64::NAN),
        stop("one", 500.0, 0.0, None),
        stop("between", 250.0, 100.0, None),
        stop("same", 500.0, 0.0, None),
        nowhere("high", 91.0),
        missing,
    ];
    let itinerary = planned(&trip(stops), &Choice::default());
    assert_eq!((itinerary.visits.len(), itinerary.visits[0].id.as_str()), (3, "between"));
    assert_eq!(itinerary.visits[2].leg.distance_m, 0);
    let left_out: Vec<_> = itinerary.left_out.iter().map(|left| (left.id.as_str(), left.reason)).collect();
    let nowhere = LeftOutReason::NoPosition;
    assert_eq!(left_out, [("nan", nowhere), ("high", nowhere), ("missing", nowhere)]);
    let text = serde_json::to_string(&itinerary).unwrap();
    assert_eq!(serde_json::from_str::<Itinerary>(&text).unwrap(), itinerary);
}

#[test]
fn nothing_and_one_point_are_trips() {
    let mut none = trip(Vec::new());
    none.returns_to_start = true;
    let itinerary = planned(&none, &Choice::default());
    assert_eq!((itinerary.visits.len(), itinerary.return_leg, itinerary.totals.duration_s), (0, None, 0));
    assert_eq!(ids(&planned(&trip(vec![stop("one", 1.0, 1.0, None)]), &Choice::default())), ["one"]);
}

#[test]
fn the_date_line_is_no_border() {
    let at = |id: &str, longitude| Stop {
        coordinates: Some(Coordinates { latitude: 0.0, longitude }),
        ..stop(id, 0.0, 0.0, None)
    };
    // At sea between Fiji and Samoa.
    let mut trip = trip(vec![at("west", 179.99), at("east", -179.98), at("line", 180.0)]);
    trip.start = at("ship", 179.98);
    let itinerary = planned(&trip, &Choice::default());
    assert_eq!(ids(&itinerary), ["west", "line", "east"]);
    assert!(itinerary.totals.distance_m < 6000, "{}", itinerary.totals.distance_m);
}

#[test]
fn two_hundred_points_with_hours_have_an_itinerary() {
    let stops = (0..200).map(|n| {
        let hours = ["10:00-18:00", "Mo-Fr 09:00-17:00; PH off", "??"].get(n % 4).copied();
        stop(&n.to_string(), (n * 37 % 100) as f64 * 50.0, (n * 59 % 100) as f64 * 50.0, hours)
    });
    let itinerary = planned(&trip(stops.collect()), &Choice::default());
    assert_eq!((itinerary.visits.len(), itinerary.order), (200, OrderOrigin::Good));
}

#[test]
fn legs_of_any_length_do_not_overflow() {
    let leg = Leg {
        mode: TravelMode::Driving,
        distance_m: u32::MAX,
        duration_s: u32::MAX,
        is_estimate: false,
        instructions: None,
    };
    let trip = trip(vec![stop("a", 1.0, 0.0, None), stop("b", 2.0, 0.0, Some("10:00-11:00"))]);
    let itinerary =
        plan(&trip, &Legs::from_rows(vec![vec![Some(leg); 3]; 3]).unwrap(), &Choice::default()).unwrap();
    assert_eq!((itinerary.totals.distance_m, itinerary.totals.duration_s), (u32::MAX, u32::MAX));
    assert_eq!(itinerary.visits[0].leg.mode, TravelMode::Driving, "a given matrix is taken as it is");
}

#[test]
fn what_cannot_be_planned_is_refused_with_its_reason() {
    let message = |trip: &Trip, legs: &Legs| plan(trip, legs, &Choice::default()).unwrap_err().message;
    let twice = trip(vec![stop("a", 1.0, 0.0, None), stop("a", 2.0, 0.0, None)]);
    assert!(message(&twice, &twice.legs(&[])).contains("have the id `a`"));
    let mut lost = trip(vec![stop("a", 1.0, 0.0, None)]);
    lost.start = nowhere("ghost", f64::INFINITY);
    assert!(message(&lost, &lost.legs(&[])).contains("The start `GHOST` has no position"));
    let one = trip(vec![stop("a", 1.0, 0.0, None)]);
    assert!(message(&one, &twice.legs(&[])).contains("3 points, but the trip has 2"));
    let unknown = Legs::from_rows(vec![vec![None; 2]; 2]).unwrap();
    assert!(message(&one, &unknown).contains("from `station` to `a`"));
    let many = trip((0..=MOST_POINTS).map(|n| stop(&n.to_string(), 0.0, 0.0, None)).collect());
    assert!(message(&many, &one.legs(&[])).contains("more than the 400"));
}

#[test]
fn a_choice_outlives_points_that_come_and_go() {
    let choice = Choice {
        order: Some(vec!["gone".to_owned(), "b".to_owned(), "b".to_owned()]),
        fixed: [("gone".to_owned(), 1), ("c".to_owned(), 9)].into(),
        dropped: ["gone".to_owned()].into(),
    };
    let stops = ["a", "b", "c", "d"].map(|id| stop(id, 1.0, 0.0, None)).to_vec();
    let itinerary = planned(&trip(stops), &choice);
    assert_eq!((ids(&itinerary), itinerary.order), (vec!["b", "a", "d", "c"], OrderOrigin::Person));
}

/// A handful of stops with and without hours.
fn some_stops() -> impl Strategy<Value = Vec<Stop>> {
    let hours = ["10:00-18:00", "09:00-11:00,13:00-14:00", "18:00-02:00", "off", "??", "Th 10:00-12:00"];
    let one = (
        -4000.0..4000.0_f64,
        -4000.0..4000.0_f64,
        proptest::option::of(proptest::sample::select(hours.to_vec())),
    );
    proptest::collection::vec(one, 0..7).prop_map(|stops| {
        let numbered = stops.into_iter().enumerate();
        numbered.map(|(n, (north, east, hours))| stop(&n.to_string(), north, east, hours)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The order is chosen by windows in seconds, the times follow from the hours themselves.
    #[test]
    fn no_other_order_of_the_person_is_better_than_the_one_that_was_found(
        stops in some_stops(), seeds in proptest::collection::vec(any::<prop::sample::Index>(), 7), returns: bool
    ) {
        let mut trip = trip(stops);
        trip.returns_to_start = returns;
        let found = planned(&trip, &Choice::default());
        let mut order: Vec<String> = trip.stops.iter().map(|stop| stop.id.clone()).collect();
        for (at, seed) in (1..order.len()).zip(seeds) {
            order.swap(at, seed.index(at + 1));
        }
        let other = planned(&trip, &change(&found, &Operation::Reorder { ids: order }).unwrap());
        let worth = |totals: &Totals| (totals.closed_on_arrival, totals.end, totals.travel_s);
        prop_assert!(worth(&found.totals) <= worth(&other.totals));
        let sum = other.totals.travel_s + other.totals.wait_s + other.totals.stay_s;
        prop_assert_eq!(other.totals.duration_s, sum);
    }
}

#[test]
fn the_shapes_have_schemas_in_which_times_are_texts() {
    let schema = schemars::schema_for!(Itinerary).to_value();
    assert_eq!(schema["properties"]["departure"]["type"], "string");
    assert_eq!(schema["$defs"]["Visit"]["properties"]["arrival"]["type"], "string");
    let operation = schemars::schema_for!(Operation).to_value();
    assert_eq!(operation["oneOf"].as_array().map(Vec::len), Some(6));
}
