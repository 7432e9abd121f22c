//! Shapes values by their schema: objects and the wrappers around them.
//!
//! Not here: single values (`scalars`) and lists (`lists`).

use serde_json::{Map, Value};

use crate::node::Node;
use crate::schema::Schema;
use crate::shaper::{Fit, MOST_WRAPPERS, Misfit, Shaper};
use crate::text_features::{is_nothing, is_void};
use crate::wrappers::{holds, other_text};

impl Shaper<'_, '_> {
    /// A value of this schema.
    pub(crate) fn value(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        self.spend(1)?;
        let node = self.without_description(node, schema);
        if let Some(options) = schema.options() {
            return self.first_fit(node, &options);
        }
        if schema.get("enum").is_some() || schema.get("const").is_some() {
            return self.choice(node, schema);
        }
        let types = schema.types();
        match types[..] {
            [] => node.into_value().ok_or(Misfit::Cut),
            [only] => self.typed(node, schema, only),
            _ => self.one_of(node, schema, &types),
        }
    }

    /// A value that came with a description, as in a schema: `{"type": "string", "value": …}`.
    fn without_description(&mut self, node: Node, schema: Schema<'_>) -> Node {
        let Node::Object { mut fields, is_closed } = node else { return node };
        let is_word = |name: &str| ["value", "type", "description", "title"].contains(&name);
        let at = fields.iter().position(|(name, _)| name == "value");
        match at {
            Some(at) if !schema.is("object") && fields.iter().all(|(name, _)| is_word(name)) => {
                self.done.unwrapped.push("value".into());
                fields.swap_remove(at).1
            }
            _ => Node::Object { fields, is_closed },
        }
    }

    fn typed(&mut self, node: Node, schema: Schema<'_>, name: &str) -> Fit<Value> {
        match name {
            "object" => self.object(node, schema),
            "array" => self.list(node, schema),
            "string" => self.text(node, schema).map(Value::String),
            "integer" => self.integer(node),
            "number" => self.number(node, schema),
            "boolean" => self.boolean(node),
            "null" if node == Node::Null => Ok(Value::Null),
            _ => Err(self.wrong(format!("is {}", node.noun()))),
        }
    }

    /// A value with several allowed types: its own type, else the first one that it can be converted to.
    fn one_of(&mut self, node: Node, schema: Schema<'_>, types: &[&str]) -> Fit<Value> {
        let own = match &node {
            Node::Null => "null",
            Node::Bool(_) => "boolean",
            Node::Number(number) if !number.is_f64() && !types.contains(&"number") => "integer",
            Node::Number(_) => "number",
            Node::Text(_) | Node::Word(_) => "string",
            Node::List { .. } => "array",
            Node::Object { .. } => "object",
            Node::Cut => return Err(Misfit::Cut),
        };
        if types.contains(&own) {
            return self.typed(node, schema, own);
        }
        let mut last = self.wrong(format!("is {}", node.noun()));
        for name in types.iter().filter(|name| **name != "null") {
            match self.attempt(|shaper| shaper.typed(node.clone(), schema, name)) {
                Err(misfit @ Misfit::Wrong(_)) => last = misfit,
                other => return other,
            }
        }
        let is_nothing = matches!(&node, Node::Text(text) if is_nothing(text));
        if types.contains(&"null") && is_nothing {
            self.done.retyped.insert(self.place());
            return Ok(Value::Null);
        }
        Err(last)
    }

