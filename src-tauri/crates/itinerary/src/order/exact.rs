//! The shortest order by the Held–Karp dynamic programme over sets of visited points and their last one.

use super::Tour;

/// Most points with a proven shortest order: 2¹² sets of 12 last points with 12 next ones.
pub const MOST_EXACT: usize = 12;

const UNREACHED: u64 = u64::MAX;

/// The shortest order of at most [`MOST_EXACT`] points.
pub(super) fn shortest(tour: &Tour) -> Vec<usize> {
    let len = tour.len();
    if len == 0 {
        return Vec::new();
    }
    let is_fixed = tour.is_fixed();
    let whole = (1_usize << len) - 1;
    // By set and last point (counted from 0 here): the least duration, and the point before the last.
    let mut least = vec![UNREACHED; (whole + 1) * len];
    let mut before = vec![0_usize; (whole + 1) * len];
    for set in 0..whole {
        // The number of visited points is the index of the next position.
        let position = set.count_ones() as usize;
        for next in (0..len).filter(|next| set & (1 << next) == 0) {
            let is_allowed = match tour.slots[position] {
                Some(fixed) => fixed == next + 1,
                None => !is_fixed[next + 1],
            };
            if !is_allowed {
                continue;
            }
            let into = (set | (1 << next)) * len + next;
            if set == 0 {
                least[into] = u64::from(tour.leg_s(0, next + 1));
                continue;
            }
            for last in (0..len).filter(|last| set & (1 << last) != 0) {
                let so_far = least[set * len + last];
                if so_far == UNREACHED {
                    continue;
                }
                let duration = so_far + u64::from(tour.leg_s(last + 1, next + 1));
                if duration < least[into] {
                    least[into] = duration;
                    before[into] = last;
                }
            }
        }
    }
    let end = |last: &usize| least[whole * len + last].saturating_add(tour.return_s(last + 1));
    let mut last = (0..len).min_by_key(end).unwrap_or(0);
    let mut set = whole;
    let mut order = Vec::with_capacity(len);
    while set != 0 {
        order.push(last + 1);
        let came_from = before[set * len + last];
        set &= !(1 << last);
        last = came_from;
    }
    order.reverse();
    order
}
