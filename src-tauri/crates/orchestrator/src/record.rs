//! What is kept of a step that was carried out.

use kernel::{Code, Error, PlanStep, StepStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A longer result, in characters of its JSON text, is summarised for those who read it.
pub(crate) const LONGEST_UNSUMMARISED: usize = 1_000;

/// So many of the last results a worker is told of.
const SUMMED_UP: usize = 5;
/// The longest summary for a worker, in characters.
const LONGEST_SUMMARY: usize = 2_000;

/// A step with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// The step as the plan has it, its references unresolved, with its status.
    #[serde(flatten)]
    pub step: PlanStep,
    /// Its input with what the references stood for; null where one could not be resolved.
    #[serde(default)]
    pub resolved_input: Value,
    /// What came of it; null where it failed.
    #[serde(default)]
    pub result_data: Value,
    /// The summary of a long result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processed_result_data: Option<Value>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_details: Option<StepError>,
    /// What the answers of models in it cost, in US dollars; nothing where none with a known price answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How long it worked by the run's own clock, in milliseconds.
    #[serde(default)]
    pub worked_ms: u64,
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepError {
    /// In a sentence.
    pub message: String,
    /// Of which kind.
    #[serde(rename = "type")]
    pub code: Code,
}

/// The first step that failed, as a revision is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedStep {
    /// Its id in the plan.
    #[serde(rename = "stepId")]
    pub step_id: String,
    /// What was to be done.
    pub narrative_step: String,
    /// With which tool.
    pub tool_name: String,
    /// By whom.
    pub assigned_agent_role: String,
    /// The input as the plan has it.
    pub sub_task_input: Value,
    /// `failed`, or `unknown` where it may have been done.
    #[serde(default)]
    pub status: StepStatus,
    /// Why it failed.
    pub error_details: StepError,
}

impl StepRecord {
    pub(crate) fn done(step: PlanStep, resolved_input: Value, result_data: Value) -> StepRecord {
        StepRecord {
            step: PlanStep { status: StepStatus::Done, ..step },
            resolved_input,
            result_data,
            processed_result_data: None,
            error_details: None,
            cost: None,
            worked_ms: 0,
        }
    }

    pub(crate) fn failed(
        step: PlanStep,
        resolved_input: Value,
        error: Error,
        status: StepStatus,
    ) -> StepRecord {
        StepRecord {
            step: PlanStep { status, ..step },
            resolved_input,
            result_data: Value::Null,
            processed_result_data: None,
            error_details: Some(StepError { message: error.message, code: error.code }),
            cost: None,
            worked_ms: 0,
        }
    }

    /// Whether its result is so long that those who read it get a summary.
    pub(crate) fn is_long(&self) -> bool {
        self.text().chars().nth(LONGEST_UNSUMMARISED).is_some()
    }

    /// What was to be done, in a sentence, or its id.
    pub fn says(&self) -> &str {
        if self.step.narrative_step.is_empty() { &self.step.step_id } else { &self.step.narrative_step }
    }

    /// The result as a text: its summary where it is long.
    pub fn text(&self) -> String {
        let result = self.processed_result_data.as_ref().unwrap_or(&self.result_data);
        result.as_str().map_or_else(|| result.to_string(), str::to_owned)
    }

    /// Whether it is what came of this very step, so that the step need not be done again.
    pub(crate) fn is_of(&self, step: &PlanStep) -> bool {
        let own = &self.step;
        own.status == StepStatus::Done
            && own.step_id == step.step_id
            && own.tool_name == step.tool_name
            && own.sub_task_input == step.sub_task_input
    }

    /// The step in short, as models and the answer are told of it.
    pub(crate) fn in_short(&self) -> Value {
        let (status, result) = match &self.error_details {
            None => ("COMPLETED", self.text()),
            Some(error) => ("FAILED", error.message.clone()),
        };
        let (step, says, tool) = (&self.step.step_id, self.says(), &self.step.tool_name);
        json!({ "step": step, "says": says, "tool": tool, "status": status, "result": result })
    }

    /// What is told of it, where it failed.
    pub fn failure(&self) -> Option<FailedStep> {
        let step = &self.step;
        Some(FailedStep {
            step_id: step.step_id.clone(),
            narrative_step: step.narrative_step.clone(),
            tool_name: step.tool_name.clone(),
            assigned_agent_role: step.assigned_agent_role.clone(),
            sub_task_input: step.sub_task_input.0.clone(),
            status: step.status,
            error_details: self.error_details.clone()?,
        })
    }
}

/// The beginning of a text that is too long to be read as it is.
pub fn beginning(text: &str) -> String {
    match text.char_indices().nth(LONGEST_UNSUMMARISED) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// How far a task of so many steps is and what its last steps found, for workers.
pub(crate) fn context_summary(records: &[StepRecord], steps: usize) -> String {
    let done: Vec<&StepRecord> =
        records.iter().filter(|record| record.step.status == StepStatus::Done).collect();
    let found =
        done.iter().rev().take(SUMMED_UP).map(|record| format!("{}: {}", record.says(), record.text()));
    let all: Vec<String> =
        [format!("{} of {steps} steps completed", done.len())].into_iter().chain(found).collect();
    all.join("\n").chars().take(LONGEST_SUMMARY).collect()
}

/// What was carried out, from the value of its key; nothing where it has another shape.
pub(crate) fn records(value: &Value) -> Vec<StepRecord> {
    Vec::deserialize(value).unwrap_or_default()
}
