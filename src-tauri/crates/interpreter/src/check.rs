//! Checks whether a definition can run: the same check for files, for built-in pipelines and for tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexMap;
use kernel::{CheckError, Condition, Phrase, PipelineDefinition, Rounds, Step, USER_WORDS, phrase};
use serde_json::Value;

use crate::build::{build, given_names, root_name};
use crate::registry::Registry;
use crate::setup::{Setup, most_rounds, placeholder};
use crate::template::{Filling, Prompt};

mod agent;
mod available;
mod inputs;
mod keys;
mod on_demand;

/// Most rounds of a loop.
const MOST_ROUNDS: u32 = 100;
/// Most rounds of nested loops, multiplied.
const MOST_NESTED_ROUNDS: u32 = 1000;

/// One problem of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The path in the definition: names from the outside in, as in the file.
    pub path: Vec<String>,
    /// The problem and what helps.
    pub reason: Phrase,
}

/// All problems of a definition; empty if it can run.
pub fn check(definition: &PipelineDefinition, registry: &Registry) -> Vec<Finding> {
    let mut checker = Checker { definition, registry, findings: Vec::new() };
    checker.names();
    checker.inputs();
    checker.keys();
    for (name, agent) in &definition.agents {
        checker.agent(name, &agent.with_own_keys());
        checker.on_demand(name, agent);
    }
    let mut used = BTreeSet::new();
    checker.steps(&definition.flow.steps, 0, &mut used);
    for name in definition.agents.keys().filter(|name| !used.contains(*name)) {
        checker.unused(name);
    }
    let given = given(definition).cloned().collect();
    checker.available(&definition.flow.steps, &given, &mut Vec::new());
    if checker.findings.is_empty() {
        checker.tree();
    }
    checker.findings
}

