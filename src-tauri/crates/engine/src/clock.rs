//! The time of a run: of the world for people, and its own for what counts against limits.
//!
//! The run's own clock is monotonic. It stands while the machine sleeps, while the program is stopped, between two
//! programs that work on the run, and while the disk is waited for; it is recorded in every event.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use kernel::Event;

/// How often the clock is read while an effect is at work.
const TICK: Duration = Duration::from_millis(500);
/// What counts at the most between two readings: a program that ran read it more often.
const MOST_BETWEEN: Duration = Duration::from_secs(2);

/// When something happened in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moment {
    /// By the wall clock, milliseconds since 1970 UTC.
    pub(crate) at_ms: i64,
    /// By the run's own clock, milliseconds.
    pub(crate) ran_ms: u64,
}

impl Moment {
    pub(crate) fn of(event: &Event) -> Moment {
        Moment { at_ms: event.at_ms, ran_ms: event.ran_ms }
    }

    /// The later of the two, by each of the clocks.
    pub(crate) fn max(self, other: Moment) -> Moment {
        Moment { at_ms: self.at_ms.max(other.at_ms), ran_ms: self.ran_ms.max(other.ran_ms) }
    }

    /// Now, for what is appended to these events while no program works on them: the run's own clock stands.
    pub(crate) fn behind(events: &[Event]) -> Moment {
        let last = events.iter().map(Moment::of).fold(Moment::default(), Moment::max);
        last.max(Moment { at_ms: now_ms(), ran_ms: 0 })
    }
}

/// The wall clock, milliseconds since 1970 UTC.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The run's own clock.
pub(crate) struct RunClock {
    inner: Mutex<Reading>,
}

#[derive(Clone, Copy)]
struct Reading {
    ran: Duration,
    read_at: Instant,
}

impl Reading {
    fn again(self, now: Instant) -> Reading {
        let passed = now.saturating_duration_since(self.read_at).min(MOST_BETWEEN);
        Reading { ran: self.ran.saturating_add(passed), read_at: now }
    }
}

impl RunClock {
    /// A clock that goes on behind these events.
    pub(crate) fn behind(events: &[Event]) -> RunClock {
        let ran_ms = events.iter().map(|event| event.ran_ms).max().unwrap_or(0);
        let reading = Reading { ran: Duration::from_millis(ran_ms), read_at: Instant::now() };
        RunClock { inner: Mutex::new(reading) }
    }

    fn with(&self, change: impl FnOnce(Reading, Instant) -> Reading) -> u64 {
        let mut reading = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        *reading = change(*reading, Instant::now());
        u64::try_from(reading.ran.as_millis()).unwrap_or(u64::MAX)
    }

    /// What it shows, milliseconds.
    pub(crate) fn ran_ms(&self) -> u64 {
        self.with(Reading::again)
    }

    /// Now, by both clocks.
    pub(crate) fn now(&self) -> Moment {
        Moment { at_ms: now_ms(), ran_ms: self.ran_ms() }
    }

    /// What passed since it was read last does not count.
    pub(crate) fn skip(&self) {
        self.with(|reading, now| Reading { read_at: now, ..reading });
    }

    /// Does work while the clock is kept going.
    pub(crate) async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        tokio::select! {
            biased;
            done = work => done,
            never = self.keep_going() => match never {},
        }
    }

    async fn keep_going(&self) -> Infallible {
        loop {
            tokio::time::sleep(TICK).await;
            self.ran_ms();
        }
    }

    /// Sleeps until so much of the run's own time has passed.
    pub(crate) async fn sleep(&self, length: Duration) {
        let until = self.ran_ms().saturating_add(u64::try_from(length.as_millis()).unwrap_or(u64::MAX));
        loop {
            let left = Duration::from_millis(until.saturating_sub(self.ran_ms()));
            if left.is_zero() {
                return;
            }
            tokio::time::sleep(left.min(TICK)).await;
        }
    }
}

/// How much of the run's own time between two moments was work: without the waits for the person, which may overlap.
pub(crate) fn worked_ms(from: u64, to: u64, waits: &[(u64, u64)]) -> u64 {
    let mut waits = waits.to_vec();
    waits.sort_unstable();
    let (mut worked, mut at) = (0, from);
    for (since, until) in waits {
        worked += since.min(to).saturating_sub(at);
        at = at.max(until);
    }
    worked + to.saturating_sub(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_between_two_readings_counts_only_as_far_as_a_running_program_reads() {
        let begun = Instant::now();
        let reading = Reading { ran: Duration::from_secs(7), read_at: begun };
        let soon = reading.again(begun + Duration::from_millis(600));
        assert_eq!(soon.ran, Duration::from_millis(7_600));
        // It was stopped for an hour, then goes on.
        let stopped = soon.again(begun + Duration::from_secs(3_600));
        assert_eq!(stopped.ran, soon.ran + MOST_BETWEEN);
        assert_eq!(
            stopped.again(begun + Duration::from_secs(3_601)).ran,
            stopped.ran + Duration::from_secs(1)
        );
        // A reading from another thread may be older.
        assert_eq!(stopped.again(begun).ran, stopped.ran);
    }
}
