//! Which instant of a rule is due, and what becomes of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::rule::Rule;
use crate::zone::Zone;

/// An instant that is handled later than this was missed, in milliseconds.
const ON_TIME_MS: i64 = 5 * 60_000;
/// A mark this far ahead of the clock was made by a clock that was wrong, in milliseconds.
const FAR_AHEAD_MS: i64 = 24 * 3_600_000;
/// The most missed instants that are fired one after the other.
const MOST_FIRED: usize = 24;
/// The most missed instants that are counted.
const MOST_COUNTED: usize = 10_000;

/// What becomes of instants that passed while nothing could fire.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Missed {
    /// One run at the next chance stands for all of them.
    #[default]
    Once,
    /// They are left out.
    Skip,
    /// Each gets its run, one after the other; at most the newest 24.
    All,
}

/// The last run of a schedule, in milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy {
    /// Since when.
    pub since_ms: i64,
    /// Until when; `None` while it goes on.
    pub until_ms: Option<i64>,
}

impl Busy {
    fn goes_on(self) -> bool {
        self.until_ms.is_none()
    }

    fn covers(self, at_ms: i64) -> bool {
        self.since_ms < at_ms && self.until_ms.is_none_or(|until| at_ms <= until)
    }
}

/// What becomes of an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// A run begins.
    Fire,
    /// It was missed, and nothing begins.
    Missed,
    /// Nothing begins, because a run of the schedule went on.
    Busy,
    /// No instant: only the mark is set back to the clock, because an earlier clock was wrong.
    SetBack,
}

/// One step: after it, all instants up to `at_ms` are handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The instant, milliseconds since 1970 UTC.
    pub at_ms: i64,
    /// What becomes of it.
    pub kind: StepKind,
    /// The number of earlier instants that are handled with it.
    pub earlier: u32,
}

/// Whether a mark was made by a clock that was wrong: it is more than a day ahead of the present one.
pub fn is_far_ahead(handled_until_ms: i64, now_ms: i64) -> bool {
    handled_until_ms.saturating_sub(now_ms) > FAR_AHEAD_MS
}

