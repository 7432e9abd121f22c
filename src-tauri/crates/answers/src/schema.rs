//! Queries on a JSON Schema while a value is shaped.

use serde_json::{Value, json};

/// Marks a property that is accepted but not requested.
const ASKED: &str = "x-asked";
/// Marks a list whose items are useful individually: the complete ones of a truncated answer are used.
pub(crate) const PARTIAL: &str = "x-partial";
/// Marks a text as a draft: chatter of a model around it is removed.
const DRAFT: &str = "x-draft";
/// The example answers in the instruction, word for word, which are no answers.
pub(crate) const EXAMPLES: &str = "examples";
/// The example of an empty answer: it counts only if there is no other answer.
pub(crate) const NOTHING: &str = "x-nothing";
/// The default for a missing or null property.
const DEFAULT: &str = "default";
/// Most references that are followed, because they may be circular.
const MOST_REFERENCES: usize = 16;

/// Fewest letters of a name that may have one wrong letter.
const LEAST_MISSPELT: usize = 8;

/// An invalid schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The name of the answer.
    pub name: String,
    /// The problem.
    pub reason: String,
}

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the schema of `{}` is not usable: {}", self.name, self.reason)
    }
}

impl std::error::Error for SchemaError {}

/// A schema within its document.
#[derive(Clone, Copy)]
pub(crate) struct Schema<'a> {
    root: &'a Value,
    own: &'a Value,
}

impl<'a> Schema<'a> {
    pub(crate) fn of(root: &'a Value) -> Schema<'a> {
        Schema { root, own: root }.resolved()
    }

    fn resolved(self) -> Schema<'a> {
        let mut own = self.own;
        for _ in 0..MOST_REFERENCES {
            let target = word_of(own, "$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix('#'));
            match target.and_then(|pointer| self.root.pointer(pointer)) {
                Some(next) => own = next,
                None => break,
            }
        }
        Schema { own, ..self }
    }

    fn under(self, own: &'a Value) -> Schema<'a> {
        Schema { own, ..self }.resolved()
    }

    pub(crate) fn get(self, word: &str) -> Option<&'a Value> {
        word_of(self.own, word)
    }

    /// The allowed types; empty if any type is allowed.
    pub(crate) fn types(self) -> Vec<&'a str> {
        match self.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ if self.get("properties").is_some() => vec!["object"],
            _ if self.get("items").is_some() => vec!["array"],
            _ => Vec::new(),
        }
    }

    pub(crate) fn is(self, name: &str) -> bool {
        match self.get("type") {
            Some(Value::String(own)) => own == name,
            _ => self.types().contains(&name),
        }
    }

    /// The alternatives of a schema.
    pub(crate) fn options(self) -> Option<Vec<Schema<'a>>> {
        let options = self.get("anyOf").or_else(|| self.get("oneOf"))?.as_array()?;
        Some(options.iter().map(|option| self.under(option)).collect())
    }

    pub(crate) fn properties(self) -> impl Iterator<Item = (&'a str, Schema<'a>)> {
        let properties = self.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().map(move |(name, own)| (name.as_str(), self.under(own)))
    }

    pub(crate) fn items(self) -> Option<Schema<'a>> {
        self.get("items").map(|items| self.under(items))
    }

    pub(crate) fn default_value(self) -> Option<&'a Value> {
        self.get(DEFAULT)
    }

    pub(crate) fn is_asked(self) -> bool {
        self.get(ASKED) != Some(&Value::Bool(false))
    }

    /// Whether a property must be in the answer.
    pub(crate) fn is_required(self, name: &str) -> bool {
        let required = self.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|known| known == name))
    }

    /// The properties without a default.
    pub(crate) fn needed(self) -> impl Iterator<Item = (&'a str, Schema<'a>)> {
        self.properties()
            .filter(move |(name, property)| self.is_required(name) && property.default_value().is_none())
    }

    /// The only required property, if there is exactly one.
    fn only_needed(self) -> Option<(&'a str, Schema<'a>)> {
        let mut needed = self.needed();
        let first = needed.next()?;
        needed.next().is_none().then_some(first)
    }

    /// The field for a plain text, if there is only one candidate.
    pub(crate) fn text_field(self) -> Option<(&'a str, Schema<'a>)> {
        self.only_needed().filter(|(_, property)| property.is("string") && property.get("enum").is_none())
    }

    /// The properties that are drafts.
    pub(crate) fn draft_fields(self) -> impl Iterator<Item = &'a str> {
        let is_draft = |property: Schema<'_>| property.get(DRAFT) == Some(&Value::Bool(true));
        self.properties().filter(move |(_, property)| is_draft(*property)).map(|(name, _)| name)
    }

    /// The field for a bare list, if there is only one candidate.
    pub(crate) fn list_field(self) -> Option<(&'a str, Schema<'a>)> {
        if let Some(only) = self.only_needed() {
            return Some(only).filter(|(_, property)| property.is("array"));
        }
        let mut lists = self.properties().filter(|(_, property)| property.is("array"));
        let first = lists.next()?;
        (lists.next().is_none() && self.needed().all(|(name, _)| name == first.0)).then_some(first)
    }

    /// The only integer property.
    pub(crate) fn only_number(self) -> Option<(&'a str, Schema<'a>)> {
        let mut numbers = self.properties().filter(|(_, property)| property.is("integer"));
        numbers.next().filter(|_| numbers.next().is_none())
    }

    /// The property with this name, also in another spelling.
    pub(crate) fn property(self, name: &str) -> Option<(&'a str, Schema<'a>)> {
        if let Some((known, own)) = self.get("properties")?.as_object()?.get_key_value(name) {
            return Some((known, self.under(own)));
        }
        let plain = plain_name(name);
        let is_misspelt =
            |known: &str| known.len() >= LEAST_MISSPELT && strsim::osa_distance(&plain, known) == 1;
        let same = self.properties().find(|(known, _)| plain_name(known) == plain);
        same.or_else(|| self.properties().find(|(known, _)| is_misspelt(&plain_name(known))))
    }
}

