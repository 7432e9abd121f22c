//! Parses requests for a visit by the table `forms.toml`.

mod day;
mod forms;
#[cfg(test)]
mod tests;
mod wishes;

use std::ops::Range;

use chinese_number::{ChineseCountMethod, ChineseToNumber};
use jiff::ToSpan;
use jiff::civil::{Date, Time};
use regex::Captures;
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

pub(super) use day::SaidDay;
use forms::{COUNTED, Form, NUMBER_WORDS, TABLE};
pub(super) use wishes::{Wishes, is_named_as};

use super::words::Language;

/// Characters of a request that are read: a longer one is read up to here.
const LONGEST: usize = 2_000;
/// Longest title and place, in characters.
const LONGEST_NAME: usize = 60;
/// Replaces the title or the place once it is read.
const GAP: &str = ", ";

/// The details of a request besides title and place, in the form of `extraction_meta`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RequestDetails {
    /// What read the request: `llm` or `rules`.
    pub(super) method: String,
    /// The confidence of the reading, 0 to 1.
    pub(super) confidence: Option<f64>,
    /// The day of the visit, in the form of `SaidDay`.
    pub(super) date: Option<String>,
    /// Words that name a day ambiguously.
    pub(super) unclear_day: Option<String>,
    /// The time at which the visit begins, `HH:MM`.
    pub(super) start_time: Option<String>,
    /// The time by which the visit is to end, `HH:MM`.
    pub(super) end_time: Option<String>,
    /// Greatest distance of points from the start, in kilometres.
    pub(super) radius_km: Option<f64>,
    /// Which points the person wants.
    pub(super) wishes: Wishes,
}

/// A request as the table reads it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct ReadRequest {
    pub(super) title: Option<String>,
    pub(super) place: Option<String>,
    pub(super) details: RequestDetails,
}

/// Parses a request.
pub(super) fn read_request(request: &str) -> ReadRequest {
    let table = &*TABLE;
    let mut rest: String = request.chars().take(LONGEST).nfkc().collect::<String>().replace('\n', GAP);
    let mut take = |forms: &[Form], group: &str, not: &Form| {
        let (name, at) = first(forms, &rest, |found| {
            let group = found.name(group)?;
            let name = group.as_str().trim();
            let is_name = !name.is_empty() && name.chars().count() <= LONGEST_NAME && !not.0.is_match(name);
            is_name.then(|| (name.to_owned(), group.range()))
        })?;
        rest.replace_range(at, GAP);
        Some(name)
    };
    let title = take(&table.title, "title", &table.not_a_title);
    let place = take(&table.place, "place", &table.not_a_place);
    let names = if title.is_some() && place.is_some() { Vec::new() } else { names_in(&rest) };
    // A single unused name fills the gap; of two, people write the title first.
    let (left_title, left_place) = match (&title, &place, &names[..]) {
        (None, Some(_), [name]) => (Some(name), None),
        (Some(_), None, [name]) => (None, Some(name)),
        (None, None, [first, second]) => (Some(first), Some(second)),
        _ => (None, None),
    };
    for name in left_title.into_iter().chain(left_place) {
        rest = rest.replacen(name.as_str(), GAP, 1);
    }
    let title = title.or_else(|| left_title.cloned());
    let place = place.or_else(|| left_place.filter(|name| !table.not_a_place.0.is_match(name)).cloned());
    ReadRequest { title, place, details: details(&with_digits(&rest)) }
}

/// The other details of a text in which numbers are digits.
fn details(text: &str) -> RequestDetails {
    let unclear_day = TABLE.day.unclear.0.find(text).map(|found| found.as_str().to_owned());
    // `next Saturday` is ambiguous although it names a weekday; a date beside it is not.
    let date = date(text).filter(|date| unclear_day.is_none() || date.contains('-'));
    let (start_time, end_time) = times(text);
    RequestDetails {
        method: "rules".to_owned(),
        confidence: None,
        unclear_day: unclear_day.filter(|_| date.is_none()),
        date,
        start_time,
        end_time,
        radius_km: radius_km(text),
        wishes: wishes::read(text),
    }
}

/// The parts of a text that can be names: no sentences, and nothing that is another detail.
fn names_in(text: &str) -> Vec<String> {
    let table = &TABLE.rest;
    let split = match Language::of_text(text) {
        Language::English => &table.split,
        Language::Chinese | Language::Japanese => &table.split_east_asian,
    };
    let says_nothing_else = |name: &str| {
        let said = details(&with_digits(name));
        RequestDetails { method: String::new(), ..said } == RequestDetails::default()
    };
    let names = split.0.split(text).map(|part| table.edges.0.replace_all(part.trim(), "").trim().to_owned());
    names
        .filter(|name| name.chars().any(char::is_alphanumeric) && name.chars().count() <= LONGEST_NAME)
        .filter(|name| !table.not_a_name.0.is_match(name))
        .filter(|name| !TABLE.not_a_title.0.is_match(name))
        .filter(|name| says_nothing_else(name))
        .collect()
}

/// The text with digits for the numbers that count something.
fn with_digits(text: &str) -> String {
    let plain = COUNTED.replace_all(text, |found: &Captures<'_>| {
        let number: Result<u32, _> = (&found[1]).to_number(ChineseCountMethod::TenThousand);
        number.map_or_else(|_| found[0].to_owned(), |number| format!("{number}{}", &found[2]))
    });
    let words = &TABLE.numbers.words;
    let number_of = |word: &str| words.iter().position(|known| known.eq_ignore_ascii_case(word));
    NUMBER_WORDS
        .replace_all(&plain, |found: &Captures<'_>| {
            number_of(&found[1]).map_or_else(|| found[0].to_owned(), |number| number.to_string())
        })
        .into_owned()
}

