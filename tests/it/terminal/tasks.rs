//! Tasks in the terminal: planned by templates, forms and a scripted model, carried out with the real tools, revised.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use testkit::{Canned, ModelServer, Reply, SearchServices};

use super::galley::{Galley, Told, server};

pub(crate) fn task(galley: &Galley, inputs: &[(&str, &str)]) -> Told {
    let inputs: Vec<String> = inputs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let words: Vec<&str> = inputs.iter().flat_map(|input| ["--input", input.as_str()]).collect();
    run_task(galley, "built-in", &words)
}

/// A task with this profile, and with these further words in its command.
pub(crate) fn run_task(galley: &Galley, profile: &str, words: &[&str]) -> Told {
    let always = ["run", "task", "--profile", profile, "--source", "library", "--json"];
    galley.run(always.into_iter().chain(words.iter().copied()))
}

/// The value of a key of the last run.
pub(crate) fn value(galley: &Galley, key: &str) -> Value {
    galley.run(["show", "last", "--key", key, "--json"]).ok().lines().pop().unwrap()["value"].clone()
}

pub(crate) fn step(id: &str, role: &str, tool: &str, input: Value) -> Value {
    json!({
        "stepId": id, "assigned_agent_role": role, "tool_name": tool, "sub_task_input": input,
        "narrative_step": format!("Do {id}"),
    })
}

pub(crate) fn calculation(id: &str, expression: &str) -> Value {
    step(id, "UtilityAgent", "CalculatorTool", json!({ "expression": expression }))
}

pub(crate) fn file(id: &str, name: &str, content: &str) -> Value {
    let params = json!({ "filename": name, "content": content, "directory": "out" });
    step(id, "Orchestrator", "FileSystemTool", json!({ "operation": "create_file", "params": params }))
}

