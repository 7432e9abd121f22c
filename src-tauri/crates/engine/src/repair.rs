//! From a model's text to JSON of the right shape, rung by rung, in the open.
//!
//! Model output is hostile: sizes and depths are capped before any parser sees it, and whatever a
//! lenient parser makes of it is checked against the schema.

use jsonschema::Validator;
use serde_json::Value;

const MAX_BYTES: usize = 1 << 20;
const MAX_DEPTH: usize = 100;

/// What a text became, and which rungs were needed.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) json: Value,
    /// In words, in order; empty for plain JSON.
    pub(crate) rungs: Vec<&'static str>,
}

/// Reads a text as JSON of this shape. The error lists what is wrong, worded for the model.
pub(crate) fn parse(text: &str, validator: &Validator) -> Result<Parsed, Vec<String>> {
    if text.trim().is_empty() {
        return Err(vec!["the answer is empty".into()]);
    }
    if text.len() > MAX_BYTES {
        return Err(vec![format!("the answer is longer than {MAX_BYTES} bytes")]);
    }
    let mut rungs = Vec::new();
    let mut body = text.trim();
    if let Some(rest) = after_thinking(body) {
        rungs.push("thinking left out");
        body = rest;
    }
    if let Some(inner) = unfenced(body) {
        rungs.push("fence stripped");
        body = inner;
    }
    if depth(body) > MAX_DEPTH {
        return Err(vec![format!("the answer is nested deeper than {MAX_DEPTH} levels")]);
    }
    let strict = serde_json::from_str::<Value>(body);
    let json = match strict {
        Ok(json) => json,
        Err(error) => {
            rungs.push("read leniently");
            lenient(body).ok_or_else(|| vec![format!("the answer is not JSON: {error}")])?
        }
    };
    let faults: Vec<String> = validator
        .iter_errors(&json)
        .take(8)
        .map(|error| {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the answer".to_owned() } else { format!("`{place}`") };
            format!("{place}: {}", cut(&error.to_string()))
        })
        .collect();
    if faults.is_empty() { Ok(Parsed { json, rungs }) } else { Err(faults) }
}

fn cut(text: &str) -> String {
    text.chars().take(300).collect()
}

/// What follows a leading block of thinking.
fn after_thinking(text: &str) -> Option<&str> {
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if let Some(rest) = text.strip_prefix(open) {
            return Some(rest.split_once(close).map_or("", |(_, after)| after).trim());
        }
    }
    None
}

/// The inside of the first fence, unless the text is JSON from its first character on: a fence
/// inside a string would be taken for one.
fn unfenced(text: &str) -> Option<&str> {
    if text.starts_with(['{', '[']) {
        return None;
    }
    let (_, after) = text.split_once("```")?;
    let after = after.split_once('\n').map_or(after, |(_, rest)| rest);
    Some(after.rsplit_once("```").map_or(after, |(inside, _)| inside).trim())
}

fn depth(text: &str) -> usize {
    let (mut now, mut most, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => {
                now += 1;
                most = most.max(now);
            }
            b'}' | b']' if !in_string => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}

/// The lenient parse: raw control characters in strings, talk around the object, trailing commas,
/// a cut end. Only an object or an array counts as an answer.
fn lenient(text: &str) -> Option<Value> {
    let escaped = escape_controls(text);
    let start = escaped.find(['{', '['])?;
    let body = &escaped[start..];
    if let Ok(json) = serde_json::from_str(body) {
        return Some(json);
    }
    let repaired = llm_json::repair_json(body, &llm_json::RepairOptions::default()).ok()?;
    if depth(&repaired) > MAX_DEPTH {
        return None;
    }
    let json: Value = serde_json::from_str(&repaired).ok()?;
    (json.is_object() || json.is_array()).then_some(json)
}

fn escape_controls(text: &str) -> String {
    let (mut out, mut in_string, mut escaped) = (String::with_capacity(text.len()), false, false);
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '\n' | '\r' | '\t' if in_string => {
                out.push_str(match character {
                    '\n' => "\\n",
                    '\r' => "\\r",
                    _ => "\\t",
                });
                continue;
            }
            control if in_string && control.is_control() => continue,
            _ => {}
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn validator() -> Validator {
        jsonschema::validator_for(&json!({
            "type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}
        }))
        .unwrap()
    }

    #[test]
    fn each_common_fault_is_climbed_and_named() {
        let cases = [
            (r#"{"text": "plain"}"#, "plain", 0),
            ("```json\n{\"text\": \"fenced\"}\n```", "fenced", 1),
            ("<think>{\"text\": \"no\"}</think>{\"text\": \"yes\"}", "yes", 1),
            ("Sure:\n```\n{\"text\": \"talk ```x``` inside\"}\n```\nDone.", "talk ```x``` inside", 1),
            ("{\"text\": \"raw\nnewline\"}", "raw\nnewline", 1),
            ("{\"text\": \"comma\",}", "comma", 1),
            ("{\"text\": \"cut", "cut", 1),
        ];
        for (text, expected, rungs) in cases {
            let parsed = parse(text, &validator()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"));
            assert_eq!((parsed.json["text"].as_str(), parsed.rungs.len()), (Some(expected), rungs), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_an_answer_is_refused_with_reasons() {
        for text in
            ["", "I cannot do that.", "{\"text\": 1}", "[1]", &"[".repeat(50_000), &"x".repeat(2 << 20)]
        {
            assert!(parse(text, &validator()).is_err_and(|faults| !faults.is_empty()), "{text:.40}");
        }
    }
}
