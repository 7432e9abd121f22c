//! Lists that came as a list, as an object, or as a text.

use serde_json::{Number, Value, json};

use crate::Fault;
use crate::lenient::MOST_ITEMS;
use crate::node::Node;
use crate::schema::Schema;
use crate::shaper::{Fit, Misfit, Shaper};
use crate::text_features::is_nothing;
use crate::written::number_in;

impl Shaper<'_, '_> {
    pub(crate) fn list(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        let any = json!({});
        let items_schema = schema.items().unwrap_or_else(|| Schema::of(&any));
        let items = match node {
            Node::List { items, is_closed: true } => items,
            Node::List { .. } | Node::Cut | Node::Object { is_closed: false, .. } => return Err(Misfit::Cut),
            Node::Null | Node::Bool(false) if schema.default_value().is_some() => {
                self.done.filled.insert(self.place());
                return Ok(schema.default_value().cloned().unwrap_or_default());
            }
            Node::Object { fields, .. } => {
                self.done.listed.insert(self.place());
                self.items_of_object(fields, items_schema)
            }
            Node::Text(text) if is_nothing(&text) => {
                self.done.listed.insert(self.place());
                Vec::new()
            }
            Node::Text(text) => {
                self.done.listed.insert(self.place());
                items_of_text(&text, items_schema)
            }
            Node::Number(count) if items_schema.is("string") => {
                if count.as_f64() != Some(0.0) {
                    return Err(self.wrong("is a number, not a list"));
                }
                self.done.listed.insert(self.place());
                Vec::new()
            }
            other => {
                self.done.listed.insert(self.place());
                vec![other]
            }
        };
        if items.iter().any(|item| matches!(item, Node::Word(_))) && items_schema.is("object") {
            return Err(self.wrong("is a name, not a list"));
        }
        if items.len() > MOST_ITEMS {
            return Err(Misfit::Ended(Fault::Entangled));
        }
        let mut values = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            // An empty item carries no information.
            let is_empty_object =
                matches!(&item, Node::Object { fields, is_closed: true } if fields.is_empty());
            let is_nothing = match items_schema.types()[..] {
                [] => false,
                _ if item == Node::Null => !items_schema.is("null"),
                _ => is_empty_object && items_schema.is("object"),
            };
            if is_nothing {
                continue;
            }
            values.push(self.within(at.to_string(), |shaper| shaper.value(item, items_schema))?);
        }
        Ok(Value::Array(values))
    }

    /// The items of a list that came as an object: the object, the list inside it, or its values.
    fn items_of_object(&self, mut fields: Vec<(String, Node)>, items: Schema<'_>) -> Vec<Node> {
        if fields.is_empty() {
            return Vec::new();
        }
        let lists = fields.iter().filter(|(_, node)| matches!(node, Node::List { .. })).count();
        let is_item = items.is("object") && fields.iter().any(|(name, _)| items.property(name).is_some());
        let own = self.place();
        let wraps_list = |(name, node): &(String, Node)| {
            matches!(node, Node::List { .. })
                && (fields.len() == 1 || lists == 1 && !is_item || own.ends_with(name.as_str()))
        };
        if let Some(at) = fields.iter().position(wraps_list)
            && let Node::List { items, .. } = fields.swap_remove(at).1
        {
            return items;
        }
        let are_values = match items.types()[..] {
            ["object"] => !is_item && fields.iter().all(|(_, node)| matches!(node, Node::Object { .. })),
            ["array"] => {
                fields.iter().all(|(name, node)| is_numbered(name) && matches!(node, Node::List { .. }))
            }
            ["string"] => {
                fields.len() > 1
                    && fields.iter().all(|(name, node)| is_numbered(name) && matches!(node, Node::Text(_)))
            }
            _ => false,
        };
        if are_values {
            return fields.into_iter().map(|(name, node)| with_number(&name, node, items)).collect();
        }
        vec![Node::Object { fields, is_closed: true }]
    }
}

/// The items of a text that is a list: its lines, the numbers that it lists, or the text alone.
fn items_of_text(text: &str, items: Schema<'_>) -> Vec<Node> {
    let trimmed = text.trim();
    if trimmed.starts_with('[')
        && let Ok(Node::List { items, .. }) = serde_json::from_str(trimmed)
    {
        return items;
    }
    let lines: Vec<&str> = trimmed.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let points: Vec<&str> = lines.iter().filter_map(|line| point(line)).collect();
    if points.len() == lines.len() {
        return points.into_iter().map(|point| Node::Text(point.to_owned())).collect();
    }
    if items.is("string")
        && let Some(names) = names_of_line(trimmed)
    {
        return names.into_iter().map(|name| Node::Text(name.to_owned())).collect();
    }
    let wants_numbers = !items.is("string");
    let separated = [" and ", " und ", " & ", "、", "和"]
        .iter()
        .fold(trimmed.to_owned(), |text, word| if wants_numbers { text.replace(word, ",") } else { text });
    let parts = separated.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    let numbers: Option<Vec<Number>> = parts.map(number_in).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty());
    match numbers.filter(|_| wants_numbers) {
        Some(numbers) => numbers.into_iter().map(Node::Number).collect(),
        None if trimmed.starts_with('[') => {
            let inner = trimmed.trim_start_matches('[').trim_end_matches(']');
            inner
                .split(',')
                .map(|item| Node::Text(item.trim().trim_matches(['"', '\'']).to_owned()))
                .collect()
        }
        None => vec![Node::Text(text.to_owned())],
    }
}

/// Names in one line, separated by commas; a sentence with commas has at least one longer part.
fn names_of_line(line: &str) -> Option<Vec<&str>> {
    const MOST_WORDS: usize = 3;
    let names: Vec<&str> = line.split([',', '，', '、']).map(str::trim).collect();
    let is_name = |name: &&str| {
        !name.is_empty()
            && name.split_whitespace().count() <= MOST_WORDS
            && name.chars().count() <= 40
            && !name.ends_with(['.', '!', '?', '。'])
    };
    (names.len() > 1 && !line.contains('\n') && names.iter().all(is_name)).then_some(names)
}

/// The text after the mark of a list item.
pub(crate) fn point(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix(['-', '*', '•', '–', '·', '・']) {
        return rest.starts_with([' ', '\t']).then(|| rest.trim());
    }
    let digits = line.find(|c: char| !c.is_ascii_digit()).filter(|digits| *digits > 0 && *digits < 4)?;
    let rest = line[digits..].strip_prefix(['.', ')', '、'])?;
    Some(rest.trim())
}

fn is_numbered(name: &str) -> bool {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() < name.len() && word.chars().all(|c| c.is_alphabetic() || "_- ".contains(c))
}

/// An item that came under its number, with the number as a field.
fn with_number(number: &str, node: Node, items: Schema<'_>) -> Node {
    match (node, items.only_number(), number_in(number)) {
        (Node::Object { mut fields, is_closed }, Some((field, _)), Some(number))
            if !fields.iter().any(|(name, _)| name == field) =>
        {
            fields.push((field.to_owned(), Node::Number(number)));
            Node::Object { fields, is_closed }
        }
        (node, ..) => node,
    }
}
