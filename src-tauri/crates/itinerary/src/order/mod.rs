//! The order in which points are visited.
//!
//! Without hours the total duration is minimal: proven up to [`MOST_EXACT`] points, beyond them no move improves it.
//! With hours ([`TimedTour`]) the order is optimal up to [`MOST_EXACT_TIMED`] points, beyond them a good one.

mod exact;
mod improve;
mod moves;
mod timed;

pub use exact::MOST_EXACT;
pub use moves::Move;
pub use timed::{MOST_EXACT_TIMED, TimedTour, Timetable, Visited, order_in_windows};

/// A start and points to order. Point 0 is the start, the others have the numbers 1 to `count - 1`; all functions on
/// points and orders use these numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tour {
    count: usize,
    durations_s: Vec<u32>,
    returns_to_start: bool,
    slots: Vec<Option<usize>>,
}

/// An order of the points of a tour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundOrder {
    /// The points in order, without the start.
    pub order: Vec<usize>,
    /// Whether it is optimal; otherwise it is the best that was found.
    pub is_proven: bool,
}

impl Tour {
    /// A tour of `count` points, the start included, without fixed points.
    /// `duration_s` gives the seconds from one to another.
    pub fn new(count: usize, returns_to_start: bool, duration_s: impl Fn(usize, usize) -> u32) -> Tour {
        let durations_s = (0..count * count).map(|index| duration_s(index / count, index % count)).collect();
        Tour { count, durations_s, returns_to_start, slots: vec![None; count.saturating_sub(1)] }
    }

    /// The tour with points at fixed positions: pairs of a position, counted from 1, and a point. If several points
    /// have one position, the first gets it. A position that is taken or beyond the last becomes the nearest free one.
    #[must_use]
    pub fn with_fixed(mut self, fixed: &[(usize, usize)]) -> Tour {
        self.slots = slots(self.count.saturating_sub(1), fixed);
        self
    }

    /// How many points have to be ordered, the start not included.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is nothing to order.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Whether it ends at the start.
    pub fn returns_to_start(&self) -> bool {
        self.returns_to_start
    }

    /// The seconds from one point to another.
    pub fn leg_s(&self, from: usize, to: usize) -> u32 {
        self.durations_s[from * self.count + to]
    }

    /// The seconds of all legs in this order.
    pub fn duration_s(&self, order: &[usize]) -> u64 {
        let mut total = 0;
        let mut last = 0;
        for &point in order {
            total += u64::from(self.leg_s(last, point));
            last = point;
        }
        total + self.return_s(last)
    }

    /// The seconds from the last point back to the start, if the tour returns.
    pub(crate) fn return_s(&self, last: usize) -> u64 {
        if self.returns_to_start && last != 0 { u64::from(self.leg_s(last, 0)) } else { 0 }
    }

    /// Whether the order has every point once, the fixed ones at their positions.
    pub fn is_allowed(&self, order: &[usize]) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        let mut slots = self.slots.iter().zip(order);
        sorted.into_iter().eq(1..self.count.max(1))
            && slots.all(|(slot, point)| slot.is_none_or(|fixed| fixed == *point))
    }

    /// Which points are at a fixed position, by their numbers.
    fn is_fixed(&self) -> Vec<bool> {
        let mut is_fixed = vec![false; self.count];
        self.slots.iter().flatten().for_each(|point| is_fixed[*point] = true);
        is_fixed
    }

    /// The free points in this order around the fixed ones.
    fn around_fixed(&self, free: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut free = free.into_iter();
        self.slots.iter().filter_map(|slot| slot.or_else(|| free.next())).collect()
    }
}

/// The order of the points with the least total duration.
pub fn shortest_order(tour: &Tour) -> FoundOrder {
    if tour.len() <= MOST_EXACT {
        return FoundOrder { order: exact::shortest(tour), is_proven: true };
    }
    FoundOrder { order: improve::improved(tour, improve::nearest_next(tour)), is_proven: false }
}

/// Which of `len` positions have which fixed points.
fn slots(len: usize, fixed: &[(usize, usize)]) -> Vec<Option<usize>> {
    let mut slots: Vec<Option<usize>> = vec![None; len];
    for &(position, point) in fixed {
        let wanted = position.clamp(1, len.max(1)) - 1;
        if point == 0 || point > len || slots.contains(&Some(point)) {
            continue;
        }
        let free = (0..len).filter(|index| slots[*index].is_none());
        if let Some(index) = free.min_by_key(|index| index.abs_diff(wanted)) {
            slots[index] = Some(point);
        }
    }
    slots
}

/// Inserts points at fixed positions into an order: the others keep their relative order. Points are numbered 1 to
/// `order.len()`.
pub(crate) fn arranged(order: &[usize], fixed: &[(usize, usize)]) -> Vec<usize> {
    let slots = slots(order.len(), fixed);
    let mut free = order.iter().copied().filter(|point| !slots.contains(&Some(*point)));
    slots.iter().filter_map(|slot| slot.or_else(|| free.next())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_beyond_the_last_position_take_the_nearest_that_is_free() {
        assert_eq!(arranged(&[1, 2, 3, 4], &[(9, 1), (9, 2)]), [3, 4, 2, 1]);
        assert_eq!(arranged(&[1, 2, 3, 4], &[(2, 4), (2, 3)]), [3, 4, 1, 2]);
        assert_eq!(arranged(&[3, 1, 2], &[(0, 2), (1, 7), (2, 0)]), [2, 3, 1]);
        assert_eq!(arranged(&[], &[(1, 1)]), Vec::<usize>::new());
    }

    #[test]
    fn nothing_and_one_point_have_an_order() {
        for count in 0..2 {
            assert_eq!(shortest_order(&Tour::new(count, true, |_, _| 7)).order, Vec::<usize>::new());
        }
        assert_eq!(Tour::new(0, true, |_, _| 7).duration_s(&[]), 0);
        let one = Tour::new(2, true, |_, _| u32::MAX);
        assert_eq!(shortest_order(&one), FoundOrder { order: vec![1], is_proven: true });
        assert_eq!(one.duration_s(&[1]), 2 * u64::from(u32::MAX));
    }
}
