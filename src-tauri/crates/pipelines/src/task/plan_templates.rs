//! Plan templates: patterns of tasks, each with its plan. The person's templates take precedence over the built-in
//! ones.

use std::sync::LazyLock;

use kernel::{Phrase, Plan, PlanStep, phrase};
use regex::{Captures, Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

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

/// A file of the person, in the same form as the built-in one.
#[derive(Deserialize)]
pub(super) struct OwnFile {
    name: String,
    text: String,
}

struct PlanTemplate {
    patterns: Vec<Regex>,
    plan: Value,
}

static BUILT_IN: LazyLock<Result<Vec<PlanTemplate>, String>> = LazyLock::new(|| read(TEMPLATES));

/// Parses the templates of a file.
///
/// # Errors
/// The text is no such file, or a pattern is invalid.
fn read(text: &str) -> Result<Vec<PlanTemplate>, String> {
    let file: File = toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    let template = |Written { name, patterns, plan }: Written| {
        let patterns = patterns.iter().map(|pattern| compiled(&name, pattern));
        Ok(PlanTemplate { patterns: patterns.collect::<Result<_, String>>()?, plan })
    };
    file.template.into_iter().map(template).collect()
}

/// Compiles a pattern of a table; `name` is its name in the table.
///
/// # Errors
/// The pattern is invalid.
pub(super) fn compiled(name: &str, pattern: &str) -> Result<Regex, String> {
    let built = RegexBuilder::new(pattern).case_insensitive(true).build();
    built.map_err(|error| format!("`{name}`: {error}"))
}

/// The text of a file with one template. It takes only the steps of the plan, not their progress.
///
/// # Errors
/// The pattern is no valid regular expression.
pub fn plan_template(name: &str, pattern: &str, plan: &Plan) -> Result<String, String> {
    compiled(name, pattern)?;
    let step = |step: &PlanStep| {
        json!({
            "stepId": step.step_id, "assigned_agent_role": step.assigned_agent_role, "tool_name": step.tool_name,
            "narrative_step": step.narrative_step, "sub_task_input": step.sub_task_input,
        })
    };
    let stages: Vec<Vec<Value>> = plan.stages.iter().map(|stage| stage.iter().map(step).collect()).collect();
    let file = json!({ "template": [{ "name": name, "patterns": [pattern], "plan": stages }] });
    toml_edit::ser::to_string_pretty(&file).map_err(|error| error.to_string())
}

/// The plan of the first template that matches a task; `None` if no template matches.
///
/// # Errors
/// A file of templates cannot be read; the message names it.
pub(super) fn plan_of(task: &str, own: &[OwnFile]) -> Result<Option<Value>, Phrase> {
    for OwnFile { name, text } in own {
        let templates = read(text).map_err(|why| {
            phrase!(
                "The plan templates in {file} cannot be read: {why}. Mend the file or take it out of the folder",
                file = format!("plan_templates/{name}.toml"),
                why = why.split_whitespace().collect::<Vec<_>>().join(" ")
            )
        })?;
        if let Some(plan) = first_plan(&templates, task) {
            return Ok(Some(plan));
        }
    }
    let built_in = BUILT_IN.as_ref().map_err(|why| phrase!("A plan template is wrong: {why}", why))?;
    Ok(first_plan(built_in, task))
}

fn first_plan(templates: &[PlanTemplate], task: &str) -> Option<Value> {
    templates.iter().find_map(|template| {
        let found = template.patterns.iter().find_map(|pattern| pattern.captures(task))?;
        // The text of the task must not act as a reference in its plan.
        let group = |name: &str| Some(found.name(name)?.as_str().trim().replace("@{", "@ {"));
        Some(filled(&template.plan, &group))
    })
}

/// A value with each `{{ NAME }}` in its texts replaced; an unknown name is replaced by nothing.
pub(super) fn filled(value: &Value, value_of: &dyn Fn(&str) -> Option<String>) -> Value {
    static PLACE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\{\{ (\w+) \}\}").ok());
    match value {
        Value::String(text) => {
            let with = |place: &Captures<'_>| value_of(&place[1]).unwrap_or_default();
            Value::String(match PLACE.as_ref() {
                Some(pattern) => pattern.replace_all(text, with).into_owned(),
                None => text.clone(),
            })
        }
        Value::Array(items) => items.iter().map(|item| filled(item, value_of)).collect(),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, field)| (name.clone(), filled(field, value_of))).collect(),
        ),
        other => other.clone(),
    }
}
