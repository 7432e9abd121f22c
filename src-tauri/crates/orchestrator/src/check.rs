//! Checks whether a plan can run. The whole plan is checked before any step starts, and each error names its step.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Json, Phrase, Plan, PlanStep, phrase};
use serde::Deserialize;
use serde_json::Value;

use crate::abilities::Abilities;
use crate::other_forms::rewrite;
use crate::reference::{is_alone, references};

/// Most steps of a plan.
const MOST_STEPS: usize = 1_000;
/// Longest id of a step, in characters.
const LONGEST_ID: usize = 64;

/// An error in a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError {
    /// The id of the step, or its position if it has none; empty for the whole plan.
    pub step: String,
    /// The problem and what helps.
    pub why: Phrase,
}

/// All errors, one sentence each.
pub fn describe_errors(faults: &[PlanError]) -> Phrase {
    Phrase::sentences(faults.iter().map(|PlanError { step, why }| match step.as_str() {
        "" => phrase!("The plan: {why}.", why = why.clone()),
        step => phrase!("The step `{step}`: {why}.", step, why = why.clone()),
    }))
}

/// Parses a plan and checks that it can run: an array of stages, each an array of steps, or an object with `stages`.
/// Aliases of tools are replaced by their names, and inputs are brought into one form.
///
/// # Errors
/// All errors of the plan.
pub fn check(plan: &Value, abilities: &Abilities) -> Result<Plan, Vec<PlanError>> {
    let shaped = match plan {
        Value::Array(_) => Vec::deserialize(plan).map(|stages| Plan { stages, ..Plan::default() }),
        plan => Plan::deserialize(plan),
    };
    let mut plan = shaped.map_err(|error| {
        let why = phrase!(
            "it is no array of stages, each an array of steps with `stepId`, `assigned_agent_role`, `tool_name` and \
             `sub_task_input`: {error}",
            error
        );
        vec![PlanError { step: String::new(), why }]
    })?;
    let mut checker = Checker {
        abilities,
        faults: Vec::new(),
        known: BTreeSet::new(),
        before: BTreeSet::new(),
        last: None,
    };
    let count: usize = plan.stages.iter().map(Vec::len).sum();
    if count > MOST_STEPS {
        checker.find("", phrase!("it has {count} steps; at most {most} are run", count, most = MOST_STEPS));
    }
    for (number, stage) in (1..).zip(&mut plan.stages) {
        if stage.is_empty() {
            checker.find("", phrase!("stage {number} has no steps", number));
        }
        for (nth, step) in (1..).zip(stage.iter_mut()) {
            checker.step(&format!("{number}.{nth}"), step);
        }
        checker.written_files(stage);
        checker.before.extend(stage.iter().map(|step| step.step_id.clone()));
        checker.last = stage.last().map(|step| step.step_id.clone()).or(checker.last);
    }
    if checker.faults.is_empty() { Ok(plan) } else { Err(checker.faults) }
}

/// File operations of plans that write nothing.
const READING: [&str; 2] = ["read_file", "list_files"];

/// The file that a step writes, as the plan names it; `None` for other steps.
fn written_file(step: &PlanStep) -> Option<String> {
    let input = &step.sub_task_input.0;
    let part = |name: &str| input["params"][name].as_str().filter(|text| !text.is_empty());
    let writes = input["operation"].as_str().is_some_and(|operation| !READING.contains(&operation));
    let name = part("filename").filter(|_| writes)?;
    let folders = part("directory").unwrap_or_default().split('/').chain(name.split('/'));
    Some(folders.filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"))
}

struct Checker<'a> {
    abilities: &'a Abilities,
    faults: Vec<PlanError>,
    /// The ids so far.
    known: BTreeSet<String>,
    /// The ids of earlier stages.
    before: BTreeSet<String>,
    /// The last step of the stage before.
    last: Option<String>,
}

