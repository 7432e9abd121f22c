//! Refuses in a PDF file what its reader could not survive: data that unpacks to more than memory holds, pages and
//! forms that contain themselves, fonts nested without end. A panic is caught elsewhere; a full stack or memory can
//! not be, so it is looked for here, before.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::ZlibDecoder;
use pdf_extract::content::Content;
use pdf_extract::{Dictionary, Document as PdfFile, Object, ObjectId, Stream};

/// One packed stream may unpack to so many bytes, and all of them together to so many.
const LARGEST_STREAM: u64 = 128 << 20;
const LARGEST_FILE: u64 = 768 << 20;

/// Ancestors of a page, forms inside forms, forms drawn by a page, brackets inside brackets of a font's tables.
const DEEPEST_TREE: usize = 64;
const DEEPEST_FORM: usize = 12;
const MOST_FORMS: usize = 2_000;
const DEEPEST_BRACKETS: usize = 64;

/// A table that maps nothing: its reader does not take one without any content.
const EMPTY_TABLE: &[u8] = b"0 beginbfchar endbfchar ";

/// Looks at every packed stream in the raw file, before anything unpacks it.
pub(crate) fn check_bytes(bytes: &[u8]) -> Result<(), String> {
    let mut total = 0;
    let mut position = 0;
    while let Some(offset) = find(&bytes[position..], b"stream") {
        position += offset + 6;
        let data = &bytes[position..];
        let data = data.strip_prefix(b"\r\n").or_else(|| data.strip_prefix(b"\n")).unwrap_or(data);
        let is_packed = data.len() > 2
            && data[0] & 0x0f == 8
            && (u16::from(data[0]) * 256 + u16::from(data[1])) % 31 == 0;
        if is_packed {
            let unpacked =
                std::io::copy(&mut ZlibDecoder::new(data).take(LARGEST_STREAM + 1), &mut std::io::sink());
            // A broken stream counts for nothing here; its reader stops at the same place.
            let unpacked = unpacked.unwrap_or(0);
            total += unpacked;
            if unpacked > LARGEST_STREAM || total > LARGEST_FILE {
                return Err("what is packed in it is too large to unpack".to_owned());
            }
        }
    }
    Ok(())
}

/// Takes the pictures out: they hold no text, and their reader would take their bytes for drawing commands.
pub(crate) fn blank_images(pdf: &mut PdfFile) {
    for object in pdf.objects.values_mut() {
        if let Object::Stream(stream) = object
            && stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Image")
        {
            stream.dict.remove(b"Filter");
            stream.content = Vec::new();
        }
    }
}

/// Empties the tables of fonts that their reader would not come back from.
pub(crate) fn empty_endless_fonts(pdf: &mut PdfFile) {
    let mut tables = Vec::new();
    for object in pdf.objects.values() {
        font_tables(object, &mut tables);
    }
    for id in tables {
        let Ok(Object::Stream(stream)) = pdf.get_object_mut(id) else { continue };
        let is_endless = match unpacked(stream) {
            Ok(content) => brackets(&content) > DEEPEST_BRACKETS || has_wide_ranges(&content),
            Err(_) => true,
        };
        if is_endless {
            stream.dict.remove(b"Filter");
            stream.content = EMPTY_TABLE.to_vec();
        }
    }
}

/// The tables that fonts anywhere in the object refer to. The file's parser bounds its nesting.
fn font_tables(object: &Object, found: &mut Vec<ObjectId>) {
    match object {
        Object::Array(items) => items.iter().for_each(|item| font_tables(item, found)),
        Object::Stream(stream) => stream.dict.iter().for_each(|(_, value)| font_tables(value, found)),
        Object::Dictionary(fields) => {
            for (key, value) in fields {
                let is_table = matches!(key.as_slice(), b"ToUnicode" | b"Encoding" | b"FontFile");
                match value {
                    Object::Reference(id) if is_table => found.push(*id),
                    _ => font_tables(value, found),
                }
            }
        }
        _ => {}
    }
}

/// Whether a table maps a range of codes wider than two bytes: its reader would write every one of them down.
fn has_wide_ranges(content: &[u8]) -> bool {
    let mut rest = content;
    while let Some(start) = find(rest, b"beginbfrange") {
        rest = &rest[start + 12..];
        let section = &rest[..find(rest, b"endbfrange").unwrap_or(rest.len())];
        // Position in "low high target": 0 and 1 are codes. A list of targets counts as one.
        let mut place = 0;
        let mut is_list = false;
        let mut digits = None;
        for byte in section {
            match (byte, digits) {
                (b'(', _) => return true,
                (b'[', _) => is_list = true,
                (b']', _) => (is_list, place) = (false, 0),
                (b'<', _) => digits = Some(0),
                (b'>', Some(count)) => {
                    if !is_list && place < 2 && count > 4 {
                        return true;
                    }
                    digits = None;
                    place = if is_list { place } else { (place + 1) % 3 };
                }
                (byte, Some(count)) if byte.is_ascii_hexdigit() => digits = Some(count + 1),
                _ => {}
            }
        }
    }
    false
}

