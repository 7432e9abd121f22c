//! Data sets and evaluations in the API.

use std::collections::BTreeMap;

use evaluation::{CellResult, ChoiceComparison, Totals};
use kernel::{Json, LimitName};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::AgentSettings;
use crate::ApiError;

/// A data set in a list.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DataSetCard {
    /// Its name.
    pub name: String,
    /// The pipeline that its inputs are for.
    pub pipeline: String,
    /// The number of its cases.
    pub cases: u32,
    /// When it was changed, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub changed_at_ms: i64,
}

/// The data sets by name.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DataSetCards {
    /// The sets.
    pub sets: Vec<DataSetCard>,
}

/// The form of a file with a data set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SetFileForm {
    /// One case a line, as JSON.
    #[default]
    JsonLines,
    /// One case a row; a column is an input or an expectation.
    Csv,
}

/// A data set to be saved from the text of a file.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SaveSet {
    /// Its name.
    pub name: String,
    /// The form of the text.
    pub form: SetFileForm,
    /// The text.
    pub text: String,
    /// The pipeline; that of the file when not given.
    #[ts(optional)]
    pub pipeline: Option<String>,
    /// What is expected of every case beside what the file says, each as JSON.
    pub expect: Vec<Json>,
    /// Whether a set of the same name is replaced.
    pub replaces: bool,
}

/// A run whose inputs become a case of a data set.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct AddRunToSet {
    /// The set, which is created if there is none with this name.
    pub set: String,
    /// The run.
    pub run: String,
    /// The name of the case; the run's title when not given.
    #[ts(optional)]
    pub case: Option<String>,
    /// Whether the run's text becomes the reference of the case.
    pub with_reference: bool,
}

/// A data set as the text of a file, one case a line, as JSON.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SetText {
    /// The text.
    pub text: String,
}

/// One way to run the pipeline of a data set; what is not given is as for any run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct EvaluationChoice {
    /// Its name in tables; made of what it chooses when not given.
    #[ts(optional)]
    pub label: Option<String>,
    /// Another pipeline than that of the set, with the same inputs.
    #[ts(optional)]
    pub pipeline: Option<String>,
    /// A run whose version of the pipeline is used.
    #[ts(optional)]
    pub pipeline_of_run: Option<String>,
    /// The profile.
    #[ts(optional)]
    pub profile: Option<String>,
    /// The temperature of every agent.
    #[ts(optional)]
    pub temperature: Option<f64>,
    /// What single agents run with, by name.
    pub agents: BTreeMap<String, AgentSettings>,
}

/// An evaluation to be started.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct StartEvaluation {
    /// The data set.
    pub set: String,
    /// The choices; one with the usual settings when none is given.
    pub choices: Vec<EvaluationChoice>,
    /// The profile of the model that judges by rubrics; the usual one when not given.
    #[ts(optional)]
    pub judge: Option<String>,
    /// Tools by slot.
    pub tools: BTreeMap<String, String>,
    /// The clock of every run, `YYYY-MM-DD`; now when not given.
    #[ts(optional)]
    pub as_of: Option<String>,
    /// Limits of every run, by name.
    #[ts(as = "BTreeMap<LimitName, Option<f64>>")]
    pub limits: BTreeMap<LimitName, Option<f64>>,
    /// Tools that may act without asking; others are refused, because nobody is asked.
    pub allow: Vec<String>,
    /// Most cells at once; 2 when not given.
    #[ts(optional)]
    pub at_once: Option<u32>,
    /// Most money of the whole evaluation, in US dollars.
    #[ts(optional)]
    pub max_cost: Option<f64>,
    /// Whether a new one is started also where the same evaluation is not finished yet.
    pub is_new: bool,
}

/// An evaluation that goes on.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct ResumeEvaluation {
    /// Its id.
    pub evaluation: String,
    /// Most cells at once; 2 when not given.
    #[ts(optional)]
    pub at_once: Option<u32>,
    /// Most money of the whole evaluation, in US dollars, with what was spent before.
    #[ts(optional)]
    pub max_cost: Option<f64>,
}

/// The evaluation a command made or concerns.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluationRef {
    /// Its id.
    pub evaluation: String,
}

/// How an evaluation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EvaluationStatus {
    /// A process works on it.
    Running,
    /// Every cell has a result.
    Finished,
    /// Its money is used up.
    Limited,
    /// The person stopped it.
    Stopped,
    /// It could not go on.
    Failed,
    /// Its process died; it can go on.
    Interrupted,
}

impl EvaluationStatus {
    /// The stable name for scripts.
    pub fn word(self) -> &'static str {
        match self {
            EvaluationStatus::Running => "running",
            EvaluationStatus::Finished => "finished",
            EvaluationStatus::Limited => "limited",
            EvaluationStatus::Stopped => "stopped",
            EvaluationStatus::Failed => "failed",
            EvaluationStatus::Interrupted => "interrupted",
        }
    }
}

/// An evaluation in a list.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluationCard {
    /// Its id.
    pub evaluation: String,
    /// The name of its data set at the start.
    pub set: String,
    /// How it stands.
    pub status: EvaluationStatus,
    /// When it began, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub started_at_ms: i64,
    /// When it ended; `null` while it is open.
    #[ts(type = "number | null")]
    pub ended_at_ms: Option<i64>,
    /// Its cells: cases times choices.
    pub cells: u32,
    /// Cells with a result.
    pub done: u32,
    /// Its choices in order.
    pub choices: Vec<EvaluatedChoice>,
}

/// The evaluations, the newest first.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluationCards {
    /// The evaluations.
    pub evaluations: Vec<EvaluationCard>,
}

/// A choice as it was at the start of its evaluation, with the sum of its cells.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluatedChoice {
    /// Its name.
    pub label: String,
    /// Its pipeline.
    pub pipeline: String,
    /// The hash of the pipeline's definition: two versions differ in it.
    pub version: String,
    /// What its agents run with.
    pub agents: BTreeMap<String, AgentSettings>,
    /// The sum of its cells.
    pub totals: Totals,
    /// How it differs from the first choice; `null` of the first.
    pub difference: Option<ChoiceComparison>,
}

/// A case with its cells.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluatedCase {
    /// Its name.
    pub name: String,
    /// Its inputs.
    pub inputs: BTreeMap<String, Json>,
    /// A result that is known to be good.
    pub reference: Option<String>,
    /// The titles of its expectations, in the order of the judgements.
    pub criteria: Vec<String>,
    /// Whether the choices differ in an expectation that holds.
    pub differs: bool,
    /// One cell for each choice.
    pub cells: Vec<EvaluatedCell>,
}

/// A case run with a choice.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluatedCell {
    /// Its run; `null` before it began. The run may have been erased since.
    pub run: Option<String>,
    /// Its result; `null` before its end.
    pub result: Option<CellResult>,
}

/// An evaluation as a table.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct EvaluationTable {
    /// As in the list.
    pub card: EvaluationCard,
    /// Why it could not go on, in this process.
    pub error: Option<ApiError>,
    /// The cases in order.
    pub cases: Vec<EvaluatedCase>,
}
