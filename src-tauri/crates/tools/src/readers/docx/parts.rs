//! The parts of a Word document's archive: their relations, names and text.

use std::io::{Cursor, Read};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use percent_encoding::percent_decode_str;
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::styles::attribute;
use crate::readers::feed::declared_encoding;

/// The largest part besides the text, in bytes.
pub(super) const LARGEST_PART: u64 = 8 << 20;

pub(super) struct Archive(ZipArchive<Cursor<Vec<u8>>>);

impl Archive {
    /// `None` when the bytes are no ZIP archive.
    pub(super) fn of(bytes: Vec<u8>) -> Option<Archive> {
        ZipArchive::new(Cursor::new(bytes)).ok().map(Archive)
    }

    /// A part as text, cut at `most` bytes.
    pub(super) fn text(&mut self, name: &str, most: u64) -> Option<String> {
        let mut content = Vec::new();
        // The intact beginning of a damaged part is still read.
        let _ = self.0.by_name(name).ok()?.take(most).read_to_end(&mut content);
        let encoding = match content.as_slice() {
            [0xff, 0xfe, ..] | [b'<', 0, ..] => UTF_16LE,
            [0xfe, 0xff, ..] | [0, b'<', ..] => UTF_16BE,
            _ => declared_encoding(&content)
                .and_then(|label| Encoding::for_label(label.as_bytes()))
                // A declaration that is readable as bytes cannot mean UTF-16.
                .filter(|encoding| encoding.is_ascii_compatible())
                .unwrap_or(UTF_8),
        };
        if encoding != UTF_8 {
            return Some(encoding.decode(&content).0.into_owned());
        }
        Some(
            String::from_utf8(content)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        )
    }

    /// The name of the part of this kind; when the related part does not exist, the usual name.
    pub(super) fn part(&self, relations: &Relations, kind: &str, usual: &str) -> String {
        relations.named(kind).find_map(|name| self.find(name)).unwrap_or_else(|| usual.to_owned())
    }

    /// Finds a part by its name. Names are URIs: some programs write them decoded into the archive, and case does not
    /// matter.
    fn find(&self, name: &str) -> Option<String> {
        let decoded = percent_decode_str(name).decode_utf8_lossy();
        let exact = [name, decoded.as_ref()].into_iter().find(|name| self.0.index_for_name(name).is_some());
        exact.map(str::to_owned).or_else(|| {
            let mut known = self.0.file_names().flatten();
            known.find(|known| known.eq_ignore_ascii_case(&decoded)).map(String::from)
        })
    }
}

/// The relations of the archive or of one of its parts.
#[derive(Default)]
pub(super) struct Relations {
    /// The kind of each, a URI, and its name in the archive.
    parts: Vec<(String, String)>,
}

impl Relations {
    /// Reads the relations of the archive (empty name) or of one part.
    pub(super) fn of(archive: &mut Archive, part: &str) -> Relations {
        let mut relations = Relations::default();
        let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
        let text = archive.text(&resolved(folder, &format!("_rels/{name}.rels")), LARGEST_PART);
        let text = text.unwrap_or_default();
        let mut reader = Reader::from_str(&text);
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => {
                    let (kind, target) = (attribute(&tag, "Type"), attribute(&tag, "Target"));
                    if let (Some(kind), Some(target)) = (kind, target) {
                        relations.parts.push((kind, resolved(folder, &target)));
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        relations
    }

    /// The names of parts of this kind, compared by the end of its URI, because the namespace has two forms.
    fn named(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.parts.iter().filter(move |(known, _)| known.ends_with(kind)).map(|(_, name)| name.as_str())
    }
}

/// The archive name of a target that is relative to `folder`.
fn resolved(folder: &str, target: &str) -> String {
    let whole = match target.strip_prefix('/') {
        Some(whole) => whole.to_owned(),
        None => format!("{folder}/{target}"),
    };
    let mut steps = Vec::new();
    for step in whole.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}
