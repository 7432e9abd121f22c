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

/// Labels that say the day of an article also at the beginning of a sentence, without a colon.
const CLEAR_LABELS: [&str; 9] =
    ["published", "posted", "veröffentlicht", "发布", "发表", "日期", "公開", "掲載", "日付"];
/// Words before a day that is one of a story and not of its article.
const OF_A_STORY: [&str; 12] =
    ["on", "in", "of", "since", "until", "from", "before", "after", "for", "am", "seit", "vom"];
/// Characters of what stands before the text of an article: place, agency and day.
const DATELINE: usize = 80;
/// Words of a place and an agency.
const PLACE_WORDS: usize = 5;
/// Characters of a place and an agency where words are not parted by blanks.
const DENSE_PLACE: usize = 16;

/// The day that is printed at the head of an article: in a line with a label such as "Published:", in a short line that
/// is no sentence, or in a dateline before its text. A day of the story itself is none of these.
pub(crate) fn day_in_head(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(HEAD_LINES);
    let mut lines = lines.filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let is_short = line.chars().count() <= HEAD_LINE && !line.contains("://");
        is_short.then(|| day_of_line(line)).flatten().or_else(|| day_of_dateline(line))
    })
}

/// The day of a short line that is about the article.
fn day_of_line(line: &str) -> Option<String> {
    let Found { date, beside, word_before } = day_in_line(line)?;
    let lower = line.trim_start_matches(['*', '_', '(', '[', ' ']).to_lowercase();
    let is_sentence = line.trim_end_matches(['*', '_', ')', ' ']).ends_with(['.', '。', '!', '?']);
    let is_labelled = LABELS.iter().any(|label| {
        let Some(rest) = lower.strip_prefix(label) else { return false };
        let is_word = !rest.starts_with(|next: char| next.is_ascii_alphabetic());
        let has_colon = rest.trim_start_matches(['*', '_', ' ']).starts_with([':', '：']);
        is_word && (has_colon || !is_sentence || CLEAR_LABELS.contains(label))
    });
    let is_of_a_story = OF_A_STORY.contains(&word_before.to_lowercase().as_str());
    (is_labelled || !is_sentence && !is_of_a_story && beside <= WORDS_BESIDE).then_some(date)
}

/// The day of a dateline: "PARIS, 10 June 2026 — …", "新华社北京2026年6月10日电 …".
fn day_of_dateline(line: &str) -> Option<String> {
    let head: String = line.chars().take(DATELINE).collect();
    let (place, rest) = head
        .split_once(['—', '–'])
        .or_else(|| head.split_once(" - "))
        .or_else(|| head.split_once("--"))
        .unwrap_or((&head, ""));
    if rest.trim().is_empty() {
        return day_of_dense_dateline(&head);
    }
    let Found { date, beside, .. } = day_in_line(place)?;
    let of_place = place.split(|character: char| character.is_whitespace() || ",()".contains(character));
    let of_place = of_place.take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let words: Vec<&str> = of_place.filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let is_loud = words.first().is_some_and(|word| {
        word.chars().count() > 2 && word.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase)
    });
    let is_place = (is_loud || place.contains([',', '('])) && !words.is_empty() && words.iter().all(is_name);
    (is_place && beside > 0 && beside <= PLACE_WORDS).then_some(date).or_else(|| day_of_dense_dateline(&head))
}

fn day_of_dense_dateline(head: &str) -> Option<String> {
    let year = head.find('年')?;
    let start = head[..year].char_indices().rev().take_while(|(_, c)| c.is_ascii_digit()).last()?.0;
    let end = year + head[year..].find('日')? + '日'.len_utf8();
    let place = &head[..start];
    let is_place = place.chars().count() <= DENSE_PLACE && !place.contains(['。', '，', '、', '；']);
    let follows = head[end..].trim_start().chars().next()?;
    (is_place && !place.is_empty() && "电電讯訊】—–".contains(follows))
        .then(|| day(&head[start..end]))
        .flatten()
}

/// A day that stands in a line.
struct Found<'a> {
    date: String,
    /// How many words stand beside it.
    beside: usize,
    /// The word before it; empty where none is.
    word_before: &'a str,
}

/// The first day in a line.
fn day_in_line(line: &str) -> Option<Found<'_>> {
    let words: Vec<&str> = line
        .split(|character: char| character.is_whitespace() || "|·•—–()[]*_".contains(character))
        .filter(|word| !word.is_empty())
        .collect();
    let dense = line.split(|character: char| !(character.is_ascii_digit() || "年月日".contains(character)));
    if let Some(date) = dense.filter(|part| part.contains('年')).find_map(day) {
        return Some(Found { date, beside: words.len().saturating_sub(1), word_before: "" });
    }
    let mut windows = [3, 1, 2]
        .into_iter()
        .flat_map(|width| words.windows(width).enumerate().map(move |(at, part)| (at, part, width)));
    let (at, date, width) = windows.find_map(|(at, part, width)| Some((at, day_of_words(part)?, width)))?;
    let word_before = at.checked_sub(1).map_or("", |before| words[before]);
    Some(Found { date, beside: words.len() - width, word_before })
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
