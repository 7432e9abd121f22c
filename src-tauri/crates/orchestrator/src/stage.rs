//! One stage of a plan: its concurrent steps, each an instance of the agent on demand that is its tool.

use std::collections::BTreeMap;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, InstanceEnd, OnDemand};
use kernel::{
    Code, Delta, Error, Json, Outline, Phrase, PlanStep, RESULT, StepRecord, StepStatus, ToolFailure,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::abilities::Abilities;
use crate::check::{check, describe_errors};
use crate::record::{FailedStep, beginning, context_summary, is_long, records};
use crate::reference::{references, resolve};
use crate::{EXECUTION_CONTEXT, PLAN};

/// Executes one stage: the first with a step that is neither completed nor skipped; none if a step failed. It reads the
/// plan and the results when it starts, so that the person's changes apply, also to earlier stages, and returns a
/// [`StageResult`].
pub struct PlanStage {
    outline: Outline,
    abilities: Abilities,
    /// The tools of all abilities.
    tools: BTreeMap<String, OnDemand>,
    /// The agent that summarises long results; `None` in pipelines without one.
    summary: Option<OnDemand>,
}

/// The number of stages that the attempt has executed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StageNumber {
    pub(crate) stage: usize,
}

/// The result of a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StageResult {
    /// Its steps, in the order of the plan; empty if the attempt is over.
    pub(crate) steps: Vec<StepRecord>,
    /// The step that failed before, which ends the attempt.
    pub(crate) failed: Option<FailedStep>,
}

impl PlanStage {
    /// Takes the agent on demand of each ability, and the one that summarises: its item is `{ says, result }`, its
    /// result the summary as a text.
    ///
    /// # Errors
    /// Those of `on_demand`.
    pub fn new(
        outline: Outline,
        abilities: Abilities,
        summary: Option<OnDemand>,
        on_demand: impl Fn(&str) -> Result<OnDemand, Error>,
    ) -> Result<PlanStage, Error> {
        let tools: BTreeMap<_, _> = abilities
            .0
            .keys()
            .map(|tool| Ok((tool.clone(), on_demand(tool)?)))
            .collect::<Result<_, Error>>()?;
        let children = tools
            .values()
            .chain(&summary)
            .map(|agent| Outline { is_on_demand: true, ..agent.agent.outline().clone() });
        Ok(PlanStage {
            outline: Outline { children: children.collect(), ..outline },
            abilities,
            tools,
            summary,
        })
    }
}

/// What has to be done for a step.
enum StepWork {
    /// Execute it with this input.
    Ready(Box<PlanStep>, Value),
    /// Nothing: it was completed before, is skipped, or fails.
    Done(Box<StepRecord>),
}

impl PlanStage {
    fn needs_model(&self, tool: &str) -> bool {
        self.abilities.tool(tool).is_some_and(|(_, tool)| tool.needs_model)
    }

    /// Adds summaries to long results; text that a model wrote stays as it is. If the summary fails, the beginning of
    /// the result is used.
    async fn summarise(&self, cx: &mut Cx, steps: &mut [StepRecord]) -> Result<(), AgentError> {
        let is_new = |step: &&mut StepRecord| {
            step.processed_result_data.is_none() && !self.needs_model(&step.step.tool_name) && is_long(step)
        };
        let mut long: Vec<&mut StepRecord> = steps.iter_mut().filter(is_new).collect();
        let mut written = Vec::new();
        if let Some(summary) = &self.summary {
            let item = |step: &&mut StepRecord| json!({ "says": step.says(), "result": step.text() }).into();
            let started = long.iter().map(|step| (summary, item(step))).collect();
            written = cx.run_all(started, None).await?;
        }
        let mut written = written.into_iter();
        for step in &mut long {
            let text = written.next().and_then(|end| {
                step.cost = sum(step.cost, end.cost);
                end.result.ok()?.as_str().map(str::to_owned)
            });
            step.processed_result_data = Some(Json(text.unwrap_or_else(|| beginning(&step.text())).into()));
        }
        Ok(())
    }

    fn work(&self, step: PlanStep, before: &[StepRecord]) -> StepWork {
        if step.status == StepStatus::Skipped {
            return StepWork::Done(Box::new(StepRecord::skipped(step)));
        }
        if let Some(record) = self.completion(&step, before) {
            return StepWork::Done(Box::new(record.clone()));
        }
        match self.input(&step, before) {
            Ok(input) => StepWork::Ready(Box::new(step), input),
            Err(why) => {
                let error = Error::new(Code::BadInput, why);
                StepWork::Done(Box::new(StepRecord::failed(step, Value::Null, error, StepStatus::Failed)))
            }
        }
    }