/// A keyword of a schema. Schemas have few, so a linear search is faster than hashing.
fn word_of<'a>(schema: &'a Value, word: &str) -> Option<&'a Value> {
    schema.as_object()?.iter().find_map(|(known, value)| (known == word).then_some(value))
}

/// A name without case and punctuation: `reviewNotes` equals `review_notes`.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The schema for a provider: closed objects, all requested properties required, without our own keywords.
pub(crate) fn asked(schema: &Value) -> Value {
    match schema {
        Value::Object(words) => {
            let mut sent = serde_json::Map::new();
            for (word, value) in words {
                match word.as_str() {
                    DEFAULT | ASKED | PARTIAL | DRAFT | EXAMPLES | NOTHING => {}
                    "properties" => {
                        let kept = value.as_object().into_iter().flatten();
                        let kept = kept.filter(|(_, property)| property.get(ASKED) != Some(&json!(false)));
                        let kept = kept.map(|(name, property)| (name.clone(), asked(property)));
                        sent.insert(word.clone(), Value::Object(kept.collect()));
                    }
                    "enum" | "const" | "required" => _ = sent.insert(word.clone(), value.clone()),
                    _ => _ = sent.insert(word.clone(), asked(value)),
                }
            }
            if let Some(names) = sent.get("properties").and_then(Value::as_object) {
                let names: Vec<Value> = names.keys().map(|name| json!(name)).collect();
                sent.insert("required".into(), Value::Array(names));
                sent.insert("additionalProperties".into(), json!(false));
            }
            Value::Object(sent)
        }
        Value::Array(items) => Value::Array(items.iter().map(asked).collect()),
        other => other.clone(),
    }
}
