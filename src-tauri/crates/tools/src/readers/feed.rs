//! Reads feeds: RSS 0.9 to 2.0, RSS 1.0 (RDF), Atom, JSON Feed; one document per entry.
//!
//! Real feeds declare the wrong encoding, omit their version and use HTML entities that XML does not define. So the
//! text is decoded here, and a feed that does not parse is repaired and parsed once more. Not in here: fetching feeds.

use kernel::phrase;
use std::ops::ControlFlow;

use feed_rs::model::{Entry, Feed};
use feed_rs::parser::{self, ParseFeedError};
use serde_json::Value;

use super::dates::day;
use super::nesting::nesting;
use super::process::{Counts, DocumentKind, Message, extract_many, stopped};
use super::tags::Tags;
use super::{Document, ReadError, Reading, Source, encoding, markup, one_line, web_address};

const MOST_ENTRIES: usize = 5_000;

/// A feed nested deeper than this is taken for an attack on the parser.
const DEEPEST: usize = 500;

/// A placeholder for an unreadable date; real dates are later.
const UNREADABLE_DATE: &str = "0001-01-01";

pub(crate) fn read(file: &Source<'_>, bytes: Vec<u8>) -> Result<Reading, ReadError> {
    let (found, counts) = entries(file, &bytes, None)?;
    if found.is_empty() {
        return Err(file.malformed(phrase!("the feed has no entries with a title or a text")));
    }
    let mut notes = Vec::new();
    let total = counts.total;
    if found.len() < total {
        let left = total - found.len();
        notes.push(phrase!("{left} of {total} entries are empty or too many and were left out", left, total));
    }
    if counts.unread_days > 0 {
        notes.push(phrase!(
            "{count} of its dates could not be read; their entries have no day",
            count = counts.unread_days
        ));
    }
    if !counts.is_whole {
        notes.push(stopped());
    }
    Ok(Reading { documents: found, notes, ..Reading::default() })
}

/// The entries of a feed, and their number including those left out.
pub(crate) fn entries(
    file: &Source<'_>,
    bytes: &[u8],
    charset: Option<&str>,
) -> Result<(Vec<Document>, Counts), ReadError> {
    // The server's declaration outranks the feed's own, unless it is a default that servers send for everything.
    let own = declared_encoding(bytes);
    let usual = ["iso-8859-1", "latin1", "us-ascii", "ascii"];
    let charset =
        charset.filter(|charset| own.is_none() || !usual.contains(&charset.to_lowercase().as_str()));
    let text = encoding::decode(bytes, charset.or(own.as_deref())).ok_or_else(|| file.undecodable())?;
    if text.trim_start().starts_with('<') && nesting(&text) > DEEPEST {
        return Err(file.malformed(phrase!("its elements are nested deeper than {most}", most = DEEPEST)));
    }
    let mut found = Vec::new();
    let counts = extract_many(DocumentKind::Feed, file, text.as_bytes(), &mut |document| {
        found.push(document);
        ControlFlow::Continue(())
    })?;
    Ok((found, counts))
}

/// Sends the entries of a feed.
pub(super) fn emit(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let mut text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    // An entry takes many times its size in memory, so entries beyond the limit are cut before parsing.
    let left_out = cut(&mut text);
    let feed = parse(&text)?;
    drop(text);
    let mut counts = Counts { total: feed.entries.len() + left_out, ..Counts::default() };
    for (document, has_date) in documents(feed).take(MOST_ENTRIES) {
        counts.unread_days += usize::from(has_date && document.published.is_none());
        on(Message::Entry(Box::new(document)));
    }
    on(Message::Counted(counts));
    Ok(())
}

