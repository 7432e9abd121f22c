//! Reads the files and folders that a user imports into the library as plain documents, whatever they contain.
//!
//! The content of a file decides its format, not only its name. Files, pages, entries, text, folders and time all have
//! caps; a broken or hostile file causes an error message, never a crash. These functions block: call them on a
//! blocking thread. Not in here: the index (`store`), the network, OPML.

mod dates;
mod docx;
mod encoding;
mod error;
mod feed;
mod fields;
mod folder;
mod format;
mod formula;
mod front_matter;
mod head_day;
mod head_lines;
mod html;
mod jsonl;
mod legible;
mod links;
mod markdown;
pub(crate) mod markup;
mod nesting;
mod page_day;
mod pdf;
mod plain_text;
mod process;
mod tags;

#[cfg(test)]
mod tests;

use kernel::{Phrase, phrase};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

pub(crate) use dates::day;
pub(crate) use encoding::decode;
pub use error::ReadError;
use format::Format;
pub(crate) use jsonl::records;
pub(crate) use links::{PageLink, page_links};
pub use process::{program, serve_if_asked};
#[cfg(test)]
pub(crate) use tests::sample_pdf;

/// The largest file that is read, in bytes.
pub const LARGEST_FILE: u64 = 64 << 20;

/// The longest text that is kept of one document, in bytes; longer texts are cut with a note.
const LONGEST_TEXT: usize = 4 << 20;

/// A document of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// Its `http` or `https` address, if the file has one.
    pub url: Option<String>,
    /// Its publisher: a site, a feed, or the file's name.
    pub source: String,
    /// The day of publication as printed, `YYYY-MM-DD`, if the file has one; a time with an offset gives the day in its
    /// own zone. The file's modification time does not count.
    pub published: Option<String>,
    /// Plain text, or Markdown if the file was Markdown.
    pub text: String,
    /// Its authors.
    pub authors: Vec<String>,
    /// Its categories as the source names them.
    pub categories: Vec<String>,
    /// Its origin: the file's name (in an imported folder: its relative path) or the feed's address.
    pub origin: String,
}

impl Document {
    /// Normalizes every field; `None` without a title or a text.
    fn checked(self) -> Option<Document> {
        let lines = |lines: Vec<String>| lines.iter().filter_map(|line| one_line(line)).collect();
        Some(Document {
            title: one_line(&self.title)?,
            url: self.url.as_deref().and_then(web_address),
            source: one_line(&self.source)?,
            published: self.published.as_deref().and_then(dates::day),
            text: Some(self.text).filter(|text| !text.trim().is_empty())?,
            authors: lines(self.authors),
            categories: lines(self.categories),
            origin: self.origin,
        })
    }
}

/// Progress of a reader.
#[expect(missing_docs, reason = "the names of the fields say what they are")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Reading of file `index` (from 1) of `total` has begun.
    Reading { file: String, index: usize, total: usize },
    /// The file gave this many documents.
    Read { file: String, documents: usize },
    /// The file was read, but part of it was left out.
    Noted { file: String, note: Phrase },
    /// The file gave no documents.
    Skipped { file: String, reason: Phrase },
}

/// The result of reading one file.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) documents: Vec<Document>,
    /// Notes on what was left out.
    pub(crate) notes: Vec<Phrase>,
    /// The number of documents that were already passed on and are no longer in `documents`.
    pub(crate) handed_on: usize,
}

impl Reading {
    fn of(document: Document) -> Self {
        Self { documents: vec![document], ..Self::default() }
    }

    /// The number of documents in the file.
    fn count(&self) -> usize {
        self.handed_on + self.documents.len()
    }

    /// Passes on the documents that were read so far.
    fn hand_on(&mut self, take: &mut Take<'_>) -> ControlFlow<()> {
        for document in &mut self.documents {
            if cut(&mut document.text) {
                let title = &document.title;
                let note = phrase!(
                    "\"{title}\" is longer than {most} bytes; its end was left out",
                    title,
                    most = LONGEST_TEXT
                );
                self.notes.push(note);
            }
        }
        self.handed_on += self.documents.len();
        take(std::mem::take(&mut self.documents))
    }
}

