//! The end of a task: working context, state and explanation put together from the results of the steps, the answer without
//! a model, and the failure of the run where the task failed.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Acted, Agent, AgentError, Cx, Flow};
use interpreter::{CustomContext, FunctionContext, Registry, Run, TEXT, WithoutModel};
use kernel::{Code, Delta, Error, Outline, Phrase, Plan, StepStatus, phrase};
use orchestrator::{EXECUTION_CONTEXT, FAILED_STEP_DETAILS, FailedStep, PLAN, StepRecord};
use serde::Deserialize;
use serde_json::{Value, json};

/// So much of a result is a finding, in characters.
const LONGEST_FINDING: usize = 500;

const COMPLETED: &str = "COMPLETED";
const WORKING_CONTEXT: &str = "current_working_context";

pub(super) fn register(registry: &mut Registry) {
    registry.run.extend([("conclude", conclude as Run), ("update_context", update_context)]);
    registry.without_model.extend([
        ("answer_of_results", answer_of_results as WithoutModel),
        ("context_stays", |_| Ok(json!({ "updatedSummaryOfProgress": "" }))),
    ]);
}

/// How the task stands, what was found and what failed; and the answer, where the last step gave it.
fn conclude(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let plan: Plan = context.read(PLAN).unwrap_or_default();
    let steps: Vec<StepRecord> = context.read(EXECUTION_CONTEXT).unwrap_or_default();
    let failed: Option<FailedStep> = context.read(FAILED_STEP_DETAILS);
    let is_done = |step: &&StepRecord| step.step.status == StepStatus::Done;
    let planned = plan.stages.iter().map(Vec::len).sum::<usize>();
    let completed = steps.iter().filter(is_done).count();
    let (status, summary) = match &failed {
        Some(failed) => {
            let (narrative, tool) = (&failed.narrative_step, &failed.tool_name);
            let step = json!({ "narrative": narrative, "tool": tool, "error": failed.error_details.message });
            ("FAILED_EXECUTION", json!({ "reason": "a step failed", "failedStep": step }))
        }
        None if plan.stages.is_empty() => ("FAILED_PLANNING", json!({ "reason": plan.reason })),
        None if completed < planned => {
            ("FAILED_EXECUTION", json!({ "reason": "it was stopped before its end" }))
        }
        None => (COMPLETED, Value::Null),
    };
    let finding = |step: &StepRecord| {
        let (data, id, tool) = (shortened(&step.text()), &step.step.step_id, &step.step.tool_name);
        json!({ "findingId": id, "sourceStepNarrative": step.says(), "sourceToolName": tool, "data": data })
    };
    let error = |step: &StepRecord| {
        let message = &step.error_details.as_ref()?.message;
        let (id, tool) = (&step.step.step_id, &step.step.tool_name);
        Some(
            json!({ "errorId": id, "sourceStepNarrative": step.says(), "sourceToolName": tool, "errorMessage": message }),
        )
    };
    let working_context = json!({
        "summaryOfProgress": format!("{completed} of {planned} steps completed"),
        "keyFindings": steps.iter().filter(is_done).map(finding).collect::<Vec<_>>(),
        "errorsEncountered": steps.iter().filter_map(error).collect::<Vec<_>>(),
        "identifiedEntities": {},
        "pendingQuestions": [],
        "nextObjective": if status == COMPLETED { Value::Null } else { json!(context.text("task")) },
    });
    let mut delta = Delta::of(WORKING_CONTEXT, working_context)
        .with("task_status", json!(status))
        .with("error_summary", summary);
    let is_anew = context.text("mode") == "synthesize_only";
    if let Some(answer) = steps.last().filter(|_| failed.is_none() && !is_anew).and_then(final_answer) {
        delta = delta.with("final_answer", answer);
    }
    Ok(Acted { delta, ..Acted::default() })
}

/// The working context with what a model says of it; what it says nothing of stays.
fn update_context(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let mut working_context: Value = context.read(WORKING_CONTEXT).unwrap_or_default();
    let update: Value = context.read("context_update").unwrap_or_default();
    for (field, said) in
        [("summaryOfProgress", "updatedSummaryOfProgress"), ("nextObjective", "updatedNextObjective")]
    {
        if let Some(text) = update[said].as_str().filter(|text| !text.trim().is_empty()) {
            working_context[field] = json!(text);
        }
    }
    Ok(Acted { delta: Delta::of(WORKING_CONTEXT, working_context), ..Acted::default() })
}

/// The result of a last step that says that it is the answer.
fn final_answer(last: &StepRecord) -> Option<Value> {
    let says_so = last.step.sub_task_input.0["isFinalAnswer"] == true;
    (says_so && last.step.tool_name == "LlmStepExecutor").then(|| last.result_data.clone())
}

/// The results in lines, or what failed and what was completed all the same.
fn answer_of_results(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let results: Vec<Value> = context.read("step_results").unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let done = results.iter().filter(|result| result["status"] == "COMPLETED");
    let done: Vec<String> =
        done.map(|result| format!("- {}: {}", text(&result["says"]), text(&result["result"]))).collect();
    let failed = results.iter().find(|result| result["status"] == "FAILED");
    let mut answer = done.join("\n");
    if let Some(failed) = failed {
        let (step, why) = (text(&failed["step"]), text(&failed["result"]));
        let explained = format!("The task was not completed: the step `{step}` failed: {why}");
        answer = if done.is_empty() {
            explained
        } else {
            format!("{explained}\n\nWhat was completed:\n\n{answer}")
        };
    }
    Ok(json!({ TEXT: answer }))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FINDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Fails the run where the task failed: what was written until then stays.
struct TaskEnd(Outline);

pub(super) fn task_end(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    Ok(Arc::new(TaskEnd(super::outline(context))))
}

#[async_trait]
impl Agent for TaskEnd {
    fn outline(&self) -> &Outline {
        &self.0
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let status = cx.value("task_status")?.unwrap_or_default();
        let mode = cx.value("mode")?.unwrap_or_default();
        // Where the answer alone was asked for, it is there.
        if status.as_str() == Some(COMPLETED) || mode.as_str() == Some("synthesize_only") {
            return Ok(Flow::Continue);
        }
        let failed = cx.value(FAILED_STEP_DETAILS)?;
        let failed = failed.and_then(|failed| FailedStep::deserialize(failed.json_or_null()).ok());
        let message = match failed {
            Some(FailedStep { step_id: step, error_details, .. }) => {
                phrase!("The step `{step}` of the plan failed: {why}", step, why = error_details.message)
            }
            None => {
                let summary = cx.value("error_summary")?.unwrap_or_default();
                let why = summary.json_or_null()["reason"].as_str().unwrap_or_default().to_owned();
                phrase!("The task cannot be planned: {why}", why)
            }
        };
        Err(Error::new(Code::ToolFailed, message).into())
    }
}
