//! Orders without hours: the shortest up to twelve points, beyond them one that no move improves.

use itinerary::order::{MOST_EXACT, Tour, shortest_order};
use proptest::prelude::*;

/// Durations from a small generator of our own, so that a case is reproducible by its seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Distances of points in a plane.
    Plane,
    /// Any numbers, different in each direction.
    Asymmetric,
    /// Few different numbers, many of them 0, as for equal points.
    Equal,
}

fn tour(kind: Kind, seed: u64, points: usize, returns: bool) -> Tour {
    let count = points + 1;
    let mut numbers = Numbers(seed);
    match kind {
        Kind::Plane => {
            let mut axis = || (0..count).map(|_| numbers.below(10_000) as f64).collect::<Vec<_>>();
            let (x, y) = (axis(), axis());
            Tour::new(count, returns, |from, to| (x[from] - x[to]).hypot(y[from] - y[to]) as u32)
        }
        Kind::Asymmetric | Kind::Equal => {
            let bound = if matches!(kind, Kind::Equal) { 3 } else { 10_000 };
            let legs: Vec<u32> = (0..count * count).map(|_| numbers.below(bound) as u32).collect();
            Tour::new(count, returns, |from, to| legs[from * count + to])
        }
    }
}

/// Some points at fixed positions, as pairs of a position and a point.
fn fixed(seed: u64, points: usize, how_many: usize) -> Vec<(usize, usize)> {
    let mut numbers = Numbers(seed ^ 0x5eed);
    let mut shuffled = || {
        let mut all: Vec<usize> = (1..=points).collect();
        (1..points).rev().for_each(|at| all.swap(at, numbers.below(at as u64 + 1) as usize));
        all
    };
    shuffled().into_iter().zip(shuffled()).take(how_many).collect()
}

/// Tries every order. With `prunes` it skips prefixes that are too long already, or with the shortest legs to all
/// remaining points.
struct Trial<'a> {
    tour: &'a Tour,
    fixed: &'a [(usize, usize)],
    returns: bool,
    prunes: bool,
    least_into: Vec<u64>,
    best: u64,
}

fn least_duration(tour: &Tour, fixed: &[(usize, usize)], prunes: bool) -> u64 {
    let count = tour.len() + 1;
    let least = |to: usize| (0..count).filter(|from| *from != to).map(|from| tour.leg_s(from, to)).min();
    let least_into = (0..count).map(|to| u64::from(least(to).unwrap_or(0))).collect();
    let returns = tour.returns_to_start();
    let mut trial = Trial { tour, fixed, returns, prunes, least_into, best: u64::MAX };
    trial.go_on(&mut Vec::new(), 0, 0);
    trial.best
}

impl Trial<'_> {
    fn go_on(&mut self, order: &mut Vec<usize>, last: usize, so_far: u64) {
        let count = self.tour.len() + 1;
        let left = (1..count).filter(|point| !order.contains(point));
        if order.len() + 1 == count {
            let back = if self.returns { u64::from(self.tour.leg_s(last, 0)) } else { 0 };
            self.best = self.best.min(so_far + back);
            return;
        }
        if self.prunes && so_far + left.clone().map(|point| self.least_into[point]).sum::<u64>() >= self.best
        {
            return;
        }
        let position = order.len() + 1;
        let mut next: Vec<usize> = left
            .filter(|point| self.fixed.iter().all(|(at, fixed)| (*at == position) == (fixed == point)))
            .collect();
        if self.prunes {
            next.sort_by_key(|point| self.tour.leg_s(last, *point));
        }
        for point in next {
            order.push(point);
            self.go_on(order, point, so_far + u64::from(self.tour.leg_s(last, point)));
            order.pop();
        }
    }
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Plane), Just(Kind::Asymmetric), Just(Kind::Equal)]
}

fn assert_shortest(tour: Tour, fixed: &[(usize, usize)], prunes: bool) {
    let tour = tour.with_fixed(fixed);
    let found = shortest_order(&tour);
    assert!(found.is_proven && tour.is_allowed(&found.order), "{found:?}");
    assert!(fixed.iter().all(|(position, point)| found.order[position - 1] == *point), "{found:?} {fixed:?}");
    assert_eq!(tour.duration_s(&found.order), least_duration(&tour, fixed, prunes), "{found:?} {fixed:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn up_to_seven_points_no_order_is_shorter(
        kind in kind(), seed: u64, points in 1..8_usize, returns: bool, how_many in 0..4_usize
    ) {
        let fixed = fixed(seed, points, how_many);
        assert_shortest(tour(kind, seed, points, returns), &fixed, false);
    }
}

