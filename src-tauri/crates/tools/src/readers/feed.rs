//! Reads feeds: RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom, JSON Feed; one document an entry.
//!
//! Feeds in the wild name the wrong encoding, forget their version and use entities that XML does not know. So the
//! text is decoded here, and a feed that does not parse is mended and tried once more. Not in here: fetching feeds.

use kernel::{Phrase, phrase};
use std::time::Duration;

use feed_rs::model::{Entry, Feed};
use feed_rs::parser;

use super::dates::day;
use super::{Document, ReadError, Reading, Source, encoding, markup, one_line, reader_thread, web_address};

const MOST_ENTRIES: usize = 5_000;
const DEADLINE: Duration = Duration::from_secs(30);

/// Deeper XML is no feed but an attack on its reader.
const DEEPEST: usize = 500;

pub(crate) fn read(file: &Source<'_>, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    let (found, total) = entries(file, bytes, None)?;
    if found.is_empty() {
        return Err(file.malformed(phrase!("the feed has no entries with a title or a text")));
    }
    let mut notes = Vec::new();
    if found.len() < total {
        let left = total - found.len();
        notes.push(phrase!("{left} of {total} entries are empty or too many and were left out", left, total));
    }
    Ok(Reading { documents: found, notes, ..Reading::default() })
}

/// Its entries, and how many it has with those that are left out.
pub(crate) fn entries(
    file: &Source<'_>,
    bytes: Vec<u8>,
    charset: Option<&str>,
) -> Result<(Vec<Document>, usize), ReadError> {
    // What the server says counts more than what the feed says of itself, unless it says what servers say of everything.
    let own = declared_encoding(&bytes);
    let usual = ["iso-8859-1", "latin1", "us-ascii", "ascii"];
    let charset =
        charset.filter(|charset| own.is_none() || !usual.contains(&charset.to_lowercase().as_str()));
    let text = encoding::decode(&bytes, charset.or(own.as_deref())).ok_or_else(|| file.undecodable())?;
    if text.trim_start().starts_with('<') && markup::nesting(&text) > DEEPEST {
        return Err(file.malformed(phrase!("its elements are nested deeper than {most}", most = DEEPEST)));
    }
    let origin = file.origin.to_owned();
    let parsed =
        reader_thread::run(file.shown, DEADLINE, move || parse(&text).map(|feed| documents(feed, &origin)))?;
    let (mut found, total) = parsed.map_err(|reason| file.malformed(Phrase::verbatim(reason)))?;
    found.truncate(MOST_ENTRIES);
    Ok((found, total))
}

/// The feed as it is, or as it was probably meant.
fn parse(text: &str) -> Result<Feed, String> {
    let text = without_prolog(text);
    let first = parser::parse(text.as_bytes());
    let Err(error) = first else { return first.map_err(|error| error.to_string()) };
    parser::parse(mended(text).as_bytes()).map_err(|_| format!("it is no feed: {error}"))
}

fn documents(feed: Feed, origin: &str) -> (Vec<Document>, usize) {
    let title = feed.title.as_ref().and_then(|title| one_line(&markup::text_of(&title.content)));
    let own_address = feed.links.iter().find(|link| link.rel.as_deref() == Some("self"));
    let origin = own_address.and_then(|link| web_address(&link.href)).unwrap_or_else(|| origin.to_owned());
    let source = title.unwrap_or_else(|| origin.clone());
    let total = feed.entries.len();
    (feed.entries.into_iter().filter_map(|entry| document(entry, &source, &origin)).collect(), total)
}

