//! What is kept of a step that was carried out.

use kernel::{PlanStep, StepError, StepRecord, StepStatus};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A longer result, in characters of its JSON text, is summarised for those who read it.
pub(crate) const LONGEST_UNSUMMARISED: usize = 1_000;

/// So many of the last results a worker is told of.
const SUMMED_UP: usize = 5;
/// The longest summary for a worker, in characters.
const LONGEST_SUMMARY: usize = 2_000;

/// The first step that failed, as a revision is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedStep {
    /// The step as the plan has it; its status is `failed`, or `unknown` where it may have been done.
    #[serde(flatten)]
    pub step: PlanStep,
    /// Why it failed.
    pub error_details: StepError,
}

impl FailedStep {
    /// Of a record, where that failed.
    pub(crate) fn of(record: &StepRecord) -> Option<FailedStep> {
        Some(FailedStep { step: record.step.clone(), error_details: record.error_details.clone()? })
    }
}

/// Whether a result is so long that those who read it get a summary.
pub(crate) fn is_long(record: &StepRecord) -> bool {
    record.text().chars().nth(LONGEST_UNSUMMARISED).is_some()
}

/// A step in short, as models and the answer are told of it.
pub(crate) fn in_short(record: &StepRecord) -> Value {
    let (status, result) = match (&record.error_details, record.step.status) {
        (Some(error), _) => ("FAILED", error.message.clone()),
        (None, StepStatus::Skipped) => ("SKIPPED", String::new()),
        (None, _) => ("COMPLETED", record.text()),
    };
    let (step, says, tool) = (&record.step.step_id, record.says(), &record.step.tool_name);
    json!({ "step": step, "says": says, "tool": tool, "status": status, "result": result })
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
    let done: Vec<&StepRecord> = records.iter().filter(|record| record.is_done()).collect();
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
