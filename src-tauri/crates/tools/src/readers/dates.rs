//! Parses the dates that files, feeds and services write, in all their formats and languages.
//!
//! The result is the day as printed: a time with an offset gives the day in its own zone. Not in here: the date of an
//! article in the lines above its text (`head_day`).

use std::collections::HashMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use regex::{Captures, Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization;

/// Longer texts are not parsed as dates.
const LONGEST: usize = 80;

/// The date formats: a four-digit year `y` or two-digit year `s`, a month as number `m` or name `n`, and a day `d`; `a`
/// and `b` are a day and a month whose order only their values decide. Case does not matter.
const STYLES: [&str; 11] = [
    r"^(?<y>\d{4})\s*[-/.年년]\s*(?<m>\d{1,2})\s*[-/.月월]\s*(?<d>\d{1,2})[日号일]?",
    r"^(?<y>[12]\d{3})(?<m>\d\d)(?<d>\d\d)(?:\d{4}(?:\d\d)?)?",
    // A day and its hour, before the count of seconds: read as seconds since 1970 such a number would be a day from
    // 2030 on.
    r"^(?<y>(?:19|20)\d\d)(?<m>\d\d)(?<d>\d\d)(?:[01]\d|2[0-3])",
    r"^(?<d>\d{1,2})(?:st|nd|rd|th|er|[oº.])?[\s-]*(?:(?:of|de|di)\s+)?(?<n>\p{L}{3,})\.?,?[\s-]*(?:(?:de|del)\s+)?(?:(?<y>\d{4})|(?<s>\d\d))",
    r"^(?<n>\p{L}{3,})\.?[\s-]+(?<d>\d{1,2})(?:st|nd|rd|th)?\s*[,\s-]\s*(?<y>\d{4})",
    r"^(?<y>\d{4})\.?[\s-]+(?<n>\p{L}{3,})\.?[\s-]+(?<d>\d{1,2})",
    r"^(?<n>\p{L}{3,})\s+(?<d>\d{1,2})\s+\d{1,2}:\d\d(?::\d\d)?\s+(?:(?:[A-Z]{1,5}|[-+]\d{4})\s+)?(?<y>\d{4})",
    r"^(?<d>\d{1,2})\s+(?<m>\d{1,2})[月월]\s+(?<y>\d{4})",
    r"^(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.\s?(?<y>\d{4})",
    r"^(?<a>\d{1,2})/(?<b>\d{1,2})/(?<y>\d{4})",
    r"^(?<a>\d{1,2})-(?<b>\d{1,2})-(?<y>\d{4})",
];
/// A time after a day.
const TIME: &str = r"^(?:[T\s,]|at\s)*(?<hour>\d{1,2}):\d\d";
/// Seconds or milliseconds since 1970.
const COUNT: &str = r"^(?<seconds>\d{9,10})(?:\d{3})?(?:\.\d+)?$";

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| STYLES.iter().filter_map(|style| in_any_case(style).ok()).collect());
static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(TIME).ok());
static COUNTS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(COUNT).ok());

fn in_any_case(style: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(style).case_insensitive(true).build()
}

/// The names of months, full and abbreviated, and of weekdays in the supported languages.
macro_rules! names {
    ($($locale:ident)*) => {
        /// In calendar order, all languages for each month.
        const MONTHS: &[&[&str]] = &[$(
            pure_rust_locales::$locale::LC_TIME::MON,
            pure_rust_locales::$locale::LC_TIME::ABMON,
            match pure_rust_locales::$locale::LC_TIME::ALT_MON { Some(names) => names, None => &[] },
        )*];
        const WEEKDAYS: &[&[&str]] = &[$(
            pure_rust_locales::$locale::LC_TIME::DAY,
            pure_rust_locales::$locale::LC_TIME::ABDAY,
        )*];
    };
}
names!(en_US de_DE de_AT fr_FR es_ES it_IT pt_BR nl_NL sv_SE da_DK nb_NO fi_FI pl_PL cs_CZ hu_HU ru_RU uk_UA tr_TR ja_JP zh_CN ko_KR);

/// The numbers of months by their names.
static MONTHS_BY_NAME: LazyLock<HashMap<String, i8>> = LazyLock::new(|| {
    let numbered = MONTHS.iter().flat_map(|names| names.iter().zip(1..));
    numbered.map(|(name, number)| (bare(name), number)).collect()
});

/// The day as `YYYY-MM-DD`; `None` when the text is no date between the years 1000 and 9999.
pub(crate) fn day(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'']);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let text = text.strip_prefix("D:").unwrap_or(text);
    at_start(text).map(|(date, _)| date).or_else(|| counted(text)).map(|date| date.to_string())
}

