//! Executes a plan stage by stage, until nothing is left to do or a step failed.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, OnDemand};
use kernel::{Delta, Outline, Plan, StepRecord, StepStatus, Value};
use serde::Deserialize;
use serde_json::json;

use crate::record::{in_short, records};
use crate::stage::{StageNumber, StageResult};
use crate::{EXECUTION_CONTEXT, FAILED_STEP_DETAILS, PLAN, STEP_RESULTS};

/// Executes the plan. After each stage it writes the completed steps, and at the end the first failed step.
pub struct PlanExecutor {
    outline: Outline,
    stage: OnDemand,
}

impl PlanExecutor {
    /// Takes the agent that executes one stage.
    pub fn new(outline: Outline, stage: OnDemand) -> PlanExecutor {
        let children = vec![Outline { is_on_demand: true, ..stage.agent.outline().clone() }];
        PlanExecutor { outline: Outline { children, ..outline }, stage }
    }
}

#[async_trait]
impl Agent for PlanExecutor {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        // Completed steps of an earlier attempt are not repeated if the plan still has them.
        let mut carried_out = present(cx)?;
        carried_out.retain(StepRecord::is_done);
        cx.change(changed(&carried_out)).await?;
        for stage in 0.. {
            let input = Value::new(json!(StageNumber { stage }));
            let end = cx.run_all(vec![(&self.stage, input)], None).await?.into_iter().next();
            let result = end.ok_or(AgentError::RecordsEnd)?.result?;
            let StageResult { steps, failed } = cx.read_result(&result)?;
            // Only a stage without remaining work shows that the person changed nothing since the last one.
            let is_over = steps.is_empty();
            let mut carried_out = present(cx)?;
            let plan = cx.value(PLAN)?.unwrap_or_default();
            let plan = Plan::deserialize(plan.json_or_null()).unwrap_or_default();
            // The failure of a step that the person changed, skipped or removed in the meantime does not count.
            let is_wanted = |record: &StepRecord| {
                let mut all = plan.stages.iter().flatten();
                all.any(|step| record.is_of(step) && step.status != StepStatus::Skipped)
            };
            carried_out.retain(|record| record.error_details.is_none() || is_wanted(record));
            for step in steps {
                carried_out.retain(|record| record.step.step_id != step.step.step_id);
                carried_out.push(step);
            }
            let delta = changed(&carried_out);
            cx.change(if is_over { delta.with(FAILED_STEP_DETAILS, json!(failed)) } else { delta }).await?;
            if is_over {
                break;
            }
        }
        Ok(Flow::Continue)
    }
}

/// The completed steps, which the person may have changed.
fn present(cx: &mut Cx) -> Result<Vec<StepRecord>, AgentError> {
    let present = cx.value(EXECUTION_CONTEXT)?.unwrap_or_default();
    Ok(records(present.json_or_null()))
}

fn changed(carried_out: &[StepRecord]) -> Delta {
    let in_short: Vec<serde_json::Value> = carried_out.iter().map(in_short).collect();
    Delta::of(EXECUTION_CONTEXT, json!(carried_out)).with(STEP_RESULTS, json!(in_short))
}
