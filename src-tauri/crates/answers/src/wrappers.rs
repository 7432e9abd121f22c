//! Objects that came in another form: inside wrappers, as a list, or as a text. Whether a value contains the wanted
//! object is decided before any part of it is used.

use serde_json::{Map, Value};

use crate::candidates;
use crate::node::Node;
use crate::schema::Schema;
use crate::shaper::{Fit, MOST_WRAPPERS, Misfit, Shaper};
use crate::text_features::{is_nothing, is_refusal};

/// Most levels of JSON inside a text inside JSON.
const MOST_NESTED: usize = 3;

impl Shaper<'_, '_> {
    /// The field with the whole object; of several, the last one.
    pub(crate) fn wrapped_in(
        &self,
        fields: &[(String, Node)],
        schema: Schema<'_>,
        levels: usize,
    ) -> Option<usize> {
        let level = levels.checked_sub(1)?;
        let mut fitting = (0..fields.len()).rev().filter(|at| {
            let (name, node) = &fields[*at];
            // The schema itself is no answer, nor is the value of an error field.
            !["error", "errors", "schema", "$defs", "definitions"].contains(&name.as_str())
                && self.could_hold(node, schema, level)
        });
        fitting.next()
    }

    /// Whether the required fields occur somewhere in it.
    pub(crate) fn could_hold(&self, node: &Node, schema: Schema<'_>, levels: usize) -> bool {
        match node {
            Node::Object { fields, .. } => {
                let is_known = |(name, _): &(String, Node)| schema.property(name).is_some();
                (holds(fields, schema) && fields.iter().any(is_known))
                    || self.wrapped_in(fields, schema, levels).is_some()
            }
            Node::List { items, .. } => {
                levels > 0 && items.last().is_some_and(|item| self.could_hold(item, schema, levels - 1))
            }
            Node::Text(text) => {
                let text = text.trim_start();
                let is_json = text.starts_with(['{', '[']) || text.starts_with("```");
                is_json
                    && schema.needed().next().is_some()
                    && schema.needed().all(|(name, _)| text.contains(name))
            }
            Node::Null | Node::Bool(_) | Node::Number(_) | Node::Word(_) | Node::Cut => false,
        }
    }

    /// Whether these could be the items of this list: at least one clearly, and the other objects by any field.
    pub(crate) fn are_items(&self, nodes: &[Node], list: Schema<'_>) -> bool {
        let is_like_one = |node: &Node| {
            let has_field = matches!((node, list.items()), (Node::Object { fields, .. }, Some(items))
                if items.is("object") && fields.iter().any(|(name, _)| items.property(name).is_some()));
            has_field || self.is_item(node, list)
        };
        nodes.is_empty()
            || (nodes.iter().any(|node| self.is_item(node, list)) && nodes.iter().all(is_like_one))
    }

    /// Whether it could be an item of this list.
    pub(crate) fn is_item(&self, node: &Node, list: Schema<'_>) -> bool {
        const LONGEST_NAME: usize = 300;
        const LEAST_COPIED: usize = 3;
        let Some(items) = list.items() else { return false };
        match node {
            Node::Object { fields, .. } if items.is("object") => {
                let is_blank = |node: &Node| matches!(node, Node::Text(text) if text.trim().is_empty());
                let mut known = fields.iter().filter(|(name, _)| items.property(name).is_some());
                let count = known.clone().count();
                // A search hit that was copied as a whole.
                let is_copied = fields.len() >= LEAST_COPIED
                    && fields.iter().any(|(name, node)| {
                        items.property(name).is_some_and(|(_, property)| !property.is_asked())
                            && matches!(node, Node::Text(_))
                    })
                    && !fields.iter().any(|(name, _)| name == "properties" || name == "type");
                (count > 1 || is_copied || (count > 0 && count == fields.len()))
                    && !known.all(|(_, node)| is_blank(node))
            }
            // A paragraph is no name.
            Node::Text(text) if items.is("object") && (text.len() > LONGEST_NAME || is_nothing(text)) => {
                false
            }
            Node::Object { fields, .. } => fields.len() == 1 && items.is("string"),
            Node::Number(_) | Node::Text(_) if items.is("object") => self.has_alternates(items),
            Node::Number(_) => items.is("integer") || items.is("number"),
            Node::Text(_) => items.is("string"),
            Node::List { .. } => items.is("array") || items.is("object"),
            Node::Null | Node::Bool(_) | Node::Word(_) => false,
            Node::Cut => true,
        }
    }

