//! A format-independent document of blocks and inlines, parsed once from Markdown and written in every format.
//!
//! It contains nothing active: no HTML, no pictures, and only links to the web and to mail addresses. Its nesting is
//! limited to [`DEEPEST`](read::DEEPEST), so recursion over it is safe.

mod language;
mod read;

pub(crate) use language::{Language, language_of, language_within};

/// A text with its notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Document {
    /// The first heading's words.
    pub(crate) title: String,
    /// Time of its last change in UTC (RFC 3339).
    pub(crate) changed_at: String,
    /// The main language, if its script shows it.
    pub(crate) language: Option<Language>,
    /// The first East Asian language in it, if there is one.
    pub(crate) east_asian: Option<Language>,
    /// The text.
    pub(crate) blocks: Vec<Block>,
    /// The footnotes in the order of their numbers, from 1.
    pub(crate) notes: Vec<Vec<Block>>,
}

/// A block, which begins on a line of its own.
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
    /// Code, without the final line break.
    Code { text: String },
    /// A quotation.
    Quote(Vec<Block>),
    /// A thematic break between two parts.
    Rule,
}

/// A list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List {
    /// The first number; `None` for bullets.
    pub(crate) start: Option<usize>,
    /// Whether there is no space between its items.
    pub(crate) is_tight: bool,
    /// The blocks of each item; a task item begins with its box.
    pub(crate) items: Vec<Vec<Block>>,
}

/// A table. Every row has as many cells as there are columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    /// The alignment of each column.
    pub(crate) columns: Vec<Alignment>,
    /// The head.
    pub(crate) head: Vec<Vec<Inline>>,
    /// The rows below.
    pub(crate) rows: Vec<Vec<Vec<Inline>>>,
}

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// At the start of the line.
    Start,
    /// In the middle.
    Center,
    /// At the end of the line.
    End,
}

/// A part of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inline {
    /// Plain text.
    Text(String),
    /// Code.
    Code(String),
    /// Emphasised text.
    Emphasis(Vec<Inline>),
    /// Strongly emphasised text.
    Strong(Vec<Inline>),
    /// Text that is struck through.
    Struck(Vec<Inline>),
    /// A link to an `http`, `https` or `mailto` address.
    Link { address: String, text: Vec<Inline> },
    /// A reference to a footnote by its number, from 1; `is_first` for the first one to it.
    Note { number: usize, is_first: bool },
    /// The end of a line within a paragraph.
    Break,
}

impl Document {
    /// The language of a line of the document, if its script shows it.
    pub(crate) fn language_of(&self, line: &[Inline]) -> Option<Language> {
        language_within(&words(line), self.east_asian)
    }
}

/// The plain text of a line.
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
