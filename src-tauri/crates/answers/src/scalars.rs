//! Converts single values to their types. Only the form changes: anything that would be a guess is a fault.

use serde_json::{Number, Value, json};

use crate::node::Node;
use crate::schema::Schema;
use crate::shaper::{Fit, Misfit, Shaper};
use crate::written::{amount_in, day, number_in, plain_number, whole, yes_or_no};

/// The names under which a model puts the sentence of an object that should be a text, best first.
const SENTENCES: &[&str] = &[
    "text",
    "content",
    "description",
    "issue",
    "message",
    "sentence",
    "note",
    "notes",
    "comment",
    "detail",
    "details",
    "value",
    "markdown",
    "body",
    "summary",
    "problem",
    "finding",
    "reason",
    "title",
    "name",
];
impl Shaper<'_, '_> {
    pub(crate) fn text(&mut self, node: Node, schema: Schema<'_>) -> Fit<String> {
        match node {
            Node::Text(text) if schema.get("format").and_then(Value::as_str) == Some("date") => {
                match day(&text) {
                    Some(day) if day != text => self.retyped(day),
                    Some(day) => Ok(day),
                    None if text.trim().is_empty() => Ok(text),
                    None => Err(self.wrong("is no date")),
                }
            }
            Node::Text(text) => match self.own_text(&text) {
                Some(inner) => {
                    self.done.is_json_in_text = true;
                    Ok(inner)
                }
                None if has_escaped_breaks(&text) => self.retyped(text.replace("\\n", "\n")),
                None => Ok(text),
            },
            Node::Word(text) => self.retyped(text),
            Node::Number(number) => self.retyped(number.to_string()),
            Node::Bool(flag) => self.retyped(flag.to_string()),
            Node::Cut | Node::List { is_closed: false, .. } | Node::Object { is_closed: false, .. } => {
                Err(Misfit::Cut)
            }
            Node::List { items, .. } => {
                let mut parts = Vec::new();
                for item in items {
                    if item == Node::Null {
                        continue;
                    }
                    parts.extend(heading_of(&item));
                    let part = self.text(item, schema)?;
                    if !part.trim().is_empty() {
                        parts.push(part);
                    }
                }
                self.done.joined.insert(self.place());
                Ok(parts.join("\n\n"))
            }
            Node::Object { fields, .. } => {
                self.done.joined.insert(self.place());
                self.sentence(fields, schema)
            }
            Node::Null => Err(self.wrong("is null")),
        }
    }

    /// The text of this field inside JSON that came as its text.
    fn own_text(&self, text: &str) -> Option<String> {
        let text = text.trim();
        let name = self.own_name()?;
        if !text.starts_with('{') || !text.contains(name) {
            return None;
        }
        let Ok(Node::Object { fields, .. }) = serde_json::from_str(text) else { return None };
        fields.into_iter().find_map(|(known, node)| match node {
            Node::Text(inner) if known == name => Some(inner),
            _ => None,
        })
    }

    fn retyped<T>(&mut self, value: T) -> Fit<T> {
        self.done.retyped.insert(self.place());
        Ok(value)
    }

    /// The sentence of an object: its only text, or the one under a usual name.
    fn sentence(&mut self, mut fields: Vec<(String, Node)>, schema: Schema<'_>) -> Fit<String> {
        // A part of the schema is no text.
        if fields.iter().any(|(name, node)| name == "type" && is_type_name(node)) && fields.len() <= 2 {
            let is_part = fields.iter().any(|(name, node)| name == "text" && matches!(node, Node::Text(_)));
            if !is_part {
                return Err(self.wrong("is a piece of the schema"));
            }
        }
        let is_texty = |node: &Node| matches!(node, Node::Text(_) | Node::List { .. });
        let named = SENTENCES.iter().find_map(|wanted| {
            fields.iter().position(|(name, node)| name.eq_ignore_ascii_case(wanted) && is_texty(node))
        });
        let mut texts = fields.iter().enumerate().filter(|(_, (_, node))| matches!(node, Node::Text(_)));
        let only = match (texts.next(), texts.next()) {
            (Some((at, _)), None) => Some(at),
            _ => None,
        };
        match only.or(named) {
            Some(at) => self.text(fields.swap_remove(at).1, schema),
            None if fields.len() == 1 => self.text(fields.swap_remove(0).1, schema),
            None => Err(self.wrong("is an object")),
        }
    }

    pub(crate) fn integer(&mut self, node: Node) -> Fit<Value> {
        match node {
            Node::Number(number) => match whole(&number) {
                Some(same) if number.is_f64() => self.retyped(json!(same)),
                Some(_) => Ok(Value::Number(number)),
                None => Err(self.wrong("is no whole number")),
            },
            Node::Text(text) | Node::Word(text) => match number_in(&text).as_ref().and_then(whole) {
                Some(number) => self.retyped(json!(number)),
                None => Err(self.wrong("is a text, not a whole number")),
            },
            Node::List { mut items, is_closed: true } if items.len() == 1 => {
                let item = items.pop().unwrap_or(Node::Null);
                let value = self.integer(item)?;
                self.retyped(value)
            }
            other => self.other(&other),
        }
    }

    pub(crate) fn number(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        match node {
            Node::Number(number) => Ok(plain_number(number)),
            Node::Text(text) if is_share(schema) && text.trim_end().ends_with('%') => {
                let share = text.trim_end().trim_end_matches('%').trim().parse::<f64>().ok();
                match share.and_then(|share| Number::from_f64(share / 100.0)) {
                    Some(share) => self.retyped(Value::Number(share)),
                    None => Err(self.wrong("is a text, not a number")),
                }
            }
            Node::Text(text) | Node::Word(text) => match number_in(&text).or_else(|| amount_in(&text)) {
                Some(number) => self.retyped(plain_number(number)),
                None => Err(self.wrong("is a text, not a number")),
            },
            Node::List { mut items, is_closed: true } if items.len() == 1 => {
                let item = items.pop().unwrap_or(Node::Null);
                let value = self.number(item, schema)?;
                self.retyped(value)
            }
            other => self.other(&other),
        }
    }

