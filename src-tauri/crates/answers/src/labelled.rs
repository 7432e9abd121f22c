//! Answers that are no JSON but name their fields: lines of keys and values, headings, tables, elements.
//!
//! Only names in the schema count; their values are shaped like any other value.

use std::collections::BTreeSet;

use crate::lists::point;
use crate::node::Node;
use crate::schema::Schema;

/// Most nesting of elements and lines that is read.
const MOST_LEVELS: usize = 4;

/// The fields that a text names, if it names all required ones.
pub(crate) fn read(text: &str, schema: Schema<'_>) -> Option<Node> {
    let fields = elements(text, schema, MOST_LEVELS)
        .or_else(|| rows(text, schema))
        .or_else(|| links(text, schema))
        .or_else(|| lines(text, schema, MOST_LEVELS))?;
    let has = |wanted: &str| fields.iter().any(|(name, _)| name == wanted);
    let has_needed = !fields.is_empty() && schema.needed().all(|(name, _)| has(name));
    has_needed.then_some(Node::Object { fields, is_closed: true })
}

pub(crate) type Fields = Vec<(String, Node)>;

/// Fields as elements: `<name>…</name>`, `<parameter=name>…</parameter>` and similar ones.
fn elements(text: &str, schema: Schema<'_>, levels: usize) -> Option<Fields> {
    let fields: Fields = schema
        .properties()
        .filter_map(|(name, property)| Some((name.to_owned(), element(inner(text, name)?, property, levels))))
        .collect();
    (!fields.is_empty()).then_some(fields)
}

/// The content of a field's element; of several, the last one.
fn inner<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let forms = [
        (format!("<{name}>"), format!("</{name}>")),
        (format!("<parameter={name}>"), "</parameter>".to_owned()),
        (format!("<parameter name=\"{name}\">"), "</parameter>".to_owned()),
    ];
    for (open, close) in forms {
        if let Some(start) = text.find(&open).map(|at| at + open.len())
            && let Some(end) = text[start..].find(&close)
        {
            return Some(text[start..start + end].trim());
        }
    }
    let after = text.split_once(&format!("<arg_key>{name}</arg_key>"))?.1;
    let value = after.trim_start().strip_prefix("<arg_value>")?;
    Some(value.split_once("</arg_value>")?.0.trim())
}

fn element(text: &str, schema: Schema<'_>, levels: usize) -> Node {
    let text = match text.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")) {
        Some(inner) => return Node::Text(inner.trim().to_owned()),
        None => text,
    };
    if let Some(items) = schema.items().filter(|_| schema.is("array") && levels > 0)
        && let Some(parts) = children(text)
    {
        let item = |part: &&str| match elements(part, items, levels - 1) {
            Some(fields) if items.is("object") => Node::Object { fields, is_closed: true },
            _ => Node::Text(plain(part)),
        };
        return Node::List { items: parts.iter().map(item).collect(), is_closed: true };
    }
    if schema.is("object")
        && levels > 0
        && let Some(fields) = elements(text, schema, levels - 1)
    {
        return Node::Object { fields, is_closed: true };
    }
    Node::Text(plain(text))
}

/// The contents of consecutive elements that fill a text.
fn children(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
        let close = format!("</{}>", name.split_whitespace().next()?);
        let (inner, next) = after.split_once(&close)?;
        parts.push(inner.trim());
        rest = next.trim_start();
    }
    (!parts.is_empty()).then_some(parts)
}

/// The text of an element.
pub(crate) fn plain(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ];
    entities.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

/// The only required list as a table: a line of names, a rule, and a line per item.
fn rows(text: &str, schema: Schema<'_>) -> Option<Fields> {
    let (field, list) = schema.list_field()?;
    let items = list.items().filter(|items| items.is("object"))?;
    let cells = |line: &str| -> Option<Vec<String>> {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| plain(cell.trim())).collect())
    };
    let mut table = text.lines().skip_while(|line| !line.trim_start().starts_with('|')).map_while(cells);
    let names = table.next().filter(|names| names.iter().any(|name| items.property(name).is_some()))?;
    table.next().filter(|rule| rule.iter().all(|cell| cell.chars().all(|c| "-: ".contains(c))))?;
    let item = |values: Vec<String>| {
        let fields = names.iter().cloned().zip(values.into_iter().map(Node::Text)).collect();
        Node::Object { fields, is_closed: true }
    };
    let items: Vec<Node> = table.map(item).collect();
    (!items.is_empty()).then(|| vec![(field.to_owned(), Node::List { items, is_closed: true })])
}

