//! Plan templates: patterns of tasks, and the plan of each.

use std::sync::LazyLock;

use kernel::{Phrase, phrase};
use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::Value;

const TEMPLATES: &str = include_str!("plan-templates.toml");

/// A template as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    patterns: Vec<String>,
    plan: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    template: Vec<Written>,
}

struct PlanTemplate {
    patterns: Vec<Regex>,
    plan: Value,
}

static BUILT_IN: LazyLock<Result<Vec<PlanTemplate>, String>> = LazyLock::new(|| read(TEMPLATES));

/// The templates of a file.
///
/// # Errors
/// The file is none, or a pattern is wrong.
fn read(text: &str) -> Result<Vec<PlanTemplate>, String> {
    let file: File = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    let template = |Written { name, patterns, plan }: Written| {
        let pattern = |pattern: &String| {
            let built = RegexBuilder::new(pattern).case_insensitive(true).build();
            built.map_err(|error| format!("`{name}`: {error}"))
        };
        Ok(PlanTemplate { patterns: patterns.iter().map(pattern).collect::<Result<_, String>>()?, plan })
    };
    file.template.into_iter().map(template).collect()
}

/// The plan of the first template that a task fits; nothing where it fits none.
///
/// # Errors
/// The templates of the program cannot be read.
pub(super) fn plan_of(task: &str) -> Result<Option<Value>, Phrase> {
    let templates = BUILT_IN.as_ref().map_err(|why| phrase!("A plan template is wrong: {why}", why))?;
    let plans = templates.iter().filter_map(|template| {
        let found = template.patterns.iter().find_map(|pattern| pattern.captures(task))?;
        Some(filled(&template.plan, &found))
    });
    Ok(plans.into_iter().next())
}

/// A plan with what the groups found.
fn filled(plan: &Value, found: &Captures<'_>) -> Value {
    static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{\{ (\w+) \}\}").ok());
    match plan {
        Value::String(text) => {
            let with = |place: &Captures<'_>| {
                found.name(&place[1]).map_or("", |group| group.as_str().trim()).to_owned()
            };
            let text = PLACE.as_ref().map_or_else(|| text.into(), |pattern| pattern.replace_all(text, with));
            // What the task says is no reference of the plan.
            Value::String(text.replace("@{", "@ {"))
        }
        Value::Array(items) => items.iter().map(|item| filled(item, found)).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), filled(field, found))).collect())
        }
        other => other.clone(),
    }
}
