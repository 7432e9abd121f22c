//! The clocks of a run: the wall clock for people, and the run's own clock for limits.
//!
//! The run's own clock is monotonic. It stops while the machine sleeps, while no program works on the run, and while
//! the run waits for the disk. Every event records it.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use kernel::{Code, Error, Event, phrase};

/// How often the clock is read while an effect is in flight.
const TICK: Duration = Duration::from_millis(500);
/// The most time that counts between two readings: a program that was running reads the clock more often.
const MOST_BETWEEN: Duration = Duration::from_secs(2);

/// A time in a run, by both clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Moment {
    /// Wall clock, milliseconds since 1970 UTC.
    pub(crate) at_ms: i64,
    /// The run's own clock, milliseconds.
    pub(crate) ran_ms: u64,
}

impl Moment {
    pub(crate) fn of(event: &Event) -> Moment {
        Moment { at_ms: event.at_ms, ran_ms: event.ran_ms }
    }

    /// The later time of the two, for each clock.
    pub(crate) fn max(self, other: Moment) -> Moment {
        Moment { at_ms: self.at_ms.max(other.at_ms), ran_ms: self.ran_ms.max(other.ran_ms) }
    }

    /// The present moment for events that are appended while no program works on the run: its own clock does not
    /// advance.
    pub(crate) fn behind(events: &[Event]) -> Moment {
        let last = events.iter().map(Moment::of).fold(Moment::default(), Moment::max);
        last.max(Moment { at_ms: now_ms(), ran_ms: 0 })
    }
}

/// The first timestamp that is refused, in milliseconds: 9999-01-01, a year before the last date that can be written.
const END_MS: i64 = 253_370_764_800_000;

/// Refuses a clock that is set before 1970 or after 9998: days and ids made by it would be wrong.
///
/// # Errors
/// `bad_input`, naming the clock.
pub fn check_clock() -> Result<(), Error> {
    check(SystemTime::now())
}

fn check(clock: SystemTime) -> Result<(), Error> {
    let message = match clock.duration_since(UNIX_EPOCH) {
        Ok(since) if since.as_millis() < END_MS.unsigned_abs().into() => return Ok(()),
        Ok(_) => phrase!(
            "The clock of this computer is set to a day after the year 9998. Set the clock, then start again"
        ),
        Err(_) => {
            phrase!("The clock of this computer is set to a day before 1970. Set the clock, then start again")
        }
    };
    Err(Error::new(Code::BadInput, message))
}

/// The wall clock, milliseconds since 1970 UTC, clamped to the range that [`check_clock`] accepts.
pub fn now_ms() -> i64 {
    within(SystemTime::now())
}

fn within(clock: SystemTime) -> i64 {
    let since = clock.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(END_MS).min(END_MS)
}

/// The wall clock as a [`Timestamp`].
pub fn now() -> Timestamp {
    Timestamp::from_millisecond(now_ms()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A new id. Ids of one process sort in the order in which they were made.
pub fn new_id() -> uuid::Uuid {
    static ORDER: Mutex<uuid::ContextV7> = Mutex::new(uuid::ContextV7::new());
    let since = Duration::from_millis(now_ms().unsigned_abs());
    uuid::Uuid::new_v7(uuid::Timestamp::from_unix(&ORDER, since.as_secs(), since.subsec_nanos()))
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
    /// Makes a clock that continues behind these events.
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

    /// The run's own time, milliseconds.
    pub(crate) fn ran_ms(&self) -> u64 {
        self.with(Reading::again)
    }

    /// The present moment, by both clocks.
    pub(crate) fn now(&self) -> Moment {
        Moment { at_ms: now_ms(), ran_ms: self.ran_ms() }
    }

    /// Leaves out the time since the last reading.
    pub(crate) fn skip(&self) {
        self.with(|reading, now| Reading { read_at: now, ..reading });
    }

    /// Keeps the clock running while `work` runs.
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

    /// Sleeps until `length` of the run's own time has passed.
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

/// The milliseconds between two times of the run's own clock without the waits for the person, which may overlap.
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
    fn an_unset_clock_is_reported_and_its_timestamps_stay_valid() {
        let at = |seconds: u64| UNIX_EPOCH + Duration::from_secs(seconds);
        let (before, year_10_001) = (UNIX_EPOCH - Duration::from_secs(86_400), at(253_434_000_000));
        for (clock, words) in [(before, "before 1970"), (year_10_001, "after the year 9998")] {
            let refused = check(clock).unwrap_err();
            assert!(refused.message.contains("clock") && refused.message.contains(words), "{refused}");
            let day = Timestamp::from_millisecond(within(clock)).unwrap().to_zoned(jiff::tz::TimeZone::UTC);
            assert!(matches!(day.year(), 1970 | 9999), "{day}");
        }
        for clock in [UNIX_EPOCH, at(1_800_000_000), at(253_370_764_799)] {
            check(clock).unwrap();
            assert_eq!(
                u128::from(within(clock).unsigned_abs()),
                clock.duration_since(UNIX_EPOCH).unwrap().as_millis()
            );
        }
        let ids: Vec<_> = (0..100).map(|_| new_id()).collect();
        assert!(ids.is_sorted());
    }

    #[test]
    fn time_between_two_readings_counts_up_to_a_limit() {
        let begun = Instant::now();
        let reading = Reading { ran: Duration::from_secs(7), read_at: begun };
        let soon = reading.again(begun + Duration::from_millis(600));
        assert_eq!(soon.ran, Duration::from_millis(7_600));
        // The clock stops for an hour, then continues.
        let stopped = soon.again(begun + Duration::from_secs(3_600));
        assert_eq!(stopped.ran, soon.ran + MOST_BETWEEN);
        assert_eq!(
            stopped.again(begun + Duration::from_secs(3_601)).ran,
            stopped.ran + Duration::from_secs(1)
        );
        // A reading of another thread may be older than the last one.
        assert_eq!(stopped.again(begun).ran, stopped.ran);
    }
}
