//! The types of the values under keys with a role, one for each role that has one. The page uses their TypeScript, and
//! a key without a schema has theirs.
//!
//! Not here: the fields of a draft, which its role names; and what a role is (`key`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Json, Phrase};

/// One check of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct CheckResult {
    /// Its name.
    pub name: String,
    /// Whether what was checked holds.
    pub passed: bool,
    /// What was found, in one sentence.
    pub detail: String,
    /// The same for people in other languages, where the program checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub phrase: Option<Phrase>,
    /// In how many places it found a fault; 0 where it does not count them.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[schemars(skip)]
    #[ts(optional, as = "Option<u32>")]
    pub places: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl CheckResult {
    /// The result of a check with this fault, or the text when there is none.
    pub fn new(name: &str, fault: Option<Phrase>, well: impl FnOnce() -> Phrase) -> CheckResult {
        let passed = fault.is_none();
        let phrase = fault.unwrap_or_else(well);
        CheckResult {
            name: name.to_owned(),
            passed,
            detail: phrase.english(),
            phrase: Some(phrase),
            places: 0,
        }
    }

    /// Adds the number of places with a fault.
    pub fn with_places(self, places: usize) -> CheckResult {
        CheckResult { places: u32::try_from(places).unwrap_or(u32::MAX), ..self }
    }
}

/// The value of a key of checks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Checks(pub Vec<CheckResult>);

/// The value of a key with a review. In the state its fields have the names that the role gives them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Review {
    /// The reviewer's notes, Markdown.
    #[serde(default)]
    pub notes: String,
    /// What is to be changed.
    #[serde(default)]
    pub issues: Vec<RaisedIssue>,
    /// Whether the draft may be published.
    pub ready: bool,
}

/// An issue as one review raises it: a sentence, or a sentence with what belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum RaisedIssue {
    /// A sentence.
    Text(String),
    /// A sentence with what belongs to it.
    Detailed {
        /// The sentence.
        text: String,
        /// The words of the draft that it is about.
        #[serde(default)]
        passage: String,
        /// How grave it is, in a word.
        #[serde(default)]
        severity: String,
    },
}

/// The sources that citations point into, by number from 1. In the state they stand in the field that the role names.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Sources(pub Vec<Source>);

/// One source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Source {
    /// Its title.
    pub title: String,
    /// Its address.
    #[serde(default)]
    pub url: String,
    /// Who published it.
    #[serde(default)]
    pub source: String,
    /// When, `2026-06-30`.
    #[serde(default)]
    pub published: String,
    /// What it says, in short.
    #[serde(default)]
    pub summary: String,
    /// What it says.
    #[serde(default)]
    pub text: String,
}

/// A plan: its stages one after the other, the steps of a stage beside each other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Plan {
    /// The plan stages.
    pub stages: Vec<Vec<PlanStep>>,
    /// How often the plan was revised.
    #[serde(default)]
    pub revision: u32,
    /// How often it may be; nothing for no limit.
    #[serde(default)]
    pub most_revisions: Option<u32>,
    /// Why it was revised.
    #[serde(default)]
    pub reason: String,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct PlanStep {
    /// Its id, unique in the plan: other steps refer to it.
    #[serde(rename = "stepId")]
    pub step_id: String,
    /// What is to be done, in a sentence.
    #[serde(default)]
    pub narrative_step: String,
    /// Who does it.
    #[serde(default)]
    pub assigned_agent_role: String,
    /// With which tool.
    #[serde(default)]
    pub tool_name: String,
    /// What goes into it. `@{outputs.ID.field}` refers to what a step before it gave.
    #[serde(default)]
    #[schemars(with = "serde_json::Value")]
    pub sub_task_input: Json,
    /// Steps that it waits for beside those it refers to.
    #[serde(default)]
    pub depends_on: Vec<String>,
    /// How it stands.
    #[serde(default)]
    pub status: StepStatus,
    /// What came of it, in a sentence.
    #[serde(default)]
    pub outcome: String,
}

/// How a step of a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// It has not begun.
    #[default]
    Planned,
    /// It is at work.
    Running,
    /// It waits for the person.
    Waiting,
    /// It is done.
    Done,
    /// It failed.
    Failed,
    /// It is left out.
    Skipped,
    /// Whether it was done is not known.
    Unknown,
}

/// How an agent judged the rounds of its loop. What is measured of a round stands in the events.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct JudgedRounds(pub Vec<JudgedRound>);

/// How an agent judged one round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct JudgedRound {
    /// The number of the round, from 1.
    pub round: u32,
    /// The score; the more the better.
    #[serde(default)]
    pub score: Option<f64>,
    /// The scores by criterion.
    #[serde(default)]
    pub scores: BTreeMap<String, f64>,
    /// The verdict, in a word.
    #[serde(default)]
    pub verdict: String,
    /// What changed in the round, in a sentence.
    #[serde(default)]
    pub changed: String,
}

/// Places, and the way through them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Places {
    /// The places.
    pub places: Vec<Place>,
    /// The order in which they are visited: their indexes, from 0.
    #[serde(default)]
    pub route: Vec<u32>,
}

/// One place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Place {
    /// Its name.
    pub name: String,
    /// Where it is; nothing where that is not known.
    #[serde(default)]
    pub coordinates: Option<Coordinates>,
    /// What is to be known of it, in a sentence.
    #[serde(default)]
    pub description: String,
    /// What it belongs to.
    #[serde(default)]
    pub title: String,
}

/// A point on the earth, degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct Coordinates {
    /// North of the equator, -90 to 90.
    #[schemars(range(min = -90.0, max = 90.0))]
    pub latitude: f64,
    /// East of Greenwich, -180 to 180.
    #[schemars(range(min = -180.0, max = 180.0))]
    pub longitude: f64,
}

/// The JSON Schema of a type, in one piece.
pub(crate) fn schema_of<T: schemars::JsonSchema>() -> serde_json::Value {
    let mut settings = schemars::generate::SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}
