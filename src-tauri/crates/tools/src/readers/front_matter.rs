//! Reads the head of a Markdown file: YAML between `---` or TOML between `+++`.
//!
//! An entry of YAML that is none costs nobody but itself: its words are taken as they stand. Aliases are not followed, so a
//! small head stays small.

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

use super::fields::{day_of, line, names};
use super::web_address;

/// A head longer than this is none.
const LONGEST_HEAD: usize = 64 << 10;
/// Values deeper inside each other make an entry none.
const DEEPEST: usize = 16;

/// What the head says of its document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) categories: Vec<String>,
}

/// The head of the text, and what follows it.
pub(crate) fn split(text: &str) -> (FrontMatter, &str) {
    let Some((fence, rest)) = ["---", "+++"].iter().find_map(|fence| {
        let rest = text.strip_prefix(fence)?;
        rest.trim_start_matches([' ', '\t']).strip_prefix('\n').map(|rest| (*fence, rest))
    }) else {
        return (FrontMatter::default(), text);
    };
    let mut position = 0;
    for line in rest.split_inclusive('\n') {
        let bare = line.trim_end();
        if bare == fence || (fence == "---" && bare == "...") {
            let head = &rest[..position];
            let entries = if fence == "---" { of_yaml(head) } else { of_toml(head) };
            return (FrontMatter::of(entries), &rest[position + line.len()..]);
        }
        position += line.len();
        if position > LONGEST_HEAD {
            break;
        }
    }
    (FrontMatter::default(), text)
}

impl FrontMatter {
    fn of(entries: Vec<(String, Value)>) -> FrontMatter {
        let mut found = FrontMatter::default();
        for (name, value) in entries {
            match name.to_lowercase().as_str() {
                "title" => found.title = line(&value).or(found.title),
                "headline" => found.title = found.title.or_else(|| line(&value)),
                "date" | "published" | "published_at" | "datepublished" | "pubdate" | "publish_date"
                | "created" => found.published = found.published.or_else(|| day_of(&value)),
                "url" | "link" | "canonical" | "canonical_url" => {
                    found.url = found.url.or_else(|| line(&value).as_deref().and_then(web_address));
                }
                "source" | "publisher" | "site" => {
                    found.source = names(&value).into_iter().next().or(found.source);
                }
                "author" | "authors" => found.authors = names(&value),
                "tags" | "categories" | "keywords" | "category" => found.categories.extend(names(&value)),
                _ => {}
            }
        }
        found
    }
}

fn of_toml(head: &str) -> Vec<(String, Value)> {
    let table: Option<Map<String, Value>> = toml_edit::de::from_str(head).ok();
    table.unwrap_or_default().into_iter().collect()
}

/// The entries of a head, each read for itself.
fn of_yaml(head: &str) -> Vec<(String, Value)> {
    let mut entries: Vec<String> = Vec::new();
    for line in head.split_inclusive('\n') {
        let is_begun =
            line.contains(':') && line.starts_with(|c: char| c.is_alphanumeric() || "\"'_".contains(c));
        match entries.last_mut() {
            Some(entry) if !is_begun => entry.push_str(line),
            _ => entries.push(line.to_owned()),
        }
    }
    entries.iter().filter_map(|entry| of_entry(entry).or_else(|| as_it_stands(entry))).collect()
}

/// The name and the value of one entry; none when it is no YAML.
fn of_entry(entry: &str) -> Option<(String, Value)> {
    // Lists and objects that are open: their values so far, of objects with the names between.
    let mut open: Vec<(bool, Vec<Value>)> = Vec::new();
    for event in Parser::new_from_str(entry) {
        let (event, _) = event.ok()?;
        let value = match event {
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() == DEEPEST => return None,
            Event::SequenceStart(..) => {
                open.push((false, Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push((true, Vec::new()));
                continue;
            }
            Event::Scalar(text, ..) => Value::String(text.into_owned()),
            Event::Alias(_) => Value::Null,
            Event::SequenceEnd | Event::MappingEnd => match open.pop()? {
                (true, values) if open.is_empty() => {
                    let mut values = values.into_iter();
                    let (Value::String(name), value) = (values.next()?, values.next()?) else { return None };
                    return Some((name, value));
                }
                (true, values) => Value::Object(object(values)),
                (false, values) => Value::Array(values),
            },
            _ => continue,
        };
        open.last_mut()?.1.push(value);
    }
    None
}

/// Names and values in turn as an object.
fn object(values: Vec<Value>) -> Map<String, Value> {
    let mut values = values.into_iter();
    let pairs = std::iter::from_fn(|| Some((values.next()?, values.next()?)));
    pairs.filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value))).collect()
}

/// The words behind the name, such as those of `title: Ferries: a report`, which is no YAML.
fn as_it_stands(entry: &str) -> Option<(String, Value)> {
    let (name, words) = entry.lines().next()?.split_once(':')?;
    let name = name.trim().trim_matches(['"', '\'']);
    (!name.contains(' ')).then(|| (name.to_owned(), Value::String(words.trim().to_owned())))
}
