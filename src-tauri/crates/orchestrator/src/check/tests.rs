use serde_json::json;

use super::*;
use crate::abilities::Ability;

fn abilities() -> Abilities {
    let text = |field: &str| {
        json!({
            "type": "object", "required": [field], "additionalProperties": false,
            "properties": { field: { "type": "string", "minLength": 1 } },
        })
    };
    let ability = |role: &str, input| Ability { role: role.into(), input, needs_model: false };
    Abilities(
        [
            ("CalculatorTool".into(), ability("UtilityAgent", text("expression"))),
            ("WebSearchTool".into(), ability("ResearchAgent", text("query"))),
            ("LlmStepExecutor".into(), Ability { needs_model: true, ..ability("Orchestrator", json!({})) }),
        ]
        .into(),
    )
}

fn calculation(id: &str, expression: &str) -> Value {
    json!({
        "stepId": id, "assigned_agent_role": "UtilityAgent", "tool_name": "CalculatorTool",
        "sub_task_input": { "expression": expression }, "narrative_step": "Calculate",
    })
}

fn faults(plan: Value) -> Vec<String> {
    match check(&plan, &abilities()) {
        Ok(_) => Vec::new(),
        Err(faults) => {
            faults.iter().map(|fault| format!("{}: {}", fault.step, fault.why.english())).collect()
        }
    }
}

#[test]
fn a_plan_is_an_array_of_stages_or_an_object_with_stages_and_aliases_are_replaced() {
    let stages = json!([
        [calculation("sum", "1 + 1"), calculation("other", "2")],
        [{ "stepId": "tell", "assigned_agent_role": "Orchestrator", "tool_name": "GeminiStepExecutor",
           "sub_task_input": { "prompt": "Tell @{outputs.sum.result_data}" } }],
    ]);
    let plan = check(&stages, &abilities()).unwrap();
    assert_eq!(plan.stages.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(plan.stages[1][0].tool_name, "LlmStepExecutor");
    assert_eq!(check(&json!({ "stages": stages, "revision": 1 }), &abilities()).unwrap().revision, 1);
}

#[test]
fn each_error_names_its_step() {
    let with = |field: &str, value: Value| {
        let mut step = calculation("sum", "1 + 1");
        step[field] = value;
        json!([[step]])
    };
    for (plan, expected) in [
        (with("stepId", json!("")), "1.1: `` is no id"),
        (with("stepId", json!("a.b")), "1.1: `a.b` is no id"),
        (json!([[calculation("a", "1")], [calculation("a", "2")]]), "a: another step has this id, too"),
        (with("assigned_agent_role", json!("Chef")), "sum: there is no role `Chef`; there is"),
        (with("tool_name", json!("Oven")), "sum: there is no tool `Oven`; there is CalculatorTool"),
        (
            with("tool_name", json!("WebSearchTool")),
            "sum: `WebSearchTool` is a tool of ResearchAgent, not of UtilityAgent",
        ),
        (
            with("sub_task_input", json!({ "expression": 7 })),
            "sum: its input does not fit `CalculatorTool`: 7 is not of type \"string\" at `/expression`",
        ),
        (
            with("sub_task_input", Value::Null),
            "sum: its input does not fit `CalculatorTool`: \"expression\" is a required property",
        ),
        (
            json!([[calculation("a", "1"), calculation("b", "@{outputs.a.result_data}")]]),
            "b: it refers to `a`, which is no step of an earlier stage",
        ),
        (
            json!([[calculation("a", "@{outputs.b.result_data}")], [calculation("b", "1")]]),
            "a: it refers to `b`",
        ),
        (
            json!([[calculation("a", "1")], [calculation("b", "@{outputs.a.data}")]]),
            "b: a reference in “@{outputs.a.data}” is not well formed",
        ),
        (json!([[]]), ": stage 1 has no steps"),
        (json!("Calculate"), ": it is no array of stages"),
        (json!([calculation("a", "1")]), ": it is no array of stages"),
    ] {
        let reported = faults(plan);
        assert!(reported.iter().any(|fault| fault.starts_with(expected)), "{expected}: {reported:#?}");
    }
}

#[test]
fn a_reference_is_not_checked_against_the_schema_and_the_values_around_it_are() {
    let next = |input: Value| {
        let mut step = calculation("next", "1");
        step["sub_task_input"] = input;
        json!([[calculation("a", "1")], [step]])
    };
    assert_eq!(faults(next(json!({ "expression": "@{outputs.a.result_data}" }))), Vec::<String>::new());
    let reported = faults(next(json!({ "expression": ["@{outputs.a.result_data}"], "more": 1 })));
    assert_eq!(reported.len(), 1);
    assert!(reported[0].contains("not of type") && reported[0].contains("more"), "{reported:?}");
}