/// The only required list as lines of links: `- [title](address)`, the first per address.
pub(crate) fn links(text: &str, schema: Schema<'_>) -> Option<Fields> {
    let (field, list) = schema.list_field()?;
    let items = list.items().filter(|items| items.is("object"))?;
    let (title, _) = items.property("title")?;
    let (url, _) = items.property("url")?;
    let link = |line: &'_ str| -> Option<(String, String)> {
        let (name, address) = point(line.trim())?.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
        let is_address = address.starts_with("http") && !address.contains(char::is_whitespace);
        is_address.then(|| (name.to_owned(), address.to_owned()))
    };
    let mut known = BTreeSet::new();
    let links = text.lines().filter_map(link).filter(|(_, address)| known.insert(address.clone()));
    let item = |(name, address)| {
        let fields = vec![(title.to_owned(), Node::Text(name)), (url.to_owned(), Node::Text(address))];
        Node::Object { fields, is_closed: true }
    };
    let items: Vec<Node> = links.map(item).collect();
    (!items.is_empty()).then(|| vec![(field.to_owned(), Node::List { items, is_closed: true })])
}

/// Fields as lines, each with the text until the next one.
fn lines(text: &str, schema: Schema<'_>, levels: usize) -> Option<Fields> {
    let mut blocks: Vec<(&str, Schema<'_>, Vec<&str>)> = Vec::new();
    let mut level = 0;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let is_fence = line.trim_start().starts_with("```");
        match label(line, schema).filter(|_| blocks.is_empty() || indent <= level) {
            Some((name, property, value)) => {
                level = if blocks.is_empty() { indent } else { level };
                blocks.push((name, property, vec![value]));
            }
            None if is_fence && !blocks.is_empty() => break,
            None => {
                if let Some((_, _, block)) = blocks.last_mut() {
                    block.push(line);
                }
            }
        }
    }
    let fields: Fields = blocks
        .into_iter()
        .map(|(name, property, block)| (name.to_owned(), block_value(&block, property, levels)))
        .collect();
    (!fields.is_empty()).then_some(fields)
}

/// The field that a line names, and its value: `name: value`, `## name`, `| name | value |`.
fn label<'t, 's>(line: &'t str, schema: Schema<'s>) -> Option<(&'s str, Schema<'s>, &'t str)> {
    let is_mark = |c: char| c.is_whitespace() || "*#|>_`".contains(c);
    let point = line.trim_start();
    let point = point.strip_prefix("- ").or_else(|| point.strip_prefix("* ")).unwrap_or(point);
    let rest = point.trim_start_matches(is_mark);
    let is_heading = point.starts_with('#');
    // An assignment in code is indented; one in TOML is not.
    let is_indented = line.starts_with(char::is_whitespace);
    let end = rest.find(|c| [':', '：', '|'].contains(&c) || (c == '=' && !is_indented));
    let (name, value) = match end {
        Some(end) => (&rest[..end], &rest[end + rest[end..].chars().next().map_or(1, char::len_utf8)..]),
        None if is_heading => (rest, ""),
        None => return None,
    };
    let name = name.trim_end_matches(is_mark);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_- ".contains(c));
    let (known, property) = schema.property(name).filter(|_| is_name)?;
    let value = value.trim().trim_start_matches("**").trim();
    let value = if point.starts_with('|') { value.trim_end_matches('|').trim() } else { value };
    Some((known, property, value))
}

fn block_value(block: &[&str], schema: Schema<'_>, levels: usize) -> Node {
    let (first, more) = block.split_first().map_or(("", &[][..]), |(first, more)| (*first, more));
    let more: Vec<&str> = dedented(more);
    if first.is_empty() && schema.is("array") && levels > 0 {
        let items = schema.items();
        let mut parts: Vec<Vec<&str>> = Vec::new();
        for line in &more {
            match (point(line), parts.last_mut()) {
                (Some(rest), _) => parts.push(vec![rest]),
                (None, Some(part)) => part.push(line.strip_prefix("  ").unwrap_or(line)),
                (None, None) if line.trim().is_empty() => {}
                (None, None) => parts.push(vec![line]),
            }
        }
        let item = |part: &Vec<&str>| {
            let text = part.join("\n");
            match items.filter(|items| items.is("object")).and_then(|items| lines(&text, items, levels - 1)) {
                Some(fields) => Node::Object { fields, is_closed: true },
                None => scalar(text.trim()),
            }
        };
        return Node::List { items: parts.iter().map(item).collect(), is_closed: true };
    }
    let is_block = ["|", ">", "|-", ">-"].contains(&first);
    let text = if first.starts_with('>') && is_block {
        folded(&more)
    } else if is_block || first.is_empty() {
        more.join("\n")
    } else {
        std::iter::once(first).chain(more).collect::<Vec<_>>().join("\n")
    };
    scalar(text.trim())
}

/// The lines of a folded YAML text: one line break is a space, an empty line is a line break.
fn folded(lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        match line.trim() {
            "" => text.push('\n'),
            line => {
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push(' ');
                }
                text.push_str(line);
            }
        }
    }
    text
}

/// A text that may be quoted as in JSON or YAML.
fn scalar(text: &str) -> Node {
    if let Ok(node @ (Node::Text(_) | Node::List { .. })) = serde_json::from_str(text) {
        return node;
    }
    let single = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    Node::Text(single.map_or_else(|| text.to_owned(), |inner| inner.replace("''", "'")))
}

fn dedented<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|line| line.get(least..).unwrap_or("").trim_end()).collect()
}