    pub(crate) fn object_of_list(
        &mut self,
        mut items: Vec<Node>,
        is_closed: bool,
        schema: Schema<'_>,
    ) -> Fit<Value> {
        let last_fit = items.iter().rposition(|item| self.could_hold(item, schema, MOST_WRAPPERS));
        if let Some(at) = last_fit.filter(|_| is_closed) {
            let inner = items.swap_remove(at);
            self.done.unwrapped.push("[]".into());
            return self.object(inner, schema);
        }
        if let Some((field, list)) = schema.list_field() {
            let fits = self.are_items(&items, list);
            if fits && (self.path.is_empty() || !items.is_empty()) {
                return self.bare_list(field, list, Node::List { items, is_closed }, schema);
            }
        }
        let is_text = |item: &Node| matches!(item, Node::Text(text) if !text.trim().is_empty());
        if let Some((field, text)) = schema.text_field()
            && !items.is_empty()
            && items.iter().all(is_text)
        {
            let joined = self.within(field, |shaper| shaper.text(Node::List { items, is_closed }, text))?;
            self.done.plain_text = Some(field.to_owned());
            return self.with_defaults(field, Value::String(joined), schema);
        }
        // An item written as a list of its one value.
        if items.len() == 1
            && is_closed
            && !self.path.is_empty()
            && let Some(item) = items.pop()
        {
            return self.object(item, schema);
        }
        Err(if is_closed { self.wrong("is a list") } else { Misfit::Cut })
    }

    pub(crate) fn object_of_text(&mut self, text: String, schema: Schema<'_>) -> Fit<Value> {
        if self.nested < MOST_NESTED
            && text.trim_start().starts_with('"')
            && let Ok(Node::Text(inner)) = serde_json::from_str(text.trim())
        {
            self.nested += 1;
            let fit = self.object_of_text(inner, schema);
            self.nested -= 1;
            return fit;
        }
        if self.nested < MOST_NESTED && text.contains(['{', '[']) {
            let found = candidates::find(&text, 0, self.work).map_err(Misfit::Ended)?;
            self.nested += 1;
            for candidate in found.candidates.into_iter().rev() {
                if self.could_hold(&candidate.node, schema, MOST_WRAPPERS) || candidate.is_alone(&text) {
                    let fit = self.attempt(|shaper| shaper.object(candidate.node, schema));
                    if !matches!(fit, Err(Misfit::Wrong(_))) {
                        self.nested -= 1;
                        self.done.is_json_in_text = true;
                        return fit;
                    }
                }
            }
            self.nested -= 1;
        }
        if self.path.is_empty() {
            if let Some((field, property)) = schema.text_field().filter(|_| !text.trim().is_empty()) {
                let text = self.within(field, |shaper| shaper.text(Node::Text(text), property))?;
                self.done.plain_text = Some(field.to_owned());
                return self.with_defaults(field, Value::String(text), schema);
            }
            return Err(self.wrong("is a text"));
        }
        self.item_of_text(text, schema)
    }

    pub(crate) fn bare_list(
        &mut self,
        field: &str,
        list: Schema<'_>,
        node: Node,
        schema: Schema<'_>,
    ) -> Fit<Value> {
        let items = self.within(field, |shaper| shaper.value(node, list))?;
        self.done.bare_list = Some(field.to_owned());
        self.with_defaults(field, items, schema)
    }

    /// An object with one field from the answer and defaults.
    pub(crate) fn with_defaults(&mut self, field: &str, value: Value, schema: Schema<'_>) -> Fit<Value> {
        let mut object = Map::new();
        for (name, property) in schema.properties() {
            if name == field {
                object.insert(name.to_owned(), value.clone());
            } else if let Some(default) = property.default_value() {
                object.insert(name.to_owned(), default.clone());
                if property.is_asked() {
                    self.within(name, |shaper| Ok(shaper.done.filled.insert(shaper.place())))?;
                }
            } else if schema.is_required(name) {
                return self.within(name, |shaper| Err(shaper.wrong("is missing")));
            }
        }
        Ok(Value::Object(object))
    }
}

/// Whether it has every required field; if none is required, any known one.
pub(crate) fn holds(fields: &[(String, Node)], schema: Schema<'_>) -> bool {
    let has = |wanted: &str| {
        fields.iter().any(|(name, _)| schema.property(name).is_some_and(|(known, _)| known == wanted))
    };
    let mut needed = schema.needed().peekable();
    if needed.peek().is_none() {
        return fields.is_empty() || fields.iter().any(|(name, _)| schema.property(name).is_some());
    }
    needed.all(|(name, _)| has(name))
}

/// Names under which a model puts the only required text.
const OTHER_NAMES: &[&str] = &[
    "text", "content", "body", "markdown", "answer", "response", "output", "result", "post", "article",
    "draft", "final",
];

/// The only text of an object under another name, if only one text is required.
pub(crate) fn other_text(fields: &[(String, Node)], schema: Schema<'_>) -> Option<usize> {
    schema.text_field()?;
    let mut texts =
        (0..fields.len()).filter(|at| !matches!(fields[*at].1, Node::Number(_) | Node::Bool(_) | Node::Null));
    let at = texts.next().filter(|_| texts.next().is_none())?;
    let name = fields[at].0.to_lowercase();
    let is_named = OTHER_NAMES.iter().any(|other| name == *other || name.ends_with(&format!("_{other}")));
    (is_named && matches!(&fields[at].1, Node::Text(text) if !is_refusal(text))).then_some(at)
}
