//! The library: imports, lists and removals.

use kernel::Phrase;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A library entry.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LibraryCard {
    /// Its id.
    pub id: String,
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// The beginning of the text, or where a search found it.
    pub snippet: String,
}

/// A library entry with its text.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LibraryEntry {
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// The text: plain, or Markdown.
    pub text: String,
}

/// A part of the library.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct LibraryPage {
    /// How many entries there are, or match, in all.
    pub total: u32,
    /// Some of them.
    pub entries: Vec<LibraryCard>,
}

/// What to look for in the library.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ListLibrary {
    /// Words to find; all entries when empty.
    pub search: String,
    /// Most entries; 100 when not given.
    pub limit: Option<u32>,
}

/// Files and folders to import.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportLibrary {
    /// Paths on this machine.
    pub paths: Vec<String>,
}

/// A file whose text is wanted.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ReadDocument {
    /// Its path on this machine.
    pub path: String,
}

/// The text of a file.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DocumentText {
    /// Markdown and text as they stand, of other documents what they say.
    pub text: String,
}

/// What an import brought.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Imported {
    /// New or changed entries.
    pub added: u32,
    /// Entries that were already there.
    pub unchanged: u32,
    /// How many of both tell no date: what searches by date finds them last.
    pub undated: u32,
    /// What could not be read, each with its reason.
    pub skipped: Vec<Phrase>,
    /// Whether it was stopped before it had read everything.
    pub was_stopped: bool,
}
