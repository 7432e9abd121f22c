//! Reads files with one record a line, in the shape of the sample library:
//! `id, title, url, source, published, summary, authors[], categories[]`.
//! A line that is no record is passed over and named by its number.

use kernel::phrase;
use serde::Deserialize;

use super::dates::day;
use super::{Document, ReadError, Reading, Source, Take, encoding, one_line, web_address};

/// So many records are handed on at once.
const PART: usize = 1_000;

/// More faulty lines than this are counted, not named.
const MOST_NAMED: usize = 10;

/// A record as written; only the title and some text are needed.
#[derive(Deserialize)]
struct Record {
    title: String,
    #[serde(default)]
    url: Option<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default, alias = "date")]
    published: Option<String>,
    #[serde(default)]
    summary: Option<String>,
    #[serde(default, alias = "content")]
    text: Option<String>,
    #[serde(default)]
    authors: Option<OneOrMany>,
    #[serde(default)]
    categories: Option<OneOrMany>,
}

/// Some writers give a list of one as that one.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    Many(Vec<String>),
    One(String),
}

impl OneOrMany {
    fn list(many: Option<Self>) -> Vec<String> {
        match many {
            Some(Self::Many(list)) => list,
            Some(Self::One(one)) => vec![one],
            None => Vec::new(),
        }
    }
}

/// Reads the records and hands them on in parts: a file of many small ones takes many times its size in memory.
pub(crate) fn read(file: &Source<'_>, bytes: &[u8], take: &mut Take<'_>) -> Result<Reading, ReadError> {
    let text = encoding::decode(bytes, None).ok_or_else(|| file.undecodable())?;
    let mut reading = Reading::default();
    let mut faulty = Vec::new();
    let mut total = 0;
    for (number, record) in records(&text, file.origin) {
        total += 1;
        match record {
            Some(document) => reading.documents.push(document),
            None => faulty.push(number),
        }
        if reading.documents.len() == PART && reading.hand_on(take).is_break() {
            break;
        }
    }
    if reading.count() == 0 {
        return Err(file
            .malformed(phrase!("none of its {total} lines is a record with a title and a summary", total)));
    }
    if !faulty.is_empty() {
        let named: Vec<String> = faulty.iter().take(MOST_NAMED).map(usize::to_string).collect();
        let count = faulty.len();
        reading.notes.push(if count > MOST_NAMED {
            phrase!(
                "{count} of {total} lines are no records and were left out: line {numbers}, and more",
                count,
                total,
                numbers = named
            )
        } else {
            phrase!(
                "{count} of {total} lines are no records and were left out: line {numbers}",
                count,
                total,
                numbers = named
            )
        });
    }
    Ok(reading)
}

/// The records of a text by line, numbered from 1; none where a line is no record. Empty lines do not count.
pub(crate) fn records<'t>(
    text: &'t str,
    origin: &'t str,
) -> impl Iterator<Item = (usize, Option<Document>)> + 't {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(move |(index, line)| (index + 1, record(line, origin)))
}

fn record(line: &str, origin: &str) -> Option<Document> {
    let record: Record = serde_json::from_str(line).ok()?;
    let text = [record.summary, record.text].into_iter().flatten().find(|text| !text.trim().is_empty())?;
    Some(Document {
        title: one_line(&record.title)?,
        url: record.url.as_deref().and_then(web_address),
        source: record.source.as_deref().and_then(one_line).unwrap_or_else(|| origin.to_owned()),
        published: record.published.as_deref().and_then(day),
        text: text.trim().to_owned(),
        authors: OneOrMany::list(record.authors),
        categories: OneOrMany::list(record.categories),
        origin: origin.to_owned(),
    })
}
