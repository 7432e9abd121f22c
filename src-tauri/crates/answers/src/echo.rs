//! Formats and schemas that a model repeats instead of filling them.

use serde_json::Value;

use crate::node::Node;

/// Whether it is a schema, or the beginning of one.
pub(crate) fn is_schema(node: &Node) -> bool {
    let Node::Object { fields, .. } = node else { return false };
    let has = |wanted: &str| fields.iter().any(|(name, _)| name == wanted);
    has("properties") && has("type")
}

/// Whether a value is the format that was asked for and not an answer: every text in it only stands for one.
pub(crate) fn is_echo(value: &Value) -> bool {
    let (mut texts, mut stand_ins) = (0, 0);
    count_texts(value, &mut texts, &mut stand_ins);
    texts > 0 && texts == stand_ins
}

fn count_texts(value: &Value, texts: &mut usize, stand_ins: &mut usize) {
    match value {
        Value::String(text) if !text.trim().is_empty() => {
            *texts += 1;
            *stand_ins += usize::from(is_stand_in(text.trim()));
        }
        Value::Array(items) => items.iter().for_each(|item| count_texts(item, texts, stand_ins)),
        Value::Object(fields) => fields.values().for_each(|field| count_texts(field, texts, stand_ins)),
        _ => {}
    }
}

fn is_stand_in(text: &str) -> bool {
    let is_bracketed =
        text.starts_with('<') && text.ends_with('>') && !text[1..].contains('<') && !text.contains("://");
    is_bracketed || ["…", "...", "string", "text", "str", "[...]", "[…]"].contains(&text)
}
