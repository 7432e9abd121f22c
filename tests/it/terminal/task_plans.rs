//! Plans of tasks in the terminal: templates of the person, revisions that wait for approval, other forms of prompts, long
//! results, profiles and limits of single steps, and programs that are killed.

use std::collections::BTreeMap;
use std::time::Duration;

use kernel::{Answer, Effect, Event, Fact};
use serde_json::{Value, json};

use super::galley::{Galley, eventually};
use super::host::Host;
use super::tasks::{Script, calculation, file, run_task, step, task, task_of_model, tool_calls, value};

#[test]
fn a_plan_template_of_the_person_goes_before_those_of_the_program_and_a_broken_one_is_named() {
    let galley = Galley::new();
    let folder = galley.data().join("plan_templates");
    std::fs::create_dir_all(&folder).unwrap();
    let plan = r#"[[{ stepId = "tip", assigned_agent_role = "UtilityAgent", tool_name = "CalculatorTool",
        narrative_step = "Tip on {{ SUM }}", sub_task_input = { expression = "12% of {{ SUM }}" } }]]"#;
    let template =
        format!("[[template]]\nname = \"tip\"\npatterns = ['^tip on (?<SUM>[\\d.]+)$']\nplan = {plan}\n");
    std::fs::write(folder.join("own.toml"), template).unwrap();
    task(&galley, &[("task", "Tip on 50")]).ok();
    assert_eq!(value(&galley, "final_answer"), "- Tip on 50: 6");
    std::fs::remove_file(folder.join("own.toml")).unwrap();
    // A run is carried out again from what it began with, not from files that changed since.
    galley.run(["replay", "--all"]).ok();
    std::fs::write(folder.join("broken.toml"), "[[template]]\nname = 5\n").unwrap();
    task(&galley, &[("task", "calculate 1 + 1")]).exits(2).says(&["plan_templates/broken.toml"]);
}

