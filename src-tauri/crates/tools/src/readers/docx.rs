//! Reads a Word document as Markdown: its headings, lists and tables, its title, authors and day.
//!
//! Of the parts in its archive only those four are unpacked that hold text, names of styles, kinds of lists and the
//! description, each up to a bound. Not in here: pictures, notes at the foot, comments, text that was deleted.

mod body;
mod styles;

use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::markup::entity;
use super::process::{About, DocumentKind, Message, extract};
use super::{LONGEST_TEXT, ReadError, Reading, Source, one_line};
use styles::Styles;

/// The text of a document with all its marks, and each of the other parts.
const LARGEST_BODY: u64 = 128 << 20;
const LARGEST_PART: u64 = 8 << 20;

type Archive = ZipArchive<Cursor<Vec<u8>>>;

pub(crate) fn read(file: &Source<'_>, bytes: &[u8]) -> Result<Reading, ReadError> {
    let extracted = extract(DocumentKind::Docx, file.shown, bytes)?;
    let text = extracted.text.trim().to_owned();
    if text.is_empty() {
        return Err(file.empty());
    }
    let first = text.lines().next().and_then(|line| line.strip_prefix("# ")).and_then(one_line);
    let title = extracted.about.title.clone().or(first);
    let notes = extracted.notes();
    Ok(Reading { notes, documents: vec![extracted.document(file, title, text)], ..Reading::default() })
}

/// Tells what the document says of itself, then its text in parts.
pub(super) fn tell(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|_| "it is no sound Word document".to_owned())?;
    if let Some(part) = part(&mut archive, "docProps/core.xml", LARGEST_PART) {
        on(Message::About(about(&part)));
    }
    let styles = part(&mut archive, "word/styles.xml", LARGEST_PART).unwrap_or_default();
    let lists = part(&mut archive, "word/numbering.xml", LARGEST_PART).unwrap_or_default();
    let styles = Styles::of(&styles, &lists);
    let body = part(&mut archive, "word/document.xml", LARGEST_BODY)
        .ok_or_else(|| "it is an archive without the text of a Word document".to_owned())?;
    let mut room = LONGEST_TEXT + 1;
    body::blocks(&body, &styles, &mut |block| {
        room = room.saturating_sub(block.len());
        on(Message::Text(block));
        room > 0
    });
    Ok(())
}

/// One part of the archive as text, up to so many bytes.
fn part(archive: &mut Archive, name: &str, most: u64) -> Option<String> {
    let mut content = Vec::new();
    // What is sound of a damaged part is worth reading.
    let _ = archive.by_name(name).ok()?.take(most).read_to_end(&mut content);
    Some(
        String::from_utf8(content)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
    )
}

fn about(part: &str) -> About {
    let mut about = About::default();
    let mut reader = Reader::from_str(part);
    let (mut field, mut words) = (String::new(), String::new());
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(start) => {
                field = start.local_name().as_ref().to_owned();
                words.clear();
            }
            Event::Text(text) => words.push_str(&text),
            Event::GeneralRef(name) => words.extend(entity(&name)),
            Event::End(_) => match std::mem::take(&mut field).as_str() {
                "title" => about.title = one_line(&words),
                "creator" => about.authors = words.split([',', ';']).filter_map(one_line).take(50).collect(),
                "created" => about.published = Some(words.trim().to_owned()),
                _ => {}
            },
            Event::Eof => break,
            _ => {}
        }
    }
    about
}
