//! The end of a task: it builds the working context, the status and the explanation from the results of the steps,
//! answers without a model, and fails the run if the task failed.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Acted, Agent, AgentError, Cx, Flow};
use interpreter::{CustomContext, FunctionContext, Registry, Run, TEXT, WithoutModel};
use kernel::{Code, Delta, Error, ITEM, Outline, Phrase, Plan, PlanStep, StepRecord, StepStatus, phrase};
use orchestrator::{EXECUTION_CONTEXT, FAILED_STEP_DETAILS, FailedStep, PLAN, beginning};
use serde::Deserialize;
use serde_json::{Value, json};

/// Characters of a result that are kept as a finding.
const LONGEST_FINDING: usize = 500;

/// Characters of a hit that are shown in an answer.
const LONGEST_SNIPPET: usize = 240;

const COMPLETED: &str = "COMPLETED";
const WORKING_CONTEXT: &str = "current_working_context";

pub(super) fn register(registry: &mut Registry) {
    registry.run.extend([
        ("conclude", conclude as Run),
        ("tell_plan", tell_plan),
        ("keep_context", keep_context),
        ("update_context", update_context),
    ]);
    registry.without_model.extend([
        ("answer_of_results", answer_of_results as WithoutModel),
        ("beginning_of_result", beginning_of_result),
        ("context_stays", context_stays),
    ]);
}

/// The progress of a task: its plan, the completed steps, and the last failure.
struct Progress {
    plan: Plan,
    steps: Vec<StepRecord>,
    failed: Option<FailedStep>,
}

impl Progress {
    fn of(context: &FunctionContext<'_>) -> Progress {
        Progress {
            plan: context.read(PLAN).unwrap_or_default(),
            steps: context.read(EXECUTION_CONTEXT).unwrap_or_default(),
            failed: context.read(FAILED_STEP_DETAILS),
        }
    }

    fn completed(&self) -> impl Iterator<Item = &StepRecord> {
        self.steps.iter().filter(|step| step.is_done())
    }

    /// How many steps are to be completed, without those that the person skipped.
    fn planned(&self) -> usize {
        self.plan.stages.iter().flatten().filter(|step| step.status != StepStatus::Skipped).count()
    }

    /// `task_status` and `error_summary`.
    fn status(&self) -> (&'static str, Value) {
        match &self.failed {
            Some(failed) => {
                let (narrative, tool) = (&failed.step.narrative_step, &failed.step.tool_name);
                let step =
                    json!({ "narrative": narrative, "tool": tool, "error": failed.error_details.message });
                ("FAILED_EXECUTION", json!({ "reason": "a step failed", "failedStep": step }))
            }
            None if self.plan.stages.is_empty() => ("FAILED_PLANNING", json!({ "reason": self.plan.reason })),
            None if self.completed().count() < self.planned() => {
                ("FAILED_EXECUTION", json!({ "reason": "it was stopped before its end" }))
            }
            None => (COMPLETED, Value::Null),
        }
    }

    /// The working context, with the errors of the earlier attempts.
    fn working_context(&self, task: &str, before: &Value) -> Value {
        let finding = |step: &StepRecord| {
            let (data, id, tool) = (shortened(&step.text()), &step.step.step_id, &step.step.tool_name);
            json!({ "findingId": id, "sourceStepNarrative": step.says(), "sourceToolName": tool, "data": data })
        };
        let error = |step: &StepRecord| {
            let message = &step.error_details.as_ref()?.message;
            let id = format!("{}.{}", self.plan.revision + 1, step.step.step_id);
            let tool = &step.step.tool_name;
            Some(
                json!({ "errorId": id, "sourceStepNarrative": step.says(), "sourceToolName": tool, "errorMessage": message }),
            )
        };
        let new: Vec<Value> = self.steps.iter().filter_map(error).collect();
        let is_new = |error: &&Value| new.iter().all(|other| other["errorId"] != error["errorId"]);
        let earlier = before["errorsEncountered"].as_array().into_iter().flatten().filter(is_new);
        let errors: Vec<&Value> = earlier.chain(&new).collect();
        let is_completed = self.status().0 == COMPLETED;
        json!({
            "summaryOfProgress": format!("{} of {} steps completed", self.completed().count(), self.planned()),
            "keyFindings": self.completed().map(finding).collect::<Vec<_>>(),
            "errorsEncountered": errors,
            "identifiedEntities": {},
            "pendingQuestions": [],
            "nextObjective": if is_completed { Value::Null } else { json!(task) },
        })
    }
}

/// Keeps the working context of an attempt for the next one.
fn keep_context(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let before: Value = context.read(WORKING_CONTEXT).unwrap_or_default();
    let working_context = Progress::of(context).working_context(context.text("task"), &before);
    Ok(Acted { delta: Delta::of(WORKING_CONTEXT, working_context), ..Acted::default() })
}

/// Writes the status, the findings and the errors of the task, and the answer if the last step gave it.
fn conclude(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let progress = Progress::of(context);
    let (status, summary) = progress.status();
    let before: Value = context.read(WORKING_CONTEXT).unwrap_or_default();
    let mut delta = Delta::of(WORKING_CONTEXT, progress.working_context(context.text("task"), &before))
        .with("task_status", json!(status))
        .with("error_summary", summary);
    let is_anew = context.text("mode") == "synthesize_only";
    let last = progress.completed().last().filter(|_| progress.failed.is_none() && !is_anew);
    if let Some(answer) = last.and_then(final_answer) {
        delta = delta.with("final_answer", answer);
    }
    Ok(Acted { delta, ..Acted::default() })
}