#[test]
fn a_task_of_three_parts_becomes_a_readable_pdf_file_and_replays() {
    let galley = Galley::new();
    let said = "Calculate 15% of 2,340 and convert 12 miles to km, then write both to result.pdf";
    let told = task(&galley, &[("task", said)]).ok();
    let run = told.result()["run"].as_str().unwrap().to_owned();
    let made = galley.data().join("runs").join(&run).join("files/result.pdf");
    galley.run(["library", "import", made.to_str().unwrap()]).ok();
    for figure in ["351", "19.31"] {
        let found = galley.run(["library", "search", figure]).ok().out;
        assert!(found.contains("result.pdf") || found.contains("15% of 2,340"), "{figure}: {found}");
    }
    let answer = value(&galley, "final_answer");
    assert!(answer.as_str().unwrap().contains("Calculate 15% of 2,340: 351"), "{answer}");
    assert_eq!(value(&galley, "task_status"), "COMPLETED");
    assert_eq!(value(&galley, "plan_source"), "template");
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn steps_run_beside_each_other_and_what_they_gave_goes_on_with_its_type_or_as_text() {
    let galley = Galley::new();
    let plan = json!([
        [calculation("sum", "1 + 1"), calculation("share", "20% of 50")],
        [
            calculation("product", "(@{outputs.sum.result_data}) * (@{outputs.share.result_data})"),
            file("kept", "sum.txt", "@{outputs.sum.processed_result_data}"),
        ],
        [step(
            "read",
            "Orchestrator",
            "FileSystemTool",
            json!({
                "operation": "read_file", "params": { "filename": "sum.txt", "directory": "out" },
            })
        )],
    ]);
    task(&galley, &[("task", "Count."), ("mode", "execute"), ("plan", &plan.to_string())]).ok();
    let carried_out = value(&galley, "execution_context");
    let results: Vec<(&str, &Value, &str)> = carried_out
        .as_array()
        .unwrap()
        .iter()
        .map(|step| {
            (step["stepId"].as_str().unwrap(), &step["result_data"], step["status"].as_str().unwrap())
        })
        .collect();
    let expected = [("sum", "2"), ("share", "10"), ("product", "20"), ("kept", "out/sum.txt"), ("read", "2")];
    for ((id, result, status), (expected_id, expected)) in results.iter().zip(expected) {
        assert_eq!((*id, *result, *status), (expected_id, &json!(expected), "done"));
    }
    assert_eq!(results.len(), expected.len());
    let product = &carried_out[2];
    assert_eq!(product["resolved_input"], json!({ "expression": "(2) * (10)" }));
    assert!(product["sub_task_input"]["expression"].as_str().unwrap().contains("@{outputs.sum"));
    assert_eq!(value(&galley, "plan_source"), "given");
}

#[test]
fn a_step_downloads_a_file_from_where_its_server_sends_it_and_a_later_step_reads_it() {
    let pages = SearchServices::knowing(Vec::new());
    let (base, table) = (&pages.base_url, "潮汐,m\n1,2.5\n");
    let sent_on = base.replace("127.0.0.1", "localhost");
    let moved = Canned::of(302, "text/plain", "").with("location", &format!("{sent_on}/page/kept"));
    let named = "attachment; filename*=UTF-8''%E6%BD%AE%E6%B1%90.csv";
    pages.set("page/table", moved);
    pages.set("page/kept", Canned::of(200, "text/csv", table).with("content-disposition", named));
    let galley = Galley::new();
    galley.run(["config", "set", "net.allow", &format!("{base}, {sent_on}")]).ok();
    let download = |id: &str, params: Value| {
        let input = json!({ "operation": "download_file", "params": params });
        step(id, "Orchestrator", "FileDownloaderTool", input)
    };
    let url = format!("{base}/page/table");
    let read = json!({ "operation": "read_file", "params": { "filename": "@{outputs.kept.result_data}" } });
    let plan = json!([
        [
            download("kept", json!({ "url": url, "directory": "data" })),
            download("named", json!({ "url": url, "filename": "own.csv" })),
        ],
        [step("read", "Orchestrator", "FileSystemTool", read)],
    ]);
    let told = task(&galley, &[("task", "Keep it."), ("mode", "execute"), ("plan", &plan.to_string())]).ok();
    let carried_out = value(&galley, "execution_context");
    let results: Vec<&Value> =
        carried_out.as_array().unwrap().iter().map(|step| &step["result_data"]).collect();
    assert_eq!(results, [&json!("data/潮汐.csv"), &json!("own.csv"), &json!(table)]);
    let run = told.result()["run"].as_str().unwrap().to_owned();
    let files = galley.data().join("runs").join(run).join("files");
    for file in ["data/潮汐.csv", "own.csv"] {
        assert_eq!(std::fs::read_to_string(files.join(file)).unwrap(), table);
    }
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn when_a_step_fails_its_siblings_finish_and_the_answer_explains_it() {
    let galley = Galley::new();
    let plan = json!([
        [calculation("broken", "1 / 0"), calculation("sound", "2 + 3")],
        [calculation("next", "@{outputs.sound.result_data} + 1")],
    ]);
    let told = task(&galley, &[("task", "Divide."), ("plan", &plan.to_string())]).exits(1);
    told.says(&["The step `broken` of the plan failed"]);
    let carried_out = value(&galley, "execution_context");
    let statuses: Vec<(&str, &str)> = carried_out
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["stepId"].as_str().unwrap(), step["status"].as_str().unwrap()))
        .collect();
    assert_eq!(statuses, [("broken", "failed"), ("sound", "done")]);
    let failed = value(&galley, "failed_step_details");
    assert_eq!(
        (&failed["stepId"], &failed["sub_task_input"]["expression"]),
        (&json!("broken"), &json!("1 / 0"))
    );
    assert_eq!(value(&galley, "task_status"), "FAILED_EXECUTION");
    let answer = value(&galley, "final_answer");
    let answer = answer.as_str().unwrap();
    assert!(answer.contains("`broken` failed") && answer.contains("Do sound: 5"), "{answer}");
    // A reference that leads nowhere fails its step before anybody works on it.
    let plan = json!([[calculation("a", "1")], [calculation("b", "@{outputs.a.result_data.deeper}")]]);
    task(&galley, &[("task", "Look."), ("plan", &plan.to_string())]).exits(1).says(&["no field `deeper`"]);
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_plan_that_cannot_run_is_refused_before_any_step_and_names_it() {
    let galley = Galley::new();
    let with = |change: fn(&mut Value)| {
        let mut step = calculation("sum", "1 + 1");
        change(&mut step);
        json!([[step]])
    };
    let twice = json!([[calculation("sum", "1")], [calculation("sum", "2")]]);
    let same = json!([[file("a", "same.txt", "1"), file("b", "Same.txt", "2")]]);
    let sideways = json!([[calculation("a", "1"), calculation("b", "@{outputs.a.result_data}")]]);
    for (plan, said) in [
        (json!("Calculate").to_string(), "no array of stages"),
        ("[[{".to_owned(), "no JSON"),
        (with(|step| step["stepId"] = json!("a.b")).to_string(), "`a.b` is no id"),
        (twice.to_string(), "`sum`: another step has this id"),
        (with(|step| step["tool_name"] = json!("Oven")).to_string(), "`sum`: there is no tool `Oven`"),
        (with(|step| step["assigned_agent_role"] = json!("Chef")).to_string(), "there is no role `Chef`"),
        (
            with(|step| step["sub_task_input"] = json!({})).to_string(),
            "\"expression\" is a required property",
        ),
        (same.to_string(), "`b`: it writes `out/Same.txt`, as `a` of its stage does"),
        (sideways.to_string(), "`b`: it refers to `a`, which is no step of an earlier stage"),
    ] {
        let told = task(&galley, &[("task", "Count."), ("plan", &plan)]).exits(2);
        told.says(&[said]);
        assert!(!galley.events("last").iter().any(|event| event["fact"]["kind"] == "effect_asked"), "{said}");
    }
    task(&galley, &[("task", "Count."), ("mode", "execute")]).exits(2).says(&["give one"]);
    task(&galley, &[("task", "Write a poem")]).exits(2).says(&["“Write a poem” fits no request"]);
}

#[test]
fn a_plan_alone_is_made_and_nothing_is_done() {
    let galley = Galley::new();
    task(&galley, &[("task", "Calculate 2 + 2"), ("mode", "plan_only")]).ok();
    let plan = value(&galley, "plan");
    assert_eq!(plan["stages"][0][0]["sub_task_input"]["expression"], "2 + 2", "{plan}");
    assert_eq!(value(&galley, "task_status"), "PLAN_GENERATED");
    assert!(!galley.events("last").iter().any(|event| event["fact"]["kind"] == "effect_asked"));
}

/// What a scripted model answers to each kind of request of a task.
pub(crate) struct Script {
    pub(crate) plan: Value,
    pub(crate) revisions: Vec<Value>,
}

impl Script {
    pub(crate) fn serve(self) -> ModelServer {
        let plans = AtomicUsize::new(0);
        let revisions = AtomicUsize::new(0);
        server(move |request| {
            let said = request.instruction();
            let answer = if said.starts_with("You plan a task") {
                // A list of answers is given one after the other.
                let nth = plans.fetch_add(1, Ordering::SeqCst);
                match self.plan.as_array() {
                    Some(answers) => answers[nth.min(answers.len() - 1)].to_string(),
                    None => self.plan.to_string(),
                }
            } else if said.starts_with("You revise the plan") {
                let nth = revisions.fetch_add(1, Ordering::SeqCst);
                self.revisions.get(nth).unwrap_or(&json!({ "stages": [] })).to_string()
            } else if said.starts_with("You keep the working context") {
                json!({ "updatedSummaryOfProgress": "All that can be done is done." }).to_string()
            } else if said.starts_with("You summarise") {
                "In short: a long result.".to_owned()
            } else if said.starts_with("You do one step") {
                format!("Written from: {}", request.text_of("user"))
            } else {
                "Here is what came of it: everything was done as you asked.".to_owned()
            };
            Reply::Text(answer)
        })
    }
}

pub(crate) fn task_of_model(galley: &Galley, task: &str) -> Told {
    let task = format!("task={task}");
    run_task(galley, "test", &["--input", &task])
}

/// How many calls of tools a run made.
pub(crate) fn tool_calls(galley: &Galley, expression: &str) -> usize {
    let events = galley.events("last");
    let is_call = |event: &&Value| {
        let call = &event["fact"]["effect"]["call"];
        event["fact"]["kind"] == "effect_asked" && call["input"]["expression"] == expression
    };
    events.iter().filter(is_call).count()
}

#[test]
fn a_model_plans_and_its_last_step_gives_the_answer_with_what_tools_gave_as_data() {
    let prompt = "Say in a sentence what @{outputs.sum.result_data} is.";
    let write = step(
        "write",
        "Orchestrator",
        "GeminiStepExecutor",
        json!({ "prompt": prompt, "isFinalAnswer": true }),
    );
    let plan = json!({ "stages": [[calculation("sum", "40 + 2")], [write]] });
    let server = Script { plan, revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Tell me about forty and two").ok();
    let answer = value(&galley, "final_answer");
    assert!(answer.as_str().unwrap().contains("what ⟦42⟧ is"), "{answer}");
    assert_eq!(value(&galley, "plan_source"), "llm");
    assert_eq!(server.count(), 3, "the plan, the step, the context: the answer is not asked for once more");
    assert_eq!(
        value(&galley, "current_working_context")["summaryOfProgress"],
        "All that can be done is done."
    );
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_revision_mends_a_plan_and_what_was_completed_is_not_done_again() {
    let plan = json!({ "stages": [[calculation("sound", "2 + 3"), calculation("broken", "1 / 0")]] });
    let mended = json!({
        "stages": [[calculation("mended", "@{outputs.sound.result_data} / 2")]],
        "reason": "nothing divides by zero",
    });
    let server = Script { plan, revisions: vec![mended] }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Divide something").ok();
    assert_eq!(value(&galley, "task_status"), "COMPLETED");
    let plan = value(&galley, "plan");
    assert_eq!((&plan["revision"], &plan["most_revisions"]), (&json!(1), &json!(2)));
    assert_eq!(plan["reason"], "nothing divides by zero");
    let ids: Vec<&str> =
        plan["stages"].as_array().unwrap().iter().map(|stage| stage[0]["stepId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["sound", "mended"]);
    assert_eq!((tool_calls(&galley, "2 + 3"), tool_calls(&galley, "5 / 2")), (1, 1));
    let answer = value(&galley, "final_answer");
    assert!(answer.as_str().unwrap().starts_with("Here is what came of it"), "{answer}");
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn three_attempts_that_fail_an_empty_plan_and_an_empty_revision_end_in_an_explanation() {
    let broken = |id: &str| json!({ "stages": [[calculation(id, "1 / 0")]], "reason": "once more" });
    let server = Script { plan: broken("a"), revisions: vec![broken("b"), broken("c"), broken("d")] }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Divide by zero").exits(1).says(&["The step `c` of the plan failed"]);
    assert_eq!(tool_calls(&galley, "1 / 0"), 3, "two revisions, three attempts");
    assert_eq!(value(&galley, "task_status"), "FAILED_EXECUTION");
    assert!(value(&galley, "final_answer").as_str().is_some_and(|answer| !answer.is_empty()));

    let server = Script { plan: broken("a"), revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Divide by zero").exits(1).says(&["The step `a` of the plan failed"]);
    assert_eq!(tool_calls(&galley, "1 / 0"), 1);

    let plan = json!({ "stages": [], "reason": "no tool can climb a mountain" });
    let server = Script { plan, revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Climb a mountain").exits(1).says(&["no tool can climb a mountain"]);
    assert_eq!(value(&galley, "task_status"), "FAILED_PLANNING");
}

#[test]
fn a_plan_of_a_model_that_cannot_run_is_repaired_once_and_then_fails_the_run() {
    let wrong = json!({ "stages": [[step("bake", "UtilityAgent", "Oven", json!({}))]] });
    let right = json!({ "stages": [[calculation("sum", "1 + 1")]] });
    let server = Script { plan: json!([wrong, right]), revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Bake a sum").ok();
    let is_repair = |text: String| text.contains("there is no tool `Oven`");
    assert!(server.requests().iter().any(|request| is_repair(request.text_of("user"))));

    let server = Script { plan: json!([wrong]), revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    task_of_model(&galley, "Bake a cake").exits(1).says(&["Oven"]);
    assert_eq!(server.count(), 2);
}