fn document(entry: Entry, source: &str, origin: &str) -> Option<Document> {
    let plain = |text: Option<String>| text.map(|text| markup::text_of(&text)).unwrap_or_default();
    let summary = plain(entry.summary.map(|summary| summary.content));
    let content = plain(entry.content.and_then(|content| content.body));
    let title = entry.title.and_then(|title| one_line(&markup::text_of(&title.content)));
    let text =
        [content, summary, title.clone().unwrap_or_default()].into_iter().find(|text| !text.is_empty())?;
    let opening = || one_line(&text.chars().take(80).collect::<String>());
    let title = title.or_else(opening)?;
    let main = entry.links.iter().find(|link| matches!(link.rel.as_deref(), None | Some("alternate")));
    let url = main.or(entry.links.first()).and_then(|link| web_address(&link.href));
    let published = entry.published.or(entry.updated).and_then(|moment| day(&moment.to_rfc3339()));
    let categories = entry.categories.into_iter().filter_map(|category| {
        one_line(&category.label.filter(|label| !label.is_empty()).unwrap_or(category.term))
    });
    Some(Document {
        title,
        url: url.or_else(|| web_address(&entry.id)),
        source: source.to_owned(),
        published,
        text,
        authors: entry.authors.iter().filter_map(|person| one_line(person.name.as_deref()?)).collect(),
        categories: categories.collect(),
        origin: origin.to_owned(),
    })
}

/// The encoding that the prolog names.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    let prolog = &head[head.find("<?xml")?..];
    let prolog = &prolog[..prolog.find("?>")?];
    let label = prolog.split("encoding=").nth(1)?.trim_start_matches(['"', '\'']);
    Some(label.split(['"', '\'', ' ']).next()?.to_owned())
}

/// The text is decoded already, so what the prolog says of its encoding would only mislead.
fn without_prolog(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("<?xml").and_then(|rest| rest.find("?>").map(|end| &rest[end + 2..])) {
        Some(rest) => rest.trim_start(),
        None => text,
    }
}

/// Comments and document type before the root taken away, a root without a known version given one, stray `&` and
/// entities of HTML written as XML can read them.
fn mended(text: &str) -> String {
    let Some(start) = root_start(text) else { return text.to_owned() };
    let (root, rest) = text[start..].split_at(text[start..].find('>').map_or(0, |end| end + 1));
    let mut mended = with_version(root);
    for (index, part) in rest.split("<![CDATA[").enumerate() {
        let (data, markup) = match part.find("]]>").filter(|_| index > 0) {
            Some(end) => part.split_at(end + 3),
            None => ("", part),
        };
        if index > 0 {
            mended.push_str("<![CDATA[");
        }
        mended.push_str(data);
        push_with_legal_entities(&mut mended, markup);
    }
    mended
}

fn root_start(text: &str) -> Option<usize> {
    let mut position = 0;
    loop {
        let rest = &text[position..];
        let start = rest.find('<')?;
        let tag = &rest[start..];
        let end = match tag.as_bytes().get(1)? {
            b'!' if tag.starts_with("<!--") => "-->",
            b'!' | b'?' => ">",
            _ => return Some(position + start),
        };
        position += start + tag.find(end)? + end.len();
    }
}

/// An `<rss>` of an unknown version is read as 2.0, which all of them resemble.
fn with_version(root: &str) -> String {
    let Some(attributes) = root.strip_prefix("<rss") else { return root.to_owned() };
    let Some(place) = attributes.find("version") else { return format!("<rss version=\"2.0\"{attributes}") };
    let (before, version) = attributes.split_at(place);
    let mut parts = version.splitn(3, ['"', '\'']);
    let after = parts.nth(2).unwrap_or(">");
    format!("<rss{before}version=\"2.0\"{after}")
}

fn push_with_legal_entities(mended: &mut String, markup: &str) {
    let mut rest = markup;
    while let Some(index) = rest.find('&') {
        mended.push_str(&rest[..index]);
        let after = &rest[index + 1..];
        let end = after.bytes().take(10).position(|byte| byte == b';');
        let name = end.map(|end| &after[..end]);
        match name.and_then(|name| markup::entity(name).map(|character| (name, character))) {
            Some((name @ ("amp" | "lt" | "gt" | "quot" | "apos"), _)) => {
                mended.push('&');
                mended.push_str(name);
                mended.push(';');
            }
            Some((_, '<')) => mended.push_str("&lt;"),
            Some((_, '&')) => mended.push_str("&amp;"),
            Some((_, character)) => mended.push(character),
            None => {
                mended.push_str("&amp;");
                rest = after;
                continue;
            }
        }
        rest = &after[name.map_or(0, |name| name.len() + 1)..];
    }
    mended.push_str(rest);
}
