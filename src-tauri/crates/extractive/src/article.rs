//! An article with its metadata, and the sentences of it that can be quoted.

use jiff::civil::Date;
use prose::{clean, clean_article, sentences, without_citations, without_title};

use crate::language::Language;
use crate::sentence_filter::{can_be_quoted, contradicts, depends_on_previous};

/// An article to quote.
#[derive(Clone, Copy, Debug)]
pub struct Article<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its publisher, for example "arXiv".
    pub source: &'a str,
    /// The day of publication as YYYY-MM-DD, or empty.
    pub published: &'a str,
    /// Its abstract or body; may be empty.
    pub text: &'a str,
}

/// Most bytes and most sentences of an article that are read.
const MOST_BYTES: usize = 20_000;
const MOST_SENTENCES: usize = 60;
/// Most characters of a printed title and of a printed source.
const LONGEST_TITLE: usize = 200;
const LONGEST_SOURCE: usize = 80;

/// A sentence that can be quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct QuotableSentence {
    /// Its 0-based index among the sentences of the article.
    pub(crate) index: usize,
    pub(crate) text: String,
    /// Whether it can be quoted only directly after the previous sentence.
    pub(crate) depends_on_previous: bool,
}

impl Article<'_> {
    /// The sentences that can be quoted, in their order.
    pub(crate) fn quotable(&self) -> Vec<QuotableSentence> {
        let text = without_title(self.text, self.title);
        let text = without_citations(&clean_article(&text[..text.floor_char_boundary(MOST_BYTES)]));
        let all: Vec<&str> =
            sentences(&text).into_iter().take(MOST_SENTENCES).map(|one| one.text.trim()).collect();
        let is_contradicted = |index: usize| all.get(index + 1).is_some_and(|next| contradicts(next));
        let quotable =
            all.iter().enumerate().filter(|(index, text)| can_be_quoted(text) && !is_contradicted(*index));
        let quotable = quotable.map(|(index, text)| QuotableSentence {
            index,
            text: (*text).to_owned(),
            depends_on_previous: depends_on_previous(text),
        });
        quotable.collect()
    }

    pub(crate) fn language(&self) -> Language {
        Language::of(&format!("{} {}", self.title, self.text))
    }

    /// The title with source and day, to print before a quotation.
    pub(crate) fn credit(&self, language: Language) -> String {
        let cut = |text: &str, most: usize| without_markup(text).chars().take(most).collect::<String>();
        let title = cut(self.title, LONGEST_TITLE);
        let title = title.trim_end_matches('.');
        let source = Some(cut(self.source, LONGEST_SOURCE)).filter(|name| !is_file_name(name));
        let day = self.published.parse::<Date>().ok().map(|day| written(day, language));
        let known: Vec<String> =
            [source, day].into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let known = match (known.is_empty(), language.is_unspaced()) {
            (true, _) => String::new(),
            (false, true) => format!("（{}）", known.join("、")),
            (false, false) => format!(" ({})", known.join(", ")),
        };
        match language {
            _ if title.is_empty() => known.trim().to_owned(),
            Language::Chinese => format!("《{title}》{known}"),
            Language::Japanese => format!("「{title}」{known}"),
            Language::Spaced => format!("**{title}**{known}"),
        }
    }
}

/// A title or a name as plain text that Markdown reads as nothing else: without citations, emphasis, links and tags.
pub fn without_markup(text: &str) -> String {
    let text = without_citations(&clean(text));
    let mut next = text.chars().skip(1);
    let plain = text.chars().filter_map(|character| {
        let begins_tag = next.next().is_some_and(|next| next.is_alphabetic() || "/!?".contains(next));
        match character {
            '*' | '`' | '\\' => None,
            '<' if begins_tag => None,
            '[' => Some('('),
            ']' => Some(')'),
            other => Some(other),
        }
    });
    plain.collect()
}

fn written(day: Date, language: Language) -> String {
    if language.is_unspaced() {
        format!("{}年{}月{}日", day.year(), day.month(), day.day())
    } else {
        day.strftime("%-d %B %Y").to_string()
    }
}

/// Whether the name of a source is a file name, which is of no use to a reader.
pub fn is_file_name(source: &str) -> bool {
    const ENDINGS: [&str; 11] =
        ["docx", "htm", "html", "jsonl", "markdown", "md", "pdf", "rss", "text", "txt", "xml"];
    source.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::{Article, Language};

    #[test]
    fn the_citations_of_a_source_are_quoted_as_no_citations() {
        let text = "Battery ferries are quieter than diesel ferries in the harbour [2, 5]. 这种渡轮在2026年的港口里航行了三百天，没有任何噪音[3]。";
        let article = Article { title: "Ferries [1]", source: "Harbour [4]", published: "", text };
        let quoted: Vec<String> = article.quotable().into_iter().map(|sentence| sentence.text).collect();
        assert_eq!(quoted[0], "Battery ferries are quieter than diesel ferries in the harbour.");
        assert!(quoted.iter().all(|sentence| !sentence.contains('[')), "{quoted:?}");
        assert_eq!(article.credit(Language::Spaced), "**Ferries** (Harbour)");
    }

    #[test]
    fn a_sentence_with_a_quotation_of_any_language_can_be_quoted() {
        for said in ["“Hello”", "„Hallo“", "„Cześć”", "”Hej”", "\"Hello\""] {
            let text = format!("The captain said {said} to all passengers of the ferry on that day.");
            let article = Article { title: "", source: "", published: "", text: &text };
            assert_eq!(article.quotable().len(), 1, "{text}");
        }
    }

    #[test]
    fn a_title_is_no_markup() {
        let title = "Ferries **bold** ](x) ![a](//evil/p.png) &lt;img src=x&gt; p < 1";
        let article = Article { title, source: "", published: "", text: "" };
        let credit = article.credit(Language::Spaced);
        let inner = &credit[2..credit.len() - 2];
        assert!(!inner.contains(['[', ']', '*']) && !inner.contains("<i"), "{credit}");
        assert!(credit.contains("p < 1"), "{credit}");
    }
}
