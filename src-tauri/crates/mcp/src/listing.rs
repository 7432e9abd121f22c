//! Parses the tool list of a server as untrusted data. Long texts are cut, control and hidden characters are removed,
//! and tools with an invalid schema are not offered.

use std::collections::BTreeMap;

use engine::ToolDescription;
use kernel::{Json, Phrase, phrase};
use rmcp::model::Tool;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The most tools of a server.
pub(crate) const MOST_TOOLS: usize = 2000;
/// The longest name of a tool, in bytes.
const LONGEST_NAME: usize = 128;
/// The longest description, in characters.
const LONGEST_DESCRIPTION: usize = 4000;
/// The most nodes of a schema with its references expanded: validating a value takes a step for each.
const MOST_SCHEMA_NODES: u64 = 20_000;
/// The most text about tools that is kept of a server, in bytes.
const LARGEST_LISTING: usize = 2 << 20;
/// The largest schema, in bytes of JSON.
const LARGEST_SCHEMA: usize = 128 << 10;

/// A tool that can be offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ListedTool {
    /// Its name at the server.
    pub(crate) name: String,
    /// Its display title from the server; empty if there is none.
    pub(crate) title: String,
    /// Its description from the server.
    pub(crate) description: String,
    /// The JSON Schema of its input.
    pub(crate) input: Value,
    /// The JSON Schema of its structured output, if it declares one.
    pub(crate) output: Option<Value>,
    /// Whether the server itself marks it as destructive.
    pub(crate) destroys: bool,
}

/// The tools of a server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Listing {
    pub(crate) tools: Vec<ListedTool>,
    /// The tools that cannot be offered, with reasons.
    #[serde(skip)]
    pub(crate) refused: Vec<(String, Phrase)>,
}

impl Listing {
    pub(crate) fn read(tools: Vec<Tool>) -> Listing {
        let mut listing = Listing::default();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut bytes = 0;
        for tool in tools.into_iter().take(MOST_TOOLS) {
            let name = plain(&tool.name, LONGEST_NAME);
            let read = match seen.insert(name.clone(), listing.tools.len()) {
                Some(_) => Err(phrase!("the server has two tools of this name")),
                None => listed(tool),
            };
            match read {
                Ok(read) if bytes + read.bytes() > LARGEST_LISTING => {
                    listing.refused.push((name, phrase!("the server lists more tools than Galley reads")));
                }
                Ok(read) => {
                    bytes += read.bytes();
                    listing.tools.push(read);
                }
                Err(why) => listing.refused.push((name, why)),
            }
        }
        listing
    }
}

fn listed(tool: Tool) -> Result<ListedTool, Phrase> {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_name = !tool.name.is_empty() && tool.name.len() <= LONGEST_NAME && tool.name.chars().all(is_sign);
    if !is_name {
        return Err(phrase!(
            "its name contains characters other than letters, digits, `_`, `-` and `.`, or is too long"
        ));
    }
    let mut input = Map::clone(&tool.input_schema);
    // Model providers accept only objects as input.
    input.entry("type").or_insert_with(|| json!("object"));
    if input.get("type") != Some(&json!("object")) {
        return Err(phrase!("the schema of its input is not that of an object"));
    }
    let input = schema(Value::Object(input))?;
    let output = tool.output_schema.map(|output| schema(Value::Object(Map::clone(&output)))).transpose()?;
    let hints = tool.annotations.unwrap_or_default();
    let title = tool.title.or(hints.title).unwrap_or_default();
    Ok(ListedTool {
        title: plain(&title, LONGEST_NAME),
        description: plain(&tool.description.unwrap_or_default(), LONGEST_DESCRIPTION),
        destroys: hints.destructive_hint == Some(true),
        name: tool.name.into_owned(),
        input,
        output,
    })
}

/// Checks that a schema can be used for validation. Nothing is fetched.
pub(crate) fn schema(mut schema: Value) -> Result<Value, Phrase> {
    if schema.to_string().len() > LARGEST_SCHEMA {
        return Err(phrase!("its schema has more than {most} bytes", most = LARGEST_SCHEMA));
    }
    clean(&mut schema);
    if has_hidden(&schema) {
        return Err(phrase!("its schema contains invisible characters"));
    }
    if unfolded(&schema) > MOST_SCHEMA_NODES {
        return Err(phrase!("its schema expands to more than {most} parts", most = MOST_SCHEMA_NODES));
    }
    match jsonschema::validator_for(&schema) {
        Ok(_) => Ok(schema),
        Err(error) => Err(phrase!("its schema is not valid: {error}", error = error.to_string())),
    }
}

