//! Orders of points with opening hours: as few closed points as possible, then the earliest end, then the shortest
//! route.

use std::ops::Range;

use super::{FoundOrder, Move, Tour, improve, shortest_order};

/// Most points with a proven best order within hours.
pub const MOST_EXACT_TIMED: usize = 8;

/// Most legs that the search examines for more points, from each initial order; it then uses the best order found.
const MOST_LEGS: usize = 4_000_000;

const DAY_S: u64 = 86_400;

/// A tour whose points have opening hours. Times are seconds from the midnight before the departure.
///
/// On arrival before an opening of the same day, one waits. A point that does not open any more that day counts as
/// closed on arrival but is visited anyway, so that every order has times.
#[derive(Debug, Clone)]
pub struct TimedTour {
    /// The points and the legs.
    pub tour: Tour,
    /// When it begins.
    pub departure_s: u64,
    /// The stay at each point, by its number; that of the start is ignored.
    pub stays_s: Vec<u32>,
    /// The opening hours of each point, by its number: disjoint ranges in order. `None` for a point without known
    /// hours, which is always open.
    pub windows: Vec<Option<Vec<Range<u64>>>>,
}

/// The cost of an order: less is better, compared by fields in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timetable {
    /// The number of points that are closed on arrival.
    pub closed: u32,
    /// When the last point is left, or the start is reached again.
    pub end_s: u64,
    /// The seconds of all legs.
    pub travel_s: u64,
}

/// One visit of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visited {
    /// When the stay begins: on arrival, or at the opening.
    pub begin_s: u64,
    /// Whether the point was closed and did not open that day.
    pub is_closed: bool,
}

impl TimedTour {
    /// The visit of a point on an arrival.
    pub fn visited(&self, point: usize, arrival_s: u64) -> Visited {
        let open = Visited { begin_s: arrival_s, is_closed: false };
        let Some(windows) = self.windows.get(point).and_then(Option::as_ref) else { return open };
        match windows.get(windows.partition_point(|window| window.end <= arrival_s)) {
            Some(window) if window.start <= arrival_s => open,
            Some(window) if window.start / DAY_S == arrival_s / DAY_S => {
                Visited { begin_s: window.start, is_closed: false }
            }
            _ => Visited { begin_s: arrival_s, is_closed: true },
        }
    }

    /// The cost of an order.
    pub fn timetable(&self, order: &[usize]) -> Timetable {
        self.timetable_of(order.iter().copied())
    }

    fn timetable_of(&self, order: impl Iterator<Item = usize>) -> Timetable {
        let begin = (self.begin(), 0);
        let (so_far, last) =
            order.fold(begin, |(so_far, last), point| (self.continued(so_far, last, point), point));
        self.returned(so_far, last)
    }

    fn begin(&self) -> Timetable {
        Timetable { closed: 0, end_s: self.departure_s, travel_s: 0 }
    }

    fn continued(&self, so_far: Timetable, last: usize, point: usize) -> Timetable {
        let leg = u64::from(self.tour.leg_s(last, point));
        let visited = self.visited(point, so_far.end_s + leg);
        Timetable {
            closed: so_far.closed + u32::from(visited.is_closed),
            end_s: visited.begin_s + self.stay_s(point),
            travel_s: so_far.travel_s + leg,
        }
    }

    fn returned(&self, so_far: Timetable, last: usize) -> Timetable {
        let leg = self.tour.return_s(last);
        Timetable { end_s: so_far.end_s + leg, travel_s: so_far.travel_s + leg, ..so_far }
    }

    fn stay_s(&self, point: usize) -> u64 {
        self.stays_s.get(point).copied().map_or(0, u64::from)
    }
}

/// The best order within the hours of the points. Up to [`MOST_EXACT_TIMED`] points it is optimal, and has no closed
/// point if that is possible; beyond them it is the best result of moves from several initial orders, which may miss an
/// order without closed points. Without hours it is [`shortest_order`].
pub fn order_in_windows(timed: &TimedTour) -> FoundOrder {
    let has_windows = timed.windows.iter().skip(1).any(Option::is_some);
    let shortest = shortest_order(&timed.tour);
    if !has_windows {
        return shortest;
    }
    if timed.tour.len() <= MOST_EXACT_TIMED {
        let mut search = Search::new(timed, shortest.order);
        search.go_on(timed.begin(), 0);
        return FoundOrder { order: search.best_order, is_proven: true };
    }
    let first_orders = [shortest.order, by_closing(timed), improve::nearest_next(&timed.tour)];
    let found = first_orders.into_iter().map(|order| improved(timed, order));
    let order = found.min_by_key(|order| timed.timetable(order)).unwrap_or_default();
    FoundOrder { order, is_proven: false }
}