#[test]
fn up_to_nine_points_no_order_is_shorter() {
    for kind in [Kind::Plane, Kind::Asymmetric] {
        for returns in [false, true] {
            for (points, how_many) in [(8, 0), (8, 2), (9, 0), (9, 3)] {
                let fixed = fixed(7, points, how_many);
                assert_shortest(tour(kind, points as u64, points, returns), &fixed, false);
            }
        }
    }
}

#[test]
fn up_to_twelve_points_a_search_with_bounds_finds_no_shorter_order() {
    for points in 10..=MOST_EXACT {
        for (kind, seed) in [(Kind::Plane, 1), (Kind::Asymmetric, 2), (Kind::Equal, 3)] {
            for returns in [false, true] {
                for how_many in [0, 2] {
                    let fixed = fixed(seed, points, how_many);
                    assert_shortest(tour(kind, seed, points, returns), &fixed, true);
                }
            }
        }
    }
}

/// Every 2-opt and Or-opt move of an order, implemented independently of the program.
fn neighbours(order: &[usize], mut tried: impl FnMut(&[usize])) {
    let count = order.len();
    for first in 0..count {
        for last in first + 1..count {
            let mut changed = order.to_vec();
            changed[first..=last].reverse();
            tried(&changed);
        }
    }
    for len in 1..=3 {
        for first in 0..=count - len {
            let part = &order[first..first + len];
            let others: Vec<usize> = order.iter().copied().filter(|point| !part.contains(point)).collect();
            for to in 0..=others.len() {
                for is_reversed in [false, true] {
                    let mut changed = others[..to].to_vec();
                    changed.extend(part);
                    if is_reversed {
                        changed[to..].reverse();
                    }
                    changed.extend(&others[to..]);
                    tried(&changed);
                }
            }
        }
    }
}

fn assert_no_move_improves(tour: &Tour, fixed: &[(usize, usize)]) {
    let found = shortest_order(tour);
    assert!(tour.is_allowed(&found.order) && !found.is_proven);
    let duration = tour.duration_s(&found.order);
    neighbours(&found.order, |changed| {
        if fixed.iter().all(|(position, point)| changed[position - 1] == *point) {
            assert!(tour.duration_s(changed) >= duration, "{:?} to {changed:?}", found.order);
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn beyond_twelve_points_no_move_improves_the_order(
        kind in kind(), seed: u64, points in 13..50_usize, returns: bool, how_many in 0..6_usize
    ) {
        let fixed = fixed(seed, points, how_many);
        assert_no_move_improves(&tour(kind, seed, points, returns).with_fixed(&fixed), &fixed);
    }
}

#[test]
fn no_move_improves_the_order_of_sixty_points() {
    for (kind, returns) in [(Kind::Plane, true), (Kind::Asymmetric, false)] {
        assert_no_move_improves(&tour(kind, 60, 60, returns), &[]);
    }
}

#[test]
fn no_move_improves_the_order_of_two_hundred_points() {
    assert_no_move_improves(&tour(Kind::Asymmetric, 200, 200, true), &[]);
}

#[test]
fn two_hundred_points_of_any_kind_have_an_order() {
    for kind in [Kind::Plane, Kind::Equal] {
        for how_many in [0, 50, 200] {
            let fixed = fixed(1, 200, how_many);
            let tour = tour(kind, 3, 200, true).with_fixed(&fixed);
            assert!(tour.is_allowed(&shortest_order(&tour).order));
        }
    }
    let longest = Tour::new(201, true, |_, _| u32::MAX);
    assert_eq!(longest.duration_s(&shortest_order(&longest).order), 201 * u64::from(u32::MAX));
}

#[test]
fn points_on_a_ring_are_visited_along_it() {
    let on_ring = |point: usize| (point as f64 / 40.0 * std::f64::consts::TAU).sin_cos();
    let tour = Tour::new(40, true, |from, to| {
        let ((a, b), (c, d)) = (on_ring(from * 17 % 40), on_ring(to * 17 % 40));
        ((a - c).hypot(b - d) * 10_000.0) as u32
    });
    let around = 40 * u64::from(tour.leg_s(0, (1..40).min_by_key(|to| tour.leg_s(0, *to)).unwrap()));
    assert_eq!(tour.duration_s(&shortest_order(&tour).order), around);
}
