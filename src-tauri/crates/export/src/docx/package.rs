//! Assembles the parts of a Word file and adds what the library does not support: the title and the language of the
//! text, the number of a footnote at its beginning, and table heads that repeat on every page.

use std::io::Cursor;

use docx_rs::Docx;

use super::styles::escaped;
use crate::document::{Document, Language};

/// The bytes of the file.
///
/// # Errors
/// A message, if a part cannot be written.
pub(super) fn pack(file: Docx, document: &Document) -> Result<Vec<u8>, String> {
    let mut parts = file.build();
    let latin = if document.language == Some(Language::English) || document.language.is_none() {
        "en-US"
    } else {
        document.language.map_or("en-US", region)
    };
    let other = document
        .east_asian
        .map(|language| format!(" w:eastAsia=\"{}\"", region(language)))
        .unwrap_or_default();
    let language = format!("<w:lang w:val=\"{latin}\"{other} /></w:rPr></w:rPrDefault>");
    replace(&mut parts.styles, "</w:rPr></w:rPrDefault>", &language)?;
    let first = "<w:style w:type=\"paragraph\" w:styleId=\"Normal\">";
    replace(&mut parts.styles, first, &first.replace("<w:style ", "<w:style w:default=\"1\" "))?;
    let title = escaped(&document.title);
    let about = format!("<dc:title>{title}</dc:title><dc:language>{latin}</dc:language></cp:coreProperties>");
    replace(&mut parts.doc_props.core, "</cp:coreProperties>", &about)?;
    replace(&mut parts.doc_props.core, ">unknown<", ">Galley<")?;
    // Text cannot contain this markup, because it is escaped there.
    let mark = "<w:rStyle w:val=\"FootnoteReference\" /></w:rPr>";
    let _has_notes =
        replace(&mut parts.footnotes, &format!("{mark}</w:r>"), &format!("{mark}<w:footnoteRef /></w:r>"));
    let head = "<w:cantSplit />";
    let _has_table = replace(&mut parts.document, head, &format!("{head}<w:tblHeader />"));
    let mut bytes = Cursor::new(Vec::new());
    parts.pack(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes.into_inner())
}

/// The tag of a language for Word, with the region of its script.
fn region(language: Language) -> &'static str {
    match language {
        Language::English => "en-US",
        Language::Japanese => "ja-JP",
        Language::SimplifiedChinese => "zh-CN",
        Language::TraditionalChinese => "zh-TW",
        Language::Korean => "ko-KR",
    }
}

/// Replaces every occurrence of `from` in a part.
fn replace(part: &mut Vec<u8>, from: &str, to: &str) -> Result<(), String> {
    let text = std::str::from_utf8(part).map_err(|error| error.to_string())?;
    if !text.contains(from) {
        return Err(format!("there is no {from} in it"));
    }
    *part = text.replace(from, to).into_bytes();
    Ok(())
}
