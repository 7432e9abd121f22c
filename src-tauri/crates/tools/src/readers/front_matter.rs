//! Parses the front matter of a Markdown file: YAML between `---` or TOML between `+++`.
//!
//! An invalid entry affects only itself: its raw words are taken. Aliases are not expanded, so a small front matter
//! cannot grow.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

use super::fields::{day_of, line, names};
use super::web_address;

/// A longer block is not treated as front matter.
const LONGEST_HEAD: usize = 64 << 10;
/// An entry with deeper nesting is invalid.
const DEEPEST: usize = 16;

/// The metadata of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    pub(crate) title: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) authors: Vec<String>,
    pub(crate) categories: Vec<String>,
}

/// The front matter of a text, and the rest.
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
        let (mut found, mut created) = (FrontMatter::default(), None);
        for (name, value) in entries {
            match name.to_lowercase().as_str() {
                "title" => found.title = line(&value).or(found.title),
                "headline" => found.title = found.title.or_else(|| line(&value)),
                "date" | "published" | "published_at" | "datepublished" | "pubdate" | "publish_date" => {
                    found.published = found.published.or_else(|| day_of(&value));
                }
                // `created` counts only when no publication date is given.
                "created" => created = created.or_else(|| day_of(&value)),
                "url" | "link" | "canonical" | "canonical_url" => {
                    found.url = found.url.or_else(|| line(&value).as_deref().and_then(web_address));
                }
                "source" | "publisher" | "site" => {
                    found.source = names(&value).into_iter().next().or(found.source);
                }
                "author" | "authors" => {
                    found.authors =
                        Some(names(&value)).filter(|names| !names.is_empty()).unwrap_or(found.authors);
                }
                "tags" | "categories" | "keywords" | "category" => found.categories.extend(names(&value)),
                _ => {}
            }
        }
        found.published = found.published.or(created);
        found
    }
}

/// The entries of TOML front matter; when it is invalid as a whole, each entry is parsed by itself.
fn of_toml(head: &str) -> Vec<(String, Value)> {
    let read = |text: &str| toml_edit::de::from_str::<Map<String, Value>>(text).ok();
    if let Some(table) = read(head) {
        return table.into_iter().collect();
    }
    // Keys below a table header are not top-level entries.
    let end = if head.starts_with('[') { 0 } else { head.find("\n[").map_or(head.len(), |end| end + 1) };
    let entries = parts(&head[..end], '=');
    let bare = |words: &str| Value::String(words.trim_matches(['"', '\'']).to_owned());
    let entry = |entry: &String| {
        read(entry)
            .unwrap_or_else(|| Map::from_iter(raw_entry(entry, '=').map(|(name, words)| (name, bare(words)))))
    };
    entries.iter().flat_map(entry).collect()
}

/// The entries of YAML front matter, each parsed by itself.
fn of_yaml(head: &str) -> Vec<(String, Value)> {
    let entries = parts(head, ':');
    let words = |entry| raw_entry(entry, ':').map(|(name, words)| (name, Value::String(words.to_owned())));
    entries.iter().filter_map(|entry| of_entry(entry).or_else(|| words(entry))).collect()
}

/// Splits front matter into entries: each begins with a line that has a key before `mark`.
fn parts(head: &str, mark: char) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in head.split_inclusive('\n') {
        let is_begun =
            line.contains(mark) && line.starts_with(|c: char| c.is_alphanumeric() || "\"'_".contains(c));
        match parts.last_mut() {
            Some(part) if !is_begun => part.push_str(line),
            _ => parts.push(line.to_owned()),
        }
    }
    parts
}

/// The key and value of one entry; `None` when it is invalid YAML.
fn of_entry(entry: &str) -> Option<(String, Value)> {
    // Open lists and objects with their values so far; in objects keys and values alternate.
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
            Event::Scalar(text, ScalarStyle::Plain, ..)
                if matches!(&*text, "" | "~" | "null" | "Null" | "NULL") =>
            {
                Value::Null
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

/// Builds an object from alternating keys and values.
fn object(values: Vec<Value>) -> Map<String, Value> {
    let mut values = values.into_iter();
    let pairs = std::iter::from_fn(|| Some((values.next()?, values.next()?)));
    pairs.filter_map(|(name, value)| Some((name.as_str()?.to_owned(), value))).collect()
}

/// The raw words after the key, for invalid YAML such as `title: Ferries: a report`.
fn raw_entry(entry: &str, mark: char) -> Option<(String, &str)> {
    let (name, words) = entry.lines().next()?.split_once(mark)?;
    let name = name.trim().trim_matches(['"', '\'']);
    (!name.contains(' ')).then(|| (name.to_owned(), words.trim()))
}
