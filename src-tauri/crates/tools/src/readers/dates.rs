//! Finds the day in the dates that files and feeds write, in all their styles.
//! A time with an offset counts as its day in UTC, so that days from everywhere can be compared.

use jiff::civil::Date;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// Ways to write a day that no standard covers.
const STYLES: [&str; 12] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y年%m月%d日",
    "%d %B %Y",
    "%d %b %Y",
    "%B %d, %Y",
    "%b %d, %Y",
    "%B %d %Y",
    "%b %d %Y",
    "%a, %d %b %Y",
    "%d.%m.%Y",
];

/// The day as `YYYY-MM-DD`, or none when the text is no date between the years 1000 and 9999.
pub(crate) fn day(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'']);
    if text.is_empty() || text.len() > 80 {
        return None;
    }
    let date = instant(text).or_else(|| plain(text))?;
    (1000..=9999).contains(&date.year()).then(|| date.to_string())
}

fn instant(text: &str) -> Option<Date> {
    let in_utc = |zoned: Zoned| zoned.with_time_zone(TimeZone::UTC).date();
    if let Ok(timestamp) = text.parse::<Timestamp>() {
        return Some(timestamp.to_zoned(TimeZone::UTC).date());
    }
    if let Ok(zoned) = rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_zoned(text) {
        return Some(in_utc(zoned));
    }
    let pdf = text.strip_prefix("D:")?;
    Date::strptime("%Y%m%d", pdf.get(..8)?).ok()
}

fn plain(text: &str) -> Option<Date> {
    if let Some(date) = STYLES.iter().find_map(|style| Date::strptime(style, text).ok()) {
        return Some(date);
    }
    // A day with a time that says no offset, or one that is written in a way of its own.
    let head = text.get(..10)?;
    let follows = text[10..].chars().next();
    let day = Date::strptime("%Y-%m-%d", head).or_else(|_| Date::strptime("%Y/%m/%d", head)).ok()?;
    matches!(follows, None | Some('T' | 't' | ' ' | ',' | '+')).then_some(day)
}

/// Only here so that a style that jiff does not know is found by a test and not by a user.
#[cfg(test)]
pub(crate) fn styles_are_legal() -> bool {
    STYLES.iter().all(|style| jiff::fmt::strtime::format(style, Date::constant(2026, 6, 1)).is_ok())
}
