//! Opening hours as OpenStreetMap writes them, and whether a point is open when one arrives.

use std::ops::Range;

use chrono::{FixedOffset, NaiveDate};
use jiff::civil::{Date, DateTime, Time};
use kernel::Coordinates;
use opening_hours::localization::{Country, TzLocation};
use opening_hours::{Context, OpeningHours, RuleKind};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Longest text of opening hours that is read, in bytes; values of OpenStreetMap have at most 255 characters.
const LONGEST_TEXT: usize = 1024;
/// How many days ahead the next opening is looked for.
const DAYS_AHEAD: i32 = 7;
const DAY_MINUTES: u16 = 24 * 60;

/// Whether a point is open at an arrival. Times are of the trip's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum OpeningState {
    /// It is open.
    Open {
        /// When it closes; nothing where it stays open for the next week.
        #[schemars(with = "Option<String>")]
        #[ts(type = "string | null")]
        until: Option<DateTime>,
    },
    /// It is closed and opens within a week.
    OpensAt {
        /// When.
        #[schemars(with = "String")]
        #[ts(type = "string")]
        at: DateTime,
    },
    /// It is closed, and no opening within a week is known.
    Closed,
    /// Its hours do not decide it; the person has to check.
    Check {
        /// Why.
        reason: CheckReason,
    },
    /// No hours are known.
    Unknown,
}

/// Why the person has to check the hours of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckReason {
    /// From 29 December to 3 January usual hours often do not hold in Japan.
    NewYear,
    /// The text cannot be read.
    Unreadable,
    /// The text leaves it open, adds a remark in words, or depends on holidays or on the sun where those are not known.
    Uncertain,
}

/// What hours depend on beside their text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HoursContext {
    /// Where the point is.
    pub coordinates: Option<Coordinates>,
    /// How many minutes the local time is ahead of UTC.
    pub utc_offset_minutes: Option<i16>,
    /// The code of the country whose public holidays count, `JP`.
    pub country: Option<String>,
}

/// The opening hours of one point, read once.
#[derive(Debug, Clone)]
pub struct StopHours(Reading);

#[derive(Debug, Clone)]
enum Reading {
    Missing,
    Unreadable,
    Known(Box<OpeningHours<TzLocation<FixedOffset>>>),
    /// Readable, but it depends on what is not known here.
    Uncertain,
}

/// Whether usual hours do not hold on this day: 29 December to 3 January.
pub fn is_new_year(day: Date) -> bool {
    matches!((day.month(), day.day()), (12, 29..) | (1, ..=3))
}

impl StopHours {
    /// Reads a text of opening hours. A text that cannot be read is no error: the state of its point is
    /// [`OpeningState::Check`].
    pub fn read(text: Option<&str>, context: &HoursContext) -> StopHours {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return StopHours(Reading::Missing);
        };
        let parsed = Some(text).filter(|text| text.len() <= LONGEST_TEXT);
        let Some(hours) = parsed.and_then(|text| text.parse::<OpeningHours>().ok()) else {
            return StopHours(Reading::Unreadable);
        };
        let offset =
            context.utc_offset_minutes.and_then(|minutes| FixedOffset::east_opt(i32::from(minutes) * 60));
        let coordinates = context
            .coordinates
            .and_then(|point| opening_hours::localization::Coordinates::new(point.latitude, point.longitude));
        let place = offset.and_then(|offset| Some(TzLocation::new(offset).with_coords(coordinates?)));
        let holidays = context
            .country
            .as_deref()
            .and_then(|code| code.to_ascii_uppercase().parse::<Country>().ok())
            .map(Country::holidays);
        // The text as the parser understood it names these in one way only.
        let written = hours.to_string();
        let names = |word: &str| written.split(|c: char| !c.is_ascii_alphabetic()).any(|found| found == word);
        let lacks_sun = place.is_none() && ["dawn", "sunrise", "sunset", "dusk"].into_iter().any(names);
        let lacks_days = |word, calendar: bool| names(word) && !calendar;
        let has_public = holidays.as_ref().is_some_and(|days| days.get_public().iter().next().is_some());
        let has_school = holidays.as_ref().is_some_and(|days| days.get_school().iter().next().is_some());
        if lacks_sun || lacks_days("PH", has_public) || lacks_days("SH", has_school) {
            return StopHours(Reading::Uncertain);
        }
        let locale = place.or_else(|| Some(TzLocation::new(FixedOffset::east_opt(0)?)));
        let Some(locale) = locale else { return StopHours(Reading::Uncertain) };
        let context = Context::default().with_holidays(holidays.unwrap_or_default()).with_locale(locale);
        StopHours(Reading::Known(Box::new(hours.with_context(context))))
    }

    /// Why the hours have to be checked on this day although they are known; nothing where they are certain. A point
    /// that never closes is not asked about.
    pub fn check(&self, arrival: DateTime, state: &OpeningState) -> Option<CheckReason> {
        let is_known = matches!(self.0, Reading::Known(_)) && !matches!(state, OpeningState::Check { .. });
        let never_closes = matches!(state, OpeningState::Open { until: None });
        (is_known && !never_closes && is_new_year(arrival.date())).then_some(CheckReason::NewYear)
    }

    /// The state of the point at an arrival.
    pub fn at(&self, arrival: DateTime) -> OpeningState {
        let check = |reason| OpeningState::Check { reason };
        let hours = match &self.0 {
            Reading::Missing => return OpeningState::Unknown,
            Reading::Unreadable => return check(CheckReason::Unreadable),
            Reading::Uncertain => return check(CheckReason::Uncertain),
            Reading::Known(hours) => hours,
        };
        let minute = minute_of_day(arrival.time());
        let today = openings(hours, arrival.date());
        match today.iter().find(|(range, _)| range.contains(&minute)) {
            Some((_, RuleKind::Open)) => OpeningState::Open { until: closing(hours, arrival) },
            Some(_) => check(CheckReason::Uncertain),
            None => {
                next_opening(hours, arrival).map_or(OpeningState::Closed, |at| OpeningState::OpensAt { at })
            }
        }
    }

    /// When the point may be visited, in seconds from the midnight at which `first` begins, for so many days; nothing
    /// where its hours decide nothing.
    pub(crate) fn windows(&self, first: Date, days: u16) -> Option<Vec<Range<u64>>> {
        let Reading::Known(hours) = &self.0 else { return None };
        let mut windows: Vec<Range<u64>> = Vec::new();
        for ahead in 0..days {
            let Some(day) = later(first, i32::from(ahead)) else { break };
            let midnight = u64::from(ahead) * 86_400;
            for (range, _) in openings(hours, day) {
                let (from, to) =
                    (midnight + u64::from(range.start) * 60, midnight + u64::from(range.end) * 60);
                match windows.last_mut() {
                    Some(last) if last.end == from => last.end = to,
                    _ => windows.push(from..to),
                }
            }
        }
        let never_closes = windows.first().is_some_and(|first| *first == (0..u64::from(days) * 86_400));
        (!never_closes).then_some(windows)
    }
}