    pub(crate) fn boolean(&mut self, node: Node) -> Fit<Value> {
        let flag = match &node {
            Node::Bool(flag) => return Ok(Value::Bool(*flag)),
            Node::Number(number) => match number.as_f64() {
                Some(1.0) => Some(true),
                Some(0.0) => Some(false),
                _ => None,
            },
            Node::Text(text) | Node::Word(text) => yes_or_no(text),
            Node::List { items, is_closed: true } if items.len() == 1 => {
                let item = items[0].clone();
                let value = self.boolean(item)?;
                return self.retyped(value);
            }
            _ => None,
        };
        match flag {
            Some(flag) => self.retyped(Value::Bool(flag)),
            None => self.other(&node),
        }
    }

    fn other<T>(&self, node: &Node) -> Fit<T> {
        match node {
            Node::Cut | Node::List { is_closed: false, .. } | Node::Object { is_closed: false, .. } => {
                Err(Misfit::Cut)
            }
            _ => Err(self.wrong(format!("is {}", node.noun()))),
        }
    }

    /// One of the values that a schema allows.
    pub(crate) fn choice(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        let only = schema.get("const").map(std::slice::from_ref);
        let choices =
            schema.get("enum").and_then(Value::as_array).map(Vec::as_slice).or(only).unwrap_or_default();
        let node = match node {
            Node::List { mut items, is_closed: true } if items.len() == 1 => {
                items.pop().unwrap_or(Node::Null)
            }
            Node::Cut => return Err(Misfit::Cut),
            other => other,
        };
        let words = match &node {
            Node::Text(text) | Node::Word(text) => plain(text),
            Node::Object { is_closed: false, .. } | Node::List { is_closed: false, .. } => {
                return Err(Misfit::Cut);
            }
            _ => String::new(),
        };
        let Some(own) = node.clone().into_value() else { return Err(Misfit::Cut) };
        if choices.contains(&own) {
            return Ok(own);
        }
        let same = |choice: &&Value| match choice {
            Value::String(choice) => !words.is_empty() && plain(choice) == words,
            Value::Number(choice) => {
                matches!(&node, Node::Text(text) if number_in(text).as_ref() == Some(choice))
                    || own.as_f64().is_some_and(|own| Some(own) == choice.as_f64())
            }
            Value::Bool(choice) => matches!(&node, Node::Text(text) if yes_or_no(text) == Some(*choice)),
            _ => false,
        };
        match choices.iter().find(same) {
            Some(choice) => self.retyped(choice.clone()),
            None => Err(self.wrong(format!("is none of {}", Value::Array(choices.to_vec())))),
        }
    }

    /// Whether an item of this schema can come as a single number or text.
    pub(crate) fn has_alternates(&self, items: Schema<'_>) -> bool {
        items.properties().any(|(_, property)| !property.is_asked())
    }

    /// An item that came as a number: its only numeric field.
    pub(crate) fn object_of_scalar(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        match (&node, schema.only_number()) {
            (Node::Number(_), Some((field, property))) if self.is_inside() && self.has_alternates(schema) => {
                let value = self.within(field, |shaper| shaper.value(node, property))?;
                self.done.retyped.insert(self.place());
                self.with_defaults(field, value, schema)
            }
            _ => self.other(&node),
        }
    }

    /// An item that came as a text: its number, its address or its title.
    pub(crate) fn item_of_text(&mut self, text: String, schema: Schema<'_>) -> Fit<Value> {
        if !self.has_alternates(schema) {
            return Err(self.wrong("is a text"));
        }
        if let Some(number) = number_in(&text) {
            return self.object_of_scalar(Node::Number(number), schema);
        }
        let text = text.trim().trim_start_matches('<').trim_end_matches('>').to_owned();
        let is_address = text.starts_with("http://") || text.starts_with("https://");
        let field = if is_address { "url" } else { "title" };
        match schema.property(field) {
            Some((field, _)) if !text.is_empty() => {
                self.done.retyped.insert(self.place());
                self.with_defaults(field, Value::String(text), schema)
            }
            _ => Err(self.wrong("is a text")),
        }
    }
}

/// The heading of a section: `{"heading": …, "text": …}`.
fn heading_of(part: &Node) -> Option<String> {
    let Node::Object { fields, .. } = part else { return None };
    let texts = fields.iter().filter(|(_, node)| matches!(node, Node::Text(_))).count();
    fields.iter().filter(|_| texts > 1).find_map(|(name, node)| match node {
        Node::Text(text) if ["heading", "subheading", "title"].contains(&name.as_str()) => Some(text.clone()),
        _ => None,
    })
}

fn is_type_name(node: &Node) -> bool {
    matches!(node, Node::Text(name) if ["string", "array", "object", "integer", "number", "boolean"].contains(&name.as_str()))
}

/// Whether a number is a fraction between 0 and 1.
fn is_share(schema: Schema<'_>) -> bool {
    schema.get("maximum").and_then(Value::as_f64) == Some(1.0)
}

/// A word in lower case without punctuation.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether the line breaks between paragraphs were escaped twice.
fn has_escaped_breaks(text: &str) -> bool {
    text.contains("\\n\\n") && !text.contains('\n')
}
