//! Media types and the extensions of their files.

use net::Answer;

/// The media type that servers send when they do not know the type.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// The bytes of a body that are checked for HTML.
const SNIFFED_BYTES: usize = 1 << 10;

/// Media types with the extension of their files. When several types share an extension, all are listed.
const EXTENSIONS: [(&str, &str); 64] = [
    ("application/epub+zip", "epub"),
    ("application/geo+json", "geojson"),
    ("application/gzip", "gz"),
    ("application/java-archive", "jar"),
    ("application/json", "json"),
    ("application/ld+json", "jsonld"),
    ("application/msword", "doc"),
    ("application/pdf", "pdf"),
    ("application/postscript", "ps"),
    ("application/rtf", "rtf"),
    ("application/sql", "sql"),
    ("application/vnd.apache.parquet", "parquet"),
    ("application/vnd.ms-excel", "xls"),
    ("application/vnd.ms-powerpoint", "ppt"),
    ("application/vnd.oasis.opendocument.presentation", "odp"),
    ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
    ("application/vnd.oasis.opendocument.text", "odt"),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
    ("application/vnd.rar", "rar"),
    ("application/vnd.sqlite3", "sqlite"),
    ("application/wasm", "wasm"),
    ("application/x-7z-compressed", "7z"),
    ("application/x-bibtex", "bib"),
    ("application/x-bzip2", "bz2"),
    ("application/x-gzip", "gz"),
    ("application/x-ndjson", "jsonl"),
    ("application/x-pdf", "pdf"),
    ("application/x-tar", "tar"),
    ("application/x-tex", "tex"),
    ("application/x-xz", "xz"),
    ("application/x-yaml", "yaml"),
    ("application/x-zip-compressed", "zip"),
    ("application/xhtml+xml", "xhtml"),
    ("application/xml", "xml"),
    ("application/yaml", "yaml"),
    ("application/zip", "zip"),
    ("application/zstd", "zst"),
    ("audio/flac", "flac"),
    ("audio/mp4", "m4a"),
    ("audio/mpeg", "mp3"),
    ("audio/ogg", "ogg"),
    ("audio/wav", "wav"),
    ("audio/x-wav", "wav"),
    ("image/avif", "avif"),
    ("image/bmp", "bmp"),
    ("image/gif", "gif"),
    ("image/jpeg", "jpg"),
    ("image/pjpeg", "jpeg"),
    ("image/png", "png"),
    ("image/svg+xml", "svg"),
    ("image/tiff", "tiff"),
    ("image/webp", "webp"),
    ("text/calendar", "ics"),
    ("text/css", "css"),
    ("text/csv", "csv"),
    ("text/html", "html"),
    ("text/markdown", "md"),
    ("text/plain", "txt"),
    ("text/tab-separated-values", "tsv"),
    ("text/xml", "xml"),
    ("video/mp4", "mp4"),
    ("video/webm", "webm"),
];

/// The media type from the answer's header.
pub(super) fn of(answer: &Answer) -> String {
    Some(answer.content_type()).filter(|kind| !kind.is_empty()).unwrap_or_else(|| UNKNOWN_TYPE.to_owned())
}

/// The file extension of a media type.
pub(super) fn extension_of(media_type: &str) -> Option<&'static str> {
    EXTENSIONS.iter().find(|(known, _)| *known == media_type).map(|(_, extension)| *extension)
}

/// The extension of a name, in lower case. A number after a dot does not count: the paper 2401.00042v2 has no
/// extension.
pub(super) fn extension(name: &str) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    let begins_with_number = extension.bytes().take(2).all(|byte| byte.is_ascii_digit());
    let is_short = (1..=8).contains(&extension.len());
    let is_word = extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_extension = !stem.is_empty() && is_short && is_word && !begins_with_number;
    is_extension.then(|| extension.to_ascii_lowercase())
}

/// The extension of a name when it belongs to a known type.
pub(super) fn known_extension(name: &str) -> Option<String> {
    extension(name).filter(|extension| EXTENSIONS.iter().any(|(_, known)| known == extension))
}

/// Whether files with this extension are HTML pages.
pub(super) fn is_of_page(extension: &str) -> bool {
    matches!(extension, "html" | "xhtml")
}

/// Whether the answer is an HTML page: by its media type, or by its beginning when the server names another type.
pub(super) fn is_page(answer: &Answer) -> bool {
    let beginning = &answer.body[..answer.body.len().min(SNIFFED_BYTES)];
    let beginning =
        String::from_utf8_lossy(beginning).trim_start_matches('\u{feff}').trim_start().to_lowercase();
    let begins_so = ["<!doctype html", "<html"].iter().any(|tag| beginning.starts_with(tag));
    answer.content_type().contains("html") || begins_so
}
