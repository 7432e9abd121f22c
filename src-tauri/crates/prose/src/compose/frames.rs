//! The sentences around what an article says: who, where, when. Plain, varied by position, never by chance.

use super::ArticleText;
use super::voice::{Opening, capitalised};
use crate::candidates::without_citations;
use crate::clean::clean;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Day {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
}

static MONTH_NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Day {
    /// Reads YYYY-MM-DD, also with a time behind it.
    pub(crate) fn read(written: &str) -> Option<Self> {
        let date = written.trim().get(..10)?;
        let mut parts = date.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || year.len() != 4 || month.len() != 2 {
            return None;
        }
        let read = Self { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? };
        ((1..=12).contains(&read.month) && (1..=31).contains(&read.day)).then_some(read)
    }

    pub(crate) fn month_name(self) -> &'static str {
        MONTH_NAMES.get(usize::from(self.month).wrapping_sub(1)).copied().unwrap_or_default()
    }

    fn short(self) -> String {
        format!("{} {}", self.day, self.month_name())
    }

    pub(crate) fn long(self) -> String {
        format!("{} {}", self.short(), self.year)
    }
}

/// What is said of an article besides its content.
#[derive(Clone, Debug)]
pub(crate) struct Credit {
    /// The title as plain text; empty when there is none.
    pub(crate) title: String,
    pub(crate) source: String,
    pub(crate) day: Option<Day>,
    /// "paper" or "article".
    pub(crate) noun: &'static str,
}

/// Longest title that is named in a sentence.
const LONGEST_TITLE: usize = 16;

impl Credit {
    pub(crate) fn of(article: &ArticleText<'_>) -> Self {
        let source = without_citations(&clean(cut(article.source, 60)));
        let lower = source.to_lowercase();
        let is_paper =
            ["arxiv", "biorxiv", "journal", "proceedings", "acl anthology", "openreview", "pubmed"]
                .iter()
                .any(|name| lower.contains(name));
        let title = without_citations(&clean(cut(article.title, 400))).replace(['“', '”', '"'], "'");
        Self {
            title: title.trim_end_matches('.').to_owned(),
            source,
            day: Day::read(article.published),
            noun: if is_paper { "paper" } else { "article" },
        }
    }

    /// “Title” (source, day); the part before a colon when the whole is long. None for a title that is too long.
    pub(crate) fn titled(&self) -> Option<String> {
        let words = |title: &str| title.split_whitespace().count();
        let short = match self.title.split_once(": ") {
            Some((head, _)) if words(&self.title) > LONGEST_TITLE => head,
            _ => &self.title,
        };
        if short.is_empty() || words(short) > LONGEST_TITLE {
            return None;
        }
        Some(format!("“{short}”{}", self.in_brackets()))
    }

    fn in_brackets(&self) -> String {
        let day = self.day.map(Day::long).unwrap_or_default();
        match (self.source.is_empty(), day.is_empty()) {
            (false, false) => format!(" ({}, {day})", self.source),
            (false, true) => format!(" ({})", self.source),
            (true, false) => format!(" ({day})"),
            (true, true) => String::new(),
        }
    }

    /// "a 12 June paper"; "another", "a further" when that day was named before.
    fn dated(&self, noun: &str, named: &mut Vec<Option<Day>>) -> String {
        let before = named.iter().filter(|day| **day == self.day).count();
        named.push(self.day);
        let article = match self.day {
            _ if before % 2 == 1 => "another",
            _ if before > 0 => "a further",
            Some(Day { day: 8 | 11 | 18, .. }) => "an",
            None if noun == "article" => "an",
            _ => "a",
        };
        let day = self.day.map(|day| format!("{} ", day.short())).unwrap_or_default();
        let source = if self.noun == "article" && !self.source.is_empty() {
            format!(" from {}", self.source)
        } else {
            String::new()
        };
        format!("{article} {day}{noun}{source}")
    }
}

/// Where a sentence stands among those that open an article.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    /// From 0, in the order of the text.
    pub(crate) at: usize,
    pub(crate) is_last: bool,
    /// Opens the paragraph about evaluations.
    pub(crate) is_turn: bool,
    /// The title is named.
    pub(crate) is_titled: bool,
}

