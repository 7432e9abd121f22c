//! The end of a task without a model: answer, working context and the explanation of a failure, put together from the
//! results of the steps.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use interpreter::CustomContext;
use kernel::{Code, Delta, Error, Outline, StepStatus, phrase};
use orchestrator::{EXECUTION_CONTEXT, FAILED_STEP_DETAILS, FailedStep, StepRecord, records};
use serde::Deserialize;
use serde_json::{Value, json};

/// So much of a result is a finding, in characters.
const LONGEST_FINDING: usize = 500;

/// Writes the answer, then fails the run where a step failed.
struct Conclusion(Outline);

pub(super) fn conclude_task(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    Ok(Arc::new(Conclusion(super::outline(context))))
}

#[async_trait]
impl Agent for Conclusion {
    fn outline(&self) -> &Outline {
        &self.0
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let task = cx.value("task")?.unwrap_or_default();
        let steps = records(cx.value(EXECUTION_CONTEXT)?.unwrap_or_default().json_or_null());
        let failed = cx.value(FAILED_STEP_DETAILS)?;
        let failed = failed.and_then(|failed| FailedStep::deserialize(failed.json_or_null()).ok());
        let done: Vec<&StepRecord> =
            steps.iter().filter(|step| step.step.status == StepStatus::Done).collect();
        let lines = done.iter().map(|step| format!("- {}: {}", says(step), text_of(step)));
        let results = lines.collect::<Vec<_>>().join("\n");
        let (status, answer, summary) = match &failed {
            None => ("COMPLETED", results, Value::Null),
            Some(failed) => {
                let (step, why) = (&failed.step_id, &failed.error_details.message);
                let mut answer = format!("The task was not completed: the step `{step}` failed: {why}");
                if !done.is_empty() {
                    answer = format!("{answer}\n\nWhat was completed:\n\n{results}");
                }
                let told =
                    json!({ "narrative": failed.narrative_step, "tool": failed.tool_name, "error": why });
                ("FAILED_EXECUTION", answer, json!({ "reason": "a step failed", "failedStep": told }))
            }
        };
        let finding = |step: &&StepRecord| {
            let (data, id) = (shortened(&text_of(step)), &step.step.step_id);
            json!({ "findingId": id, "sourceStepNarrative": says(step), "sourceToolName": step.step.tool_name, "data": data })
        };
        let error = |step: &StepRecord| {
            let message = &step.error_details.as_ref()?.message;
            let (id, tool) = (&step.step.step_id, &step.step.tool_name);
            Some(
                json!({ "errorId": id, "sourceStepNarrative": says(step), "sourceToolName": tool, "errorMessage": message }),
            )
        };
        let context = json!({
            "summaryOfProgress": format!("{} of {} steps completed", done.len(), steps.len()),
            "keyFindings": done.iter().map(finding).collect::<Vec<_>>(),
            "errorsEncountered": steps.iter().filter_map(error).collect::<Vec<_>>(),
            "identifiedEntities": {},
            "pendingQuestions": [],
            "nextObjective": if failed.is_some() { task.json_or_null().clone() } else { Value::Null },
        });
        let delta = Delta::of("current_working_context", context)
            .with("task_status", json!(status))
            .with("error_summary", summary)
            .with("final_answer", json!(answer));
        cx.surface(delta).await?;
        let Some(FailedStep { step_id, error_details, .. }) = failed else { return Ok(Flow::Continue) };
        let message = phrase!(
            "The step `{step}` of the plan failed: {why}",
            step = step_id,
            why = error_details.message
        );
        Err(Error::new(Code::ToolFailed, message).into())
    }
}

fn says(record: &StepRecord) -> &str {
    let step = &record.step;
    if step.narrative_step.is_empty() { &step.step_id } else { &step.narrative_step }
}

/// A result as a text: its summary where it is long.
fn text_of(record: &StepRecord) -> String {
    let result = record.processed_result_data.as_ref().unwrap_or(&record.result_data);
    result.as_str().map_or_else(|| result.to_string(), str::to_owned)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FINDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
