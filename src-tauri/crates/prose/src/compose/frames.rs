//! The sentences around what an article says: who, where, when. Plain, varied by position, never by chance.

use super::ArticleText;
use super::ideographic::{Language, language};
use super::research;
use super::voice::{Opening, capitalised};
use crate::candidates::without_citations;
use crate::clean::clean;
use crate::known_words::GERMAN_WORDS;

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

    fn in_figures(self) -> String {
        format!("{}-{:02}-{:02}", self.year, self.month, self.day)
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
    /// Whether it is a scientific paper, whose authors speak of themselves.
    pub(crate) is_paper: bool,
    /// Whether it is in English; days are named in figures else.
    pub(crate) is_english: bool,
    /// The language that it is in, where it is another one and known.
    pub(crate) foreign: Option<&'static str>,
}

/// Bytes of the name of a source that are printed.
const LONGEST_SOURCE: usize = 120;
/// Longest title that is named in a sentence.
const LONGEST_TITLE: usize = 26;

impl Credit {
    pub(crate) fn of(article: &ArticleText<'_>) -> Self {
        let source = without_citations(&clean(cut(article.source, LONGEST_SOURCE)));
        let source = if is_file_name(&source) { String::new() } else { source };
        let title = without_citations(&clean(cut(article.title, 400))).replace(['“', '”', '"'], "'");
        let title = without_site(title.trim_end_matches('.'), &source);
        Self {
            is_paper: research::is_paper(article.text, &source),
            title,
            source,
            day: Day::read(article.published),
            is_english: is_english(article.text),
            foreign: foreign(article.text),
        }
    }

    /// “Title” (source, day). None for a title that is too long to be one.
    pub(crate) fn titled(&self) -> Option<String> {
        let words = |title: &str| title.split_whitespace().count();
        if self.title.is_empty() || words(&self.title) > LONGEST_TITLE {
            return None;
        }
        Some(format!("“{}”{}", self.title, self.in_brackets()))
    }

    /// "a paper (arXiv, 9 June 2026)".
    fn untitled(&self) -> String {
        let noun = if self.is_paper { "a paper" } else { "an article" };
        format!("{noun}{}", self.in_brackets())
    }

    fn in_brackets(&self) -> String {
        let written = |day: Day| if self.is_english { day.long() } else { day.in_figures() };
        let day = self.day.map(written).unwrap_or_default();
        match (self.source.is_empty(), day.is_empty()) {
            (false, false) => format!(" ({}, {day})", self.source),
            (false, true) => format!(" ({})", self.source),
            (true, false) => format!(" ({day})"),
            (true, true) => String::new(),
        }
    }
}

/// The sentence that opens an article, without its citation and full stop: what its authors say in the third person,
/// anything else as it stands behind the title.
pub(crate) fn framed(opening: &Opening, credit: &Credit) -> String {
    let work = credit.titled();
    capitalised(&match (opening, work) {
        (Opening::Authors { lead, rest }, Some(work))
            if lead.is_empty() || lead.split(' ').count() > LONGEST_LEAD =>
        {
            format!("in {work}, the authors {rest}")
        }
        (Opening::Authors { lead, rest }, Some(work)) => format!("{lead}, the authors of {work} {rest}"),
        (Opening::Authors { lead, rest }, None) if !lead.is_empty() => {
            format!("{lead}, the authors of {} {rest}", credit.untitled())
        }
        (Opening::Authors { rest, .. }, None) => format!("the authors of {} {rest}", credit.untitled()),
        (Opening::Work { rest, .. }, work) => format!("{} {rest}", work.unwrap_or_else(|| credit.untitled())),
        (Opening::Plain { sentence }, work) => {
            format!("{}: {sentence}", work.unwrap_or_else(|| credit.untitled()))
        }
    })
}

/// Words of a clause in front of "the authors of …" beyond which it is left out.
const LONGEST_LEAD: usize = 8;

/// Whether a text is in English rather than another language with spaces.
fn is_english(text: &str) -> bool {
    let words = cut(text, 2000).split_whitespace().map(str::to_lowercase);
    let (mut all, mut english) = (0, 0);
    for word in words {
        all += 1;
        english += usize::from(ENGLISH.contains(&word.as_str()));
    }
    all < 12 || english * 12 >= all
}

/// Whether it is the name of a file: who published an article is not told by it.
pub fn is_file_name(source: &str) -> bool {
    source.rsplit_once('.').is_some_and(|(_, ending)| {
        let ending = ending.to_lowercase();
        ["md", "markdown", "txt", "text", "html", "htm", "pdf", "docx", "jsonl", "xml", "rss"]
            .contains(&ending.as_str())
    })
}

/// The language of a text that is not in English, if it is one of those that are told apart.
fn foreign(text: &str) -> Option<&'static str> {
    match language(cut(text, 3000)) {
        Language::Chinese => Some("Chinese"),
        Language::Japanese => Some("Japanese"),
        Language::Spaced => (!is_english(text) && is_german(cut(text, 2000))).then_some("German"),
    }
}

/// Whether a text has more of German grammar than chance brings.
pub(crate) fn is_german(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let german = words.iter().filter(|word| GERMAN_WORDS.contains(&word.as_str())).count();
    german > 0 && german * 10 >= words.len()
}

/// The commonest words of English that are none of its neighbours'.
static ENGLISH: [&str; 14] =
    ["the", "of", "and", "to", "for", "with", "that", "is", "are", "by", "on", "from", "it", "as"];

/// A title without the name of the site that pages hang on it.
fn without_site(title: &str, source: &str) -> String {
    let cut = [" | ", " – ", " — ", " - ", " · "].iter().find_map(|mark| {
        let (head, tail) = title.rsplit_once(mark)?;
        let is_site = *mark == " | "
            || tail.eq_ignore_ascii_case(source)
            || !head.contains(' ') && tail.chars().count() <= 8
            || tail.ends_with("网");
        (is_site && tail.chars().count() <= 40 && head.chars().count() >= 8).then_some(head)
    });
    cut.unwrap_or(title).trim().to_owned()
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
    let foreign = credit.foreign.map_or(String::new(), |language| format!(", in {language}"));
    format!("{also} the list is {title}{}{foreign}", credit.in_brackets())
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