fn first<T>(forms: &[Form], text: &str, take: impl Fn(&Captures<'_>) -> Option<T>) -> Option<T> {
    forms.iter().find_map(|form| form.0.captures_iter(text).find_map(|found| take(&found)))
}

fn number<N: std::str::FromStr>(found: &Captures<'_>, group: &str) -> Option<N> {
    found.name(group)?.as_str().parse().ok()
}

/// The requested day, in the form of `SaidDay`.
fn date(text: &str) -> Option<String> {
    let table = &TABLE.day;
    let dated = first(&table.forms, text, |found| {
        if let Some(days) = number::<u16>(found, "in_days") {
            return Some(format!("+{days}"));
        }
        let month: i8 = match found.name("month_name") {
            Some(name) => jiff::fmt::strtime::parse("%b", name.as_str()).ok()?.month()?,
            None => number(found, "month")?,
        };
        let day: i8 = number(found, "day")?;
        let said = match number::<i16>(found, "year") {
            Some(year) => Date::new(year, month, day).ok()?.to_string(),
            None => format!("{month:02}-{day:02}"),
        };
        SaidDay::of(&said).map(|_| said)
    });
    let is_said =
        |words: &Form| words.0.find_iter(text).any(|found| !wishes::is_negated(text, &found.range()));
    let by_word = || table.words.iter().find(|(_, words)| is_said(words));
    dated.or_else(|| by_word().map(|(day, _)| day.clone()))
}

/// The times at which the visit begins and ends. A time after `until` or `back by` is no beginning.
fn times(text: &str) -> (Option<String>, Option<String>) {
    let table = &TABLE.time;
    let mut taken: Vec<(Range<usize>, Time)> = Vec::new();
    for form in &table.forms {
        for found in form.0.captures_iter(text) {
            let Some(whole) = found.get(0).map(|whole| whole.range()) else { continue };
            let is_free = taken.iter().all(|(other, _)| other.end <= whole.start || whole.end <= other.start);
            // The 5 of `25:00` is no hour.
            let is_in_number = found
                .name("hour")
                .is_some_and(|hour| text[..hour.start()].ends_with(|c: char| c.is_ascii_digit()));
            if let Some(time) = time(&found).filter(|_| is_free && !is_in_number) {
                let begin =
                    found.name("part_cj").or_else(|| found.name("hour")).or_else(|| found.name("noon"));
                let begin = begin.map_or(whole.start, |group| group.start());
                taken.push((begin..whole.end, time));
            }
        }
    }
    taken.sort_by_key(|(at, _)| at.start);
    let is_end = |at: &Range<usize>| {
        table.end_before.0.is_match(&text[..at.start]) || table.end_after.0.is_match(&text[at.end..])
    };
    let start = taken.iter().find(|(at, _)| !is_end(at)).map(|(_, time)| *time);
    let end = taken.iter().find(|(at, _)| is_end(at)).map(|(_, time)| *time);
    // `From half past seven in the evening until nine` ends in the evening.
    let later = |end: Time| match start {
        Some(start) if end < start && end.hour() < 12 => end.wrapping_add(12.hours()),
        _ => end,
    };
    let said = |time: Time| time.strftime("%H:%M").to_string();
    (start.map(said), end.map(later).map(said))
}

fn time(found: &Captures<'_>) -> Option<Time> {
    if found.name("noon").is_some() {
        return Time::new(12, 0, 0, 0).ok();
    }
    let mut hour: i8 = number(found, "hour")?;
    let mut minute: i8 = number(found, "minute").unwrap_or(0);
    if found.name("half").is_some() {
        minute = 30;
    }
    if let Some(quarters) = number::<i8>(found, "quarters") {
        minute = 15 * quarters;
    }
    if let Some(past) = found.name("past") {
        minute = if past.as_str().to_lowercase().contains("quarter") { 15 } else { 30 };
    }
    let part = ["part", "part_en", "part_cj"].into_iter().find_map(|group| found.name(group));
    match part.map(|part| TABLE.time.afternoon.0.is_match(part.as_str())) {
        // `13pm` is no valid time.
        Some(true) if found.name("part").is_some() && hour > 12 => return None,
        Some(true) if hour < 12 => hour += 12,
        Some(false) if found.name("part").is_some() && hour > 12 => return None,
        Some(false) if hour == 12 => hour = 0,
        _ => {}
    }
    Time::new(hour, minute, 0, 0).ok()
}

fn radius_km(text: &str) -> Option<f64> {
    let table = &TABLE.radius;
    first(&table.forms, text, |found| {
        let number = found.name("number")?.as_str().replace(',', ".");
        let number: f64 = if number.eq_ignore_ascii_case("half") { 0.5 } else { number.parse().ok()? };
        let number = if found.name("half").is_some() { number + 0.5 } else { number };
        let unit = found.name("unit")?.as_str();
        let (_, metres) = table.units.iter().find(|(words, _)| words.0.is_match(unit))?;
        // Rounded to two decimal places.
        Some((number * metres / 10.0).round() / 100.0)
    })
}