/// A branch-and-bound search through all orders of few points. It abandons a prefix as soon as no completion can beat
/// the best order so far.
struct Search<'a> {
    timed: &'a TimedTour,
    /// Points that are at a fixed position.
    is_fixed: Vec<bool>,
    /// The shortest leg to each point; at 0 the shortest way back, if the tour returns.
    least_into_s: Vec<u64>,
    order: Vec<usize>,
    is_used: Vec<bool>,
    best: Timetable,
    best_order: Vec<usize>,
}

impl<'a> Search<'a> {
    fn new(timed: &'a TimedTour, first_order: Vec<usize>) -> Search<'a> {
        let tour = &timed.tour;
        let count = tour.len() + 1;
        let least = |to: usize| {
            let legs = (0..count).filter(|from| *from != to).map(|from| u64::from(tour.leg_s(from, to)));
            legs.min().unwrap_or(0)
        };
        let mut least_into_s: Vec<u64> = (0..count).map(least).collect();
        if !tour.returns_to_start() {
            least_into_s[0] = 0;
        }
        Search {
            timed,
            is_fixed: tour.is_fixed(),
            least_into_s,
            order: Vec::with_capacity(count),
            is_used: vec![false; count],
            best: timed.timetable(&first_order),
            best_order: first_order,
        }
    }

    fn go_on(&mut self, so_far: Timetable, last: usize) {
        let timed = self.timed;
        let position = self.order.len();
        if position == timed.tour.len() {
            let whole = timed.returned(so_far, last);
            if whole < self.best {
                self.best = whole;
                self.best_order = self.order.clone();
            }
            return;
        }
        if self.bound(so_far) >= self.best {
            return;
        }
        let mut next: Vec<usize> = match timed.tour.slots[position] {
            Some(fixed) => vec![fixed],
            None => (1..self.is_used.len()).filter(|at| !self.is_used[*at] && !self.is_fixed[*at]).collect(),
        };
        // Near points first: an early good order prunes more.
        next.sort_by_key(|point| timed.tour.leg_s(last, *point));
        for point in next {
            self.order.push(point);
            self.is_used[point] = true;
            self.go_on(timed.continued(so_far, last, point), point);
            self.is_used[point] = false;
            self.order.pop();
        }
    }

    /// A lower bound of the cost with this prefix: each remaining point takes its stay and its shortest leg, and is
    /// closed if its last opening has passed.
    fn bound(&self, so_far: Timetable) -> Timetable {
        let mut bound = so_far;
        bound.end_s += self.least_into_s[0];
        bound.travel_s += self.least_into_s[0];
        for point in (1..self.is_used.len()).filter(|point| !self.is_used[*point]) {
            bound.end_s += self.least_into_s[point] + self.timed.stay_s(point);
            bound.travel_s += self.least_into_s[point];
            let windows = self.timed.windows.get(point).and_then(Option::as_ref);
            let last_open = windows.map(|windows| windows.last().map_or(0, |window| window.end));
            bound.closed += u32::from(last_open.is_some_and(|end| end <= so_far.end_s));
        }
        bound
    }
}

/// The order of closing times; points without hours come last.
fn by_closing(timed: &TimedTour) -> Vec<usize> {
    let tour = &timed.tour;
    let is_fixed = tour.is_fixed();
    let closing = |point: &usize| {
        let windows = timed.windows.get(*point).and_then(Option::as_ref);
        windows.map_or(u64::MAX, |windows| {
            windows.iter().find(|window| window.end > timed.departure_s).map_or(0, |window| window.end)
        })
    };
    let mut free: Vec<usize> = (1..=tour.len()).filter(|point| !is_fixed[*point]).collect();
    free.sort_by_key(closing);
    tour.around_fixed(free)
}

/// The order after improving moves, until none improves it or [`MOST_LEGS`] legs were examined.
fn improved(timed: &TimedTour, mut order: Vec<usize>) -> Vec<usize> {
    let mut best = timed.timetable(&order);
    let mut left = MOST_LEGS / order.len().max(1);
    loop {
        let mut is_improved = false;
        for change in Move::all(order.len()) {
            if left == 0 {
                return order;
            }
            left -= 1;
            if !change.keeps_fixed(&timed.tour, &order) {
                continue;
            }
            let timetable = timed.timetable_of((0..order.len()).map(|index| change.point_at(&order, index)));
            if timetable < best {
                order = change.applied(&order);
                (best, is_improved) = (timetable, true);
            }
        }
        if !is_improved {
            return order;
        }
    }
}