#[test]
fn a_revision_waits_for_approval_where_that_is_asked_for_and_changes_in_words_spend_no_revision() {
    let plan = json!({ "stages": [[calculation("broken", "1 / 0")]] });
    let revision =
        |id: &str, expression: &str| json!({ "stages": [[calculation(id, expression)]], "reason": id });
    let script = Script { plan, revisions: vec![revision("first", "2 / 0"), revision("second", "4 / 2")] };
    let server = script.serve();
    let galley = Galley::asking(&server);
    let asks = ["--input", "task=Divide", "--input", "approve_revisions=yes"];
    run_task(&galley, "test", &asks).exits(5);
    assert_eq!(value(&galley, "revision")["reason"], "first");
    galley.run(["answer", "last", "changes", "--reason", "Never divide by zero.", "--json"]).exits(5);
    assert_eq!(value(&galley, "revision")["reason"], "second");
    assert_eq!(tool_calls(&galley, "2 / 0"), 0, "what was not approved is not carried out");
    assert_eq!(value(&galley, "plan")["revision"], 0);
    galley.run(["answer", "last", "go_on", "--json"]).ok();
    assert_eq!((value(&galley, "plan")["revision"].clone(), tool_calls(&galley, "4 / 2")), (json!(1), 1));
    let errors = value(&galley, "current_working_context")["errorsEncountered"].clone();
    assert_eq!(
        errors[0]["errorId"], "1.broken",
        "what failed in the first attempt is known to the end: {errors}"
    );
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_prompt_of_parameters_gets_the_step_before_and_a_long_result_is_summarised() {
    let numbers = step("long", "UtilityAgent", "CalculatorTool", json!({ "expression": "7^2000" }));
    let prompt = json!({
        "prompt_template": "Say how {{ what }} begins.", "prompt_params": { "what": "{previous_step_output}" },
    });
    let plan = json!([[numbers], [step("say", "Orchestrator", "LLMStepExecutor", prompt)]]);
    let server = Script { plan: Value::Null, revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    let plan = format!("plan={plan}");
    run_task(&galley, "test", &["--input", "task=Say", "--input", &plan]).ok();
    let carried_out = value(&galley, "execution_context");
    assert!(carried_out[0]["result_data"].as_str().unwrap().len() > 1_000);
    let summary = carried_out[0]["processed_result_data"].as_str().unwrap().to_owned();
    assert!(summary.starts_with("In short:"), "{summary}");
    let asked = carried_out[1]["resolved_input"]["prompt"].as_str().unwrap().to_owned();
    assert_eq!(asked, format!("Say how ⟦{summary}⟧ begins."));
    assert!(carried_out[0]["worked_ms"].is_u64(), "{carried_out}");
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn planner_and_steps_ask_profiles_of_their_own_and_one_step_has_a_limit_of_its_own() {
    let write =
        |id: &str| step(id, "Orchestrator", "LlmStepExecutor", json!({ "prompt": format!("Write {id}") }));
    let plan = json!({ "stages": [[write("a"), write("b")]] });
    let planner = Script { plan, revisions: Vec::new() }.serve();
    let writer = Script { plan: Value::Null, revisions: Vec::new() }.serve();
    let galley = Galley::asking(&planner);
    let provider = ["--provider", "openai-compatible", "--model", "news-1", "--no-key", "--base-url"];
    galley.run(["profile", "add", "steps"].into_iter().chain(provider).chain([&*writer.base_url])).ok();
    let apart = ["--input", "task=Write", "--agent-profile", "LlmStepExecutor=steps"];
    run_task(&galley, "test", &apart).ok();
    assert_eq!(writer.count(), 2);
    assert!(planner.requests().iter().all(|request| !request.instruction().starts_with("You do one step")));

    let bounded = ["--limit", "LlmStepExecutor.max_llm_calls=0", "--input", "max_attempts=1"];
    run_task(&galley, "test", &[apart.as_slice(), &bounded].concat()).exits(1);
    assert_eq!(writer.count(), 2, "no step may ask a model");
    assert_eq!(value(&galley, "task_status"), "FAILED_EXECUTION");
}

/// A plan whose steps write files one after the other, and calculate beside that.
fn plan_of_files() -> Value {
    let append = |id: &str, content: &str| {
        let params = json!({ "filename": "log.txt", "content": content });
        step(id, "Orchestrator", "FileSystemTool", json!({ "operation": "append_to_file", "params": params }))
    };
    let stages = (1..=6).map(|number| {
        let sum = calculation(&format!("sum_{number}"), &format!("{number} + 1"));
        let line = match number {
            1 => "begins\n".to_owned(),
            number => format!("@{{outputs.sum_{}.result_data}}\n", number - 1),
        };
        json!([sum, append(&format!("line_{number}"), &line)])
    });
    stages.collect()
}

/// How often each call of a tool was answered, leaving out what the run let go of.
fn answered(events: &[Event]) -> BTreeMap<String, u32> {
    let dropped = engine::dropped(events);
    let (mut asked, mut answered) = (BTreeMap::new(), BTreeMap::new());
    for event in events.iter().filter(|event| !dropped.contains(&event.seq)) {
        match &event.fact {
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } => {
                asked.insert((event.path.clone(), event.n), call.input.json_or_null().to_string());
            }
            Fact::EffectAnswered { asked: n, answer: Answer::Done { .. }, .. } => {
                if let Some(call) = asked.get(&(event.path.clone(), *n)) {
                    *answered.entry(call.clone()).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    answered
}

#[test]
fn killed_at_any_moment_a_task_repeats_no_step_and_its_file_has_each_line_once() {
    let galley = Galley::new();
    let lines = "begins\n2\n3\n4\n5\n6\n";
    for pause in [0, 3, 9, 20, 45, 90] {
        let start = json!({
            "pipeline": "task", "inputs": {"task": "Count", "plan": plan_of_files().to_string()}, "profile": "built-in",
            "source": "library",
        });
        let host = Host::open(&galley);
        let run = host.ask("start_run", start).unwrap()["run"].as_str().unwrap().to_owned();
        std::thread::sleep(Duration::from_millis(pause));
        drop(host);
        for _ in 0..2 {
            let host = Host::open(&galley);
            // It may have come to its end before it was killed.
            let _ = host.ask("resume_run", json!({"run": run}));
            std::thread::sleep(Duration::from_millis(pause / 2));
        }
        let host = Host::open(&galley);
        let _ = host.ask("resume_run", json!({"run": run}));
        let page = eventually("the end of the task", || {
            let page = host.ask("open_run", json!({"run": run})).unwrap();
            (!page["outcome"].is_null()).then_some(page)
        });
        assert_eq!(page["outcome"], "finished", "{run}: {page}");
        let exported = host.ask("export_run", json!({"run": run, "format": "json"})).unwrap();
        let whole: Value = serde_json::from_str(exported["content"].as_str().unwrap()).unwrap();
        let events: Vec<Event> = serde_json::from_value(whole["events"].clone()).unwrap();
        let answered = answered(&events);
        assert_eq!(answered.len(), 12, "{run}: {answered:?}");
        assert!(answered.values().all(|times| *times == 1), "{run}: {answered:?}");
        let file = galley.data().join("runs").join(&run).join("files/log.txt");
        assert_eq!(std::fs::read_to_string(file).unwrap(), lines, "{run}, killed after {pause} ms");
    }
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_revision_that_cannot_be_used_ends_the_task_with_an_explanation() {
    let plan = json!({ "stages": [[calculation("sound", "2 + 3"), calculation("broken", "1 / 0")]] });
    let bad = json!({ "stages": [[step("oven", "UtilityAgent", "Oven", json!({}))]] });
    let server = Script { plan, revisions: vec![bad.clone(), bad] }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Divide").exits(1).says(&["The step `broken` of the plan failed"]);
    assert_eq!(value(&galley, "task_status"), "FAILED_EXECUTION");
    assert!(value(&galley, "final_answer").as_str().is_some_and(|answer| !answer.is_empty()));
}

#[test]
fn a_plan_edited_while_its_run_waits_runs_as_edited_also_where_a_step_is_left_out_or_added_before() {
    let galley = Galley::new();
    let plan = json!([[calculation("a", "1 + 1")], [calculation("b", "2 + 2")], [calculation("c", "3 + 3")]]);
    let plan = format!("plan={plan}");
    let stops = ["--stop-after", "plan_stage", "--input", "task=Count", "--input", &plan];
    let run = run_task(&galley, "built-in", &stops).exits(5).result()["run"].as_str().unwrap().to_owned();
    let host = Host::open(&galley);
    host.ask("resume_run", json!({"run": run})).unwrap();
    let mut skipped = calculation("b", "2 + 2");
    skipped["status"] = json!("skipped");
    let edit = |stages: Value| {
        let plan = json!({ "stages": stages });
        host.ask(
            "edit_state",
            json!({"run": run, "key": "plan", "field": null, "value": plan, "is_new_version": false}),
        )
    };
    let refused =
        edit(json!([[calculation("a", "1 + 1")], [step("oven", "UtilityAgent", "Oven", json!({}))]]));
    let why = refused.unwrap_err()["message"].as_str().unwrap().to_owned();
    assert!(why.starts_with("This plan cannot be carried out.") && why.contains("`Oven`"), "{why}");
    // Who adds a step names its tool; that has one role.
    let mut late = calculation("late", "5 + 5");
    late["assigned_agent_role"] = json!("");
    edit(json!([[calculation("a", "1 + 1"), late], [skipped], [calculation("d", "4 + 4")]])).unwrap();
    let page = eventually("the end of the task", || {
        let answer = json!({"run": run, "value": "go_on"});
        let _ = host.ask("answer_run", answer);
        let page = host.ask("open_run", json!({"run": run})).unwrap();
        (!page["outcome"].is_null() && page["outcome"] != "waiting").then_some(page)
    });
    assert_eq!(page["outcome"], "finished", "{page}");
    drop(host);
    let records = value(&galley, "execution_context");
    let done: Vec<&str> =
        records.as_array().unwrap().iter().map(|step| step["stepId"].as_str().unwrap()).collect();
    assert_eq!(done, ["a", "late", "d"], "{records}");
    assert_eq!((tool_calls(&galley, "2 + 2"), tool_calls(&galley, "3 + 3")), (0, 0), "{records}");
    assert_eq!(value(&galley, "task_status"), "COMPLETED");
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_plan_of_a_model_with_the_fields_of_all_tools_runs_and_references_almost_right_are_refused() {
    let all = |fields: Value| {
        let mut input = json!({
            "query": "", "url": "", "expression": "", "prompt": "", "isFinalAnswer": false, "pagesToExplore": 1,
            "relevanceCriteria": "", "operation": "", "params": {"url": "", "filename": "", "directory": "", "content": "", "text_content": ""},
        });
        input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        input
    };
    let sum = step("sum", "UtilityAgent", "CalculatorTool", all(json!({ "expression": "40 + 2" })));
    let server = Script { plan: json!({ "stages": [[sum]], "reason": "" }), revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Add").ok();
    assert_eq!(tool_calls(&galley, "40 + 2"), 1);

    for reference in
        ["@{ outputs.sum.result_data}", "@{output.sum.result_data}", "@{Outputs.sum.result_data}"]
    {
        let plan = json!([[calculation("sum", "1 + 1")], [calculation("next", reference)]]);
        task(&galley, &[("task", "Add"), ("plan", &plan.to_string())]).exits(2).says(&["is not well formed"]);
    }
}

#[test]
fn the_files_of_a_run_are_listed_with_their_step_and_shown_as_they_were() {
    let galley = Galley::new();
    let make = |id: &str, operation: &str, name: &str, content: &str| {
        let params = json!({ "filename": name, "content": content });
        step(id, "Orchestrator", "FileSystemTool", json!({ "operation": operation, "params": params }))
    };
    let plan = json!([
        [make("first", "create_file", "notes.md", "# 報告\n")],
        [
            make("second", "overwrite_file", "notes.md", "# 報告 2\n"),
            make("page", "create_pdf_from_text", "page.pdf", "Lanterns")
        ],
    ]);
    let told = task(&galley, &[("task", "Keep"), ("plan", &plan.to_string())]).ok();
    let run = told.result()["run"].as_str().unwrap().to_owned();
    let host = Host::open(&galley);
    let list = |seq: Value| host.ask("list_files", json!({"run": run, "seq": seq})).unwrap()["files"].clone();
    let show = |file: &Value| {
        host.ask("read_file", json!({"run": run, "path": file["path"], "seq": file["seq"]})).unwrap()
    };
    let files = list(Value::Null);
    let named: Vec<(&str, &str)> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["step"].as_str().unwrap()))
        .collect();
    assert_eq!(named, [("notes.md", "second"), ("page.pdf", "page")]);
    assert_eq!(
        show(&files[0]),
        json!({"kind": "text", "text": "# 報告 2\n", "is_markdown": true, "is_cut": false})
    );
    let page = show(&files[1]);
    assert_eq!(page["kind"], "pdf");
    assert!(page["text"].as_str().unwrap().contains("Lanterns"), "{page}");
    let before = list(json!(files[0]["seq"].as_u64().unwrap() - 1));
    assert_eq!((before.as_array().unwrap().len(), show(&before[0])["text"].as_str()), (1, Some("# 報告\n")));
    let other =
        host.ask("read_file", json!({"run": run, "path": "../settings.toml", "seq": files[0]["seq"]}));
    assert_eq!(other.unwrap_err()["code"], "not_found");
}

#[test]
fn files_that_no_step_wrote_are_set_aside_when_a_run_goes_on_and_changed_ones_are_written_anew() {
    let galley = Galley::new();
    let plan =
        format!("plan={}", json!([[file("kept", "made.txt", "as made")], [calculation("sum", "1 + 1")]]));
    let stops = ["--stop-after", "plan_stage", "--input", "task=Count", "--input", &plan];
    let run = run_task(&galley, "built-in", &stops).exits(5).result()["run"].as_str().unwrap().to_owned();
    let folder = galley.data().join("runs").join(&run);
    std::fs::write(folder.join("files/own.txt"), "mine").unwrap();
    std::fs::write(folder.join("files/out/made.txt"), "changed").unwrap();
    galley.run(["answer", "last", "go_on", "--json"]).exits(5);
    let text = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap_or_default();
    assert_eq!(text("files/out/made.txt"), "as made");
    assert_eq!(
        (text("set-aside/1/own.txt"), text("set-aside/1/out/made.txt")),
        ("mine".into(), "changed".into())
    );
    assert!(!folder.join("files/own.txt").exists());
}
