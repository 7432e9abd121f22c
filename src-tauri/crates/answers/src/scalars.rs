//! Brings single values and lists to their types. Only the form changes: what would have to be guessed is a fault.

use serde_json::{Number, Value, json};

use crate::node::Node;
use crate::schema::Schema;
use crate::shape::{Fit, Misfit, Shaper, is_nothing};
use crate::written::{amount_in, day, number_in, plain_number, whole, yes_or_no};

/// Where a model puts the sentence of an object that should be a text, best first.
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
                    _ => Ok(text),
                }
            }
            Node::Text(text) => match self.own_text(&text) {
                Some(inner) => {
                    self.done.is_json_in_text = true;
                    Ok(inner)
                }
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

    /// The text of this very field in JSON that is its text.
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

    /// The sentence of an object: its only text, or the one under a name that sentences have.
    fn sentence(&mut self, mut fields: Vec<(String, Node)>, schema: Schema<'_>) -> Fit<String> {
        // A piece of the schema is no text.
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

    pub(crate) fn number(&mut self, node: Node) -> Fit<Value> {
        match node {
            Node::Number(number) => Ok(plain_number(number)),
            Node::Text(text) | Node::Word(text) => match number_in(&text).or_else(|| amount_in(&text)) {
                Some(number) => self.retyped(plain_number(number)),
                None => Err(self.wrong("is a text, not a number")),
            },
            Node::List { mut items, is_closed: true } if items.len() == 1 => {
                let item = items.pop().unwrap_or(Node::Null);
                let value = self.number(item)?;
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

    /// One of the values that a schema lists.
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
            other => {
                self.done.listed.insert(self.place());
                vec![other]
            }
        };
        if items.iter().any(|item| matches!(item, Node::Word(_))) && items_schema.is("object") {
            return Err(self.wrong("is a name, not a list"));
        }
        let mut values = Vec::with_capacity(items.len());
        for (at, item) in items.into_iter().enumerate() {
            // An item that is nothing says nothing.
            if item == Node::Null && !items_schema.is("null") && !items_schema.types().is_empty() {
                continue;
            }
            values.push(self.within(at.to_string(), |shaper| shaper.value(item, items_schema))?);
        }
        Ok(Value::Array(values))
    }

    /// The items of a list that came as an object: itself, what it wraps, or its values.
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
            ["string"] => {
                fields.len() > 1
                    && fields.iter().all(|(name, node)| is_numbered(name) && matches!(node, Node::Text(_)))
            }
            _ => false,
        };
        if are_values {
            return fields.into_iter().map(|(_, node)| node).collect();
        }
        vec![Node::Object { fields, is_closed: true }]
    }

    /// Whether an item of this schema can come as a single number or text.
    pub(crate) fn has_alternates(&self, items: Schema<'_>) -> bool {
        items.properties().any(|(_, property)| !property.is_asked())
    }

    /// An item that came as a number: its only number.
    pub(crate) fn object_of_scalar(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        let mut numbers = schema.properties().filter(|(_, property)| property.is("integer"));
        match (&node, numbers.next(), numbers.next()) {
            (Node::Number(_), Some((field, property)), None)
                if self.is_inside() && self.has_alternates(schema) =>
            {
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

/// The lines of a text that is a list, the numbers of one that lists numbers, or the text alone.
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
    let numbers: Option<Vec<Number>> = trimmed.split([',', ';']).map(number_in).collect();
    let wants_numbers = !items.is("string");
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

/// What stands behind the mark of a list.
fn point(line: &str) -> Option<&str> {
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

fn is_type_name(node: &Node) -> bool {
    matches!(node, Node::Text(name) if ["string", "array", "object", "integer", "number", "boolean"].contains(&name.as_str()))
}

/// A word without case and marks.
fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