/// The next step of a schedule whose instants up to `handled_until_ms` are handled; `None` where nothing is to be done
/// now. Instants up to that mark never come again, also when the clock goes back by up to a day.
pub fn next_step(
    rule: &Rule,
    zone: &Zone,
    missed: Missed,
    handled_until_ms: i64,
    now_ms: i64,
    last_run: Option<Busy>,
) -> Option<Step> {
    if is_far_ahead(handled_until_ms, now_ms) {
        return Some(Step { at_ms: now_ms, kind: StepKind::SetBack, earlier: 0 });
    }
    let last = rule.last(zone, now_ms).filter(|last| *last > handled_until_ms)?;
    let before = |at: &i64| rule.last(zone, at - 1000).filter(|found| *found > handled_until_ms);
    let due: Vec<i64> = std::iter::successors(Some(last), before).take(MOST_COUNTED).collect();
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let goes_on = last_run.is_some_and(Busy::goes_on);
    let is_busy = |at: i64| last_run.is_some_and(|run| run.covers(at));
    if missed == Missed::All {
        if let Some(left_out) = due.get(MOST_FIRED) {
            let earlier = number(due.len() - MOST_FIRED - 1);
            return Some(Step { at_ms: *left_out, kind: StepKind::Missed, earlier });
        }
        let oldest = *due.last()?;
        return match (goes_on, is_busy(oldest)) {
            (_, true) => Some(Step { at_ms: oldest, kind: StepKind::Busy, earlier: 0 }),
            // An instant that was missed before the run began waits for its end.
            (true, false) => None,
            (false, false) => Some(Step { at_ms: oldest, kind: StepKind::Fire, earlier: 0 }),
        };
    }
    let kind = match missed {
        _ if goes_on || is_busy(last) => StepKind::Busy,
        Missed::Skip if now_ms - last > ON_TIME_MS => StepKind::Missed,
        _ => StepKind::Fire,
    };
    Some(Step { at_ms: last, kind, earlier: number(due.len() - 1) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;
    const HOUR: i64 = 60 * MINUTE;

    fn ms(time: &str) -> i64 {
        time.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    }

    fn berlin() -> Zone {
        Zone::named("Europe/Berlin").unwrap()
    }

    fn step(words: &str, missed: Missed, handled: i64, now: i64, run: Option<Busy>) -> Option<Step> {
        next_step(&Rule::read(words).unwrap(), &berlin(), missed, handled, now, run)
    }

    /// All steps at this time, as if every run ended at once.
    fn steps(words: &str, missed: Missed, handled: i64, now: i64) -> Vec<Step> {
        let mut handled = handled;
        std::iter::from_fn(|| {
            let step = step(words, missed, handled, now, None)?;
            handled = step.at_ms;
            Some(step)
        })
        .collect()
    }

    fn fired(steps: &[Step]) -> Vec<i64> {
        steps.iter().filter(|step| step.kind == StepKind::Fire).map(|step| step.at_ms).collect()
    }

    #[test]
    fn a_long_sleep_fires_once_never_or_for_each_instant_by_the_policy() {
        let (asleep, awake) = (ms("2026-05-04T05:00:00Z"), ms("2026-05-07T08:30:00Z"));
        let first = ms("2026-05-05T05:00:00Z");
        let days = [first, first + 24 * HOUR, first + 48 * HOUR];
        let daily = "every day at 7";
        let once = steps(daily, Missed::Once, asleep, awake);
        assert_eq!(once, [Step { at_ms: days[2], kind: StepKind::Fire, earlier: 2 }]);
        let skip = steps(daily, Missed::Skip, asleep, awake);
        assert_eq!(skip, [Step { at_ms: days[2], kind: StepKind::Missed, earlier: 2 }]);
        assert_eq!(fired(&steps(daily, Missed::All, asleep, awake)), days);
        // On time, `skip` fires, and leaves out only the earlier instants.
        let on_time = steps(daily, Missed::Skip, asleep, days[2] + MINUTE);
        assert_eq!(on_time, [Step { at_ms: days[2], kind: StepKind::Fire, earlier: 2 }]);
        // A month of minutes is bounded, and the newest are fired.
        let many = steps("every minute", Missed::All, awake - 30 * 24 * HOUR, awake);
        assert_eq!((many[0].kind, many[0].at_ms), (StepKind::Missed, awake - 24 * MINUTE));
        assert_eq!(fired(&many).last(), Some(&awake));
        assert_eq!(fired(&many).len(), MOST_FIRED);
    }

    #[test]
    fn an_instant_fires_once_however_the_clock_goes() {
        // The clock goes through the end of summer time, back by an hour by hand, and far ahead and back again.
        let begin = ms("2026-10-24T22:00:00Z");
        let mut times: Vec<i64> = (0..6 * 60).map(|minute| begin + minute * MINUTE).collect();
        times.extend((0..3 * 60).map(|minute| begin + 5 * HOUR + minute * MINUTE));
        let (mut handled, mut all) = (begin, Vec::new());
        for now in times {
            while let Some(step) = step("every 30 minutes", Missed::Once, handled, now, None) {
                handled = step.at_ms;
                all.extend((step.kind == StepKind::Fire).then_some(step.at_ms));
            }
        }
        let wanted: Vec<i64> = (1..=15).map(|half| begin + half * HOUR / 2).collect();
        assert_eq!(all, wanted, "each half hour once, also both of the repeated hour");
        // A clock that was wrong by years does not silence the schedule until then.
        let wrong = ms("2031-01-01T00:00:00Z");
        let back = step("every hour", Missed::Once, wrong, begin, None).unwrap();
        assert_eq!((back.kind, back.at_ms), (StepKind::SetBack, begin));
        assert_eq!(step("every hour", Missed::Once, begin + 20 * HOUR, begin, None), None);
    }

    #[test]
    fn an_instant_during_a_run_is_skipped_and_missed_ones_wait_for_its_end() {
        let at = |minute: i64| ms("2026-05-04T05:00:00Z") + minute * MINUTE;
        let going = Some(Busy { since_ms: at(0) + 1, until_ms: None });
        let ended = Some(Busy { since_ms: at(0) + 1, until_ms: Some(at(1) + 5) });
        for missed in [Missed::Once, Missed::Skip, Missed::All] {
            for run in [going, ended] {
                let found = step("every minute", missed, at(0), at(1) + 10, run).unwrap();
                assert_eq!((found.kind, found.at_ms), (StepKind::Busy, at(1)), "{missed:?}");
            }
            let after = step("every minute", missed, at(1), at(2) + 10, ended).unwrap();
            assert_eq!(after.kind, StepKind::Fire);
        }
        let later = Some(Busy { since_ms: at(30), until_ms: None });
        assert_eq!(step("every 10 minutes", Missed::All, at(0), at(30) + 10, later), None);
        let ended = later.map(|run| Busy { until_ms: Some(at(35)), ..run });
        let next = step("every 10 minutes", Missed::All, at(0), at(36), ended).unwrap();
        assert_eq!((next.kind, next.at_ms), (StepKind::Fire, at(10)));
    }
}
