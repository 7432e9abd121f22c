//! A text as a document: blocks and inlines of our own, read from Markdown once and written in every format.
//!
//! Nothing in it acts: no HTML, no pictures, and links to the web and mail only. It is never nested deeper than
//! [`DEEPEST`](read::DEEPEST), so that whoever walks it may recur.

mod language;
mod read;

pub(crate) use language::{Language, language_of, language_within};

/// A text with its notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The first heading's words.
    pub(crate) title: String,
    /// When it was last changed: a moment in UTC (RFC 3339).
    pub(crate) changed_at: String,
    /// The language of most of it, where its writing tells.
    pub(crate) language: Option<Language>,
    /// The East Asian language in it, where there is one: the first of several.
    pub(crate) east_asian: Option<Language>,
    /// The text.
    pub(crate) blocks: Vec<Block>,
    /// The footnotes in the order of their numbers, from 1.
    pub(crate) notes: Vec<Vec<Block>>,
}

/// A piece of a text that begins on a line of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Block {
    /// A heading of level 1 to 6.
    Heading { level: u8, text: Vec<Inline> },
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list.
    List(List),
    /// A table.
    Table(Table),
    /// Code, without the line break at its end.
    Code { text: String },
    /// A quotation.
    Quote(Vec<Block>),
    /// A line between two parts.
    Rule,
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List {
    /// The first number; nothing where the items have bullets.
    pub(crate) start: Option<usize>,
    /// Whether there is no space between its items.
    pub(crate) is_tight: bool,
    /// What is in each item; of a task it begins with its box.
    pub(crate) items: Vec<Vec<Block>>,
}

/// A table. Every row has as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    /// How each column is aligned.
    pub(crate) columns: Vec<Alignment>,
    /// The head.
    pub(crate) head: Vec<Vec<Inline>>,
    /// The rows below.
    pub(crate) rows: Vec<Vec<Vec<Inline>>>,
}

/// How a column is aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// As the writing begins.
    Start,
    /// In the middle.
    Center,
    /// Where the writing ends.
    End,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inline {
    /// Words.
    Text(String),
    /// Code.
    Code(String),
    /// Words with emphasis.
    Emphasis(Vec<Inline>),
    /// Words with strong emphasis.
    Strong(Vec<Inline>),
    /// Words that are struck through.
    Struck(Vec<Inline>),
    /// A link to an address of `http`, `https` or `mailto`.
    Link { address: String, text: Vec<Inline> },
    /// A reference to a footnote by its number, from 1; `is_first` for the first one to it.
    Note { number: usize, is_first: bool },
    /// The end of a line within a paragraph.
    Break,
}

impl Document {
    /// The language of a line of it, where its writing tells.
    pub(crate) fn language_of(&self, line: &[Inline]) -> Option<Language> {
        language_within(&words(line), self.east_asian)
    }
}

/// The words of a line without their marks.
pub(crate) fn words(line: &[Inline]) -> String {
    let mut text = String::new();
    for inline in line {
        match inline {
            Inline::Text(words) | Inline::Code(words) => text.push_str(words),
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Struck(inner) => {
                text.push_str(&words(inner))
            }
            Inline::Link { text: inner, .. } => text.push_str(&words(inner)),
            Inline::Note { .. } => {}
            Inline::Break => text.push(' '),
        }
    }
    text
}
