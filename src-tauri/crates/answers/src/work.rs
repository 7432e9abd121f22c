//! The limit of one reading, counted in steps so that it is the same on every machine, and its cancellation.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Fault;

/// Steps per byte of the text; a text that is read once and repaired needs three or four.
const STEPS_PER_BYTE: usize = 24;
const LEAST_STEPS: usize = 50_000;
/// Most attempts to find an answer inside a value that is none.
const MOST_SECOND_LOOKS: usize = 32;
/// Steps between two checks for cancellation.
const LOOK_EVERY: usize = 4096;

pub(crate) struct Work<'s> {
    left: usize,
    until_look: usize,
    second_looks: usize,
    stop: Option<&'s AtomicBool>,
}

impl<'s> Work<'s> {
    pub(crate) fn for_bytes(bytes: usize, stop: Option<&'s AtomicBool>) -> Work<'s> {
        Work {
            left: bytes.saturating_mul(STEPS_PER_BYTE) + LEAST_STEPS,
            until_look: 0,
            second_looks: MOST_SECOND_LOOKS,
            stop,
        }
    }

    /// Whether a value that was read may be examined again.
    pub(crate) fn may_look_again(&mut self) -> bool {
        let may = self.second_looks > 0;
        self.second_looks = self.second_looks.saturating_sub(1);
        may
    }

    /// Counts steps.
    ///
    /// # Errors
    /// [`Fault::Entangled`] if none are left, [`Fault::Stopped`] if the reading was stopped.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(steps).ok_or(Fault::Entangled)?;
        if self.until_look < steps {
            self.until_look = LOOK_EVERY;
            if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Fault::Stopped);
            }
        } else {
            self.until_look -= steps;
        }
        Ok(())
    }
}