    /// The input of a step, with its references resolved now.
    fn input(&self, step: &PlanStep, before: &[StepRecord]) -> Result<Value, Phrase> {
        let input = resolve(&step.sub_task_input.0, before, self.needs_model(&step.tool_name))?;
        let schema = self.abilities.tool(&step.tool_name).map(|(_, tool)| &tool.input);
        Ok(schema.map_or(input.clone(), |schema| texts_where_wanted(schema, input)))
    }

    /// The record that completes a step: an earlier step may have been repeated since, with another result.
    fn completion<'r>(&self, step: &PlanStep, before: &'r [StepRecord]) -> Option<&'r StepRecord> {
        let record = before.iter().find(|record| record.completes(step))?;
        let (found, _) = references(&step.sub_task_input.0);
        let is_same =
            found.is_empty() || self.input(step, before).is_ok_and(|now| now == record.resolved_input.0);
        is_same.then_some(record)
    }
}

#[async_trait]
impl Agent for PlanStage {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let plan = cx.value(PLAN)?.unwrap_or_default();
        let before = cx.value(EXECUTION_CONTEXT)?.unwrap_or_default();
        let before = records(before.json_or_null());
        // The person may have changed the plan since it was made.
        let plan = check(plan.json_or_null(), &self.abilities)
            .map_err(|faults| Error::new(Code::BadInput, describe_errors(&faults)))?;
        let failed = plan.stages.iter().flatten().find_map(|step| failure_of(step, &before));
        let is_settled =
            |step: &PlanStep| step.status == StepStatus::Skipped || self.completion(step, &before).is_some();
        let summary = context_summary(&before, plan.stages.iter().map(Vec::len).sum());
        let mut open = plan.stages.into_iter().filter(|stage| !stage.iter().all(is_settled));
        let steps = open.next().filter(|_| failed.is_none()).unwrap_or_default();
        // A step with unresolvable references fails here, before any work on it starts.
        let work: Vec<StepWork> = steps.into_iter().map(|step| self.work(step, &before)).collect();
        let started = work.iter().filter_map(|work| match work {
            StepWork::Ready(step, input) => {
                let tool = self.tools.get(step.tool_name.as_str())?;
                Some((tool, item(step, input, tool.worker.is_some().then_some(&*summary)).into()))
            }
            StepWork::Done(_) => None,
        });
        let mut ends = cx.run_all(started.collect(), None).await?.into_iter();
        let steps = work.into_iter().map(|work| match work {
            StepWork::Done(record) => Ok(*record),
            StepWork::Ready(step, input) => {
                let InstanceEnd { result, cost, worked_ms } = ends.next().ok_or(AgentError::RecordsEnd)?;
                let record = match result {
                    Ok(result) => StepRecord::done(*step, input, result.json_or_null().clone()),
                    Err(error) => {
                        let error = error.to_error();
                        let status = status_of(&error);
                        StepRecord::failed(*step, input, error, status)
                    }
                };
                Ok(StepRecord { cost, worked_ms, ..record })
            }
        });
        let mut steps: Vec<StepRecord> = steps.collect::<Result<_, AgentError>>()?;
        self.summarise(cx, &mut steps).await?;
        let result = StageResult { steps, failed };
        cx.change(Delta::of(RESULT, json!(result))).await?;
        Ok(Flow::Continue)
    }
}

/// Why the attempt does not continue: this step failed, and still has to be done.
fn failure_of(step: &PlanStep, before: &[StepRecord]) -> Option<FailedStep> {
    let record = before.iter().find(|record| record.is_of(step))?;
    FailedStep::of(record).filter(|_| step.status != StepStatus::Skipped)
}

/// The item that starts an instance of a tool; for a worker also with the progress of the task.
fn item(step: &PlanStep, input: &Value, context_summary: Option<&str>) -> Value {
    let mut item = json!({ "step": step.step_id, "says": step.narrative_step, "input": input });
    if let Some(summary) = context_summary {
        item["context_summary"] = summary.into();
    }
    item
}

/// The input, with values of references as text where the tool accepts only text.
fn texts_where_wanted(schema: &Value, input: Value) -> Value {
    match input {
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .map(|(name, field)| {
                    let field = texts_where_wanted(&schema["properties"][&name], field);
                    (name, field)
                })
                .collect(),
        ),
        value if schema["type"] == "string" && !value.is_string() => Value::String(value.to_string()),
        value => value,
    }
}

fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.zip(other).map(|(one, other)| one + other).or(one).or(other)
}

fn status_of(error: &Error) -> StepStatus {
    match &error.tool_failure {
        Some(failure) if **failure == ToolFailure::OutcomeUnknown => StepStatus::Unknown,
        _ => StepStatus::Failed,
    }
}