/// The day at the beginning of a text, also after a weekday, and its length in bytes.
pub(super) fn at_start(text: &str) -> Option<(Date, usize)> {
    let first = || PATTERNS.iter().find_map(|pattern| in_style(text, pattern));
    first().or_else(|| {
        let end = text.find(|character: char| !character.is_alphabetic())?;
        let rest = text[end..].trim_start_matches(['.', ',', ' ', '\u{a0}']);
        // Two letters without punctuation are a word: the Danish Wednesday is "on".
        let is_marked = text[end..].starts_with(['.', ',']) || text[..end].chars().count() > 2;
        let is_weekday =
            is_marked && WEEKDAYS.iter().copied().flatten().any(|name| bare(name) == bare(&text[..end]));
        let (date, length) =
            is_weekday.then(|| PATTERNS.iter().find_map(|pattern| in_style(rest, pattern)))??;
        Some((date, text.len() - rest.len() + length))
    })
}

fn in_style(text: &str, pattern: &Regex) -> Option<(Date, usize)> {
    let found = pattern.captures(text)?;
    let whole = found.get(0)?;
    let rest = &text[whole.end()..];
    let hour = TIMES.as_ref().and_then(|time| number(&time.captures(rest)?, "hour"));
    let date = match (number(&found, "a"), number(&found, "b")) {
        (Some(one), Some(two)) => {
            let (day, month) = if one > 12 { (one, two) } else { (two, one) };
            let is_clear = one > 12 || two > 12 || one == two;
            is_clear.then(|| date_of(number(&found, "y")?, month, day))?
        }
        _ => {
            // A two-digit year is accepted only before a time, as in mail headers.
            let short = || number(&found, "s").filter(|_| hour.is_some());
            let year = number(&found, "y")
                .or_else(|| short().map(|short| if short < 70 { 2000 } else { 1900 } + short))?;
            let month = number(&found, "m").or_else(|| found.name("n").and_then(|name| month(name.as_str())));
            date_of(year, month?, number(&found, "d")?)
        }
    }?;
    if !whole.as_str().ends_with(['日', '号', '일']) && !is_parted(rest) {
        return None;
    }
    // 24:00 is the beginning of the next day.
    let date = if hour == Some(24) { date.checked_add(1.day()).ok()? } else { date };
    Some((date, whole.len()))
}

fn date_of(year: i16, month: i16, day: i16) -> Option<Date> {
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    (1000..=9999).contains(&year).then_some(date)
}

/// The number of a capture group, also in full-width digits.
fn number(found: &Captures<'_>, name: &str) -> Option<i16> {
    found.name(name)?.as_str().nfkc().collect::<String>().parse().ok()
}

/// Whether a date may end before this text: "2026-06-12T08:30", but not "2026-06-12x" or "1.6.2026.3".
fn is_parted(rest: &str) -> bool {
    let mut next = rest.chars();
    match (next.next(), next.next()) {
        (Some('T' | 't'), Some(digit)) => digit.is_ascii_digit(),
        (Some('Z' | 'z'), None) => true,
        (Some('-' | '/' | '.' | '_'), Some(more)) => !more.is_alphanumeric(),
        (Some(first), _) => !first.is_ascii_alphanumeric(),
        (None, _) => true,
    }
}

/// The number of a month by its name or an unambiguous prefix.
fn month(name: &str) -> Option<i16> {
    let name = bare(name);
    // Finnish writes dates with the month in the partitive case ("kesäkuuta").
    let name = name.strip_suffix("ta").filter(|name| name.ends_with("kuu")).unwrap_or(&name);
    let exact = MONTHS_BY_NAME.get(name).copied();
    let mut begun =
        MONTHS_BY_NAME.iter().filter(|(whole, _)| whole.starts_with(name)).map(|(_, number)| *number);
    exact.or_else(|| begun.next().filter(|first| begun.all(|other| other == *first))).map(i16::from)
}

/// A name normalized for comparison.
fn bare(name: &str) -> String {
    name.trim_start().trim_end_matches('.').to_lowercase()
}

/// The UTC day of seconds or milliseconds since 1970.
fn counted(text: &str) -> Option<Date> {
    let seconds = COUNTS.as_ref()?.captures(text)?["seconds"].parse().ok()?;
    Some(Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::UTC).date())
}

/// Lets a test find an invalid pattern before a user does.
#[cfg(test)]
pub(crate) fn patterns_are_sound() -> bool {
    PATTERNS.len() == STYLES.len() && TIMES.is_some() && COUNTS.is_some()
}