/// Updates the working context with a model's answer. Fields that the model leaves empty stay.
fn update_context(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let mut working_context: Value = context.read(WORKING_CONTEXT).unwrap_or_default();
    let update: Value = context.read("context_update").unwrap_or_default();
    for (field, answered) in
        [("summaryOfProgress", "updatedSummaryOfProgress"), ("nextObjective", "updatedNextObjective")]
    {
        if let Some(text) = update[answered].as_str().filter(|text| !text.trim().is_empty()) {
            working_context[field] = json!(text);
        }
    }
    Ok(Acted { delta: Delta::of(WORKING_CONTEXT, working_context), ..Acted::default() })
}

/// The result of a last step that is marked as the answer.
fn final_answer(last: &StepRecord) -> Option<Value> {
    let says_so = last.step.sub_task_input.0["isFinalAnswer"] == true;
    (says_so && last.step.tool_name == "LlmStepExecutor").then(|| last.result_data.0.clone())
}

/// Lists the results, or the failure and the completed steps.
fn answer_of_results(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let results: Vec<Value> = context.read("step_results").unwrap_or_default();
    let records: Vec<StepRecord> = context.read(EXECUTION_CONTEXT).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let hits = |result: &Value| {
        let record = records.iter().find(|record| result["step"] == record.step.step_id.as_str())?;
        hits_in_lines(&record.result_data.0)
    };
    let done = results.iter().filter(|result| result["status"] == "COMPLETED");
    let line = |result: &Value| match text(&result["result"]).as_str() {
        "[]" => format!("- {}: nothing was found", text(&result["says"])),
        _ if hits(result).is_some() => {
            format!("- {}:\n{}", text(&result["says"]), hits(result).unwrap_or_default())
        }
        given => format!("- {}: {given}", text(&result["says"])),
    };
    let done: Vec<String> = done.map(line).collect();
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

/// The hits of a search as lines with links; `None` for another result.
fn hits_in_lines(result: &Value) -> Option<String> {
    let hits = result.as_array().filter(|hits| !hits.is_empty())?;
    let line = |hit: &Value| {
        let (title, link, snippet) =
            (hit["title"].as_str()?, hit["link"].as_str()?, hit["snippet"].as_str()?);
        let snippet: String = snippet.chars().take(LONGEST_SNIPPET).collect();
        let more = if snippet.chars().count() == LONGEST_SNIPPET { "…" } else { "" };
        let title: String = title.chars().filter(|c| !"[]".contains(*c)).collect();
        Some(format!(
            "  - [{title}](<{link}>): {}{more}",
            snippet.split_whitespace().collect::<Vec<_>>().join(" ")
        ))
    };
    Some(hits.iter().map(line).collect::<Option<Vec<String>>>()?.join("\n"))
}

/// Without a model the working context stays unchanged.
fn context_stays(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let working_context: Value = context.read(WORKING_CONTEXT).unwrap_or_default();
    Ok(json!({ "updatedSummaryOfProgress": working_context["summaryOfProgress"] }))
}

/// Lists the plan if it is not to be carried out.
fn tell_plan(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let plan: Plan = context.read(PLAN).unwrap_or_default();
    let lines = (1..).zip(&plan.stages).flat_map(|(number, stage)| {
        stage.iter().map(move |PlanStep { step_id, narrative_step, tool_name, .. }| {
            format!("{number}. {step_id}: {narrative_step} ({tool_name})")
        })
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    Ok(Acted { delta: Delta::of("final_answer", json!(text)), ..Acted::default() })
}

/// Shortens a long result to its beginning.
fn beginning_of_result(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let item: Value = context.read(ITEM).unwrap_or_default();
    Ok(json!({ TEXT: beginning(item["result"].as_str().unwrap_or_default()) }))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_FINDING) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Fails the run if the task failed. The keys written so far stay.
struct TaskEnd(Outline);

pub(super) fn task_end(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    Ok(Arc::new(TaskEnd(crate::outline(context))))
}

#[async_trait]
impl Agent for TaskEnd {
    fn outline(&self) -> &Outline {
        &self.0
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let status = cx.value("task_status")?.unwrap_or_default();
        let mode = cx.value("mode")?.unwrap_or_default();
        // If only the answer was requested, it exists by now.
        if status.as_str() == Some(COMPLETED) || mode.as_str() == Some("synthesize_only") {
            return Ok(Flow::Continue);
        }
        let failed = cx.value(FAILED_STEP_DETAILS)?;
        let failed = failed.and_then(|failed| FailedStep::deserialize(failed.json_or_null()).ok());
        let message = match failed {
            Some(FailedStep { step: PlanStep { step_id: step, .. }, error_details }) => {
                phrase!("The step `{step}` of the plan failed: {why}", step, why = error_details.message)
            }
            None => {
                let summary = cx.value("error_summary")?.unwrap_or_default();
                let why = summary.json_or_null()["reason"].as_str().unwrap_or_default().trim().to_owned();
                match (status.as_str(), why.is_empty()) {
                    (Some("FAILED_PLANNING"), true) => {
                        phrase!(
                            "The task cannot be planned, and the model says no reason. Word it in another way, or choose another model"
                        )
                    }
                    (Some("FAILED_PLANNING"), false) => phrase!("The task cannot be planned: {why}", why),
                    _ => phrase!("The task was not completed: {why}", why),
                }
            }
        };
        Err(Error::new(Code::ToolFailed, message).into())
    }
}
