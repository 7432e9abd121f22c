//! A rule of time: cron's grammar with its instants in a zone.

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};

use crate::error::RuleError;
use crate::words;
use crate::zone::Zone;

/// A rule of time with a granularity of minutes.
#[derive(Debug, Clone)]
pub struct Rule {
    cron: String,
    pattern: Cron,
}

impl Rule {
    /// Reads plain words, such as `every weekday at 7`, or cron's grammar with five fields.
    ///
    /// # Errors
    /// What cannot be read.
    pub fn read(text: &str) -> Result<Rule, RuleError> {
        let text = text.trim();
        let cron = if is_cron(text) { text.to_owned() } else { words::cron(text)? };
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let pattern =
            parser.parse(&cron).map_err(|error| RuleError::NotCron { reason: error.to_string() })?;
        Ok(Rule { cron, pattern })
    }

    /// The rule in cron's grammar.
    pub fn cron(&self) -> &str {
        &self.cron
    }

    /// The first instant after a time, both in milliseconds since 1970 UTC; `None` where there is no more.
    pub fn next(&self, zone: &Zone, after_ms: i64) -> Option<i64> {
        let found = self.pattern.find_next_occurrence(&zone.at(after_ms), false).ok()?;
        Some(found.timestamp().as_millisecond())
    }

    /// The last instant at or before a time, both in milliseconds since 1970 UTC.
    pub(crate) fn last(&self, zone: &Zone, until_ms: i64) -> Option<i64> {
        let found = self.pattern.find_previous_occurrence(&zone.at(until_ms), true).ok()?;
        Some(found.timestamp().as_millisecond())
    }

    /// The first `count` instants after a time.
    pub fn upcoming(&self, zone: &Zone, after_ms: i64, count: usize) -> Vec<i64> {
        let first = self.next(zone, after_ms);
        std::iter::successors(first, |at| self.next(zone, *at)).take(count).collect()
    }
}

/// Whether a text is meant as cron: it begins with a field of numbers and signs, or with `@`.
fn is_cron(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.starts_with('@')
        || (!first.is_empty() && first.chars().all(|sign| sign.is_ascii_digit() || "*/,-?".contains(sign)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn zone(name: &str) -> Zone {
        Zone::named(name).unwrap()
    }

    fn ms(time: &str) -> i64 {
        time.parse::<jiff::Timestamp>().unwrap().as_millisecond()
    }

    fn upcoming(rule: &str, zone_name: &str, after: &str, count: usize) -> Vec<String> {
        let zone = zone(zone_name);
        let found = Rule::read(rule).unwrap().upcoming(&zone, ms(after), count);
        found.into_iter().map(|at| zone.written(at)).collect()
    }

    #[test]
    fn a_time_that_the_clock_skips_fires_once_right_after_the_gap() {
        assert_eq!(
            upcoming("every day at 2:30", "Europe/Berlin", "2026-03-28T12:00:00Z", 2),
            ["2026-03-29 03:00 +02:00", "2026-03-30 02:30 +02:00"]
        );
        assert_eq!(
            upcoming("every hour", "Europe/Berlin", "2026-03-29T00:00:00Z", 2),
            ["2026-03-29 03:00 +02:00", "2026-03-29 04:00 +02:00"]
        );
    }

    #[test]
    fn a_time_that_the_clock_repeats_fires_once_and_an_interval_goes_on_through_both_hours() {
        assert_eq!(
            upcoming("every day at 2:30", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
            ["2026-10-25 02:30 +02:00", "2026-10-26 02:30 +01:00"]
        );
        assert_eq!(
            upcoming("every hour", "Europe/Berlin", "2026-10-24T23:59:00Z", 3),
            ["2026-10-25 02:00 +02:00", "2026-10-25 02:00 +01:00", "2026-10-25 03:00 +01:00"]
        );
    }

    #[test]
    fn days_that_a_month_does_not_have_are_left_out() {
        assert_eq!(
            upcoming("on 29 February at 9", "UTC", "2026-01-01T00:00:00Z", 2),
            ["2028-02-29 09:00 +00:00", "2032-02-29 09:00 +00:00"]
        );
        assert_eq!(
            upcoming("on the 31st at 9", "UTC", "2026-01-31T09:00:00Z", 2),
            ["2026-03-31 09:00 +00:00", "2026-05-31 09:00 +00:00"]
        );
        assert_eq!(
            upcoming("on the last day of the month at 9", "UTC", "2028-02-01T00:00:00Z", 2),
            ["2028-02-29 09:00 +00:00", "2028-03-31 09:00 +00:00"]
        );
        assert_eq!(Rule::read("0 9 30 2 *").unwrap().next(&zone("UTC"), 0), None);
    }

    #[test]
    fn an_interval_counts_from_midnight_and_not_from_a_start() {
        let wanted = ["2026-05-01 06:00 +02:00", "2026-05-01 12:00 +02:00"];
        for after in ["2026-04-30T22:00:00Z", "2026-05-01T03:59:59Z"] {
            assert_eq!(upcoming("every 6 hours", "Europe/Berlin", after, 2), wanted);
        }
    }

    #[test]
    fn seconds_and_years_are_refused() {
        for cron in ["0 0 7 * * *", "* * *", "61 7 * * *", "@reboot"] {
            assert!(matches!(Rule::read(cron), Err(RuleError::NotCron { .. })), "{cron}");
        }
        assert_eq!(upcoming("@daily", "UTC", "2026-01-01T00:00:00Z", 1), ["2026-01-02 00:00 +00:00"]);
    }

    proptest! {
        #[test]
        fn every_instant_is_found_forwards_and_backwards(
            hours in 0_i64..30_000,
            which in 0_usize..5,
            rule in 0_usize..6,
        ) {
            let zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"];
            let rules = ["30 2 * * *", "0 * * * *", "*/15 * * * *", "0 */6 * * *", "0 0 1 * *", "45 1,2 * * 0"];
            let (zone, rule) = (zone(zones[which]), Rule::read(rules[rule]).unwrap());
            let after = ms("2024-01-01T00:00:00Z") + hours * 3_600_000;
            let found = rule.upcoming(&zone, after, 8);
            for pair in found.windows(2) {
                prop_assert!(pair[0] < pair[1]);
                prop_assert_eq!(rule.last(&zone, pair[1] - 1000), Some(pair[0]));
                prop_assert_eq!(rule.last(&zone, pair[1] + 30_000), Some(pair[1]));
            }
        }
    }
}
