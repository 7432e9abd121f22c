//! The sentences around what an article says: who, where, when. Plain, varied by position, never by chance.

use super::ArticleText;
use super::ideographic::{self, Language, language};
use super::voice::{Opening, capitalised};
use crate::candidates::without_citations;
use crate::clean::clean;
use crate::known_words::GERMAN_WORDS;
use crate::lead_ins::part_of;
use crate::sentences::sentences;

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

/// Longest title that is named in a sentence.
const LONGEST_TITLE: usize = 26;

impl Credit {
    pub(crate) fn of(article: &ArticleText<'_>) -> Self {
        let source = without_citations(&clean(cut(article.source, 60)));
        let source = if is_file_name(&source) { String::new() } else { source };
        let lower = source.to_lowercase();
        let is_named = [
            "rxiv",
            "preprint",
            "working paper",
            "discussion paper",
            "research square",
            "transactions on",
            "journal",
            "proceedings",
            "acl anthology",
            "openreview",
            "pubmed",
            "预印本",
            "学报",
            "論集",
            "紀要",
            "論文",
            "研究会",
        ]
        .iter()
        .any(|name| lower.contains(name));
        let is_paper = is_named
            || tells_research(article.text, &source)
            || is_structured(cut(article.text, 6000))
            || speaks_of_present_study(article.text);
        let title = without_citations(&clean(cut(article.title, 400))).replace(['“', '”', '"'], "'");
        let title = without_site(title.trim_end_matches('.'), &source);
        Self {
            title,
            source,
            day: Day::read(article.published),
            is_paper,
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

/// Deeds of its writers by which a text is known as research; one may stand in any text.
const NEEDED_DEEDS: usize = 2;

/// Whether its writers tell research of their own: "we train", "we find", outside quotations. Of a text that somebody is
/// named for, a newspaper or a company, it takes two such sentences; of any other, one in which they do anything.
fn tells_research(text: &str, source: &str) -> bool {
    if ideographic::tells_research(cut(text, 6000)) {
        return true;
    }
    const DEEDS: [&str; 56] = [
        "analyse",
        "analysed",
        "analyze",
        "analyzed",
        "apply",
        "audit",
        "build",
        "built",
        "collect",
        "collected",
        "compare",
        "compared",
        "construct",
        "cut",
        "demonstrate",
        "derive",
        "describe",
        "design",
        "develop",
        "evaluate",
        "evaluated",
        "examine",
        "examined",
        "extend",
        "find",
        "fine-tune",
        "formulate",
        "found",
        "instrument",
        "introduce",
        "investigate",
        "learned",
        "measure",
        "measured",
        "model",
        "moved",
        "pass",
        "present",
        "propose",
        "prove",
        "ran",
        "replace",
        "replaced",
        "revisit",
        "saved",
        "show",
        "study",
        "studied",
        "switched",
        "test",
        "tested",
        "trace",
        "train",
        "trained",
        "tried",
        "use",
    ];
    const STATES: [&str; 34] = [
        "already", "also", "always", "are", "believe", "can", "can't", "could", "did", "do", "don't", "had",
        "have", "hope", "know", "may", "might", "must", "need", "never", "no", "now", "should", "take",
        "think", "thought", "want", "wanted", "were", "will", "wish", "won't", "would", "wouldn't",
    ];
    // Where people are quoted, somebody reports.
    let is_anonymous = source.is_empty() && !text.contains(" said");
    // What anybody does who tells of a try.
    const CASUAL: [&str; 16] = [
        "asked", "bought", "counted", "found", "gave", "got", "made", "moved", "paid", "ran", "saved", "saw",
        "spent", "switched", "tried", "went",
    ];
    // Where nobody is quoted, one deed of research tells it.
    const OF_RESEARCH: [&str; 20] = [
        "analyse",
        "analyze",
        "argue",
        "compare",
        "compared",
        "describe",
        "evaluate",
        "evaluated",
        "examine",
        "exploit",
        "find",
        "investigate",
        "measure",
        "measured",
        "propose",
        "revisit",
        "show",
        "study",
        "studied",
        "test",
    ];
    let is_report = text.contains(['“', '"']) || text.contains(" said");
    let text = cut(text, 6000);
    let mut deeds = 0;
    let mut is_quoted = false;
    let mut before = "";
    for word in text.split_whitespace() {
        is_quoted = (is_quoted || word.starts_with(['“', '"']))
            && !word.trim_end_matches(['.', ',']).ends_with(['”', '"']);
        let is_research = !is_report && OF_RESEARCH.contains(&word);
        let is_deed =
            if is_anonymous { !STATES.contains(&word) } else { is_research || DEEDS.contains(&word) };
        let is_plain = is_anonymous && !CASUAL.contains(&word) || is_research;
        let worth = if is_plain { NEEDED_DEEDS } else { 1 };
        deeds += if !is_quoted && matches!(before, "we" | "We") && is_deed { worth } else { 0 };
        before = word;
    }
    deeds >= NEEDED_DEEDS
}

/// Whether a text calls itself a study where it names what it did: a report of one does not say "the present study".
fn speaks_of_present_study(text: &str) -> bool {
    const NAMES: [&str; 4] =
        ["The present study ", "The present paper ", "The present work ", "In the present study"];
    NAMES.iter().any(|name| cut(text, 6000).contains(name))
}

/// Whether a text has the labelled parts of an abstract.
fn is_structured(text: &str) -> bool {
    sentences(text).iter().filter(|sentence| part_of(sentence.text).is_some()).count() >= NEEDED_PARTS
}

/// Labels of parts by which a text is known as an abstract.
const NEEDED_PARTS: usize = 3;

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
