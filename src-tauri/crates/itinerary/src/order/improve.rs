//! Good orders of many points: nearest neighbour first, then moves until none improves.

use super::{Move, Tour};

/// The nearest neighbour order; fixed points keep their positions.
pub(super) fn nearest_next(tour: &Tour) -> Vec<usize> {
    let mut is_used = tour.is_fixed();
    let mut order = Vec::with_capacity(tour.len());
    let mut last = 0;
    for slot in &tour.slots {
        let free = || (1..tour.count).filter(|point| !is_used[*point]);
        let Some(next) = slot.or_else(|| free().min_by_key(|point| tour.leg_s(last, *point))) else { break };
        is_used[next] = true;
        order.push(next);
        last = next;
    }
    order
}

/// The order after improving moves, until no [`Move`] improves it. Each move saves at least a second, so it terminates.
pub(super) fn improved(tour: &Tour, mut order: Vec<usize>) -> Vec<usize> {
    let mut way = Way::new(tour, &order);
    loop {
        let mut is_improved = false;
        for change in Move::all(order.len()) {
            if way.saved_s(change) > 0 && change.keeps_fixed(tour, &order) {
                order = change.applied(&order);
                way = Way::new(tour, &order);
                is_improved = true;
            }
        }
        if !is_improved {
            return order;
        }
    }
}

/// An order with the start before it (and after it on return), with prefix sums in both directions, so that the saving
/// of a move is known without walking the order.
struct Way<'a> {
    tour: &'a Tour,
    points: Vec<usize>,
    /// Seconds from the first point to each, forward.
    forward: Vec<i64>,
    /// Seconds from each point back to the first.
    backward: Vec<i64>,
}

impl<'a> Way<'a> {
    fn new(tour: &'a Tour, order: &[usize]) -> Way<'a> {
        let mut points = Vec::with_capacity(order.len() + 2);
        points.push(0);
        points.extend_from_slice(order);
        if tour.returns_to_start {
            points.push(0);
        }
        let mut forward = vec![0; points.len()];
        let mut backward = vec![0; points.len()];
        for index in 1..points.len() {
            let (from, to) = (points[index - 1], points[index]);
            forward[index] = forward[index - 1] + i64::from(tour.leg_s(from, to));
            backward[index] = backward[index - 1] + i64::from(tour.leg_s(to, from));
        }
        Way { tour, points, forward, backward }
    }

    /// The seconds between the points at two indexes; 0 after the end of the route.
    fn leg(&self, from: usize, to: usize) -> i64 {
        match self.points.get(to) {
            Some(to) => i64::from(self.tour.leg_s(self.points[from], *to)),
            None => 0,
        }
    }

    /// The seconds within a part of the route, forward or reversed.
    fn within(&self, first: usize, last: usize, is_reversed: bool) -> i64 {
        let sums = if is_reversed { &self.backward } else { &self.forward };
        sums[last] - sums[first]
    }

    /// The seconds that a move saves. The indexes of its order are one less than those of the route.
    fn saved_s(&self, change: Move) -> i64 {
        match change {
            Move::Reverse { first, last } => {
                let (first, last) = (first + 1, last + 1);
                let now =
                    self.leg(first - 1, first) + self.within(first, last, false) + self.leg(last, last + 1);
                let then =
                    self.leg(first - 1, last) + self.within(first, last, true) + self.leg(first, last + 1);
                now - then
            }
            Move::Shift { first, len, to, is_reversed } => {
                let (first, last) = (first + 1, first + len);
                // The index in the route after which the part is inserted.
                let behind = if to < first { to } else { to + len };
                // The first of the other points comes before the part, so `behind` is never within it.
                let (head, tail) = if is_reversed { (last, first) } else { (first, last) };
                let now = self.leg(first - 1, first)
                    + self.within(first, last, false)
                    + self.leg(last, last + 1)
                    + self.leg(behind, behind + 1);
                let then = self.leg(first - 1, last + 1)
                    + self.leg(behind, head)
                    + self.within(first, last, is_reversed)
                    + self.leg(tail, behind + 1);
                now - then
            }
            Move::Exchange { first, second } => {
                let (first, second) = (first + 1, second + 1);
                if second == first + 1 {
                    return self.saved_s(Move::Reverse { first: first - 1, last: second - 1 });
                }
                let around = |at: usize, point: usize| self.leg(at - 1, point) + self.leg(point, at + 1);
                around(first, first) + around(second, second) - around(first, second) - around(second, first)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_a_change_saves_is_the_difference_of_the_durations(
            legs in proptest::collection::vec(0..1000_u32, 81), count in 1..9_usize, returns: bool
        ) {
            let tour = Tour::new(count, returns, |from, to| legs[from * 9 + to]);
            let order: Vec<usize> = (1..count).collect();
            let way = Way::new(&tour, &order);
            for change in Move::all(order.len()) {
                let after = change.applied(&order);
                prop_assert!(tour.is_allowed(&after));
                let saved = tour.duration_s(&order) as i64 - tour.duration_s(&after) as i64;
                prop_assert_eq!(way.saved_s(change), saved, "{:?}", change);
            }
        }
    }
}
