//! Reads files with one JSON record per line, in the shape of the sample library: `id, title, url, source, published,
//! summary, authors[], categories[]`. Only a title and some text are required; the other fields may have any shape. An
//! invalid line is skipped and reported by its number.

use std::ops::ControlFlow;

use kernel::phrase;
use serde_json::{Map, Value};

use super::process::{Counts, DocumentKind, Message, extract_many, stopped};
use super::{Document, ReadError, Reading, Source, Take, encoding, fields, one_line, web_address};

/// Records per batch.
const BATCH: usize = 1_000;

/// The most invalid lines that are reported by number; more are only counted.
const MOST_REPORTED: usize = 10;

/// Passes the records on in batches, because a file of many small records takes many times its size in memory.
pub(crate) fn read(file: &Source<'_>, bytes: &[u8], take: &mut Take<'_>) -> Result<Reading, ReadError> {
    let text = encoding::decode(bytes, None).ok_or_else(|| file.undecodable())?;
    let mut reading = Reading::default();
    let counts = extract_many(DocumentKind::Jsonl, file, text.as_bytes(), &mut |document| {
        reading.documents.push(document);
        match reading.documents.len() == BATCH {
            true => reading.hand_on(take),
            false => ControlFlow::Continue(()),
        }
    })?;
    let (total, count) = (counts.total, counts.faulty);
    let numbers: Vec<String> = counts.lines.iter().map(usize::to_string).collect();
    if reading.count() == 0 {
        return Err(file
            .malformed(phrase!("none of its {total} lines is a record with a title and a summary", total)));
    }
    if count > 0 {
        reading.notes.push(if count > MOST_REPORTED {
            phrase!(
                "{count} of {total} lines are no records and were left out: line {numbers}, and more",
                count,
                total,
                numbers
            )
        } else {
            phrase!(
                "{count} of {total} lines are no records and were left out: line {numbers}",
                count,
                total,
                numbers
            )
        });
    }
    if counts.unread_days > 0 {
        reading.notes.push(phrase!(
            "{count} of its dates could not be read; their entries have no day",
            count = counts.unread_days
        ));
    }
    if !counts.is_whole {
        reading.notes.push(stopped());
    }
    Ok(reading)
}

/// Sends the records, then the number of invalid lines.
pub(super) fn emit(bytes: Vec<u8>, on: &mut dyn FnMut(Message)) -> Result<(), String> {
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut counts = Counts::default();
    for (number, line) in lines(&text) {
        counts.total += 1;
        match record(line, "") {
            Some((document, has_date)) => {
                counts.unread_days += usize::from(has_date && document.published.is_none());
                on(Message::Entry(Box::new(document)));
            }
            None => {
                counts.faulty += 1;
                counts.lines.extend(Some(number).filter(|_| counts.lines.len() < MOST_REPORTED));
            }
        }
    }
    on(Message::Counted(counts));
    Ok(())
}

/// The records of a bundled text in which every line is a record.
pub(crate) fn records<'t>(text: &'t str, origin: &'t str) -> impl Iterator<Item = Document> + 't {
    lines(text).filter_map(move |(_, line)| record(line, origin).map(|(document, _)| document))
}

/// The non-empty lines of a text, numbered from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).map(|(line, number)| (number, line))
}

/// The record of a line, and whether it has a date, readable or not.
fn record(line: &str, origin: &str) -> Option<(Document, bool)> {
    let record: Map<String, Value> = serde_json::from_str(line).ok()?;
    let text = |name: &str| record.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let said = |name: &&str| record.get(*name).filter(|value| fields::has_value(value));
    let names = |of: &[&str]| of.iter().find_map(said).map(fields::names).unwrap_or_default();
    let words = ["summary", "abstract", "text", "content"].into_iter().find_map(text)?;
    let dates: Vec<&Value> = ["published", "date"].iter().filter_map(said).collect();
    let document = Document {
        title: one_line(text("title")?)?,
        url: text("url").and_then(web_address),
        source: names(&["source"]).into_iter().next().unwrap_or_else(|| origin.to_owned()),
        published: dates.iter().copied().find_map(fields::day_of),
        text: words.trim().to_owned(),
        authors: names(&["authors", "author"]),
        categories: names(&["categories", "tags"]),
        origin: origin.to_owned(),
    };
    Some((document, !dates.is_empty()))
}
