//! The moves that improve an order.

use super::Tour;

/// A move. Indexes are those of the order, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Move {
    /// 2-opt: the points from one index to another, both included, in reverse.
    Reverse {
        /// The first index.
        first: usize,
        /// The last index, after the first.
        last: usize,
    },
    /// Or-opt: one to three consecutive points move elsewhere.
    Shift {
        /// The index of the first of them.
        first: usize,
        /// The number of points.
        len: usize,
        /// The index of the first of them afterwards.
        to: usize,
        /// Whether they are reversed.
        is_reversed: bool,
    },
    /// Swaps two points: the only move across fixed points.
    Exchange {
        /// The index of the one.
        first: usize,
        /// The index of the other, after the first.
        second: usize,
    },
}

impl Move {
    /// The point at an index after the move.
    pub(super) fn point_at(self, order: &[usize], index: usize) -> usize {
        order[match self {
            Move::Reverse { first, last } if (first..=last).contains(&index) => first + last - index,
            Move::Shift { first, len, to, is_reversed: true } if (to..to + len).contains(&index) => {
                first + (to + len - 1 - index)
            }
            Move::Shift { first, len, to, .. } if (to..to + len).contains(&index) => first + (index - to),
            Move::Shift { first, len, to, .. } => {
                let among_others = if index < to { index } else { index - len };
                if among_others < first { among_others } else { among_others + len }
            }
            Move::Exchange { first, second } if index == first => second,
            Move::Exchange { first, second } if index == second => first,
            _ => index,
        }]
    }

    /// The order after the move.
    pub fn applied(self, order: &[usize]) -> Vec<usize> {
        (0..order.len()).map(|index| self.point_at(order, index)).collect()
    }

    /// Whether the fixed points keep their positions.
    pub(super) fn keeps_fixed(self, tour: &Tour, order: &[usize]) -> bool {
        // Nothing changes outside of these indexes.
        let (from, to) = match self {
            Move::Reverse { first, last } => (first, last),
            Move::Shift { first, len, to, .. } => (first.min(to), first.max(to) + len - 1),
            Move::Exchange { first, second } => (first, second),
        };
        let mut slots = tour.slots[from..=to].iter().zip(from..);
        slots.all(|(slot, index)| slot.is_none_or(|fixed| fixed == self.point_at(order, index)))
    }

    /// All moves of an order with this many points.
    pub(super) fn all(len: usize) -> impl Iterator<Item = Move> {
        let pairs =
            move || (0..len).flat_map(move |first| (first + 1..len).map(move |second| (first, second)));
        let reverses = pairs().map(|(first, last)| Move::Reverse { first, last });
        let exchanges = pairs().map(|(first, second)| Move::Exchange { first, second });
        let parts = (1..=3.min(len)).flat_map(move |part| (0..=len - part).map(move |first| (part, first)));
        let shifts = parts.flat_map(move |(part, first)| {
            let targets = (0..=len - part).filter(move |to| *to != first);
            // A single point is the same in reverse.
            targets.flat_map(move |to| {
                let ways = if part == 1 { &[false][..] } else { &[false, true][..] };
                ways.iter().map(move |&is_reversed| Move::Shift { first, len: part, to, is_reversed })
            })
        });
        reverses.chain(shifts).chain(exchanges)
    }
}
