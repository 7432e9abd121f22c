//! Detects formats and schemas that a model repeats instead of filling them in.

use serde_json::Value;

use crate::node::Node;

/// Whether it is a schema, or the beginning of one.
pub(crate) fn is_schema(node: &Node) -> bool {
    let Node::Object { fields, .. } = node else { return false };
    let has = |wanted: &str| fields.iter().any(|(name, _)| name == wanted);
    has("properties") && has("type")
}

/// The example answers in the instruction that have the shape of the schema.
#[derive(Default)]
pub(crate) struct Examples {
    whole: Vec<Value>,
    sentences: Vec<String>,
    /// The example of an empty answer; its sentence with a placeholder counts, too.
    pub(crate) nothing: Option<Value>,
}

impl Examples {
    pub(crate) fn of(whole: Vec<Value>, nothing: Option<Value>) -> Examples {
        const LEAST_WORDS: usize = 5;
        let mut sentences = Vec::new();
        let mut keep = |text: &str| {
            // A short text from an example may be a genuine answer.
            if text.contains('…') || text.split_whitespace().count() >= LEAST_WORDS {
                sentences.push(text.to_owned());
            }
        };
        whole.iter().for_each(|example| each_text(example, &mut keep));
        Examples { whole, sentences, nothing }
    }

    /// Whether a value is the format or an example rather than an answer: all its texts are placeholders.
    pub(crate) fn are_echoed_by(&self, value: &Value) -> bool {
        let (mut texts, mut stand_ins) = (0, 0);
        let mut no_result = Vec::new();
        if let Some(nothing) = &self.nothing {
            each_text(nothing, &mut |text| no_result.push(text.to_owned()));
        }
        each_text(value, &mut |text| {
            if no_result.iter().any(|known| known == text) {
                return;
            }
            texts += 1;
            stand_ins += usize::from(is_stand_in(text) || self.sentences.iter().any(|known| known == text));
        });
        (texts > 0 && texts == stand_ins) || self.whole.contains(value)
    }
}

/// Every text of a value that is not blank.
fn each_text(value: &Value, on: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) if !text.trim().is_empty() => on(text.trim()),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, on)),
        Value::Object(fields) => fields.values().for_each(|field| each_text(field, on)),
        _ => {}
    }
}

fn is_stand_in(text: &str) -> bool {
    let is_bracketed =
        text.starts_with('<') && text.ends_with('>') && !text[1..].contains('<') && !text.contains("://");
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let names_text = inner.is_some_and(|inner| {
        inner.starts_with(char::is_alphabetic) && inner.contains(' ') && !inner.contains(['[', ']'])
    });
    is_bracketed || names_text || ["…", "...", "string", "text", "str", "[...]", "[…]"].contains(&text)
}