/// The sentence that opens an article, without its citation and full stop.
pub(crate) fn framed(
    opening: &Opening,
    credit: &Credit,
    position: Position,
    named: &mut Vec<Option<Day>>,
) -> String {
    let titled = if position.is_titled { credit.titled() } else { None };
    let turn = if position.is_turn { "On the evaluation side, " } else { "" };
    let last = if position.is_last && position.at > 1 && !position.is_turn { "Finally, " } else { turn };
    let sentence = match (opening, titled) {
        // A title and a long clause before the authors come to speak are too much at once.
        (Opening::Authors { lead, rest }, Some(title)) if lead.is_empty() || lead.split(' ').count() > 8 => {
            format!("{last}in {title}, the authors {rest}")
        }
        (Opening::Authors { lead, rest }, Some(title)) => format!("{lead}, the authors of {title} {rest}"),
        (Opening::Authors { lead, rest }, None) if !lead.is_empty() => {
            let work = credit.dated(credit.noun, named);
            if position.at.is_multiple_of(2) {
                format!("{lead}, the authors of {work} {rest}")
            } else {
                format!("{lead}, researchers behind {work} {rest}")
            }
        }
        (Opening::Authors { rest, .. }, None) => match (position.at % 4, credit.day) {
            (1, _) => format!("{last}in {}, researchers {rest}", credit.dated(credit.noun, named)),
            (2, _) => format!("{last}other researchers, in {}, {rest}", credit.dated(credit.noun, named)),
            (3, Some(day)) if !named.contains(&Some(day)) && credit.noun == "paper" => {
                named.push(Some(day));
                format!("{last}in another paper, dated {}, the authors {rest}", day.short())
            }
            _ => format!("{last}the authors of {} {rest}", credit.dated(credit.noun, named)),
        },
        (Opening::Work { rest, .. }, Some(title)) => format!("{last}{title} {rest}"),
        (Opening::Work { noun, rest }, None) => format!("{last}{} {rest}", credit.dated(noun, named)),
        // A capital that had to stay may be a name's or only the sentence's: then the credit comes last.
        (Opening::Plain { sentence }, titled) => {
            let work = titled.unwrap_or_else(|| credit.dated(credit.noun, named));
            if sentence.starts_with(char::is_uppercase) {
                format!("{sentence}, according to {work}")
            } else {
                format!("{last}according to {work}, {sentence}")
            }
        }
    };
    capitalised(&sentence)
}

/// What can be said of an article of which only the title is usable, without its citation and full stop.
pub(crate) fn bare(credit: &Credit, is_first: bool) -> String {
    let words = credit.title.split_whitespace().count();
    let title = match credit.title.split_once(": ") {
        _ if credit.title.is_empty() => "a publication without a title".to_owned(),
        Some((head, _)) if words > LONGEST_TITLE => format!("“{head}”"),
        _ if words > 2 * LONGEST_TITLE => "a publication with a long title".to_owned(),
        _ => format!("“{}”", credit.title),
    };
    let also = if is_first { "On" } else { "Also on" };
    format!("{also} the list is {title}{}", credit.in_brackets())
}

/// The beginning of a text, cut at a character border.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// "June 2026", "May and June 2026", "a day": when all the days are known.
pub(crate) fn period(days: &[Option<Day>]) -> Option<String> {
    let days: Vec<Day> = days.iter().copied().collect::<Option<_>>()?;
    let (first, last) = (days.iter().min()?, days.iter().max()?);
    Some(if first == last {
        first.long()
    } else if (first.year, first.month) == (last.year, last.month) {
        format!("{} {}", first.month_name(), first.year)
    } else if first.year == last.year {
        let link = if last.month - first.month == 1 { "and" } else { "to" };
        format!("{} {link} {} {}", first.month_name(), last.month_name(), first.year)
    } else {
        format!("{} {} to {} {}", first.month_name(), first.year, last.month_name(), last.year)
    })
}
