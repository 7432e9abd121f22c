//! What is asked of a JSON Schema while a value is brought to its shape.

use serde_json::{Value, json};

/// Marks a property that is understood but not asked for.
const ASKED: &str = "x-asked";
/// Marks a list whose items mean something one by one: those that came whole are taken from an answer that was cut off.
pub(crate) const PARTIAL: &str = "x-partial";
/// Marks the text that is a draft: what a model says to the person around it is no part of it.
const DRAFT: &str = "x-draft";
/// Answers that stand in the instruction, word for word, and are none.
pub(crate) const EXAMPLES: &str = "examples";
/// The answer that says that there is nothing: it counts where no other stands beside it.
pub(crate) const NOTHING: &str = "x-nothing";
/// The value that code puts where a property is missing or null.
const DEFAULT: &str = "default";
/// References may go in circles.
const MOST_REFERENCES: usize = 16;

/// A name of so many letters may have one of them wrong.
const LEAST_MISSPELT: usize = 8;

/// A schema that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// The name of the answer.
    pub name: String,
    /// What is wrong with it.
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

    /// The names of the types it allows; none where it allows any.
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

    /// The schemas of which one holds.
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

    /// Whether a property must be found in the answer.
    pub(crate) fn is_required(self, name: &str) -> bool {
        let required = self.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|known| known == name))
    }

    /// The properties that code cannot make good.
    pub(crate) fn needed(self) -> impl Iterator<Item = (&'a str, Schema<'a>)> {
        self.properties()
            .filter(move |(name, property)| self.is_required(name) && property.default_value().is_none())
    }

    /// The only property that must be found, when there is one.
    fn only_needed(self) -> Option<(&'a str, Schema<'a>)> {
        let mut needed = self.needed();
        let first = needed.next()?;
        needed.next().is_none().then_some(first)
    }

    /// The field that a plain text is, where it can be only one.
    pub(crate) fn text_field(self) -> Option<(&'a str, Schema<'a>)> {
        self.only_needed().filter(|(_, property)| property.is("string") && property.get("enum").is_none())
    }

    /// The properties that are drafts.
    pub(crate) fn draft_fields(self) -> impl Iterator<Item = &'a str> {
        let is_draft = |property: Schema<'_>| property.get(DRAFT) == Some(&Value::Bool(true));
        self.properties().filter(move |(_, property)| is_draft(*property)).map(|(name, _)| name)
    }

    /// The field that a bare list is, where it can be only one.
    pub(crate) fn list_field(self) -> Option<(&'a str, Schema<'a>)> {
        if let Some(only) = self.only_needed() {
            return Some(only).filter(|(_, property)| property.is("array"));
        }
        let mut lists = self.properties().filter(|(_, property)| property.is("array"));
        let first = lists.next()?;
        (lists.next().is_none() && self.needed().all(|(name, _)| name == first.0)).then_some(first)
    }

    /// The only property that is a whole number.
    pub(crate) fn only_number(self) -> Option<(&'a str, Schema<'a>)> {
        let mut numbers = self.properties().filter(|(_, property)| property.is("integer"));
        numbers.next().filter(|_| numbers.next().is_none())
    }

    /// The property of this name, also in another spelling.
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

/// A word of a schema. They have few, so looking at each is quicker than to hash one.
fn word_of<'a>(schema: &'a Value, word: &str) -> Option<&'a Value> {
    schema.as_object()?.iter().find_map(|(known, value)| (known == word).then_some(value))
}

/// A name without case and marks: `reviewNotes` is `review_notes`.
fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The schema as a provider is given it: closed objects, every asked property required, no words of ours.
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
