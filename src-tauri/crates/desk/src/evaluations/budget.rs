//! The money of an evaluation, shared by the runs that work at the same time.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The money of an evaluation in US dollars.
pub(super) struct Budget {
    /// `None`: no limit.
    most: Option<f64>,
    /// Most runs at once.
    at_once: u32,
    state: Mutex<BudgetState>,
}

#[derive(Default)]
struct BudgetState {
    spent: f64,
    reserved: f64,
    running: u32,
}

/// The share of one run, which is given back when it is dropped.
pub(super) struct Reservation<'a> {
    budget: &'a Budget,
    /// Most money that the run may spend; `None`: no limit.
    pub(super) share: Option<f64>,
}

impl Budget {
    pub(super) fn new(most: Option<f64>, spent: f64, at_once: u32) -> Budget {
        Budget { most, at_once, state: Mutex::new(BudgetState { spent, ..BudgetState::default() }) }
    }

    /// A share of what is left: runs at the same time never spend more than all of it. `None` when nothing is left.
    pub(super) fn reserve(&self) -> Option<Reservation<'_>> {
        let mut state = self.state();
        let share = match self.most {
            None => None,
            Some(most) => {
                let free = self.at_once.saturating_sub(state.running).max(1);
                let share = (most - state.spent - state.reserved) / f64::from(free);
                if share <= 0.0 {
                    return None;
                }
                Some(share)
            }
        };
        state.running += 1;
        state.reserved += share.unwrap_or_default();
        Some(Reservation { budget: self, share })
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// Counts what the run spent.
    pub(super) fn settle(self, spent: f64) {
        self.budget.state().spent += spent;
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut state = self.budget.state();
        state.running = state.running.saturating_sub(1);
        state.reserved -= self.share.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn runs_at_the_same_time_share_what_is_left() {
        let budget = Budget::new(Some(1.0), 0.2, 2);
        let one = budget.reserve().unwrap();
        let other = budget.reserve().unwrap();
        assert_eq!((one.share, other.share), (Some(0.4), Some(0.4)));
        one.settle(0.1);
        let next = budget.reserve().unwrap();
        assert!((next.share.unwrap() - 0.3).abs() < 1e-9, "what is spent and what is reserved is taken off");
        next.settle(0.3);
        other.settle(0.4);
        assert!(budget.reserve().is_none());
        assert_eq!(Budget::new(None, 9.0, 1).reserve().unwrap().share, None);
    }
}
