//! Orders with hours: the best up to eight points, beyond them a good one.

use std::ops::Range;

use itinerary::order::{MOST_EXACT_TIMED, TimedTour, Timetable, Tour, order_in_windows};
use proptest::prelude::*;

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// The cost of an order, implemented independently of the program.
fn worth(timed: &TimedTour, order: &[usize]) -> (u32, u64, u64) {
    let (mut now, mut closed, mut travel, mut last) = (timed.departure_s, 0, 0, 0);
    for &point in order {
        let leg = u64::from(timed.tour.leg_s(last, point));
        now += leg;
        travel += leg;
        if let Some(windows) = &timed.windows[point] {
            let is_open = windows.iter().any(|window| window.contains(&now));
            let today = now / DAY * DAY..(now / DAY + 1) * DAY;
            let openings = windows.iter().map(|window| window.start);
            match openings.filter(|opening| *opening > now && today.contains(opening)).min() {
                _ if is_open => {}
                Some(opening) => now = opening,
                None => closed += 1,
            }
        }
        now += u64::from(timed.stays_s[point]);
        last = point;
    }
    if timed.tour.returns_to_start() {
        now += u64::from(timed.tour.leg_s(last, 0));
        travel += u64::from(timed.tour.leg_s(last, 0));
    }
    (closed, now, travel)
}

fn fields(timetable: Timetable) -> (u32, u64, u64) {
    (timetable.closed, timetable.end_s, timetable.travel_s)
}

fn best_of_all(timed: &TimedTour, fixed: &[(usize, usize)]) -> (u32, u64, u64) {
    fn go_on(
        timed: &TimedTour,
        fixed: &[(usize, usize)],
        order: &mut Vec<usize>,
        best: &mut (u32, u64, u64),
    ) {
        if order.len() == timed.tour.len() {
            *best = (*best).min(worth(timed, order));
        }
        for point in 1..=timed.tour.len() {
            let position = order.len() + 1;
            let fits = fixed.iter().all(|(at, fixed)| (*at == position) == (*fixed == point));
            if fits && !order.contains(&point) {
                order.push(point);
                go_on(timed, fixed, order, best);
                order.pop();
            }
        }
    }
    let mut best = (u32::MAX, 0, 0);
    go_on(timed, fixed, &mut Vec::new(), &mut best);
    best
}

/// Disjoint ranges in order.
fn windows() -> impl Strategy<Value = Option<Vec<Range<u64>>>> {
    let edges = proptest::collection::btree_set(0..48 * HOUR / 600, 0..6);
    let windows = edges.prop_map(|edges| {
        let edges: Vec<u64> = edges.into_iter().map(|edge| edge * 600).collect();
        edges.chunks_exact(2).map(|pair| pair[0]..pair[1]).collect()
    });
    proptest::option::weighted(0.8, windows)
}

fn timed(most_points: usize) -> impl Strategy<Value = TimedTour> {
    (1..=most_points, any::<bool>()).prop_flat_map(|(points, returns)| {
        let count = points + 1;
        (
            proptest::collection::vec(0..5000_u32, count * count),
            proptest::collection::vec(0..7200_u32, count),
            proptest::collection::vec(windows(), count),
            6 * HOUR..14 * HOUR,
        )
            .prop_map(move |(legs, stays_s, windows, departure_s)| TimedTour {
                tour: Tour::new(count, returns, |from, to| legs[from * count + to]),
                departure_s,
                stays_s,
                windows,
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn up_to_six_points_no_order_is_better(timed in timed(6), first in 1..7_usize, position in 0..7_usize) {
        let points = timed.tour.len();
        let is_fixed = position > 0 && position <= points && first <= points;
        let fixed = if is_fixed { vec![(position, first)] } else { Vec::new() };
        let timed = TimedTour { tour: timed.tour.clone().with_fixed(&fixed), ..timed };
        let found = order_in_windows(&timed);
        prop_assert!(found.is_proven && timed.tour.is_allowed(&found.order));
        prop_assert_eq!(fields(timed.timetable(&found.order)), worth(&timed, &found.order));
        prop_assert_eq!(worth(&timed, &found.order), best_of_all(&timed, &fixed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn up_to_eight_points_no_order_is_better(timed in timed(MOST_EXACT_TIMED)) {
        let found = order_in_windows(&timed);
        prop_assert_eq!(worth(&timed, &found.order), best_of_all(&timed, &[]));
    }
}

/// Opens each point only around the time at which this order reaches it.
fn with_narrow_windows(timed: &TimedTour, order: &[usize], width: u64) -> TimedTour {
    let mut timed = TimedTour { windows: vec![None; timed.windows.len()], ..timed.clone() };
    let mut now = timed.departure_s;
    let mut last = 0;
    for &point in order {
        now += u64::from(timed.tour.leg_s(last, point));
        let from = now / DAY * DAY;
        timed.windows[point] = Some(std::iter::once(now.saturating_sub(width).max(from)..now + 1).collect());
        now += u64::from(timed.stays_s[point]);
        last = point;
    }
    timed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn up_to_eight_points_an_order_without_closed_points_is_found_where_there_is_one(
        timed in timed(MOST_EXACT_TIMED), order in Just((1..=8_usize).collect::<Vec<_>>()).prop_shuffle(),
        width in 0..7200_u64
    ) {
        let order: Vec<usize> = order.into_iter().filter(|point| *point <= timed.tour.len()).collect();
        let timed = with_narrow_windows(&timed, &order, width);
        prop_assert_eq!(worth(&timed, &order).0, 0);
        prop_assert_eq!(worth(&timed, &order_in_windows(&timed).order).0, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn beyond_eight_points_the_order_is_no_worse_than_the_shortest(timed in timed(20)) {
        let shortest = itinerary::order::shortest_order(&timed.tour);
        let found = order_in_windows(&timed);
        prop_assert!(timed.tour.is_allowed(&found.order));
        prop_assert!(worth(&timed, &found.order) <= worth(&timed, &shortest.order));
    }
}

#[test]
fn a_point_that_closes_early_comes_first_and_one_that_opens_late_comes_last() {
    let tour = Tour::new(13, false, |from, to| 600 * from.abs_diff(to) as u32);
    let mut windows = vec![None; 13];
    windows[12] = Some(std::iter::once(8 * HOUR..11 * HOUR + 1).collect());
    windows[1] = Some(std::iter::once(17 * HOUR..22 * HOUR).collect());
    let timed = TimedTour { tour, departure_s: 9 * HOUR, stays_s: vec![1800; 13], windows };
    let found = order_in_windows(&timed);
    assert_eq!((found.order[0], found.order[11], found.is_proven), (12, 1, false));
    assert_eq!(timed.timetable(&found.order).closed, 0);
}

#[test]
fn two_hundred_points_with_hours_have_an_order() {
    let tour = Tour::new(201, true, |from, to| (from * 7919 % 1000).abs_diff(to * 7919 % 1000) as u32);
    let windows =
        (0..201).map(|point| Some(std::iter::once(point * 400..point * 500 + 3600).collect())).collect();
    let timed = TimedTour { tour, departure_s: 9 * HOUR, stays_s: vec![300; 201], windows };
    assert!(timed.tour.is_allowed(&order_in_windows(&timed).order));
}