struct Checker<'a> {
    definition: &'a PipelineDefinition,
    registry: &'a Registry,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn find(&mut self, path: &[&str], reason: Phrase) {
        let path = path.iter().map(|part| (*part).to_owned()).collect();
        self.findings.push(Finding { path, reason });
    }

    fn is_key(&self, key: &str) -> bool {
        self.definition.inputs.contains_key(key) || self.definition.keys.contains_key(key)
    }

    fn unknown_key(&self, key: &str) -> Phrase {
        let known = self.definition.inputs.keys().chain(self.definition.keys.keys());
        phrase!("there is no key `{key}`; there is {known}", key, known = listed(known))
    }

    fn names(&mut self) {
        let id = &self.definition.id;
        if !is_id(id) {
            self.find(&["id"], phrase!("`{id}` is no id; write lower-case letters, digits and hyphens", id));
        }
        if self.definition.title.trim().is_empty() {
            self.find(&["title"], phrase!("the title is empty"));
        }
        let definition = self.definition;
        self.part_names();
        let names = definition.inputs.keys().map(|name| ("input", name));
        let names = names.chain(definition.keys.keys().map(|name| ("key", name)));
        for (table, name) in names.chain(definition.agents.keys().map(|name| ("agent", name))) {
            if !is_name(name) {
                let reason = phrase!("`{name}` is no name; write letters, digits and underscores", name);
                self.find(&[table, name], reason);
            }
        }
        let words = [
            ("input", definition.inputs.contains_key(USER_WORDS)),
            ("key", definition.keys.contains_key(USER_WORDS)),
        ];
        for (table, _) in words.into_iter().filter(|(_, is_taken)| *is_taken) {
            let name = USER_WORDS;
            let reason = phrase!("`{name}` holds what the person says to a run; choose another name", name);
            self.find(&[table, name], reason);
        }
        for name in definition.keys.keys().filter(|name| definition.inputs.contains_key(*name)) {
            self.find(&["key", name], phrase!("`{name}` is an input already; a key has one meaning", name));
        }
        match Prompt::new(&definition.run_title) {
            Err(error) => {
                self.find(&["run_title"], phrase!("the template is wrong: {why}", why = error.reason))
            }
            Ok(title) => {
                if let Some(name) = title.reads().iter().find(|name| !definition.inputs.contains_key(*name)) {
                    self.find(
                        &["run_title"],
                        phrase!("the title of a run may use inputs only, not `{name}`", name),
                    );
                }
            }
        }
    }

    /// The root, named steps and agents are distinguished by name in the events of a run, in which the person is the
    /// author `user`.
    fn part_names(&mut self) {
        let definition = self.definition;
        let agents = definition.agents.keys().map(|name| (vec!["agent", name.as_str()], name.clone()));
        let steps = given_names(&definition.flow.steps).into_iter().map(|name| (vec!["flow", "steps"], name));
        let parts = std::iter::once((vec!["id"], root_name(definition))).chain(agents).chain(steps);
        let mut known = BTreeSet::new();
        for (path, name) in parts.collect::<Vec<_>>() {
            if name == kernel::USER {
                self.find(&path, phrase!("`{name}` stands for the person; choose another name", name));
            } else if !known.insert(name.clone()) {
                self.find(&path, CheckError::DuplicateName { agent: name }.phrase());
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        if !self.is_key(&condition.value.key) {
            let reason = self.unknown_key(&condition.value.key);
            self.find(&["flow", "steps"], phrase!("`{condition}`: {reason}", condition, reason));
            return;
        }
        let declarations = self.definition.declarations();
        let declared = declarations.iter().find(|key| key.name == condition.value.key);
        let mut schema = declared.map_or(&Value::Null, |key| &key.schema.0);
        for field in &condition.value.fields {
            let Some(fields) = schema["properties"].as_object() else { return };
            let Some(inner) = fields.get(field) else {
                let known = listed(fields.keys());
                let reason = phrase!(
                    "`{condition}`: there is no field `{field}`; there is {known}",
                    condition,
                    field,
                    known
                );
                return self.find(&["flow", "steps"], reason);
            };
            schema = inner;
        }
    }

    fn steps(&mut self, steps: &[Step], outer_rounds: u32, used: &mut BTreeSet<String>) {
        const PATH: [&str; 2] = ["flow", "steps"];
        if self.definition.flow.steps.is_empty() {
            self.find(&PATH, phrase!("the flow has no steps"));
        }
        for step in steps {
            match step {
                Step::Agent(name) => {
                    self.is_in_a_step(name);
                    if !self.definition.agents.contains_key(name) {
                        let known = listed(self.definition.agents.keys());
                        self.find(
                            &PATH,
                            phrase!("there is no agent `{name}`; there is {known}", name, known),
                        );
                    }
                    let exits = self
                        .definition
                        .agents
                        .get(name)
                        .is_some_and(|agent| agent.exit_tool || agent.exits_loop_when.is_some());
                    if exits && outer_rounds == 0 {
                        self.find(&PATH, phrase!("`{name}` ends its loop, and stands in none", name));
                    }
                    if !used.insert(name.clone()) {
                        let reason = phrase!(
                            "`{name}` stands in two steps; put them into a loop, or declare a second agent",
                            name
                        );
                        self.find(&PATH, reason);
                    }
                }
                Step::Sequence { steps, .. } => self.steps(steps, outer_rounds, used),
                Step::Parallel { steps, .. } => self.steps(steps, outer_rounds, used),
                Step::ForEach(each) => self.for_each(each, used),
                Step::Loop { steps, rounds, until, .. } => {
                    self.rounds(rounds);
                    if steps.is_empty() {
                        self.find(&PATH, phrase!("a loop without steps does nothing"));
                    }
                    if let Some(until) = until {
                        self.condition(until);
                    }
                    let own = match rounds {
                        Rounds::Number(number) => *number,
                        Rounds::Input(key) => most_rounds(self.definition, key),
                    };
                    let all = outer_rounds.max(1).saturating_mul(own.max(1));
                    if all > MOST_NESTED_ROUNDS {
                        let reason = phrase!(
                            "loops within each other make {all} rounds; at most {most} are run",
                            all,
                            most = MOST_NESTED_ROUNDS
                        );
                        self.find(&PATH, reason);
                    }
                    self.steps(steps, all, used);
                }
                Step::When { condition, steps, otherwise } => {
                    self.condition(condition);
                    self.steps(steps, outer_rounds, used);
                    self.steps(otherwise, outer_rounds, used);
                }
                Step::Try { steps, failures } => {
                    self.steps(steps, outer_rounds, used);
                    for steps in [&failures.on_tool_failure, &failures.on_malformed, &failures.on_limit] {
                        self.steps(steps, outer_rounds, used);
                    }
                }
                Step::Set(values) | Step::Surface(values) => self.values(values),
                Step::Run { function, reads, writes } => {
                    if !self.registry.run.contains_key(function.as_str()) {
                        let known: Vec<&str> = self.registry.run.keys().copied().collect();
                        self.find(
                            &PATH,
                            phrase!(
                                "there is no function `{function}` here; there is {known}",
                                function,
                                known
                            ),
                        );
                    }
                    for key in reads.iter().chain(writes).filter(|key| !self.is_key(key)).collect::<Vec<_>>()
                    {
                        let reason = self.unknown_key(key);
                        self.find(&PATH, reason);
                    }
                }
                Step::Note(id) => {
                    if !self.definition.notes.contains_key(id) {
                        let reason = phrase!("there is no note `{id}`; declare it: `[note.{id}]`", id);
                        self.find(&PATH, reason);
                    }
                }
                Step::ExitLoop if outer_rounds == 0 => {
                    self.find(&PATH, phrase!("`exit_loop` stands in no loop"))
                }
                Step::ExitLoop | Step::End => {}
            }
        }
    }

    fn rounds(&mut self, rounds: &Rounds) {
        let path = ["flow", "steps"];
        match rounds {
            Rounds::Number(number) if (1..=MOST_ROUNDS).contains(number) => {}
            Rounds::Number(number) => {
                let reason =
                    phrase!("a loop has 1 to {most} rounds, not {number}", most = MOST_ROUNDS, number);
                self.find(&path, reason);
            }
            Rounds::Input(key) => {
                let is_number = self.definition.inputs.get(key).is_some_and(|input| {
                    input.kind == kernel::InputKind::Number && input.most.is_some_and(f64::is_finite)
                });
                if !is_number {
                    let reason = phrase!(
                        "`rounds` needs a number, or an input that is a number with `most`; `{key}` is none, so the loop may never end",
                        key
                    );
                    self.find(&path, reason);
                }
            }
        }
    }

    fn values(&mut self, values: &IndexMap<String, Value>) {
        let path = ["flow", "steps"];
        for (key, value) in values {
            if !self.definition.keys.contains_key(key) {
                let reason = self.unknown_key(key);
                self.find(&path, reason);
            }
            match Filling::new(value) {
                Err(error) => self.find(
                    &path,
                    phrase!("the value of `{key}` is no template: {why}", key, why = error.reason),
                ),
                Ok(filling) => {
                    for key in filling.reads().iter().filter(|key| !self.is_key(key)).collect::<Vec<_>>() {
                        let reason = self.unknown_key(key);
                        self.find(&path, reason);
                    }
                }
            }
        }
    }

    /// Problems that only the built tree shows: reads of keys that nothing writes, and concurrent writers.
    fn tree(&mut self) {
        let definition = Arc::new(self.definition.clone());
        let tools = definition
            .tools
            .keys()
            .chain(&self.registry.tools)
            .map(|slot| (slot.clone(), placeholder(slot)))
            .collect();
        let setup = Setup { tools, ..Setup::default() };
        let tree = match build(&definition, &setup, self.registry) {
            Ok(tree) => tree,
            Err(error) => return self.find(&[], *error.phrase),
        };
        let declarations = definition.declarations();
        let keys: Vec<&str> = declarations.iter().map(|key| key.name.as_str()).collect();
        let given: Vec<&str> = given(&definition).map(String::as_str).collect();
        for error in kernel::check(tree.outline(), &keys, &given) {
            let agent = match &error {
                CheckError::MissingWriter { agent, .. } | CheckError::UndeclaredKey { agent, .. } => agent,
                CheckError::Conflict { writer, .. } => writer,
                CheckError::DuplicateName { agent } | CheckError::EmptyLoop { agent } => agent,
            };
            let path = match definition.agents.contains_key(agent) {
                true => vec!["agent".to_owned(), agent.clone()],
                false => vec!["flow".to_owned(), "steps".to_owned()],
            };
            self.findings.push(Finding { path, reason: error.phrase() });
        }
    }
}

/// The keys that every run starts with: its inputs, and those taken over from earlier runs that the inputs name.
fn given(definition: &PipelineDefinition) -> impl Iterator<Item = &String> {
    definition.inputs.iter().flat_map(|(name, input)| {
        let is_given = !input.optional || input.default.is_some();
        let taken = input.takes.iter().filter(|_| !input.optional);
        std::iter::once(name).filter(move |_| is_given).chain(taken)
    })
}

/// Whether this is a valid id of a pipeline, and so a valid name of its file.
pub fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> Phrase {
    let names: Vec<&str> = names.map(String::as_str).collect();
    if names.is_empty() { phrase!("none") } else { phrase!("{names}", names) }
}