impl Checker<'_> {
    fn find(&mut self, step: &str, why: Phrase) {
        self.faults.push(PlanError { step: step.to_owned(), why });
    }

    fn step(&mut self, place: &str, step: &mut PlanStep) {
        let id = step.step_id.clone();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        if id.is_empty() || id.len() > LONGEST_ID || !id.chars().all(is_plain) {
            let why = phrase!(
                "`{id}` is no id; write 1 to {most} letters, digits, `_` or `-`",
                id = id.clone(),
                most = LONGEST_ID
            );
            self.find(place, why);
        } else if !self.known.insert(id.clone()) {
            self.find(&id, phrase!("another step has this id, too"));
        }
        if step.sub_task_input.0.is_null() {
            step.sub_task_input = Json(serde_json::json!({}));
        }
        if let Err(why) = rewrite(step, self.last.as_deref()) {
            self.find(&id, why);
            return;
        }
        self.references(&id, step);
        // A person who adds a step gives only its tool, which has one role.
        if step.assigned_agent_role.is_empty()
            && let Some((_, ability)) = self.abilities.tool(&step.tool_name)
        {
            step.assigned_agent_role = ability.role.clone();
        }
        let (role, tool) = (step.assigned_agent_role.clone(), step.tool_name.clone());
        let roles = self.abilities.roles();
        if !roles.contains(&role.as_str()) {
            self.find(&id, phrase!("there is no role `{role}`; there is {known}", role, known = roles));
            return;
        }
        let Some((name, ability)) = self.abilities.tool(&tool) else {
            let known: Vec<&str> = self.abilities.0.keys().map(String::as_str).collect();
            self.find(&id, phrase!("there is no tool `{tool}`; there is {known}", tool, known));
            return;
        };
        step.tool_name = name.to_owned();
        if ability.role != role {
            let owner = &ability.role;
            self.find(&id, phrase!("`{tool}` is a tool of {owner}, not of {role}", tool, owner, role));
        }
        if let Err(why) = fits(&ability.input, &step.sub_task_input.0) {
            self.find(&id, phrase!("its input does not fit `{tool}`: {why}", tool, why));
        }
    }

    /// Concurrent steps must not write the same file: which one would be last is undefined.
    fn written_files(&mut self, stage: &[PlanStep]) {
        let mut known = BTreeMap::new();
        for step in stage {
            let Some(file) = written_file(step) else { continue };
            if let Some(other) = known.insert(file.to_lowercase(), step.step_id.clone()) {
                let why = phrase!(
                    "it writes `{file}`, as `{other}` of its stage does; name another file, or do it in a later stage",
                    file,
                    other
                );
                self.find(&step.step_id, why);
            }
        }
    }

    fn references(&mut self, id: &str, step: &PlanStep) {
        let (found, malformed) = references(&step.sub_task_input.0);
        for text in malformed {
            let text: String = text.chars().take(120).collect();
            let why = phrase!(
                "a reference in “{text}” is not well formed; write it as {form}, with fields below it behind dots",
                text,
                form = "@{outputs.STEP.result_data}"
            );
            self.find(id, why);
        }
        let named = found.into_iter().map(|reference| reference.step).chain(step.depends_on.iter().cloned());
        for other in named.filter(|other| !self.before.contains(other)).collect::<BTreeSet<_>>() {
            self.find(id, phrase!("it refers to `{other}`, which is no step of an earlier stage", other));
        }
    }
}

/// Checks an input against a schema. For a value that is only a reference, only its position is checked.
///
/// # Errors
/// The input does not match.
fn fits(schema: &Value, input: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(schema).map_err(|error| error.to_string())?;
    let faults =
        validator.iter_errors(input).filter(|error| !error.instance().as_str().is_some_and(is_alone));
    let faults: Vec<String> = faults
        .map(|error| match error.instance_path().as_str() {
            "" => error.to_string(),
            place => format!("{error} at `{place}`"),
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
}

#[cfg(test)]
mod tests;
