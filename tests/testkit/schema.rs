//! The rules of the service for a JSON Schema with `strict: true`.
//!
//! Seen in public reports: `additionalProperties: false` everywhere, every property required, no keyword beside
//! `$ref`, several keywords "not permitted", few formats. From the guide: ten levels, 5,000 properties.
//! Not in it: validating an answer against the schema.

use serde_json::{Map, Value};

const DEEPEST: usize = 10;
const MOST_PROPERTIES: usize = 5_000;

/// Keywords that the service answers with "is not permitted".
const REFUSED: [&str; 15] = [
    "allOf",
    "default",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "maxLength",
    "minLength",
    "not",
    "oneOf",
    "patternProperties",
    "propertyNames",
    "then",
    "unevaluatedProperties",
    "uniqueItems",
];

const FORMATS: [&str; 9] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

/// The first problem of the schema in the service's words, without the head that names the place of the schema.
pub(crate) fn strict_problem(schema: &Value) -> Option<String> {
    if schema["type"] != "object" {
        let shown = schema.get("type").map_or("None".to_owned(), Value::to_string);
        return Some(format!("schema must be a JSON Schema of 'type: \"object\"', got 'type: {shown}'."));
    }
    let mut walk = Walk { root: schema, properties: 0 };
    walk.problem(schema, &mut Vec::new(), 0)
}

struct Walk<'s> {
    root: &'s Value,
    properties: usize,
}

impl Walk<'_> {
    /// `depth` counts objects and arrays inside each other; `path` is the service's context.
    fn problem(&mut self, schema: &Value, path: &mut Vec<String>, depth: usize) -> Option<String> {
        let context = || format!("In context=({}), ", path.join(", "));
        let Some(fields) = schema.as_object() else {
            return Some(format!("{}{schema} is not of type 'object'.", context()));
        };
        if depth > DEEPEST {
            return Some(format!("{}the schema is nested deeper than {DEEPEST} levels.", context()));
        }
        if let Some(reference) = fields.get("$ref") {
            return self
                .reference_problem(reference, fields)
                .map(|problem| format!("{}{problem}", context()));
        }
        if let Some(keyword) = REFUSED.iter().find(|keyword| fields.contains_key(**keyword)) {
            return Some(format!("{}'{keyword}' is not permitted.", context()));
        }
        if let Some(format) = fields.get("format").and_then(Value::as_str)
            && !FORMATS.contains(&format)
        {
            return Some(format!("{}'{format}' is not a valid format.", context()));
        }
        let knows_type =
            ["type", "anyOf", "enum", "const"].iter().any(|keyword| fields.contains_key(*keyword));
        if !knows_type {
            return Some(format!("{}schema must have a 'type' key.", context()));
        }
        if names_type(fields, "object")
            && let Some(problem) = self.object_problem(fields)
        {
            return Some(format!("{}{problem}", context()));
        }
        if names_type(fields, "array") && !fields.contains_key("items") {
            return Some(format!("{}array schema missing items.", context()));
        }
        self.problem_below(fields, path, depth)
    }

    fn object_problem(&mut self, fields: &Map<String, Value>) -> Option<String> {
        if fields.get("additionalProperties") != Some(&Value::Bool(false)) {
            return Some("'additionalProperties' is required to be supplied and to be false.".to_owned());
        }
        let names: Vec<&String> =
            fields.get("properties").and_then(Value::as_object).map_or_else(Vec::new, |p| p.keys().collect());
        self.properties += names.len();
        if self.properties > MOST_PROPERTIES {
            return Some(format!("the schema has more than {MOST_PROPERTIES} properties."));
        }
        let required = fields.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|other| other == name));
        let rule =
            "'required' is required to be supplied and to be an array including every key in properties.";
        if let Some(missing) = names.iter().find(|name| !is_required(name)) {
            return Some(format!("{rule} Missing '{missing}'."));
        }
        let extra = required?.iter().find(|name| !names.iter().any(|other| *name == other.as_str()))?;
        Some(format!("{rule} Extra required key {extra} supplied."))
    }

    fn reference_problem(&self, reference: &Value, fields: &Map<String, Value>) -> Option<String> {
        if fields.len() > 1 {
            let others: Vec<String> =
                fields.keys().filter(|key| *key != "$ref").map(|key| format!("'{key}'")).collect();
            return Some(format!("$ref cannot have keywords {{{}}}.", others.join(", ")));
        }
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        let target = pointer.and_then(|pointer| self.root.pointer(pointer));
        target
            .is_none()
            .then(|| format!("reference to component {reference} which was not found in the schema."))
    }

    fn problem_below(
        &mut self,
        fields: &Map<String, Value>,
        path: &mut Vec<String>,
        depth: usize,
    ) -> Option<String> {
        for keyword in ["properties", "$defs", "definitions"] {
            let Some(children) = fields.get(keyword).and_then(Value::as_object) else { continue };
            for (name, child) in children {
                path.push(format!("'{keyword}', '{name}'"));
                // Definitions stand beside the tree, so their own depth begins anew.
                let below = if keyword == "properties" { depth + 1 } else { 0 };
                let problem = self.problem(child, path, below);
                path.pop();
                if problem.is_some() {
                    return problem;
                }
            }
        }
        if let Some(items) = fields.get("items") {
            path.push("'items'".to_owned());
            let problem = self.problem(items, path, depth + 1);
            path.pop();
            if problem.is_some() {
                return problem;
            }
        }
        for (index, child) in fields.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            path.push(format!("'anyOf', '{index}'"));
            let problem = self.problem(child, path, depth);
            path.pop();
            if problem.is_some() {
                return problem;
            }
        }
        None
    }
}

/// Whether `type` is this name, or a list with it.
fn names_type(fields: &Map<String, Value>, name: &str) -> bool {
    match fields.get("type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    }
}
