//! JSON as it was read: with the order and the repetitions of its fields, and with the position where it was truncated.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// A value as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    /// Unquoted text, which is usually a word from a list of choices.
    Word(String),
    List {
        items: Vec<Node>,
        is_closed: bool,
    },
    Object {
        fields: Vec<(String, Node)>,
        is_closed: bool,
    },
    /// A value in which, or before which, the text ends.
    Cut,
}

impl Node {
    /// The value as JSON; `None` if a part of it is truncated.
    pub(crate) fn into_value(self) -> Option<Value> {
        Some(match self {
            Node::Null => Value::Null,
            Node::Bool(flag) => Value::Bool(flag),
            Node::Number(number) => Value::Number(number),
            Node::Text(text) | Node::Word(text) => Value::String(text),
            Node::List { items, is_closed: true } => {
                Value::Array(items.into_iter().map(Node::into_value).collect::<Option<_>>()?)
            }
            Node::Object { fields, is_closed: true } => Value::Object(
                fields
                    .into_iter()
                    .map(|(name, node)| Some((name, node.into_value()?)))
                    .collect::<Option<_>>()?,
            ),
            Node::List { .. } | Node::Object { .. } | Node::Cut => return None,
        })
    }

    /// The complete part of it; `None` if it is a single truncated value.
    pub(crate) fn whole_part(self) -> Option<Node> {
        match self {
            Node::Cut => None,
            Node::List { mut items, is_closed: false } => {
                let last = items.pop().and_then(Node::whole_part);
                items.extend(last);
                Some(Node::List { items, is_closed: true })
            }
            Node::Object { mut fields, is_closed: false } => {
                let last = fields.pop().and_then(|(name, node)| Some((name, node.whole_part()?)));
                fields.extend(last);
                Some(Node::Object { fields, is_closed: true })
            }
            whole => Some(whole),
        }
    }

    /// The kind of the value, for error messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number(_) => "a number",
            Node::Text(_) | Node::Word(_) => "a text",
            Node::List { .. } => "a list",
            Node::Object { .. } => "an object",
            Node::Cut => "cut off",
        }
    }
}

impl From<&Value> for Node {
    fn from(value: &Value) -> Node {
        match value {
            Value::Null => Node::Null,
            Value::Bool(flag) => Node::Bool(*flag),
            Value::Number(number) => Node::Number(number.clone()),
            Value::String(text) => Node::Text(text.clone()),
            Value::Array(items) => {
                Node::List { items: items.iter().map(Node::from).collect(), is_closed: true }
            }
            Value::Object(fields) => Node::Object {
                fields: fields.iter().map(|(name, value)| (name.clone(), Node::from(value))).collect(),
                is_closed: true,
            },
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Node, E> {
        Ok(Node::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Node, E> {
        Ok(Node::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Node, E> {
        Ok(Node::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Node, E> {
        Ok(Number::from_f64(number).map_or(Node::Null, Node::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Node::List { items, is_closed: true })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = access.next_entry()? {
            fields.push(field);
        }
        Ok(Node::Object { fields, is_closed: true })
    }
}
