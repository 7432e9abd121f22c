//! The messages of the reading process about a document, and the document they add up to.

use kernel::{Phrase, phrase};
use serde::{Deserialize, Serialize};

use crate::readers::dates::day;
use crate::readers::{Document, LONGEST_TEXT, Source, one_line, web_address};

/// What a document says of itself.
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
    /// The same, with every field checked: a hostile document may have taken over the process that told it.
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

/// A message of the process, one a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    About(About),
    /// The next page or part.
    Text(String),
    /// A page that stopped its reader.
    Damaged,
    /// The last pages or parts, so many, are left out: they are too many or too long.
    Omitted(usize),
    /// The next entry of a feed or record of a file.
    Entry(Box<Document>),
    /// What became of all of them.
    Counted(Counts),
    /// It is no document of its kind, for this reason.
    Refused(String),
    Done,
}

/// What is in a file of many documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Counts {
    /// How many there are, with those that are left out.
    pub(crate) total: usize,
    /// How many of them are no documents.
    pub(crate) faulty: usize,
    /// The lines of the first of these, from 1.
    pub(crate) lines: Vec<usize>,
    /// How many dates nobody can read.
    pub(crate) unread_days: usize,
    /// Whether the process came to its end, and was not stopped by the system or at its deadline.
    #[serde(skip)]
    pub(crate) is_whole: bool,
}

/// What was found in a document.
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
    /// A document of this file with what was found.
    pub(crate) fn document(self, file: &Source<'_>, title: Option<String>, text: String) -> Document {
        let mut document = file.document(title, text);
        document.source = self.about.source.unwrap_or(document.source);
        document.url = self.about.url;
        document.published = self.about.published;
        document.authors = self.about.authors;
        document
    }

    /// What is missing in it, in sentences.
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
            // Entries are those of files of many documents.
            Message::Text(_) | Message::Entry(_) | Message::Counted(_) => {}
            Message::Damaged => self.damaged += 1,
            Message::Omitted(count) => self.omitted = count,
            Message::Refused(reason) => self.refused = one_line(&reason),
            Message::Done => self.is_done = true,
        }
    }
}

/// What is said of a document whose reader did not come to its end.
pub(crate) fn stopped() -> Phrase {
    phrase!("its reader had to be stopped; what it read until then was taken")
}
