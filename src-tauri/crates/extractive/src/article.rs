//! An article with what is known of it.

use jiff::civil::Date;
use prose::{clean, clean_article, sentences, without_title};

use crate::language::Language;
use crate::standing::{can_be_quoted, contradicts, leans};

/// An article to quote.
#[derive(Clone, Copy, Debug)]
pub struct Article<'a> {
    /// Its title.
    pub title: &'a str,
    /// Who published it, for example "arXiv".
    pub source: &'a str,
    /// YYYY-MM-DD, or empty.
    pub published: &'a str,
    /// Its abstract or body; may be empty.
    pub text: &'a str,
}

/// Bytes of an article, and sentences of it, that are read.
const MOST_BYTES: usize = 20_000;
const MOST_SENTENCES: usize = 60;
/// Longest title and name of a source that are printed, in characters.
const LONGEST_TITLE: usize = 200;
const LONGEST_SOURCE: usize = 80;

/// A sentence that can be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quotable {
    /// Its place among the sentences of the article.
    pub(crate) index: usize,
    pub(crate) text: String,
    /// Whether it can be quoted only right after the sentence before it.
    pub(crate) is_leaning: bool,
}

impl Article<'_> {
    /// The sentences that can be quoted, in their order.
    pub(crate) fn quotable(&self) -> Vec<Quotable> {
        let text = without_title(self.text, self.title);
        let text = clean_article(&text[..text.floor_char_boundary(MOST_BYTES)]);
        let all: Vec<&str> =
            sentences(&text).into_iter().take(MOST_SENTENCES).map(|one| one.text.trim()).collect();
        let is_taken_back = |index: usize| all.get(index + 1).is_some_and(|next| contradicts(next));
        let quotable =
            all.iter().enumerate().filter(|(index, text)| can_be_quoted(text) && !is_taken_back(*index));
        let quotable = quotable.map(|(index, text)| Quotable {
            index,
            text: (*text).to_owned(),
            is_leaning: leans(text),
        });
        quotable.collect()
    }

    pub(crate) fn language(&self) -> Language {
        Language::of(&format!("{} {}", self.title, self.text))
    }

    /// The title with source and day, as it stands before a quotation.
    pub(crate) fn credit(&self, language: Language) -> String {
        let cut = |text: &str, most: usize| clean(text).chars().take(most).collect::<String>();
        let title = cut(self.title, LONGEST_TITLE);
        let title = title.trim_end_matches('.');
        let source = Some(cut(self.source, LONGEST_SOURCE)).filter(|name| !is_file_name(name));
        let day = self.published.parse::<Date>().ok().map(|day| written(day, language));
        let known: Vec<String> =
            [source, day].into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let known = match (known.is_empty(), language.is_dense()) {
            (true, _) => String::new(),
            (false, true) => format!("（{}）", known.join("、")),
            (false, false) => format!(" ({})", known.join(", ")),
        };
        match language {
            _ if title.is_empty() => known.trim().to_owned(),
            Language::Chinese => format!("《{title}》{known}"),
            Language::Japanese => format!("「{title}」{known}"),
            Language::Spaced => format!("**{}**{known}", title.replace('*', "")),
        }
    }
}

fn written(day: Date, language: Language) -> String {
    if language.is_dense() {
        format!("{}年{}月{}日", day.year(), day.month(), day.day())
    } else {
        day.strftime("%-d %B %Y").to_string()
    }
}

/// Whether the name of a source is the name of a file, which tells a reader nothing.
pub fn is_file_name(source: &str) -> bool {
    const ENDINGS: [&str; 11] =
        ["docx", "htm", "html", "jsonl", "markdown", "md", "pdf", "rss", "text", "txt", "xml"];
    source.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending.to_lowercase().as_str()))
}
