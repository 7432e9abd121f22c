//! L0: rules of time, and which of their instants are due.
//!
//! A rule is read from cron's grammar or from plain English words. Its instants are computed in a stored time zone and
//! depend on nothing else: not on when the program started, nor on the zone of the system. The clock is passed in, and
//! nothing here does I/O.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod due;
mod error;
mod rule;
mod time_of_day;
mod words;
mod zone;

pub use due::{Busy, Missed, Step, StepKind, is_far_ahead, next_step};
pub use error::RuleError;
pub use rule::Rule;
pub use words::EXAMPLES;
pub use zone::Zone;
