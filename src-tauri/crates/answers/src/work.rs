//! The bound of one reading, counted in steps so that the same text ends the same way on every machine, and its stop.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::Fault;

/// Steps for each byte of the text; a text that is read once and mended needs three or four.
const STEPS_PER_BYTE: usize = 24;
const LEAST_STEPS: usize = 50_000;
/// So often it is looked for an answer inside of what is none.
const MOST_SECOND_LOOKS: usize = 32;
/// How often the stop is looked at, in steps.
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

    /// Whether what was read once may be looked into again.
    pub(crate) fn may_look_again(&mut self) -> bool {
        let may = self.second_looks > 0;
        self.second_looks = self.second_looks.saturating_sub(1);
        may
    }

    /// Counts steps.
    ///
    /// # Errors
    /// [`Fault::Entangled`] when none are left, [`Fault::Stopped`] when the reading was stopped.
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