/// Reads a file, or every readable file of a folder.
///
/// A single file that cannot be read is an error. In a folder it is skipped with its reason and reading goes on; hidden
/// files and links are skipped. A folder without any readable file is an error. The documents of each file go to `take`
/// before the next file is begun, those of a file of records in batches; when `on` or `take` breaks, reading stops.
///
/// # Errors
/// A [`ReadError`] names what cannot be read, and why.
pub fn read_path(path: &Path, on: &mut OnProgress<'_>, take: &mut Take<'_>) -> Result<(), ReadError> {
    let shown = path.display().to_string();
    let about = std::fs::metadata(path).map_err(|error| ReadError::of_io(&shown, &error))?;
    if about.is_dir() {
        return folder::read_folder(path, on, take);
    }
    if on(Progress::Reading { file: shown.clone(), index: 1, total: 1 }).is_continue() {
        let reading = read_file(path, &file_name(path), Strictness::Named, take)?;
        let _ = hand_on(&shown, reading, on, take);
    }
    Ok(())
}

/// Receives the progress, and may stop the reading.
pub type OnProgress<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;
/// Receives documents of one file, and may stop the reading.
pub type Take<'a> = dyn FnMut(Vec<Document>) -> ControlFlow<()> + 'a;

/// Passes the documents of a file on, then reports their number.
fn hand_on(
    file: &str,
    mut reading: Reading,
    on: &mut OnProgress<'_>,
    take: &mut Take<'_>,
) -> ControlFlow<()> {
    let is_taken = reading.hand_on(take);
    let documents = reading.count();
    for note in reading.notes {
        let _ = on(Progress::Noted { file: file.to_owned(), note });
    }
    let _ = on(Progress::Read { file: file.to_owned(), documents });
    is_taken
}

/// How certain a file's format must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// The user named this file: unknown formats are read as text.
    Named,
    /// It was found in a folder: only known formats are read.
    Found,
}

/// Reads one file. `origin` becomes the origin of its documents.
fn read_file(
    path: &Path,
    origin: &str,
    strictness: Strictness,
    take: &mut Take<'_>,
) -> Result<Reading, ReadError> {
    let shown = path.display().to_string();
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    if strictness == Strictness::Found && !format::is_known(&extension) {
        return Err(ReadError::UnknownKind { file: shown });
    }
    let bytes = bytes_of(path, &shown)?;
    let format =
        format::of(&extension, &bytes).ok_or_else(|| ReadError::UnknownKind { file: shown.clone() })?;
    let file = Source { shown: &shown, origin, stem: stem(path) };
    match format {
        Format::Docx => docx::read(&file, &bytes),
        Format::Pdf => pdf::read(&file, &bytes),
        Format::Html => html::read(&file, bytes),
        Format::Feed => feed::read(&file, bytes),
        Format::Jsonl => jsonl::read(&file, &bytes, take),
        Format::Markdown => markdown::read(&file, &bytes),
        Format::Text => plain_text::read(&file, &bytes),
    }
}

/// The text of one file as a user would paste it: Markdown, text and records unchanged, of other formats their text.
/// Blocks as [`read_path`] does.
///
/// # Errors
/// A [`ReadError`] with the reason why there is no text.
pub fn document_text(path: &Path) -> Result<String, ReadError> {
    let shown = path.display().to_string();
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let bytes = bytes_of(path, &shown)?;
    let file = Source { shown: &shown, origin: &shown, stem: stem(path) };
    let reading = match format::of(&extension, &bytes) {
        Some(Format::Docx) => docx::read(&file, &bytes)?,
        Some(Format::Pdf) => pdf::read(&file, &bytes)?,
        Some(Format::Html) => {
            let text = html::read_whole(&file, &bytes)?;
            return if text.trim().is_empty() { Err(file.empty()) } else { Ok(text) };
        }
        Some(Format::Feed | Format::Jsonl | Format::Markdown | Format::Text) => {
            // The library accepts a text with missing characters; an input must be complete.
            let is_whole =
                |text: &String| !text.contains(char::REPLACEMENT_CHARACTER) || str::from_utf8(&bytes).is_ok();
            return encoding::decode(&bytes, None).filter(is_whole).ok_or_else(|| file.undecodable());
        }
        None => return Err(ReadError::UnknownKind { file: shown }),
    };
    let text = reading.documents.into_iter().map(|document| document.text).collect::<Vec<_>>().join("\n\n");
    if text.trim().is_empty() { Err(file.empty()) } else { Ok(text) }
}

