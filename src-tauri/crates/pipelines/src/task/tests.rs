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

/// The inputs of the steps of a task's plan, by stage.
fn planned(task: &str) -> Option<Vec<Vec<serde_json::Value>>> {
    let plan = match plan_templates::plan_of(task, &[]).unwrap() {
        Some(plan) => plan,
        None => request_forms::plan_of(task).unwrap()?,
    };
    let plan: Plan = check(&plan, &abilities()).unwrap_or_else(|faults| panic!("{task}: {faults:?}"));
    let inputs = |stage: Vec<kernel::PlanStep>| stage.into_iter().map(|step| step.sub_task_input.0).collect();
    Some(plan.stages.into_iter().map(inputs).collect())
}

#[test]
fn requests_of_one_part_are_planned_in_three_languages() {
    let calculations = [
        ("Calculate 15% of 2,340", "15% of 2,340"),
        ("what is 2 + 2?", "2 + 2"),
        ("How much is 12 times 7?", "12 * 7"),
        ("Work out the square root of 144", "sqrt 144"),
        ("Convert 12 miles to km.", "12 miles to km"),
        ("What day is 90 days after 2026-11-30?", "@2026-11-30 + 90 days"),
        ("请计算 12*(3+4)", "12*(3+4)"),
        ("2340的15%是多少？", "15% of 2340"),
        ("把12英里换算成公里", "12 miles to km"),
        ("12加上7等于多少？", "12 + 7"),
        ("12*(3+4)を計算してください。", "12*(3+4)"),
        ("2340の15%を計算して", "15% of 2340"),
        ("12マイルをキロメートルに換算してください", "12 miles to km"),
    ];
    for (task, expression) in calculations {
        assert_eq!(planned(task), Some(vec![vec![json!({ "expression": expression })]]), "{task}");
    }
    for (task, query) in [
        ("Weather in Kyoto", "weather Kyoto"),
        ("what is the weather in \"Kyoto\", Japan?", "weather \"Kyoto\", Japan"),
        ("京都的天气怎么样？", "weather 京都"),
        ("京都の天気を教えて", "weather 京都"),
        ("Look up language models and tools in the library", "language models and tools"),
        ("在资料库中查找语言模型", "语言模型"),
        ("ライブラリで言語モデルを調べてください", "言語モデル"),
    ] {
        assert_eq!(planned(task), Some(vec![vec![json!({ "query": query })]]), "{task}");
    }
}

#[test]
fn parts_that_use_results_of_others_form_a_later_stage() {
    for (task, first, second, lines) in [
        (
            "Calculate 15% of 2,340 and convert 12 miles to km, then write both to result.pdf",
            "15% of 2,340",
            "12 miles to km",
            "15% of 2,340 = @{outputs.step_1.result_data}\n12 miles to km = @{outputs.step_2.result_data}",
        ),
        (
            "计算2340的15%，把12英里换算成公里，然后把两个结果写入result.pdf",
            "15% of 2340",
            "12 miles to km",
            "15% of 2340 = @{outputs.step_1.result_data}\n12英里 = @{outputs.step_2.result_data}",
        ),
        (
            "2340の15%を計算し、12マイルをキロメートルに換算し、両方をresult.pdfに書いて",
            "15% of 2340",
            "12 miles to km",
            "15% of 2340 = @{outputs.step_1.result_data}\n12マイル = @{outputs.step_2.result_data}",
        ),
    ] {
        let params = json!({ "filename": "result.pdf", "text_content": lines });
        let expected = vec![
            vec![json!({ "expression": first }), json!({ "expression": second })],
            vec![json!({ "operation": "create_pdf_from_text", "params": params })],
        ];
        assert_eq!(planned(task), Some(expected), "{task}");
    }
}

#[test]
fn a_request_that_no_form_matches_as_a_whole_is_left_to_a_model() {
    for task in [
        "",
        "Write a poem",
        // A place is only the place, not the rest of a request.
        "weather in Kyoto and write it to w.txt",
        "weather in Kyoto, then calculate 2+2",
        "Weather stations: write an essay about how they work",
        "What is the weather in model training?",
        "写一篇关于天气",
        "明日の天気は",
        "weather in @{outputs.x.result_data}",
        // The calculator adds days to a date, and does not count the days between two.
        "How many days are there between 2026-01-01 and 2026-11-30?",
        "what is the meaning of life?",
        "Calculate 15% of 2,340 and write a poem about it",
        "Write both to result.pdf",
        "Calculate 2 + 2 and write both to result.pdf",
        "Calculate 1 + 1, calculate 2 + 2, calculate 3 + 3 and write both to result.txt",
        "Calculate 2 + 2 and write it to ../result.txt",
        "convert 100 USD worth of gold bars to happiness please",
    ] {
        assert_eq!(planned(task), None, "{task}");
    }
}

#[test]
fn every_tool_of_plans_has_a_schema_of_its_input() {
    for (tool, ability) in abilities().0 {
        assert_eq!(ability.input["type"], "object", "{tool}");
        assert_eq!(ability.input["additionalProperties"], false, "{tool}");
    }
}

#[test]
fn every_example_of_the_form_is_planned_without_a_model_in_every_language() {
    let definition = kernel_definition();
    let input = &definition.inputs["task"];
    for example in std::iter::once(&input.example).chain(&input.more_examples) {
        assert!(planned(example).is_some(), "{example}");
        for (language, words) in &definition.translations {
            assert!(planned(&words[example]).is_some(), "{language}: {}", words[example]);
        }
    }
}

#[test]
fn a_plan_that_was_saved_as_a_template_is_used_for_every_similar_task() {
    let plan = plan_templates::plan_of("calculate 1 + 1", &[]).unwrap().unwrap();
    let mut plan = check(&plan, &abilities()).unwrap();
    plan.stages[0][0].sub_task_input.0["expression"] = json!("12% of {{ SUM }}");
    plan.stages[0][0].status = kernel::StepStatus::Done;
    let text = plan_template("tip", r"^tip on (?<SUM>[\d.]+)$", &plan).unwrap();
    let own = serde_json::from_value(json!([{ "name": "tip", "text": text }])).unwrap();
    let again: Vec<plan_templates::OwnFile> = own;
    let made = plan_templates::plan_of("Tip on 50", &again).unwrap().unwrap();
    assert_eq!(made[0][0]["sub_task_input"], json!({ "expression": "12% of 50" }));
    assert_eq!(made[0][0].get("status"), None);
    assert!(plan_template("tip", "(", &plan).is_err());
}