/// Cleans the descriptions in a schema, which are the server's text, too.
fn clean(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match value {
                    Value::String(text) if matches!(name.as_str(), "description" | "title") => {
                        *text = plain(text, LONGEST_DESCRIPTION);
                    }
                    value => clean(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        _ => {}
    }
}

/// Whether a name or value in a schema has hidden characters: those are sent to models and back unchanged.
fn has_hidden(schema: &Value) -> bool {
    let differs = |text: &str| plain(text, usize::MAX) != text.trim();
    match schema {
        Value::String(text) => differs(text),
        Value::Array(items) => items.iter().any(has_hidden),
        Value::Object(fields) => fields.iter().any(|(name, value)| differs(name) || has_hidden(value)),
        _ => false,
    }
}

/// The number of nodes of a schema with its local references expanded.
fn unfolded(schema: &Value) -> u64 {
    fn count<'a>(root: &'a Value, part: &'a Value, known: &mut BTreeMap<&'a str, u64>) -> u64 {
        let mut all = 1_u64;
        let inner: Vec<&Value> = match part {
            Value::Array(items) => items.iter().collect(),
            Value::Object(fields) => fields.values().collect(),
            _ => Vec::new(),
        };
        for part in inner {
            all = all.saturating_add(count(root, part, known));
        }
        let reference = part.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'));
        let Some(pointer) = reference else { return all };
        if let Some(found) = known.get(pointer) {
            return all.saturating_add(*found);
        }
        // A recursive reference is expanded once.
        known.insert(pointer, 0);
        let found = root.pointer(pointer).map_or(0, |target| count(root, target, known));
        known.insert(pointer, found);
        all.saturating_add(found)
    }
    count(schema, schema, &mut BTreeMap::new())
}

/// Removes control characters, bidirectional marks, tag characters that spell hidden text, and zero-width characters.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let is_hidden = |c: char| {
        matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{3164}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
    };
    let seen = text.chars().filter(|c| matches!(c, '\n' | '\t') || !(c.is_control() || is_hidden(*c)));
    seen.take(most).collect::<String>().trim().to_owned()
}

impl ListedTool {
    /// The approximate number of bytes that a model gets for this tool.
    pub(crate) fn bytes(&self) -> usize {
        self.name.len() + self.description.len() + self.input.to_string().len()
    }

    /// Its name outside its server.
    pub(crate) fn full_name(&self, server: &str) -> String {
        format!("{server}/{}", self.name)
    }

    /// Its description for the engine.
    pub(crate) fn describe(&self, server: &str) -> ToolDescription {
        let said = if self.description.is_empty() { &self.title } else { &self.description };
        let warned = if self.destroys { "\nIt may destroy or overwrite something." } else { "" };
        ToolDescription {
            name: self.full_name(server),
            description: format!("What the tool server `{server}` says of its tool: {said}{warned}"),
            input: Json(self.input.clone()),
            output: Json(json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string" },
                    "structured": self.output.clone().unwrap_or_else(|| json!({})),
                    "left_out": { "type": "array", "items": { "type": "string" } },
                },
                "required": ["text"],
                "additionalProperties": false,
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(json: Value) -> Tool {
        serde_json::from_value(json).unwrap()
    }

    /// A small schema that takes two to the power of this many steps to validate.
    fn doubling(levels: usize) -> Value {
        let level = |at: usize| {
            let next = json!({"$ref": format!("#/$defs/a{}", at + 1)});
            (format!("a{at}"), json!({"allOf": [next, next]}))
        };
        let mut defs: Map<String, Value> = (0..levels).map(level).collect();
        defs.insert(format!("a{levels}"), json!({}));
        json!({"type": "object", "$defs": defs, "allOf": [{"$ref": "#/$defs/a0"}]})
    }

    #[test]
    fn a_tool_without_a_usable_schema_or_name_is_reported_and_not_offered() {
        let listing = Listing::read(vec![
            tool(json!({"name": "good", "inputSchema": {"properties": {"a": {"type": "string"}}}})),
            tool(json!({"name": "no schema", "inputSchema": {"type": "object"}})),
            tool(json!({"name": "list", "inputSchema": {"type": "array"}})),
            tool(json!({"name": "wrong", "inputSchema": {"type": "object", "required": 3}})),
            tool(
                json!({"name": "far", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "https://example.org/s"}}}}),
            ),
            tool(json!({"name": "good", "inputSchema": {"type": "object"}})),
            tool(
                json!({"name": "hidden", "inputSchema": {"type": "object", "properties": {"a\u{e0041}": {}}}}),
            ),
            tool(json!({"name": "deep", "inputSchema": doubling(40)})),
            tool(
                json!({"name": "itself", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#"}}}}),
            ),
        ]);
        let names: Vec<&str> = listing.tools.iter().map(|tool| tool.name.as_str()).collect();
        let refused: Vec<&str> = listing.refused.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["good", "itself"]);
        assert_eq!(refused, ["no schema", "list", "wrong", "far", "good", "hidden", "deep"]);
        assert_eq!(listing.tools[0].input["type"], "object");
    }

    #[test]
    fn hidden_characters_are_removed_from_all_text_of_a_server() {
        let hidden = "Reads\u{1b}[2J a file\u{202e}.\u{e0041}\u{200b}";
        let listing = Listing::read(vec![tool(json!({
            "name": "read", "title": hidden, "description": hidden,
            "inputSchema": {"type": "object", "properties": {"description": {"type": "string", "description": hidden}}},
        }))]);
        let read = &listing.tools[0];
        let said = "Reads[2J a file.";
        assert_eq!([read.title.as_str(), read.description.as_str()], [said, said]);
        assert_eq!(read.input["properties"]["description"]["description"], said);
    }
}
