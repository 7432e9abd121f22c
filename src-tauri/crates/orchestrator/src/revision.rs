//! A revision of a plan: it keeps the completed steps and replaces the rest.

use kernel::{Plan, StepRecord};

/// Combines the completed steps with a new rest. Steps of the rest that are completed already are not repeated.
pub fn revised(plan: Plan, records: &[StepRecord], rest: Plan) -> Plan {
    let is_done = |step: &kernel::PlanStep| records.iter().any(|record| record.completes(step));
    let mut stages = plan.stages;
    stages.iter_mut().for_each(|stage| stage.retain(is_done));
    let new = rest.stages.into_iter().map(|mut stage| {
        stage.retain(|step| !is_done(step));
        stage
    });
    stages.extend(new);
    stages.retain(|stage| !stage.is_empty());
    Plan { stages, revision: plan.revision + 1, most_revisions: plan.most_revisions, reason: rest.reason }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn plan(stages: Value) -> Plan {
        serde_json::from_value(json!({ "stages": stages, "reason": "it broke" })).unwrap()
    }

    fn step(id: &str, expression: &str) -> Value {
        json!({ "stepId": id, "tool_name": "CalculatorTool", "sub_task_input": { "expression": expression } })
    }

    #[test]
    fn completed_steps_keep_their_position_and_the_rest_follows() {
        let old = plan(json!([[step("a", "1"), step("b", "1 / 0")], [step("c", "3")]]));
        let done = StepRecord::done(old.stages[0][0].clone(), json!({}), json!("1"));
        let rest = plan(json!([[step("a", "1"), step("b", "1 / 2")], [step("c", "4")]]));
        let new = revised(old, &[done], rest);
        let ids: Vec<Vec<(&str, &str)>> = new
            .stages
            .iter()
            .map(|stage| {
                let of =
                    |step: &kernel::PlanStep| step.sub_task_input.0["expression"].as_str().map(str::to_owned);
                stage.iter().map(|step| (step.step_id.as_str(), of(step).unwrap().leak() as &str)).collect()
            })
            .collect();
        assert_eq!(ids, [vec![("a", "1")], vec![("b", "1 / 2")], vec![("c", "4")]]);
        assert_eq!((new.revision, new.reason.as_str()), (1, "it broke"));
    }
}
