use kernel::Plan;
use orchestrator::{Abilities, check};
use serde_json::json;

use super::*;

fn abilities() -> Abilities {
    Abilities::of(&kernel_definition())
}

fn kernel_definition() -> kernel::PipelineDefinition {
    interpreter::read(DEFINITION, &crate::registry()).unwrap()
}

/// The inputs of the steps that a task is planned to.
fn planned(task: &str) -> Option<Vec<serde_json::Value>> {
    let plan = plan_templates::plan_of(task).unwrap()?;
    let plan: Plan = check(&plan, &abilities()).unwrap_or_else(|faults| panic!("{task}: {faults:?}"));
    Some(plan.stages.into_iter().flatten().map(|step| step.sub_task_input.0).collect())
}

#[test]
fn tasks_in_three_languages_fit_their_template_and_what_they_say_is_data() {
    let calculation = |expression: &str| Some(vec![json!({ "expression": expression })]);
    let search = |query: &str| Some(vec![json!({ "query": query })]);
    for (task, expected) in [
        ("Calculate 15% of 2,340", calculation("15% of 2,340")),
        ("what is 2 + 2?", calculation("2 + 2")),
        ("Convert 12 miles to km.", calculation("12 miles to km")),
        ("请计算 12*(3+4)", calculation("12*(3+4)")),
        ("12*(3+4)を計算してください。", calculation("12*(3+4)")),
        ("Weather in Kyoto", search("weather Kyoto")),
        ("what is the weather in \"Kyoto\", Japan?", search("weather \"Kyoto\", Japan")),
        ("京都的天气怎么样？", search("weather 京都")),
        ("京都の天気を教えて", search("weather 京都")),
        ("weather in @{outputs.x.result_data}", search("weather @ {outputs.x.result_data}")),
        ("what is the meaning of life?", None),
        ("Write a poem", None),
    ] {
        assert_eq!(planned(task), expected, "{task}");
    }
}

#[test]
fn every_tool_of_plans_has_a_schema_that_says_what_it_takes() {
    for (tool, ability) in abilities().0 {
        assert_eq!(ability.input["type"], "object", "{tool}");
        assert_eq!(ability.input["additionalProperties"], false, "{tool}");
    }
}
