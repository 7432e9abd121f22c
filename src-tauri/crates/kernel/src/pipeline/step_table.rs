//! The notation of a step: a word, or a table with one word for its kind.

use std::fmt;

use indexmap::IndexMap;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::agent::TemplateValue;
use super::condition::{Condition, KeyPath};
use super::flow::{FailureSteps, ForEach, Rounds, Step};

/// The word for a step that ends the run.
const END: &str = "end";
/// The word for a step that ends the innermost loop.
const EXIT_LOOP: &str = "exit_loop";

/// The table of a step that is more than a word.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StepTable {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sequence: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parallel: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    for_each: Option<KeyPath>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    collect: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failures: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    queue: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#loop: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<Rounds>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Condition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<Condition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    otherwise: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<IndexMap<String, TemplateValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#try: Option<Vec<Step>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    on_tool_failure: Vec<Step>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    on_malformed: Vec<Step>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    on_limit: Vec<Step>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    set: Option<IndexMap<String, TemplateValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    surface: Option<IndexMap<String, TemplateValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reads: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    writes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

impl StepTable {
    /// The words for the kind of the step.
    fn kinds(&self) -> Vec<&'static str> {
        let kinds = [
            ("sequence", self.sequence.is_some()),
            ("parallel", self.parallel.is_some()),
            ("for_each", self.for_each.is_some()),
            ("loop", self.r#loop.is_some()),
            ("when", self.when.is_some()),
            ("try", self.r#try.is_some()),
            ("set", self.set.is_some()),
            ("surface", self.surface.is_some()),
            ("run", self.run.is_some() && self.for_each.is_none()),
            ("note", self.note.is_some()),
        ];
        kinds.into_iter().filter(|(_, is_there)| *is_there).map(|(kind, _)| kind).collect()
    }

    /// The first word that does not belong to a step of this kind.
    fn misplaced_word(&self, kind: &str) -> Option<&'static str> {
        let is_named = ["sequence", "parallel", "for_each", "loop"].contains(&kind);
        let has_failures =
            !self.on_tool_failure.is_empty() || !self.on_malformed.is_empty() || !self.on_limit.is_empty();
        let words = [
            ("name", !self.name.is_empty() && !is_named),
            ("title", !self.title.is_empty() && !is_named),
            ("at_most", self.at_most.is_some() && !["parallel", "for_each"].contains(&kind)),
            ("collect", self.collect.is_some() && kind != "for_each"),
            ("failures", self.failures.is_some() && kind != "for_each"),
            ("queue", self.queue && kind != "for_each"),
            ("rounds", self.rounds.is_some() && kind != "loop"),
            ("until", self.until.is_some() && kind != "loop"),
            ("steps", self.steps.is_some() && kind != "when"),
            ("end", self.end.is_some() && kind != "when"),
            ("otherwise", self.otherwise.is_some() && kind != "when"),
            ("on_tool_failure, on_malformed or on_limit", has_failures && kind != "try"),
            ("reads", !self.reads.is_empty() && kind != "run"),
            ("writes", !self.writes.is_empty() && kind != "run"),
        ];
        words.into_iter().find(|(_, is_misplaced)| *is_misplaced).map(|(word, _)| word)
    }
}

const KINDS: &str =
    "`sequence`, `parallel`, `for_each`, `loop`, `when`, `try`, `set`, `surface`, `run` or `note`";

impl TryFrom<StepTable> for Step {
    type Error = String;

