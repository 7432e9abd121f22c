//! Reads a Word document as Markdown: its headings, lists and tables, its title, authors and day.
//!
//! Of the parts in its archive only those are unpacked that hold text, names of styles, kinds of lists and the description,
//! and those that name them, each up to a bound. Not in here: pictures, notes at the foot, comments, text that was deleted.

mod body;
mod lists;
mod styles;
mod symbols;

use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::markup::entity;
use super::process::{About, DocumentKind, Message, extract};
use super::{LONGEST_TEXT, ReadError, Reading, Source, one_line};
use styles::{Styles, attribute};

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
    // The parts have the names that the archive itself gives them; those of most programs are the last resort.
    let package = Relations::of(&mut archive, "", "_rels/.rels");
    let main = package.target("/officeDocument").unwrap_or_else(|| "word/document.xml".to_owned());
    let about_part = package.target("/core-properties").unwrap_or_else(|| "docProps/core.xml".to_owned());
    if let Some(part) = part(&mut archive, &about_part, LARGEST_PART) {
        on(Message::About(about(&part)));
    }
    let (folder, name) = main.rsplit_once('/').unwrap_or(("", &main));
    let document = Relations::of(&mut archive, folder, &format!("{folder}/_rels/{name}.rels"));
    let mut named = |kind: &str, usual: &str| {
        let name = document.target(kind).unwrap_or_else(|| usual.to_owned());
        part(&mut archive, &name, LARGEST_PART).unwrap_or_default()
    };
    let styles = named("/styles", "word/styles.xml");
    let lists = named("/numbering", "word/numbering.xml");
    let styles = Styles::of(&styles, &lists);
    let body = part(&mut archive, &main, LARGEST_BODY)
        .ok_or_else(|| "it is an archive without the text of a Word document".to_owned())?;
    let mut room = LONGEST_TEXT + 1;
    body::blocks(&body, &styles, &mut |block| {
        room = room.saturating_sub(block.len());
        on(Message::Text(block));
        room > 0
    });
    Ok(())
}

/// Which parts belong to the archive or to one of its parts, and what they are.
#[derive(Default)]
struct Relations {
    /// Each with its kind, an address, and its name in the archive.
    parts: Vec<(String, String)>,
}

impl Relations {
    /// Reads them from the part of this name; targets are named from the folder.
    fn of(archive: &mut Archive, folder: &str, name: &str) -> Relations {
        let mut relations = Relations::default();
        let text = part(archive, name.trim_start_matches('/'), LARGEST_PART).unwrap_or_default();
        let mut reader = Reader::from_str(&text);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let (kind, target) = (attribute(&tag, "Type"), attribute(&tag, "Target"));
                    if let (Some(kind), Some(target)) = (kind, target) {
                        let name = match target.strip_prefix('/') {
                            Some(whole) => whole.to_owned(),
                            None => format!("{folder}/{target}").trim_start_matches('/').to_owned(),
                        };
                        relations.parts.push((kind, name));
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        relations
    }

    /// The part of this kind: the end of its address, as the rest has two forms.
    fn target(&self, kind: &str) -> Option<String> {
        self.parts.iter().find(|(known, _)| known.ends_with(kind)).map(|(_, name)| name.clone())
    }
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
