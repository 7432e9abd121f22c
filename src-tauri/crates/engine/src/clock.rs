//! The time of a run: of the world for people, and its own for what counts against limits.
//!
//! The run's own clock is monotonic. It stands while the machine sleeps, while the program is stopped, between two
//! programs that work on the run, and while the disk is waited for; it is recorded in every event.

use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use kernel::{Code, Error, Event, phrase};

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

/// The first moment that is no longer taken for a time: 9999-01-01, a year before the last that can be written as a day.
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

/// The wall clock, milliseconds since 1970 UTC; where it is set to no such time, the nearest that is one.
pub fn now_ms() -> i64 {
    within(SystemTime::now())
}

fn within(clock: SystemTime) -> i64 {
    let since = clock.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(END_MS).min(END_MS)
}

/// The same as a timestamp.
pub fn now() -> Timestamp {
    Timestamp::from_millisecond(now_ms()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// A new id: later ones of this process sort behind earlier ones.
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
    fn a_clock_that_is_set_to_no_sensible_time_is_named_and_nothing_made_by_it_fails() {
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
