//! Days as people name them: by date, by weekday, or by their distance from today.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

/// A day in a request: `2026-12-05`, `12-05` (the next one), `today`, `tomorrow`, `+2` (days from today) or an English
/// weekday (the next one, today included).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pilgrimage) enum SaidDay {
    /// A whole date.
    Date(Date),
    /// Month and day.
    InYear(i8, i8),
    /// This many days from today.
    InDays(u16),
    /// A day of the week.
    Weekday(Weekday),
}

/// Most years until the next 29 February.
const LEAP_YEARS_APART: i16 = 8;

impl SaidDay {
    /// Parses the name of a day.
    pub(in crate::pilgrimage) fn of(said: &str) -> Option<SaidDay> {
        let said = said.trim().to_lowercase();
        if let Ok(date) = said.parse::<Date>() {
            return Some(SaidDay::Date(date));
        }
        match &said[..] {
            "today" => return Some(SaidDay::InDays(0)),
            "tomorrow" => return Some(SaidDay::InDays(1)),
            _ => {}
        }
        if let Some(days) = said.strip_prefix('+') {
            return days.parse().ok().map(SaidDay::InDays);
        }
        let named = jiff::fmt::strtime::parse("%A", &said);
        if let Some(weekday) = named.ok().and_then(|named| named.weekday()) {
            return Some(SaidDay::Weekday(weekday));
        }
        let (month, day) = said.trim_start_matches("--").split_once('-')?;
        let (month, day) = (month.parse().ok()?, day.parse().ok()?);
        // In a leap year, 29 February is valid.
        Date::new(2024, month, day).ok().map(|_| SaidDay::InYear(month, day))
    }

    /// The date of this day, counted from `today`; `None` if the calendar ends before it.
    pub(in crate::pilgrimage) fn after(self, today: Date) -> Option<Date> {
        match self {
            SaidDay::Date(date) => Some(date),
            SaidDay::InYear(month, day) => (0..=LEAP_YEARS_APART)
                .filter_map(|years| Date::new(today.year().checked_add(years)?, month, day).ok())
                .find(|date| *date >= today),
            SaidDay::InDays(days) => today.checked_add(Span::new().days(i64::from(days))).ok(),
            SaidDay::Weekday(weekday) => {
                today.checked_add(i64::from(weekday.since(today.weekday())).days()).ok()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_named_day_is_the_next_one_that_it_can_mean() {
        // A Sunday.
        let today = date(2026, 11, 29);
        for (said, meant) in [
            ("2026-12-05", Some(date(2026, 12, 5))),
            ("2020-01-01", Some(date(2020, 1, 1))),
            ("12-05", Some(date(2026, 12, 5))),
            ("--11-29", Some(today)),
            ("01-03", Some(date(2027, 1, 3))),
            ("02-29", Some(date(2028, 2, 29))),
            ("today", Some(today)),
            ("tomorrow", Some(date(2026, 11, 30))),
            ("+2", Some(date(2026, 12, 1))),
            ("Saturday", Some(date(2026, 12, 5))),
            ("sunday", Some(today)),
            ("02-31", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(SaidDay::of(said).and_then(|day| day.after(today)), meant, "{said}");
        }
    }

    #[test]
    fn a_day_after_the_end_of_the_calendar_is_none() {
        assert_eq!(SaidDay::of("tomorrow").and_then(|day| day.after(Date::MAX)), None);
        assert_eq!(SaidDay::of("+65535").and_then(|day| day.after(Date::MAX)), None);
    }
}
