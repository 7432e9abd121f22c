//! Renders plain text as a PDF: empty lines separate paragraphs, line breaks are kept.

use std::ffi::OsStr;
use std::path::Path;

use engine::bad_input;
use kernel::Error;
use pdf::{FontFile, Pages};
use serde_json::{Value, json};

use super::FILE_SYSTEM;

/// The largest font file in bytes.
const LARGEST_FONT: u64 = 40 << 20;

/// A font file in the user's folder of fonts, by its name.
///
/// # Errors
/// `bad_input` where there is none of this name or it has no font.
pub(super) fn font_of(folder: &Path, name: &str) -> Result<FontFile, Error> {
    let is_plain = Path::new(name).file_name() == Some(OsStr::new(name));
    let read = match is_plain {
        true => disk::read_file(&folder.join(name), LARGEST_FONT).map_err(|error| error.to_string()),
        false => Err("it is no plain name of a file".to_owned()),
    };
    let font = read.and_then(|bytes| FontFile::read(bytes).ok_or_else(|| "it has no font".to_owned()));
    font.map_err(|why| {
        let why =
            format!("`{name}` in {}: {why}; put a .ttf or .otf file there, or name none", folder.display());
        bad_input(FILE_SYSTEM, "/font", &why)
    })
}

/// The PDF, set in the given font if there is one.
///
/// # Errors
/// `bad_input` when no available font has a character of the text; `internal` when rendering fails.
pub(super) fn pdf_of(text: &str, font: Option<FontFile>) -> Result<Vec<u8>, Error> {
    let script = script(text);
    let text = text.replace("\r\n", "\n");
    let title = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty());
    let blocks = paragraphs.map(|paragraph| json!({ "kind": "paragraph", "line": line(paragraph, script) }));
    let blocks: Vec<Value> = blocks.collect();
    // No language is declared unless the script determines it.
    let whole = json!({
        "title": title, "lang": "und", "region": null, "script": script, "blocks": blocks, "notes": [],
    });
    match font {
        Some(font) => Pages::set_in(&whole, font)?,
        None => Pages::set(&whole)?,
    }
    .pdf(None)
}

fn line(paragraph: &str, script: &str) -> Value {
    let lines = paragraph.trim_matches('\n').split('\n').map(|line| json!({ "kind": "text", "text": line }));
    let mut parts: Vec<Value> = Vec::new();
    for line in lines {
        if !parts.is_empty() {
            parts.push(json!({ "kind": "break" }));
        }
        parts.push(line);
    }
    json!({ "lang": null, "region": null, "script": script, "parts": parts })
}

/// The regional form of ideographs: Japanese next to kana, Korean next to Hangul, otherwise simplified Chinese.
fn script(text: &str) -> &'static str {
    let has = |is: fn(char) -> bool| text.chars().any(is);
    if has(|c| matches!(c, '\u{3041}'..='\u{30ff}')) {
        "JP"
    } else if has(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')) {
        "KR"
    } else {
        "SC"
    }
}