    fn try_from(written: StepTable) -> Result<Step, String> {
        let kinds = written.kinds();
        let [kind] = kinds.as_slice() else {
            return Err(match kinds.as_slice() {
                [] => format!("a step needs one of {KINDS}"),
                many => format!("a step is one of {KINDS}; this one is {}", many.join(" and ")),
            });
        };
        if let Some(word) = written.misplaced_word(kind) {
            return Err(format!("`{word}` does not belong to a step of `{kind}`"));
        }
        let StepTable { name, title, at_most, until, reads, writes, .. } = written;
        let ending = written.end.map(|values| match values.is_empty() {
            true => vec![Step::End],
            false => vec![Step::Set(values), Step::End],
        });
        if let Some(steps) = written.sequence {
            return Ok(Step::Sequence { name, title, steps });
        }
        if let Some(steps) = written.parallel {
            return Ok(Step::Parallel { name, title, steps, at_most });
        }
        if let Some(items) = written.for_each {
            let run = written.run.ok_or("`for_each` needs `run`: the name of an agent on demand")?;
            let collect =
                written.collect.ok_or("`for_each` needs `collect`: the key that takes the results")?;
            let (failures, queue) = (written.failures, written.queue);
            return Ok(Step::ForEach(ForEach { name, title, items, run, at_most, collect, failures, queue }));
        }
        if let Some(steps) = written.r#loop {
            let rounds = written.rounds.ok_or("a loop needs `rounds`: a number, or the key of an input")?;
            return Ok(Step::Loop { name, title, steps, rounds, until });
        }
        if let Some(condition) = written.when {
            let steps = match (written.steps, ending) {
                (Some(_), Some(_)) => return Err("write `steps` or `end` behind `when`, not both".into()),
                (Some(steps), None) | (None, Some(steps)) => steps,
                (None, None) => return Err("`when` needs `steps` or `end`".into()),
            };
            return Ok(Step::When { condition, steps, otherwise: written.otherwise.unwrap_or_default() });
        }
        if let Some(steps) = written.r#try {
            let StepTable { on_tool_failure, on_malformed, on_limit, .. } = written;
            return Ok(Step::Try {
                steps,
                failures: FailureSteps { on_tool_failure, on_malformed, on_limit },
            });
        }
        if let Some(values) = written.set {
            return Ok(Step::Set(values));
        }
        if let Some(values) = written.surface {
            return Ok(Step::Surface(values));
        }
        if let Some(function) = written.run {
            return Ok(Step::Run { function, reads, writes });
        }
        if let Some(id) = written.note {
            return Ok(Step::Note(id));
        }
        Err(format!("a step needs one of {KINDS}"))
    }
}

impl From<Step> for StepTable {
    fn from(step: Step) -> StepTable {
        let empty = StepTable::default;
        match step {
            Step::Agent(_) | Step::ExitLoop | Step::End => empty(),
            Step::Sequence { name, title, steps } => {
                StepTable { name, title, sequence: Some(steps), ..empty() }
            }
            Step::Parallel { name, title, steps, at_most } => {
                StepTable { name, title, parallel: Some(steps), at_most, ..empty() }
            }
            Step::ForEach(ForEach { name, title, items, run, at_most, collect, failures, queue }) => {
                StepTable {
                    name,
                    title,
                    for_each: Some(items),
                    run: Some(run),
                    at_most,
                    collect: Some(collect),
                    failures,
                    queue,
                    ..empty()
                }
            }
            Step::Loop { name, title, steps, rounds, until } => {
                StepTable { name, title, r#loop: Some(steps), rounds: Some(rounds), until, ..empty() }
            }
            Step::When { condition, steps, otherwise } => StepTable {
                when: Some(condition),
                steps: Some(steps),
                otherwise: Some(otherwise).filter(|steps| !steps.is_empty()),
                ..empty()
            },
            Step::Try { steps, failures } => {
                let FailureSteps { on_tool_failure, on_malformed, on_limit } = failures;
                StepTable { r#try: Some(steps), on_tool_failure, on_malformed, on_limit, ..empty() }
            }
            Step::Set(values) => StepTable { set: Some(values), ..empty() },
            Step::Surface(values) => StepTable { surface: Some(values), ..empty() },
            Step::Run { function, reads, writes } => {
                StepTable { run: Some(function), reads, writes, ..empty() }
            }
            Step::Note(id) => StepTable { note: Some(id), ..empty() },
        }
    }
}

impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Agent(name) => serializer.serialize_str(name),
            Step::ExitLoop => serializer.serialize_str(EXIT_LOOP),
            Step::End => serializer.serialize_str(END),
            step => StepTable::from(step.clone()).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Step, D::Error> {
        struct StepVisitor;
        impl<'de> Visitor<'de> for StepVisitor {
            type Value = Step;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the name of an agent, `{END}`, `{EXIT_LOOP}`, or a table with one of {KINDS}")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Step, E> {
                Ok(match text {
                    END => Step::End,
                    EXIT_LOOP => Step::ExitLoop,
                    name => Step::Agent(name.to_owned()),
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Step, A::Error> {
                let written = StepTable::deserialize(MapAccessDeserializer::new(map))?;
                Step::try_from(written).map_err(A::Error::custom)
            }
        }
        deserializer.deserialize_any(StepVisitor)
    }
}
