//! The records of executed steps.

use kernel::{PlanStep, StepError, StepRecord, StepStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Characters of JSON above which a result is summarised for its readers.
pub(crate) const LONGEST_UNSUMMARISED: usize = 1_000;

/// The number of last results in the summary for a worker.
const SUMMED_UP: usize = 5;
/// Longest summary for a worker, in characters.
const LONGEST_SUMMARY: usize = 2_000;

/// The first failed step, in the form for a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedStep {
    /// The step of the plan; its status is `failed`, or `unknown` if it may have been done.
    #[serde(flatten)]
    pub step: PlanStep,
    /// The reason of the failure.
    pub error_details: StepError,
}

impl FailedStep {
    /// The failed step of a record, if it failed.
    pub(crate) fn of(record: &StepRecord) -> Option<FailedStep> {
        Some(FailedStep { step: record.step.clone(), error_details: record.error_details.clone()? })
    }
}

/// Whether a result is so long that its readers get a summary.
pub(crate) fn is_long(record: &StepRecord) -> bool {
    record.text().chars().nth(LONGEST_UNSUMMARISED).is_some()
}

/// The short form of a step for models and for the answer.
pub(crate) fn in_short(record: &StepRecord) -> Value {
    let (status, result) = match (&record.error_details, record.step.status) {
        (Some(error), _) => ("FAILED", error.message.clone()),
        (None, StepStatus::Skipped) => ("SKIPPED", String::new()),
        (None, _) => ("COMPLETED", record.text()),
    };
    let (step, says, tool) = (&record.step.step_id, record.says(), &record.step.tool_name);
    json!({ "step": step, "says": says, "tool": tool, "status": status, "result": result })
}

/// The beginning of a text that is too long to be read as a whole.
pub fn beginning(text: &str) -> String {
    match text.char_indices().nth(LONGEST_UNSUMMARISED) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The progress of a task with this many steps and its last results, for workers.
pub(crate) fn context_summary(records: &[StepRecord], steps: usize) -> String {
    let done: Vec<&StepRecord> = records.iter().filter(|record| record.is_done()).collect();
    let found =
        done.iter().rev().take(SUMMED_UP).map(|record| format!("{}: {}", record.says(), record.text()));
    let all: Vec<String> =
        [format!("{} of {steps} steps completed", done.len())].into_iter().chain(found).collect();
    all.join("\n").chars().take(LONGEST_SUMMARY).collect()
}

/// The records in the value of their key; empty if it has another form.
pub(crate) fn records(value: &Value) -> Vec<StepRecord> {
    Vec::deserialize(value).unwrap_or_default()
}
