//! Reads a Word document as Markdown: headings, lists and tables, with title, authors and date.
//!
//! Only the parts of the archive that hold the text, the styles, the numbering and the properties, and the relations
//! that name them, are unpacked, each up to a size limit. Not in here: pictures, footnotes, comments, deleted text.

mod body;
mod lists;
mod parts;
mod styles;
mod symbols;
mod words;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::markup::entity;
use super::process::{About, DocumentKind, Message, extract};
use super::{LONGEST_TEXT, ReadError, Reading, Source, one_line};
use parts::{Archive, LARGEST_PART, Relations};
use styles::Styles;

/// The largest text part with its markup, in bytes.
const LARGEST_BODY: u64 = 128 << 20;

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

/// Sends the document's properties, then its text in parts.
pub(super) fn emit(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let mut archive = Archive::of(bytes).ok_or_else(|| "it is no sound Word document".to_owned())?;
    // The archive names its parts; the usual names are the fallback.
    let package = Relations::of(&mut archive, "");
    let main = archive.part(&package, "/officeDocument", "word/document.xml");
    let about_part = archive.part(&package, "/core-properties", "docProps/core.xml");
    if let Some(part) = archive.text(&about_part, LARGEST_PART) {
        on(Message::About(about(&part)));
    }
    let document = Relations::of(&mut archive, &main);
    let mut named = |kind: &str, usual: &str| {
        let name = archive.part(&document, kind, usual);
        archive.text(&name, LARGEST_PART).unwrap_or_default()
    };
    let styles = named("/styles", "word/styles.xml");
    let lists = named("/numbering", "word/numbering.xml");
    let styles = Styles::of(&styles, &lists);
    let body = archive
        .text(&main, LARGEST_BODY)
        .ok_or_else(|| "it is an archive without the text of a Word document".to_owned())?;
    let mut room = LONGEST_TEXT + 1;
    body::blocks(&body, &styles, &mut |block| {
        room = room.saturating_sub(block.len());
        on(Message::Text(block));
        room > 0
    });
    Ok(())
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