/// The format of a fetched page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageKind {
    Html,
    Pdf,
    Text,
}

/// The result of reading a fetched page.
pub(crate) struct PageReading {
    pub(crate) document: Result<Document, ReadError>,
    /// Whether a browser would show more, after its scripts ran.
    pub(crate) needs_browser: bool,
}

/// Reads a page that was fetched from this address: its article if it is HTML, else its text.
pub(crate) fn read_page(address: &str, bytes: Vec<u8>, kind: PageKind, charset: Option<&str>) -> PageReading {
    let needs_browser = kind == PageKind::Html && html::needs_browser(&bytes, charset);
    PageReading { document: document_of_page(address, bytes, kind, charset), needs_browser }
}

fn document_of_page(
    address: &str,
    bytes: Vec<u8>,
    kind: PageKind,
    charset: Option<&str>,
) -> Result<Document, ReadError> {
    let file = Source { shown: address, origin: address, stem: address.to_owned() };
    let reading = match kind {
        PageKind::Html => html::read_as(&file, bytes, charset)?,
        PageKind::Pdf => pdf::read(&file, &bytes)?,
        PageKind::Text => plain_text::read(&file, &bytes)?,
    };
    reading.documents.into_iter().next().ok_or_else(|| file.empty())
}

/// Reads a feed that was fetched; a feed may have no entries.
pub(crate) fn feed_entries(
    name: &str,
    bytes: Vec<u8>,
    charset: Option<&str>,
) -> Result<Vec<Document>, ReadError> {
    let file = Source { shown: name, origin: name, stem: name.to_owned() };
    feed::entries(&file, &bytes, charset).map(|(documents, _)| documents)
}

/// The names of a file.
struct Source<'f> {
    /// Its name in messages.
    shown: &'f str,
    /// Its name in its documents.
    origin: &'f str,
    /// Its name without extension: the fallback title.
    stem: String,
}

impl Source<'_> {
    /// A new document of this file.
    fn document(&self, title: Option<String>, text: String) -> Document {
        Document {
            title: title.unwrap_or_else(|| self.stem.clone()),
            url: None,
            source: self.origin.to_owned(),
            published: None,
            text,
            authors: Vec::new(),
            categories: Vec::new(),
            origin: self.origin.to_owned(),
        }
    }

    fn empty(&self) -> ReadError {
        ReadError::Empty { file: self.shown.to_owned() }
    }

    fn malformed(&self, reason: impl Into<Phrase>) -> ReadError {
        ReadError::Malformed { file: self.shown.to_owned(), reason: reason.into() }
    }

    fn undecodable(&self) -> ReadError {
        ReadError::Undecodable { file: self.shown.to_owned() }
    }
}

fn bytes_of(path: &Path, shown: &str) -> Result<Vec<u8>, ReadError> {
    let io = |error: std::io::Error| ReadError::of_io(shown, &error);
    // Checked before opening: opening a pipe would block.
    if !std::fs::metadata(path).map_err(io)?.is_file() {
        return Err(ReadError::Unreadable {
            file: shown.to_owned(),
            reason: phrase!("it is neither an ordinary file nor a folder"),
        });
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ReadError::TooLarge { file: shown.to_owned() });
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadError::Empty { file: shown.to_owned() });
    }
    Ok(bytes)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| path.display().to_string())
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a character is a Chinese or Japanese character or punctuation, which are written without spaces.
pub(crate) fn is_ideographic(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Cuts a text to the longest that is kept; true if it was cut.
fn cut(text: &mut String) -> bool {
    if text.len() <= LONGEST_TEXT {
        return false;
    }
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    true
}

/// The address if a browser could open it.
pub(crate) fn web_address(text: &str) -> Option<String> {
    let text = text.trim();
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    (is_web && text.len() <= 2_048 && !text.contains(char::is_whitespace)).then(|| text.to_owned())
}

/// A title in one line, cut to the longest title; `None` if it is empty.
fn one_line(text: &str) -> Option<String> {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title: String = joined.chars().filter(|character| !character.is_control()).take(300).collect();
    title.chars().any(char::is_alphanumeric).then_some(title)
}
