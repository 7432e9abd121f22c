//! The messages of the reading process, and the document assembled from them.

use kernel::{Phrase, phrase};
use serde::{Deserialize, Serialize};

use crate::readers::dates::day;
use crate::readers::{Document, LONGEST_TEXT, Source, one_line, web_address};

/// The metadata of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) authors: Vec<String>,
}

impl About {
    /// Checks every field: a hostile document may have taken over the process that sent it.
    fn checked(self) -> About {
        About {
            title: self.title.as_deref().and_then(one_line),
            url: self.url.as_deref().and_then(web_address),
            source: self.source.as_deref().and_then(one_line),
            published: self.published.as_deref().and_then(day),
            authors: self.authors.iter().filter_map(|name| one_line(name)).take(50).collect(),
        }
    }
}

/// A message of the process: one line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    About(About),
    /// The next page or part.
    Text(String),
    /// A page whose reader failed.
    Damaged,
    /// The number of trailing pages or parts left out because they are too many or too long.
    Omitted(usize),
    /// The next entry of a feed, or record of a file.
    Entry(Box<Document>),
    /// The final counts of a file with many documents.
    Counted(Counts),
    /// The document is not of its kind, for this reason.
    Refused(String),
    Done,
}

/// The counts of a file with many documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    /// The number of entries, including those left out.
    pub(crate) total: usize,
    /// The number of invalid entries.
    pub(crate) faulty: usize,
    /// Line numbers of the first invalid entries, from 1.
    pub(crate) lines: Vec<usize>,
    /// The number of unreadable dates.
    pub(crate) unread_days: usize,
    /// Whether the process finished, and was not stopped by a limit or its deadline.
    #[serde(skip)]
    pub(crate) is_whole: bool,
}

/// The result of reading a document.
#[derive(Debug, Default)]
pub(crate) struct Extracted {
    pub(crate) about: About,
    pub(crate) text: String,
    pub(crate) damaged: usize,
    omitted: usize,
    pub(super) refused: Option<String>,
    pub(super) is_done: bool,
}

impl Extracted {
    /// Creates the document of this file.
    pub(crate) fn document(self, file: &Source<'_>, title: Option<String>, text: String) -> Document {
        let mut document = file.document(title, text);
        document.source = self.about.source.unwrap_or(document.source);
        document.url = self.about.url;
        document.published = self.about.published;
        document.authors = self.about.authors;
        document
    }

    /// Notes on what is missing.
    pub(crate) fn notes(&self) -> Vec<Phrase> {
        let mut notes = Vec::new();
        if self.damaged > 0 {
            notes.push(phrase!(
                "{damaged} of its pages are damaged and were left out",
                damaged = self.damaged
            ));
        }
        if self.omitted > 0 {
            notes.push(phrase!(
                "its last {omitted} pages or parts were left out: it is too long",
                omitted = self.omitted
            ));
        }
        if !self.is_done {
            notes.push(stopped());
        }
        notes
    }

    pub(super) fn add(&mut self, message: Message) {
        match message {
            Message::About(about) => self.about = about.checked(),
            Message::Text(text) if self.text.len() <= LONGEST_TEXT => {
                if !self.text.is_empty() {
                    self.text.push_str("\n\n");
                }
                self.text.push_str(&text);
            }
            // Entries occur only in files with many documents.
            Message::Text(_) | Message::Entry(_) | Message::Counted(_) => {}
            Message::Damaged => self.damaged += 1,
            Message::Omitted(count) => self.omitted = count,
            Message::Refused(reason) => self.refused = one_line(&reason),
            Message::Done => self.is_done = true,
        }
    }
}

/// The note for a document whose reader was stopped.
pub(crate) fn stopped() -> Phrase {
    phrase!("its reader had to be stopped; what it read until then was taken")
}
