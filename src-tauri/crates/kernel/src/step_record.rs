//! Records of the executed steps of a plan: the type of the values under a key with the role `steps`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

use crate::{Code, Error, Json, PlanStep, StepStatus};

/// What was carried out of a plan, in its order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct StepRecords(pub Vec<StepRecord>);

/// A step of a plan with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct StepRecord {
    /// The step as the plan has it, its references unresolved, with its status.
    #[serde(flatten)]
    pub step: PlanStep,
    /// Its input with what the references stood for; null where one could not be resolved.
    #[serde(default)]
    #[schemars(with = "serde_json::Value")]
    pub resolved_input: Json,
    /// What came of it; null where it failed.
    #[serde(default)]
    #[schemars(with = "serde_json::Value")]
    pub result_data: Json,
    /// The summary of a long result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Value>")]
    pub processed_result_data: Option<Json>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_details: Option<StepError>,
    /// What the answers of models in it cost, in US dollars; nothing where none with a known price answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How long it worked by the run's own clock, in milliseconds.
    #[serde(default)]
    #[ts(type = "number")]
    pub worked_ms: u64,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct StepError {
    /// In a sentence.
    pub message: String,
    /// Of which kind.
    #[serde(rename = "type")]
    #[schemars(with = "String")]
    pub code: Code,
}

impl StepRecord {
    /// The record of a completed step.
    pub fn done(step: PlanStep, resolved_input: Value, result_data: Value) -> StepRecord {
        let blank = StepRecord::of(step, StepStatus::Done);
        StepRecord { resolved_input: Json(resolved_input), result_data: Json(result_data), ..blank }
    }

    /// The record of a step that failed or whose outcome is unknown.
    pub fn failed(step: PlanStep, resolved_input: Value, error: Error, status: StepStatus) -> StepRecord {
        let error_details = Some(StepError { message: error.message, code: error.code });
        let blank = StepRecord::of(step, status);
        StepRecord { resolved_input: Json(resolved_input), error_details, ..blank }
    }

    /// The record of a step that the person skipped.
    pub fn skipped(step: PlanStep) -> StepRecord {
        StepRecord::of(step, StepStatus::Skipped)
    }

    fn of(step: PlanStep, status: StepStatus) -> StepRecord {
        StepRecord {
            step: PlanStep { status, ..step },
            resolved_input: Json::default(),
            result_data: Json::default(),
            processed_result_data: None,
            error_details: None,
            cost: None,
            worked_ms: 0,
        }
    }

    /// Whether the step completed.
    pub fn is_done(&self) -> bool {
        self.step.status == StepStatus::Done
    }

    /// Whether it is the record of this step: with another tool or input it is another step.
    pub fn is_of(&self, step: &PlanStep) -> bool {
        let own = &self.step;
        own.step_id == step.step_id
            && own.tool_name == step.tool_name
            && own.sub_task_input == step.sub_task_input
    }

    /// Whether the step completed with this result, so that it need not be repeated.
    pub fn completes(&self, step: &PlanStep) -> bool {
        self.is_done() && self.is_of(step)
    }

    /// The task of the step in a sentence, or its id.
    pub fn says(&self) -> &str {
        if self.step.narrative_step.is_empty() { &self.step.step_id } else { &self.step.narrative_step }
    }

    /// The result as a text: its summary where it is long.
    pub fn text(&self) -> String {
        let result = &self.processed_result_data.as_ref().unwrap_or(&self.result_data).0;
        result.as_str().map_or_else(|| result.to_string(), str::to_owned)
    }
}
