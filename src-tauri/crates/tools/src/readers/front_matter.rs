//! Reads the head of a Markdown file: the flat part of YAML between `---` or of TOML between `+++`.
//! Not in here: nested values, anchors, multi-line strings; they are passed over.

use super::dates::day;
use super::{one_line, web_address};

/// A head longer than this is none.
const LONGEST_HEAD: usize = 64 << 10;

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
            return (parse(&rest[..position]), &rest[position + line.len()..]);
        }
        position += line.len();
        if position > LONGEST_HEAD {
            break;
        }
    }
    (FrontMatter::default(), text)
}

fn parse(head: &str) -> FrontMatter {
    let mut found = FrontMatter::default();
    let mut lines = head.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with([' ', '\t', '#', '-']) {
            continue;
        }
        let Some((name, value)) = pair(line) else { continue };
        let mut values = list(value);
        while let Some(item) = lines.peek().and_then(|next| next.trim_start().strip_prefix("- ")) {
            values.push(unquoted(item));
            lines.next();
        }
        values.retain(|value| !value.is_empty());
        let first = values.first().cloned();
        match name.as_str() {
            "title" => found.title = Some(unquoted(value)).as_deref().and_then(one_line),
            "headline" => found.title = found.title.or(Some(unquoted(value)).as_deref().and_then(one_line)),
            "date" | "published" | "published_at" | "datepublished" | "pubdate" | "publish_date"
            | "created" => {
                found.published = found.published.or(first.as_deref().and_then(day));
            }
            "url" | "link" | "canonical" | "canonical_url" => {
                found.url = found.url.or(first.as_deref().and_then(web_address));
            }
            "source" | "publisher" | "site" => found.source = first.as_deref().and_then(one_line),
            "author" | "authors" => found.authors = values,
            "tags" | "categories" | "keywords" | "category" => found.categories.extend(values),
            _ => {}
        }
    }
    found
}

/// The name and the value of a line, YAML's or TOML's.
fn pair(line: &str) -> Option<(String, &str)> {
    let end = line.find([':', '='])?;
    let name = line[..end].trim().trim_matches(['"', '\'']).to_lowercase();
    (!name.is_empty() && !name.contains(' ')).then(|| (name, line[end + 1..].trim()))
}

/// The values of `[a, "b, c"]`, or the one value.
fn list(value: &str) -> Vec<String> {
    let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.trim_end().strip_suffix(']')) else {
        return vec![unquoted(value)];
    };
    let mut quote = None;
    let mut values = vec![String::new()];
    for character in inner.chars() {
        match (quote, character) {
            (None, ',') => values.push(String::new()),
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {
                if let Some(last) = values.last_mut() {
                    last.push(character);
                }
            }
        }
    }
    values.iter().map(|value| value.trim().to_owned()).collect()
}

fn unquoted(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote)
            && let Some(end) = rest.find(quote)
        {
            return rest[..end].to_owned();
        }
    }
    // A comment of YAML begins after a space.
    value.split(" #").next().unwrap_or_default().trim().to_owned()
}