/// How deep brackets stand inside each other.
fn brackets(content: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in content {
        match byte {
            b'[' | b'<' | b'(' | b'{' => depth += 1,
            b']' | b'>' | b')' | b'}' => depth = depth.saturating_sub(1),
            // Names and numbers do not close what is open; binary parts of a font do not count.
            128.. => depth = 0,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Walks what the reader of a page would walk.
pub(crate) fn check_page(pdf: &PdfFile, number: u32) -> Result<(), String> {
    let id = *pdf.get_pages().get(&number).ok_or("the page is missing")?;
    let page = pdf.get_dictionary(id).map_err(|error| error.to_string())?;
    let mut resources = None;
    let mut ancestor = Some(page);
    for depth in 0.. {
        let Some(here) = ancestor else { break };
        if depth > DEEPEST_TREE {
            return Err("the pages of the file contain themselves".to_owned());
        }
        resources = resources.or_else(|| dictionary(pdf, here, b"Resources"));
        ancestor = here
            .get(b"Parent")
            .and_then(Object::as_reference)
            .ok()
            .and_then(|up| pdf.get_dictionary(up).ok());
    }
    let mut content = Vec::new();
    for stream in pdf.get_page_contents(id) {
        if let Ok(stream) = pdf.get_object(stream).and_then(Object::as_stream) {
            content.extend(unpacked(stream)?);
        }
        if content.len() as u64 > LARGEST_STREAM {
            return Err("the page is too large".to_owned());
        }
    }
    let nothing = Dictionary::new();
    let mut walk = Walk { pdf, drawn: HashMap::new(), forms: 0 };
    walk.forms_of(&names_drawn(&content), resources.unwrap_or(&nothing), &mut Vec::new())
}

struct Walk<'p> {
    pdf: &'p PdfFile,
    /// The names that each form draws: the same form is often drawn many times.
    drawn: HashMap<ObjectId, Vec<Vec<u8>>>,
    forms: usize,
}

impl Walk<'_> {
    fn forms_of(
        &mut self,
        names: &[Vec<u8>],
        resources: &Dictionary,
        inside: &mut Vec<ObjectId>,
    ) -> Result<(), String> {
        for name in names {
            let forms = dictionary(self.pdf, resources, b"XObject");
            let Some(id) = forms.and_then(|forms| forms.get(name).and_then(Object::as_reference).ok()) else {
                continue;
            };
            let Ok(form) = self.pdf.get_object(id).and_then(Object::as_stream) else { continue };
            self.forms += 1;
            if inside.contains(&id) || inside.len() >= DEEPEST_FORM || self.forms > MOST_FORMS {
                return Err("the drawings of the page contain themselves".to_owned());
            }
            let names = match self.drawn.get(&id) {
                Some(names) => names.clone(),
                None => {
                    let names = names_drawn(&unpacked(form)?);
                    self.drawn.insert(id, names.clone());
                    names
                }
            };
            let own = dictionary(self.pdf, &form.dict, b"Resources").unwrap_or(resources);
            inside.push(id);
            self.forms_of(&names, own, inside)?;
            inside.pop();
        }
        Ok(())
    }
}

/// The forms that drawing commands name, as their reader will see them.
fn names_drawn(content: &[u8]) -> Vec<Vec<u8>> {
    let Ok(content) = Content::decode(content) else { return Vec::new() };
    let drawing = content.operations.iter().filter(|operation| operation.operator == "Do");
    drawing.filter_map(|operation| Some(operation.operands.first()?.as_name().ok()?.to_vec())).collect()
}

/// A dictionary behind a key, past one reference.
fn dictionary<'p>(pdf: &'p PdfFile, fields: &'p Dictionary, key: &[u8]) -> Option<&'p Dictionary> {
    fields.get_deref(key, pdf).ok()?.as_dict().ok()
}

/// The content of a stream, unpacked; refused when that is more than memory should hold.
fn unpacked(stream: &Stream) -> Result<Vec<u8>, String> {
    let filters = stream.filters().unwrap_or_default();
    let packing = filters.iter().filter(|filter| matches!(**filter, b"FlateDecode" | b"LZWDecode")).count();
    let is_lzw = filters.contains(&b"LZWDecode".as_slice());
    // A second packing, and the old one, could grow a thousandfold past what was looked at in the raw file.
    if packing > 1 || (is_lzw && stream.content.len() > 1 << 20) {
        return Err("it is packed in a way that is not read".to_owned());
    }
    if packing == 1 && filters.len() == 1 && !is_lzw {
        let packed = stream.content.as_slice();
        let size =
            std::io::copy(&mut ZlibDecoder::new(packed).take(LARGEST_STREAM + 1), &mut std::io::sink());
        if size.unwrap_or(0) > LARGEST_STREAM {
            return Err("what is packed in it is too large to unpack".to_owned());
        }
    }
    Ok(match filters.is_empty() {
        true => stream.content.clone(),
        false => stream.decompressed_content().unwrap_or_else(|_| stream.content.clone()),
    })
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}