/// Removes the entries beyond the limit from an XML feed and returns how many were removed.
fn cut(text: &mut String) -> usize {
    if !text.trim_start().starts_with('<') {
        return 0;
    }
    let tags = Tags::of(text);
    // The element name of entries in this feed, and the number of open ones.
    let (mut name, mut open) = (None, 0_usize);
    let (mut count, mut enough, mut last) = (0_usize, 0, 0);
    let mut rest = text.as_str();
    while let Some(index) = rest.find('<') {
        rest = &rest[index..];
        let Some(tag) = tags.at(rest) else {
            rest = &rest[1..];
            continue;
        };
        let (source, after) = rest.split_at(tag.length);
        rest = after;
        let own = source.trim_start_matches(['<', '/']);
        let own = &own[..own.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>')).unwrap_or(0)];
        let is_entry = matches!(own.rsplit(':').next(), Some("item" | "entry"));
        if !is_entry || *name.get_or_insert(own) != own {
            continue;
        }
        if tag.is_opening && !tag.is_closed {
            open += 1;
            continue;
        }
        open = open.saturating_sub(usize::from(!tag.is_opening));
        if open == 0 {
            count += 1;
            last = text.len() - rest.len();
            if count == MOST_ENTRIES {
                enough = last;
            }
        }
    }
    let left_out = count.saturating_sub(MOST_ENTRIES);
    if left_out > 0 {
        text.replace_range(enough..last, "");
    }
    left_out
}

/// Parses the feed as it is, or else repaired.
fn parse(text: &str) -> Result<Feed, String> {
    let text = without_prolog(text);
    let read = |text: &str| {
        let parser = parser::Builder::new().timestamp_parser(|text| {
            if text.trim().is_empty() {
                return None;
            }
            // The parser stores instants: a day is stored as its beginning in UTC, whatever its time and zone.
            let day = day(text);
            format!("{}T00:00:00Z", day.as_deref().unwrap_or(UNREADABLE_DATE)).parse().ok()
        });
        parser.build().parse(text.as_bytes())
    };
    let first: Result<_, ParseFeedError> = read(text);
    let Err(error) = first else { return first.map_err(|error| error.to_string()) };
    read(&mended(text)).map_err(|_| format!("it is no feed: {error}"))
}

/// The documents of a feed, each with whether it has a date, readable or not. A feed without a name and address of its
/// own gets those of its file from the caller.
fn documents(feed: Feed) -> impl Iterator<Item = (Document, bool)> {
    let title = feed.title.as_ref().and_then(|title| one_line(&markup::text_of(&title.content)));
    let own_address = feed.links.iter().find(|link| link.rel.as_deref() == Some("self"));
    let origin = own_address.and_then(|link| web_address(&link.href)).unwrap_or_default();
    let source = title.unwrap_or_else(|| origin.clone());
    feed.entries.into_iter().filter_map(move |entry| document(entry, &source, &origin))
}

fn document(entry: Entry, source: &str, origin: &str) -> Option<(Document, bool)> {
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
    let dates: Vec<_> = [entry.published, entry.updated].into_iter().flatten().collect();
    let published = dates.iter().find_map(|moment| day(&moment.to_rfc3339()));
    let categories = entry.categories.into_iter().filter_map(|category| {
        one_line(&category.label.filter(|label| !label.is_empty()).unwrap_or(category.term))
    });
    let document = Document {
        title,
        url: url.or_else(|| web_address(&entry.id)),
        source: source.to_owned(),
        published,
        text,
        authors: entry.authors.iter().filter_map(|person| one_line(person.name.as_deref()?)).collect(),
        categories: categories.collect(),
        origin: origin.to_owned(),
    };
    Some((document, !dates.is_empty()))
}

/// The encoding that the XML declaration names.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    let prolog = &head[head.find("<?xml")?..];
    let prolog = &prolog[..prolog.find("?>")?];
    let label = prolog.split("encoding=").nth(1)?.trim_start_matches(['"', '\'']);
    Some(label.split(['"', '\'', ' ']).next()?.to_owned())
}

/// Removes the XML declaration: the text is already decoded, so its encoding would mislead the parser.
fn without_prolog(text: &str) -> &str {
    let text = text.trim_start();
    match text.strip_prefix("<?xml").and_then(|rest| rest.find("?>").map(|end| &rest[end + 2..])) {
        Some(rest) => rest.trim_start(),
        None => text,
    }
}

/// Removes comments and the document type before the root, adds a missing or unknown version, and escapes stray `&` and
/// HTML entities for XML.
fn mended(text: &str) -> String {
    if text.starts_with('{') {
        return with_words(text);
    }
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

/// Converts numbers to strings where a JSON feed requires strings.
fn with_words(text: &str) -> String {
    let Some(mut feed) = net::nearly_json(text.as_bytes()) else { return text.to_owned() };
    let items = feed.get_mut("items").and_then(Value::as_array_mut).into_iter().flatten();
    for field in items.filter_map(Value::as_object_mut).flat_map(|item| item.values_mut()) {
        if let Value::Number(number) = field {
            *field = Value::String(number.to_string());
        }
    }
    feed.to_string()
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

/// Sets an `<rss>` of unknown version to 2.0, which all versions resemble.
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
