//! Detects the format of a file: by its content where that is certain, else by its extension. Not in here: reading it.

/// The supported formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Docx,
    Feed,
    Html,
    Jsonl,
    Markdown,
    Pdf,
    Text,
}

/// The bytes of a file that are inspected.
const HEAD: usize = 4_096;

/// Whether files with this extension (lower case) are read when found in a folder.
pub(crate) fn is_known(extension: &str) -> bool {
    by_extension(extension).is_some() || matches!(extension, "xml" | "json")
}

fn by_extension(extension: &str) -> Option<Format> {
    match extension {
        "md" | "markdown" => Some(Format::Markdown),
        "txt" | "text" => Some(Format::Text),
        "html" | "htm" | "xhtml" => Some(Format::Html),
        "docx" | "docm" => Some(Format::Docx),
        "pdf" => Some(Format::Pdf),
        "jsonl" | "ndjson" => Some(Format::Jsonl),
        "rss" | "atom" | "rdf" => Some(Format::Feed),
        _ => None,
    }
}

/// The format of a file; `None` when it is not a supported text format.
pub(crate) fn of(extension: &str, bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(HEAD)];
    // Checked only at the start, because a text may mention such files.
    if head.trim_ascii_start().starts_with(b"%PDF-") {
        return Some(Format::Pdf);
    }
    if is_archive(head) {
        let is_word = by_extension(extension) == Some(Format::Docx) || contains(head, b"word/");
        return is_word.then_some(Format::Docx);
    }
    let text = markup_head(head);
    let named = by_extension(extension);
    match named {
        // The first element decides; the extension or what the document claims does not.
        Some(Format::Html | Format::Feed) if is_feed(&text) => Some(Format::Feed),
        Some(Format::Html | Format::Feed) if is_page(&text) => Some(Format::Html),
        Some(format) => Some(format),
        None if is_feed(&text) || is_json_feed(&text) => Some(Format::Feed),
        None if is_page(&text) => Some(Format::Html),
        None if extension == "xml" => None,
        None if is_record(&text) => Some(Format::Jsonl),
        None if extension == "json" || is_binary(head) => None,
        None => Some(Format::Text),
    }
}

fn is_archive(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04")
}

fn contains(head: &[u8], wanted: &[u8]) -> bool {
    head.windows(wanted.len()).any(|window| window == wanted)
}

/// The beginning in lower-case ASCII without the zero bytes of UTF-16, for searching tags.
fn markup_head(head: &[u8]) -> String {
    let kept = head.iter().filter(|byte| byte.is_ascii() && **byte != 0);
    kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect()
}

/// The name of the first element after the XML declaration, comments and the document type.
fn root(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let start = rest.find('<')?;
        rest = &rest[start..];
        let end = if rest.starts_with("<!--") { "-->" } else { ">" };
        if !rest.starts_with("<!") && !rest.starts_with("<?") {
            let name = rest[1..].split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
            return Some(name.rsplit(':').next().unwrap_or(name));
        }
        rest = &rest[rest.find(end)? + end.len()..];
    }
}

fn is_feed(text: &str) -> bool {
    matches!(root(text), Some("rss" | "feed" | "rdf"))
}

fn is_page(text: &str) -> bool {
    text.contains("<!doctype html") || matches!(root(text), Some("html" | "head" | "body"))
}

fn is_json_feed(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("jsonfeed.org/version/")
}

/// Whether the first line looks like a record of a JSONL file.
fn is_record(text: &str) -> bool {
    let line = text.trim_start().lines().next().unwrap_or_default();
    line.starts_with('{') && line.contains("\"title\"")
}

/// Zero bytes occur in text only as UTF-16, which begins with a byte order mark.
fn is_binary(head: &[u8]) -> bool {
    let is_marked = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    !is_marked && head.contains(&0)
}
