//! Finds the date of an article in the lines above its text.

use super::dates::{self, day};

/// Non-empty lines that are searched.
const HEAD_LINES: usize = 12;
/// Characters that separate words in a line, besides spaces.
const SEPARATORS: &str = "|·•—–()[]*_";
/// The longest line that is searched, in characters.
const LONGEST_LINE: usize = 140;
/// The most words that a line without a label may have besides its date.
const MOST_OTHER_WORDS: usize = 8;
/// Labels before the date of an article, in lower case.
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
/// Labels that mark the article's date also at the start of a sentence, without a colon.
const CLEAR_LABELS: [&str; 9] =
    ["published", "posted", "veröffentlicht", "发布", "发表", "日期", "公開", "掲載", "日付"];
/// Words before a date that belongs to the story and not to the article.
const STORY_WORDS: [&str; 12] =
    ["on", "in", "of", "since", "until", "from", "before", "after", "for", "am", "seit", "vom"];
/// The longest dateline, in characters: place, agency and date.
const LONGEST_DATELINE: usize = 80;
/// The most words of a place and an agency.
const MOST_PLACE_WORDS: usize = 5;
/// The most characters of a place and an agency in scripts without spaces.
const LONGEST_DENSE_PLACE: usize = 16;

/// The date printed above an article: in a line with a label such as "Published:", in a short line that is no sentence,
/// or in a dateline. Dates inside the story are ignored.
pub(crate) fn day_in_head(text: &str) -> Option<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(HEAD_LINES);
    let mut lines = lines.filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let is_short = line.chars().count() <= LONGEST_LINE && !line.contains("://");
        is_short.then(|| day_of_line(line)).flatten().or_else(|| day_of_dateline(line))
    })
}

/// The date of the article in a short line.
fn day_of_line(line: &str) -> Option<String> {
    let DateInLine { date, beside, word_before } = day_in_line(line)?;
    let lower = line.trim_start_matches(['*', '_', '(', '[', ' ']).to_lowercase();
    let is_sentence = line.trim_end_matches(['*', '_', ')', ' ']).ends_with(['.', '。', '!', '?']);
    let is_labelled = LABELS.iter().any(|label| {
        let Some(rest) = lower.strip_prefix(label) else { return false };
        let is_word = !rest.starts_with(|next: char| next.is_ascii_alphabetic());
        let has_colon = rest.trim_start_matches(['*', '_', ' ']).starts_with([':', '：']);
        is_word && (has_colon || !is_sentence || CLEAR_LABELS.contains(label))
    });
    let is_of_a_story = STORY_WORDS.contains(&word_before.to_lowercase().as_str());
    (is_labelled || !is_sentence && !is_of_a_story && beside <= MOST_OTHER_WORDS).then_some(date)
}

/// The date of a dateline: "PARIS, 10 June 2026 — …", "新华社北京2026年6月10日电 …".
fn day_of_dateline(line: &str) -> Option<String> {
    let head: String = line.chars().take(LONGEST_DATELINE).collect();
    let (place, rest) = head
        .split_once(['—', '–'])
        .or_else(|| head.split_once(" - "))
        .or_else(|| head.split_once("--"))
        .unwrap_or((&head, ""));
    if rest.trim().is_empty() {
        return day_of_dense_dateline(&head);
    }
    let DateInLine { date, beside, .. } = day_in_line(place)?;
    let of_place = place.split(|character: char| character.is_whitespace() || ",()".contains(character));
    let of_place = of_place.take_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let words: Vec<&str> = of_place.filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let is_loud = words.first().is_some_and(|word| {
        word.chars().count() > 2 && word.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase)
    });
    let is_place = (is_loud || place.contains([',', '('])) && !words.is_empty() && words.iter().all(is_name);
    (is_place && beside > 0 && beside <= MOST_PLACE_WORDS)
        .then_some(date)
        .or_else(|| day_of_dense_dateline(&head))
}

fn day_of_dense_dateline(head: &str) -> Option<String> {
    let year = head.find('年')?;
    let start = head[..year].char_indices().rev().take_while(|(_, c)| c.is_ascii_digit()).last()?.0;
    let end = year + head[year..].find('日')? + '日'.len_utf8();
    let place = &head[..start];
    let is_place = place.chars().count() <= LONGEST_DENSE_PLACE && !place.contains(['。', '，', '、', '；']);
    let follows = head[end..].trim_start().chars().next()?;
    (is_place && !place.is_empty() && "电電讯訊】—–".contains(follows))
        .then(|| day(&head[start..end]))
        .flatten()
}

/// A date in a line.
struct DateInLine<'a> {
    date: String,
    /// The number of other words in the line.
    beside: usize,
    /// The word before the date; empty if there is none.
    word_before: &'a str,
}

/// The first day in a line.
fn day_in_line(line: &str) -> Option<DateInLine<'_>> {
    let words = |text: &'_ str| {
        let parts = text.split(|character: char| character.is_whitespace() || SEPARATORS.contains(character));
        parts.filter(|part| !part.is_empty()).count()
    };
    let mut before = ' ';
    let (at, (date, length)) = line.char_indices().find_map(|(at, character)| {
        let last = std::mem::replace(&mut before, character);
        // In a script without spaces a number may follow a letter directly.
        let is_begun = !last.is_alphanumeric() || (character.is_ascii_digit() && !last.is_ascii());
        let is_begun = is_begun && character.is_alphanumeric() && !"./-".contains(last);
        is_begun.then(|| dates::at_start(&line[at..])).flatten().map(|found| (at, found))
    })?;
    let (head, tail) = (&line[..at], &line[at + length..]);
    let is_of_day = |character: char| character.is_whitespace() || SEPARATORS.contains(character);
    let word_before = head.trim_end_matches(is_of_day).rsplit(is_of_day).next().unwrap_or_default();
    Some(DateInLine {
        date: date.to_string(),
        beside: words(head) + words(tail.trim_matches(['.', ',', ':', ';'])),
        word_before,
    })
}
