//! Carrying out a plan: stage after stage, until one has a step that did not complete.

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow, OnDemand};
use kernel::{Delta, Outline, StepRecord, Value};
use serde_json::json;

use crate::record::{FailedStep, in_short, records};
use crate::stage::{StageNumber, StageResult};
use crate::{EXECUTION_CONTEXT, FAILED_STEP_DETAILS, STEP_RESULTS};

/// Carries out the plan. It writes what was carried out after each stage, and at the end the first step that failed.
pub struct PlanExecutor {
    outline: Outline,
    stage: OnDemand,
}

impl PlanExecutor {
    /// With the agent that carries out one stage.
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
        let before = cx.value(EXECUTION_CONTEXT)?.unwrap_or_default();
        // What an attempt before completed is not done again where the plan still has it.
        let mut carried_out = records(before.json_or_null());
        carried_out.retain(StepRecord::is_done);
        cx.change(changed(&carried_out)).await?;
        for stage in 0.. {
            let input = Value::new(json!(StageNumber { stage }));
            let end = cx.run_all(vec![(&self.stage, input)], None).await?.into_iter().next();
            let result = end.ok_or(AgentError::RecordsEnd)?.result?;
            let StageResult { steps } = cx.read_result(&result)?;
            // Only a stage that finds nothing to do shows that the person added nothing while the last one worked.
            let is_complete = steps.is_empty();
            for step in steps {
                carried_out.retain(|record| record.step.step_id != step.step.step_id);
                carried_out.push(step);
            }
            let failed: Option<FailedStep> = carried_out.iter().find_map(FailedStep::of);
            let is_over = is_complete || failed.is_some();
            let mut delta = changed(&carried_out);
            if is_over {
                delta = delta.with(FAILED_STEP_DETAILS, json!(failed));
            }
            cx.change(delta).await?;
            if is_over {
                break;
            }
        }
        Ok(Flow::Continue)
    }
}

fn changed(carried_out: &[StepRecord]) -> Delta {
    let in_short: Vec<serde_json::Value> = carried_out.iter().map(in_short).collect();
    Delta::of(EXECUTION_CONTEXT, json!(carried_out)).with(STEP_RESULTS, json!(in_short))
}
