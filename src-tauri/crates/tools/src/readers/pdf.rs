//! Reads the text of a PDF file, its title, authors and day.
//!
//! The reading library trusts its input: it panics on many odd files. So it works on a thread of its own with a deep
//! stack and a deadline, a page at a time, and a page that stops it is left out. What would overflow even that
//! stack, or memory, is refused before (`pdf_guard`). Not in here: recognising the text of scanned pages.

use std::time::{Duration, Instant};

use pdf_extract::{
    ColorSpace, Dictionary, Document as PdfFile, MediaBox, Object, OutputDev, OutputError, Path,
    PlainTextOutput, Transform, output_doc_page,
};

use super::dates::day;
use super::isolated::{self, caught};
use super::{LONGEST_TEXT, ReadError, Reading, Source, markup, one_line, pdf_guard};

const MOST_PAGES: usize = 2_000;
const DEADLINE: Duration = Duration::from_secs(60);

/// What was found in the file.
struct Found {
    pages: Vec<String>,
    /// Pages that stopped their reader.
    broken: usize,
    /// Pages beyond a cap.
    left: usize,
    title: Option<String>,
    authors: Vec<String>,
    published: Option<String>,
}

pub(crate) fn read(file: &Source<'_>, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    let found = isolated::run(file.shown, DEADLINE, move || find(&bytes))?;
    let found = found.map_err(|reason| file.malformed(reason))?;
    let text = markup::in_lines(&with_plain_letters(&found.pages.join("\n\n")));
    if text.is_empty() {
        return Err(match found.broken {
            0 => file.malformed("it has no text; if its pages are pictures, have them recognised first"),
            _ => ReadError::Crashed { file: file.shown.to_owned() },
        });
    }
    let mut notes = Vec::new();
    if found.broken > 0 {
        notes.push(format!("{} of its pages are damaged and were left out", found.broken));
    }
    if found.left > 0 {
        notes.push(format!("its last {} pages were left out: it is too long", found.left));
    }
    let title = found.title.or_else(|| first_line(&text));
    let mut document = file.document(title, text);
    document.authors = found.authors;
    document.published = found.published;
    Ok(Reading { documents: vec![document], notes })
}

fn find(bytes: &[u8]) -> Result<Found, String> {
    pdf_guard::check_bytes(bytes)?;
    let mut pdf = PdfFile::load_mem(bytes).map_err(|error| format!("it is no sound PDF file ({error})"))?;
    if pdf.is_encrypted() && pdf.decrypt("").is_err() {
        return Err("it is locked with a password; save it without one".to_owned());
    }
    pdf_guard::blank_images(&mut pdf);
    let numbers: Vec<u32> = pdf.get_pages().into_keys().collect();
    let total = numbers.len();
    let mut found = Found {
        pages: Vec::new(),
        broken: 0,
        left: total.saturating_sub(MOST_PAGES),
        title: information(&pdf, b"Title").filter(|title| is_worded(title)),
        authors: information(&pdf, b"Author").map(|line| people(&line)).unwrap_or_default(),
        published: information(&pdf, b"CreationDate").as_deref().and_then(day),
    };
    pdf_guard::empty_endless_fonts(&mut pdf);
    let mut room = LONGEST_TEXT + 1;
    let until = Instant::now() + DEADLINE;
    for number in numbers.into_iter().take(MOST_PAGES) {
        if room == 0 || Instant::now() > until {
            found.left = total - found.pages.len() - found.broken;
            break;
        }
        match page_text(&pdf, number, room, until) {
            Some(text) => {
                room = room.saturating_sub(text.len());
                found.pages.push(text);
            }
            None => found.broken += 1,
        }
    }
    Ok(found)
}

/// The text of a page, or none when it cannot be read.
fn page_text(pdf: &PdfFile, number: u32, room: usize, until: Instant) -> Option<String> {
    pdf_guard::check_page(pdf, number).ok()?;
    let mut text = String::new();
    let ended = caught(|| {
        let mut output = Capped { inner: PlainTextOutput::new(&mut text), room, until };
        output_doc_page(pdf, &mut output, number)
    });
    // What was read of a page before its fault is worth keeping.
    match ended {
        Ok(Ok(())) => Some(text),
        _ => (!text.trim().is_empty()).then_some(text),
    }
}

/// Hands characters on until there is no room, or no time, for more.
struct Capped<O> {
    inner: O,
    room: usize,
    until: Instant,
}

impl<O: OutputDev> OutputDev for Capped<O> {
    fn begin_page(
        &mut self,
        number: u32,
        media: &MediaBox,
        art: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        self.inner.begin_page(number, media, art)
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        self.inner.end_page()
    }

    fn output_character(
        &mut self,
        transform: &Transform,
        width: f64,
        spacing: f64,
        size: f64,
        character: &str,
    ) -> Result<(), OutputError> {
        self.room = self.room.saturating_sub(character.len());
        if self.room == 0 || (self.room.is_multiple_of(1_024) && Instant::now() > self.until) {
            return Err(OutputError::FormatError(std::fmt::Error));
        }
        self.inner.output_character(transform, width, spacing, size, character)
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.inner.begin_word()
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        self.inner.end_word()
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        self.inner.end_line()
    }

    fn stroke(&mut self, _: &Transform, _: &ColorSpace, _: &[f64], _: &Path) -> Result<(), OutputError> {
        Ok(())
    }

    fn fill(&mut self, _: &Transform, _: &ColorSpace, _: &[f64], _: &Path) -> Result<(), OutputError> {
        Ok(())
    }
}

/// A line of the file's own description.
fn information(pdf: &PdfFile, key: &[u8]) -> Option<String> {
    let description: &Dictionary = pdf.trailer.get_deref(b"Info", pdf).ok()?.as_dict().ok()?;
    match description.get_deref(key, pdf).ok()? {
        Object::String(bytes, _) => one_line(&words_of(bytes)),
        _ => None,
    }
}

/// UTF-16 with its mark, else UTF-8, else bytes as Latin-1, which the format's own encoding resembles.
fn words_of(bytes: &[u8]) -> String {
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(wide) => {
            let units = wide.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    }
}

/// Programs write their document's file name or nothing of use as its title.
fn is_worded(title: &str) -> bool {
    let lower = title.to_lowercase();
    let is_file =
        [".doc", ".docx", ".tex", ".dvi", ".pdf", ".indd", ".qxd"].iter().any(|end| lower.ends_with(end));
    !is_file && !lower.starts_with("untitled") && !lower.starts_with("microsoft word")
}

fn people(line: &str) -> Vec<String> {
    line.split([',', ';']).flat_map(|part| part.split(" and ")).filter_map(one_line).take(50).collect()
}

/// The first line, when it is no sentence; papers begin with their title.
fn first_line(text: &str) -> Option<String> {
    let line = text.lines().next()?;
    let is_title = (4..=120).contains(&line.chars().count()) && !line.ends_with(['.', ',', '。', '-']);
    one_line(line).filter(|_| is_title)
}

/// Joined letters as the letters that people search for.
fn with_plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{fb00}' => plain.push_str("ff"),
            '\u{fb01}' => plain.push_str("fi"),
            '\u{fb02}' => plain.push_str("fl"),
            '\u{fb03}' => plain.push_str("ffi"),
            '\u{fb04}' => plain.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => plain.push_str("st"),
            _ if character.is_control() && character != '\n' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}
