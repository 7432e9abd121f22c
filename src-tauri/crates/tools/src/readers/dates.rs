//! Finds the day in the dates that files and feeds write, in all their styles.
//! A time with an offset counts as the day in its own zone, as it is printed there.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::rfc2822;

/// Ways to write a day that no standard covers.
const STYLES: [&str; 13] = [
    "%Y-%m-%d",
    "%Y%m%d",
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
    if text.parse::<Timestamp>().is_ok() {
        return Date::strptime("%Y-%m-%d", text.get(..10)?).ok();
    }
    if let Ok(zoned) = rfc2822::DateTimeParser::new().relaxed_weekday(true).parse_zoned(text) {
        return Some(zoned.date());
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

/// Lines of a head, empty ones not counted.
const HEAD_LINES: usize = 12;
/// Characters of a line that may be one of a head.
const HEAD_LINE: usize = 140;
/// Words that a line without a label may have beside its day.
const WORDS_BESIDE: usize = 8;
/// What stands before the day of an article, in lower case.
const LABELS: [&str; 16] = [
    "published",
    "posted",
    "date",
    "updated",
    "by",
    "released",
    "issued",
    "veröffentlicht",
    "stand",
    "von",
    "发布",
    "发表",
    "日期",
    "公開",
    "掲載",
    "日付",
];
const GERMAN_MONTHS: [(&str, &str); 8] = [
    ("januar", "January"),
    ("februar", "February"),
    ("märz", "March"),
    ("mai", "May"),
    ("juni", "June"),
    ("juli", "July"),
    ("oktober", "October"),
    ("dezember", "December"),
];

/// The day that is printed at the head of an article: in a line with a label such as "Published:", or in a short line
/// that is no sentence.
pub(crate) fn day_in_head(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(HEAD_LINES);
    let lines = lines.filter(|line| line.chars().count() <= HEAD_LINE && !line.starts_with('#'));
    lines.filter(|line| !line.contains("://")).find_map(|line| {
        let (date, words) = day_in_line(line)?;
        let lower = line.trim_start_matches(['*', '_', '(', '[', ' ']).to_lowercase();
        let is_labelled = LABELS.iter().any(|label| lower.starts_with(label));
        let is_sentence = line.trim_end_matches(['*', '_', ')', ' ']).ends_with(['.', '。', '!', '?']);
        (is_labelled || !is_sentence && words <= WORDS_BESIDE).then_some(date)
    })
}

/// The first day in a line, and how many words stand beside it.
fn day_in_line(line: &str) -> Option<(String, usize)> {
    let words: Vec<&str> = line
        .split(|character: char| character.is_whitespace() || "|·•—–()[]*_".contains(character))
        .filter(|word| !word.is_empty())
        .collect();
    let dense = line.split(|character: char| !(character.is_ascii_digit() || "年月日".contains(character)));
    let dense = dense.filter(|part| part.contains('年')).find_map(day);
    let found = dense.map(|date| (date, 1)).or_else(|| {
        let windows =
            [3, 1, 2].into_iter().flat_map(|width| words.windows(width).map(move |part| (part, width)));
        windows.into_iter().find_map(|(part, width)| Some((day_of_words(part)?, width)))
    });
    found.map(|(date, width)| (date, words.len() - width.min(words.len())))
}

fn day_of_words(words: &[&str]) -> Option<String> {
    let month = |word: &str| {
        let lower = word.trim_end_matches([',', '.']).to_lowercase();
        GERMAN_MONTHS.iter().find(|(german, _)| *german == lower).map(|(_, english)| (*english).to_owned())
    };
    let joined: Vec<String> = match words {
        [day, name, year] if month(name).is_some() => {
            vec![day.trim_end_matches('.').to_owned(), month(name)?, (*year).to_owned()]
        }
        _ => words.iter().map(|word| (*word).to_owned()).collect(),
    };
    let text = joined.join(" ");
    let text = text.trim_end_matches([',', '.', ':', ';']);
    day(text).filter(|_| text.len() > 4).or_else(|| slashed(text))
}

/// A day with slashes, where its numbers leave no doubt which is the month.
fn slashed(text: &str) -> Option<String> {
    let mut numbers = text.split('/').map(|part| part.parse::<i16>().ok());
    let (one, two, year) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let (day, month) = match (one > 12, two > 12) {
        (true, false) => (one, two),
        (false, true) => (two, one),
        _ => return None,
    };
    let date = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    ((1000..=9999).contains(&year) && numbers.next().is_none()).then(|| date.to_string())
}

/// Only here so that a style that jiff does not know is found by a test and not by a user.
#[cfg(test)]
pub(crate) fn styles_are_legal() -> bool {
    STYLES.iter().all(|style| jiff::fmt::strtime::format(style, Date::constant(2026, 6, 1)).is_ok())
}
