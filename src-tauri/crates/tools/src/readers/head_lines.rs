//! Parses the metadata lines at the top of a text, such as `Source: The Daily` and `Published: 9 June 2026`, and
//! removes them from the text.

use super::head_day::day_in_head;
use super::{one_line, web_address};

/// The most lines before them: a title, and one above or below it.
const MOST_LINES_BEFORE: usize = 2;
/// The longest metadata line, in characters.
const LONGEST: usize = 160;

/// The metadata of these lines.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadLines {
    pub(crate) title: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) authors: Vec<String>,
}

/// The field that a line sets.
#[derive(Clone, Copy)]
enum Label {
    Title,
    Source,
    Published,
    Author,
    Address,
}

/// The labels, in lower case.
const LABELS: [(Label, &[&str]); 5] = [
    (Label::Title, &["title", "headline", "titel", "标题", "標題", "タイトル", "題名"]),
    (Label::Source, &["source", "publisher", "publication", "outlet", "quelle", "来源", "來源", "出典"]),
    (
        Label::Published,
        &[
            "published",
            "publication date",
            "date",
            "posted",
            "veröffentlicht",
            "datum",
            "发布",
            "发布日期",
            "日期",
            "公開",
            "公開日",
            "掲載日",
            "日付",
        ],
    ),
    (Label::Author, &["author", "authors", "by", "autor", "autorin", "作者", "著者"]),
    (Label::Address, &["url", "link", "address"]),
];

/// The metadata at the top of a text, and the text without it. When the title is already known, title lines stay in the
/// text.
pub(crate) fn split(text: &str, has_title: bool) -> (HeadLines, String) {
    let mut found = HeadLines::default();
    let mut rest = String::with_capacity(text.len());
    let (mut before, mut is_begun, mut is_over) = (0, false, false);
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let label = label_of(bare).filter(|_| !is_over);
        let has_title = has_title || found.title.is_some();
        let is_second_title = has_title && matches!(label, Some((Label::Title, _)));
        let is_taken = !is_second_title && label.is_some_and(|(label, value)| found.take(label, value, bare));
        is_begun |= is_taken;
        if is_taken {
            continue;
        }
        // A second title is part of the text, though other labels may follow it.
        if !bare.is_empty() && !is_second_title {
            before += 1;
            is_over |= is_begun || before > MOST_LINES_BEFORE;
        }
        rest.push_str(line);
    }
    (found, rest)
}

/// The text above the first line with a title label.
pub(crate) fn above_title(text: &str) -> Option<&str> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if matches!(label_of(line.trim()), Some((Label::Title, _))) {
            return Some(&text[..at]);
        }
        at += line.len();
    }
    None
}

/// The label of a line and its value.
fn label_of(line: &str) -> Option<(Label, &str)> {
    if line.chars().count() > LONGEST {
        return None;
    }
    let (name, value) = line.split_once([':', '：'])?;
    let is_mark = |c: char| matches!(c, '*' | '_' | ' ');
    let name = name.trim_matches(is_mark).to_lowercase();
    let value = value.trim_matches(is_mark);
    let (label, _) = LABELS.iter().find(|(_, names)| names.contains(&name.as_str()))?;
    (!value.is_empty()).then_some((*label, value))
}

impl HeadLines {
    /// Whether any metadata line was found.
    pub(crate) fn is_present(&self) -> bool {
        *self != HeadLines::default()
    }

    /// Stores the value of a line; false when it is not of the kind that its label announces.
    fn take(&mut self, label: Label, value: &str, line: &str) -> bool {
        let is_sentence = value.ends_with(['.', '。', '!', '?']) && !value.ends_with("et al.");
        match label {
            Label::Title => {
                self.title = one_line(value);
                self.title.is_some()
            }
            _ if is_sentence => false,
            Label::Source => self.take_source(value),
            Label::Published => {
                let day = day_in_head(line);
                let is_day = day.is_some();
                self.published = self.published.take().or(day);
                is_day
            }
            Label::Author => {
                self.authors.extend(one_line(value));
                true
            }
            Label::Address => {
                let address = web_address(value);
                let is_address = address.is_some();
                self.url = self.url.take().or(address);
                is_address
            }
        }
    }

    /// Accepts a name, an address, a name with its address, or a name with the author.
    fn take_source(&mut self, value: &str) -> bool {
        let link = value
            .strip_prefix('[')
            .and_then(|link| link.split_once("]("))
            .map(|(name, address)| (name, address.trim_end_matches(')')));
        let (name, address) = link.unwrap_or((value, value));
        let address = web_address(address);
        let name = match (&address, link) {
            (Some(address), None) => address.split('/').nth(2).unwrap_or_default().trim_start_matches("www."),
            _ => name,
        };
        let (name, author) = name.split_once(", by ").unwrap_or((name, ""));
        self.authors.extend(one_line(author));
        self.source = self.source.take().or_else(|| one_line(name));
        self.url = self.url.take().or(address);
        self.source.is_some()
    }
}