/// When a day is open or may be, in minutes from its midnight, in order.
fn openings(hours: &OpeningHours<TzLocation<FixedOffset>>, day: Date) -> Vec<(Range<u16>, RuleKind)> {
    let month_and_day = (u32::from(day.month().unsigned_abs()), u32::from(day.day().unsigned_abs()));
    let Some(date) = NaiveDate::from_ymd_opt(i32::from(day.year()), month_and_day.0, month_and_day.1) else {
        return Vec::new();
    };
    let ranges = hours.schedule_at(date).into_iter().filter(|range| range.kind != RuleKind::Closed);
    let ranges = ranges.map(|found| {
        let minutes = found.range.start.mins_from_midnight()..found.range.end.mins_from_midnight();
        // A remark (`"by appointment"`) is for the person to read; without hours it alone would mean always open.
        let kind = if found.comment.is_empty() { found.kind } else { RuleKind::Unknown };
        (minutes.start..minutes.end.min(DAY_MINUTES), kind)
    });
    ranges.filter(|(range, _)| !range.is_empty()).collect()
}

/// When a point that is open at this time closes: also after midnight. Nothing where it does not within a week.
fn closing(hours: &OpeningHours<TzLocation<FixedOffset>>, from: DateTime) -> Option<DateTime> {
    let mut minute = minute_of_day(from.time());
    for ahead in 0..=DAYS_AHEAD {
        let day = later(from.date(), ahead)?;
        for (range, kind) in openings(hours, day) {
            if kind == RuleKind::Open && range.contains(&minute) {
                minute = range.end;
            }
        }
        if minute < DAY_MINUTES {
            return Some(day.to_datetime(time_of(minute)));
        }
        minute = 0;
    }
    None
}

/// When a point that is closed at this time opens.
fn next_opening(hours: &OpeningHours<TzLocation<FixedOffset>>, from: DateTime) -> Option<DateTime> {
    for ahead in 0..=DAYS_AHEAD {
        let day = later(from.date(), ahead)?;
        let after = if ahead == 0 { minute_of_day(from.time()) + 1 } else { 0 };
        if let Some((range, _)) = openings(hours, day).into_iter().find(|(range, _)| range.start >= after) {
            return Some(day.to_datetime(time_of(range.start)));
        }
    }
    None
}

fn later(day: Date, days: i32) -> Option<Date> {
    day.checked_add(jiff::Span::new().try_days(days).ok()?).ok()
}

fn minute_of_day(time: Time) -> u16 {
    u16::from(time.hour().unsigned_abs()) * 60 + u16::from(time.minute().unsigned_abs())
}

fn time_of(minute: u16) -> Time {
    let part = |number: u16| i8::try_from(number).unwrap_or(0);
    Time::new(part(minute / 60), part(minute % 60), 0, 0).unwrap_or_default()
}

#[cfg(test)]
#[path = "hours_tests.rs"]
mod tests;
