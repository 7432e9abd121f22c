//! Requests that are planned without a model: each of their parts matches a form of a table as a whole.
//!
//! Independent parts form one stage; a part that uses results of earlier parts starts the next. A request with a part
//! that matches no form is left to a model: half a plan would do something else than requested.

use std::sync::LazyLock;

use kernel::{Phrase, phrase};
use regex::Regex;
use serde::Deserialize;
use serde_json::{Value, json};

use super::plan_templates::{compiled, filled};

const FORMS: &str = include_str!("request-forms.toml");

/// Most parts of a request.
const MOST_PARTS: usize = 20;
/// Longest request in characters; a longer one is left to a model.
const LONGEST: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    courtesies: Vec<String>,
    separators: Vec<String>,
    expression: Vec<WrittenWord>,
    form: Vec<WrittenForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenWord {
    pattern: String,
    with: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenForm {
    name: String,
    patterns: Vec<String>,
    role: String,
    tool: String,
    says: String,
    input: Value,
    #[serde(default)]
    line: String,
}

struct Forms {
    courtesies: Vec<Regex>,
    separators: Vec<Regex>,
    words: Vec<(Regex, String)>,
    forms: Vec<Form>,
}

struct Form {
    patterns: Vec<Regex>,
    written: WrittenForm,
}

static TABLE: LazyLock<Result<Forms, String>> = LazyLock::new(|| read(FORMS));

fn read(text: &str) -> Result<Forms, String> {
    let Written { courtesies, separators, expression, form } =
        toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    let words = expression.into_iter().map(|word| Ok((compiled("expression", &word.pattern)?, word.with)));
    let forms = form.into_iter().map(|written| {
        let patterns = written.patterns.iter().map(|pattern| compiled(&written.name, pattern));
        Ok(Form { patterns: patterns.collect::<Result<_, String>>()?, written })
    });
    let all = |name: &str, patterns: &[String]| -> Result<Vec<Regex>, String> {
        patterns.iter().map(|pattern| compiled(name, pattern)).collect()
    };
    Ok(Forms {
        courtesies: all("courtesies", &courtesies)?,
        separators: all("separators", &separators)?,
        words: words.collect::<Result<_, String>>()?,
        forms: forms.collect::<Result<_, String>>()?,
    })
}

/// A part of a request with the form that it matches.
struct Part<'a> {
    form: &'a Form,
    /// The groups that its pattern captured.
    found: Vec<(String, String)>,
}

/// Which results of earlier parts a part uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Last,
    Two,
    All,
}

impl Part<'_> {
    fn taken(&self) -> Option<Taken> {
        let has = |name: &str| self.found.iter().any(|(known, _)| known == name);
        [("LAST", Taken::Last), ("TWO", Taken::Two), ("ALL", Taken::All)]
            .into_iter()
            .find_map(|(name, taken)| has(name).then_some(taken))
    }

    /// Whether other parts may use its result.
    fn gives(&self) -> bool {
        !self.form.written.line.is_empty()
    }
}

/// The plan of a request; `None` if a part of it matches no form.
///
/// # Errors
/// The built-in table cannot be read.
pub(super) fn plan_of(task: &str) -> Result<Option<Value>, Phrase> {
    let table = TABLE.as_ref().map_err(|why| phrase!("The table of request forms is wrong: {why}", why))?;
    if task.chars().count() > LONGEST {
        return Ok(None);
    }
    let asked = table
        .courtesies
        .iter()
        .fold(task.trim().to_owned(), |text, courtesy| courtesy.replace(&text, "").trim().to_owned());
    Ok(parts_of(table, &asked, MOST_PARTS).and_then(|parts| plan(table, &parts)))
}

/// Splits a text into parts; the shortest first part that matches a form is tried first.
fn parts_of<'a>(table: &'a Forms, text: &str, most: usize) -> Option<Vec<Part<'a>>> {
    if most == 0 {
        return None;
    }
    let mut ends: Vec<(usize, usize)> = table
        .separators
        .iter()
        .flat_map(|separator| separator.find_iter(text).map(|found| (found.start(), found.end())))
        .collect();
    // At one position the longest separator is used: “, then” is not “,” and a part that begins with “then”.
    ends.sort_unstable_by_key(|(start, end)| (*start, std::cmp::Reverse(*end)));
    for (start, end) in ends {
        if start > 0
            && end < text.len()
            && let Some(first) = part_of(table, &text[..start])
            && let Some(rest) = parts_of(table, &text[end..], most - 1)
        {
            return Some(std::iter::once(first).chain(rest).collect());
        }
    }
    Some(vec![part_of(table, text)?])
}

fn part_of<'a>(table: &'a Forms, text: &str) -> Option<Part<'a>> {
    let text = text.trim();
    table.forms.iter().find_map(|form| {
        let (pattern, groups) =
            form.patterns.iter().find_map(|pattern| Some((pattern, pattern.captures(text)?)))?;
        let found = pattern
            .capture_names()
            .flatten()
            .filter_map(|name| Some((name.to_owned(), groups.name(name)?.as_str().trim().to_owned())));
        Some(Part { form, found: found.collect() })
    })
}

/// The stages of a plan; `None` if a part uses results that do not exist.
fn plan(table: &Forms, parts: &[Part<'_>]) -> Option<Value> {
    let mut stages: Vec<Vec<Value>> = vec![Vec::new()];
    // The references to the results so far.
    let mut lines: Vec<String> = Vec::new();
    for (number, part) in (1..).zip(parts) {
        let id = format!("step_{number}");
        let results = match part.taken() {
            None => None,
            Some(Taken::Last) => Some(lines.last()?.clone()),
            Some(Taken::Two) if lines.len() == 2 => Some(lines.join("\n")),
            Some(Taken::All) if !lines.is_empty() => Some(lines.join("\n")),
            Some(Taken::Two | Taken::All) => return None,
        };
        if results.is_some() {
            stages.push(Vec::new());
        }
        let form = &part.form.written;
        let value_of = |name: &str| match name {
            "RESULT" => Some(format!("@{{outputs.{id}.result_data}}")),
            "RESULTS" => results.clone(),
            name => {
                let (_, found) = part.found.iter().find(|(known, _)| known == name)?;
                // The text of the request must not act as a reference in its plan.
                Some(found.replace("@{", "@ {"))
            }
        };
        let mut input = filled(&form.input, &value_of);
        if let Some(Value::String(expression)) = input.get_mut("expression") {
            *expression = in_words_of_calculator(table, expression);
        }
        stages.last_mut()?.push(json!({
            "stepId": id, "assigned_agent_role": form.role, "tool_name": form.tool,
            "narrative_step": filled(&json!(form.says), &value_of), "sub_task_input": input,
        }));
        if part.gives() {
            lines.push(filled(&json!(form.line), &value_of).as_str()?.to_owned());
        }
    }
    stages.retain(|stage| !stage.is_empty());
    Some(json!(stages))
}

fn in_words_of_calculator(table: &Forms, expression: &str) -> String {
    let narrow: String = expression.chars().map(narrow).collect();
    let written = table
        .words
        .iter()
        .fold(narrow, |text, (pattern, with)| pattern.replace_all(&text, with.as_str()).into_owned());
    written.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The half-width form of a full-width digit or sign.
fn narrow(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        c => c,
    }
}