    fn first_fit(&mut self, node: Node, options: &[Schema<'_>]) -> Fit<Value> {
        let mut last = self.wrong(format!("is {}", node.noun()));
        // First without conversions, then with them.
        for is_strict in [true, false] {
            for option in options {
                let before = self.done.clone();
                match self.attempt(|shaper| shaper.value(node.clone(), *option)) {
                    Ok(value) => {
                        if !is_strict || before.clone().rungs() == self.done.clone().rungs() {
                            return Ok(value);
                        }
                        self.done = before;
                    }
                    Err(misfit @ Misfit::Wrong(_)) => last = misfit,
                    Err(misfit) => return Err(misfit),
                }
            }
        }
        Err(last)
    }

    /// An object, unwrapped if necessary.
    pub(crate) fn object(&mut self, node: Node, schema: Schema<'_>) -> Fit<Value> {
        match node {
            Node::Cut => Err(Misfit::Cut),
            Node::Object { mut fields, is_closed } => {
                if holds(&fields, schema) {
                    return self.fields(fields, is_closed, schema);
                }
                if let Some(at) = self.wrapped_in(&fields, schema, MOST_WRAPPERS) {
                    let (name, inner) = fields.into_iter().nth(at).unwrap_or((String::new(), Node::Null));
                    self.done.unwrapped.push(name);
                    return self.object(inner, schema);
                }
                if let Some(at) = other_text(&fields, schema) {
                    let (name, node) = fields.swap_remove(at);
                    self.done.renamed.insert(name);
                    return self.object_of_list(vec![node], is_closed, schema);
                }
                let is_known = fields.iter().any(|(name, _)| schema.property(name).is_some());
                if let Some((field, list)) = schema.list_field().filter(|_| !is_known && fields.len() == 1)
                    && let [(_, Node::List { items, .. })] = &fields[..]
                    && !items.is_empty()
                    && self.are_items(items, list)
                    && let Some((name, list_node)) = fields.pop()
                {
                    self.done.renamed.insert(name);
                    return self.bare_list(field, list, list_node, schema);
                }
                let node = Node::Object { fields, is_closed };
                match schema.list_field() {
                    Some((field, list)) if !is_known && self.is_item(&node, list) => {
                        self.bare_list(field, list, Node::List { items: vec![node], is_closed: true }, schema)
                    }
                    _ => match node {
                        Node::Object { fields, is_closed } => self.fields(fields, is_closed, schema),
                        _ => Err(Misfit::Cut),
                    },
                }
            }
            Node::List { items, is_closed } => self.object_of_list(items, is_closed, schema),
            Node::Text(text) => self.object_of_text(text, schema),
            Node::Word(_) => Err(self.wrong("is a word")),
            other => self.object_of_scalar(other, schema),
        }
    }

    /// The properties of an object.
    fn fields(&mut self, fields: Vec<(String, Node)>, is_closed: bool, schema: Schema<'_>) -> Fit<Value> {
        let mut known: Map<String, Value> = Map::new();
        let mut nodes: Vec<(&str, String, Node)> = Vec::with_capacity(fields.len());
        let is_open = !matches!(schema.get("additionalProperties"), None | Some(Value::Bool(false)));
        // The truncation may be inside the value before it, unless a sentence ends there.
        let ends_in_text = |(name, node): &(String, Node)| {
            let is_open = |text: &str| !text.ends_with(|c: char| ".!?…)]。！？".contains(c));
            matches!(node, Node::Text(text) | Node::Word(text) if is_open(text))
                && schema.property(name).is_some()
        };
        if !is_closed && self.was_cut && fields.last().is_some_and(ends_in_text) {
            return Err(Misfit::Cut);
        }
        let number = self.other_number(&fields, schema);
        for (mut name, node) in fields {
            if number.as_ref().is_some_and(|(other, _)| *other == name) {
                self.done.renamed.insert(std::mem::take(&mut name));
                number.as_ref().map_or("", |(_, known)| known).clone_into(&mut name);
            }
            match schema.property(&name) {
                Some((property, _)) => {
                    // Of a repeated field the last one is used, as in any JSON; its exact spelling takes precedence.
                    if let Some(at) = nodes.iter().position(|(other, ..)| *other == property) {
                        if nodes[at].1 == property && name != property {
                            continue;
                        }
                        nodes.remove(at);
                    }
                    nodes.push((property, name, node));
                }
                None if is_open => {
                    known.insert(name, node.into_value().ok_or(Misfit::Cut)?);
                }
                None => _ = self.within(name, |shaper| Ok(shaper.done.dropped.insert(shaper.place())))?,
            }
        }
        for (name, property) in schema.properties() {
            let found = nodes.iter().position(|(other, ..)| *other == name).map(|at| nodes.swap_remove(at));
            let spelt_otherwise = found.as_ref().is_some_and(|(_, written, _)| written != name);
            let value = self.within(name, |shaper| {
                if spelt_otherwise {
                    shaper.done.renamed.insert(shaper.place());
                }
                shaper.property(found.map(|(_, _, node)| node), is_closed, property, schema.is_required(name))
            })?;
            if let Some(value) = value {
                known.insert(name.to_owned(), value);
            }
        }
        if !is_closed {
            self.done.is_closed = true;
        }
        Ok(Value::Object(known))
    }

    /// The field with the number of an item under another name, with its known name.
    fn other_number<'a>(&self, fields: &[(String, Node)], schema: Schema<'a>) -> Option<(String, &'a str)> {
        const NAMES: &[&str] = &["id", "index", "hit", "no", "nr", "article"];
        let (known, _) = schema.only_number().filter(|_| self.is_inside() && self.has_alternates(schema))?;
        let is_other = |(name, _): &&(String, Node)| {
            let plain = name.to_lowercase();
            NAMES.contains(&plain.as_str())
                || plain.ends_with("_number")
                || plain.ends_with("_id")
                || plain.ends_with("_index")
        };
        let has_own =
            fields.iter().any(|(name, _)| schema.property(name).is_some_and(|(name, _)| name == known));
        let (other, _) = fields.iter().filter(|_| !has_own).find(is_other)?;
        schema.property(other).is_none().then(|| (other.clone(), known))
    }

    fn property(
        &mut self,
        node: Option<Node>,
        is_closed: bool,
        schema: Schema<'_>,
        is_required: bool,
    ) -> Fit<Option<Value>> {
        let is_text = schema.types() == ["string"] && schema.get("enum").is_none();
        let is_blank = match &node {
            Some(Node::Text(text) | Node::Word(text)) => text.trim().is_empty() || is_text && is_void(text),
            Some(Node::Bool(_)) => is_text,
            _ => false,
        };
        let is_given = match &node {
            None => false,
            Some(Node::Null) => schema.is("null"),
            Some(Node::Text(text)) => !is_blank || schema.is("string") && text.trim().is_empty(),
            Some(_) => !is_blank,
        };
        match node {
            Some(node) if is_given => {
                let value = self.value(node, schema)?;
                let is_needed = is_required && schema.default_value().is_none();
                if is_blank && is_needed {
                    return Err(self.wrong("is empty"));
                }
                Ok(Some(value))
            }
            // A property that is missing in a truncated object may have been cut off.
            None if !is_closed && self.was_cut && schema.is_asked() => Err(Misfit::Cut),
            node => match schema.default_value() {
                Some(default) => {
                    if schema.is_asked() || node.is_some() {
                        self.done.filled.insert(self.place());
                    }
                    Ok(Some(default.clone()))
                }
                None if !is_required => Ok(None),
                None if !is_closed => Err(Misfit::Cut),
                None => Err(self.wrong(if node.is_some() { "is empty" } else { "is missing" })),
            },
        }
    }
}
