//! Tasks in the terminal: from an earlier run, with so many attempts, through the queue.

use serde_json::{Value, json};

use super::galley::Galley;
use super::tasks::{Script, calculation, file, run_task, step, task, tool_calls, value};

#[test]
fn an_earlier_run_gives_its_plan_to_carry_out_and_its_results_to_answer_from_anew() {
    let plan = json!({ "stages": [[calculation("sum", "40 + 2")]] });
    let server = Script { plan, revisions: Vec::new() }.serve();
    let galley = Galley::asking(&server);
    let of_run = |run: &str, mode: &str| {
        let (run, mode) = (format!("from_run={run}"), format!("mode={mode}"));
        run_task(&galley, "test", &["--input", &run, "--input", &mode])
    };
    let planned = run_task(&galley, "test", &["--input", "task=Forty and two", "--input", "mode=plan_only"]);
    let run = planned.ok().result()["run"].as_str().unwrap().to_owned();
    of_run(&run, "synthesize_only").exits(2).says(&["name the earlier run"]);
    let told = of_run(&run[..13], "execute").ok();
    assert_eq!(
        (value(&galley, "task"), value(&galley, "plan_source")),
        (json!("Forty and two"), json!("run"))
    );
    assert_eq!(value(&galley, "from_run"), json!(run), "the id, not the word that named it");
    assert_eq!(tool_calls(&galley, "40 + 2"), 1);
    let carried_out = told.result()["run"].as_str().unwrap().to_owned();
    let asked = server.count();
    of_run(&carried_out, "synthesize_only").ok();
    assert_eq!(tool_calls(&galley, "40 + 2"), 0, "nothing is done again");
    assert_eq!(server.count(), asked + 2, "the context and the answer alone are asked for");
    assert_eq!(value(&galley, "task_status"), "COMPLETED");
    // What waits in the midst of its plan has not completed it.
    let stops = ["--stop-after", "plan_stage", "--input", "task=Forty and two"];
    let waiting = run_task(&galley, "test", &stops).exits(5);
    of_run(waiting.result()["run"].as_str().unwrap(), "synthesize_only").ok();
    assert_eq!(value(&galley, "task_status"), "FAILED_EXECUTION");
    // Carried out once more, it does its steps once more.
    of_run(&carried_out, "execute").ok();
    assert_eq!(tool_calls(&galley, "40 + 2"), 1);
    galley.run(["replay", "--all"]).ok();
    let letter =
        ["--input", "template=Dear {name},", "--input", "reviewed_summary=The name is Ann.", "--json"];
    let other = galley.run(["run", "template", "--profile", "built-in"].into_iter().chain(letter));
    of_run(other.result()["run"].as_str().unwrap(), "execute").exits(2).says(&["a run of `template`"]);
}

#[test]
fn attempts_are_as_many_as_was_asked_for() {
    let broken = |id: &str| json!({ "stages": [[calculation(id, "1 / 0")]], "reason": "once more" });
    let server = Script { plan: broken("a"), revisions: vec![broken("b")] }.serve();
    let galley = Galley::asking(&server);
    let told = run_task(&galley, "test", &["--input", "task=Divide", "--input", "max_attempts=1"]);
    told.exits(1).says(&["The step `a` of the plan failed"]);
    assert_eq!(
        (value(&galley, "plan")["most_revisions"].clone(), tool_calls(&galley, "1 / 0")),
        (json!(0), 1)
    );
}

#[test]
fn worker_steps_go_through_the_queue_with_what_the_task_came_to_so_far_and_pages_of_a_search_are_read() {
    let galley = Galley::new();
    let search =
        step("found", "ResearchAgent", "WebSearchTool", json!({ "query": "retrieval augmented generation" }));
    let explore = step("read", "Orchestrator", "ExploreSearchResults", json!({ "pagesToExplore": 1 }));
    let plan = json!([[calculation("sum", "1 + 1"), search], [calculation("next", "2 + 2")], [explore]]);
    // The library's articles have addresses of the web, which no test reaches: the step says so.
    task(&galley, &[("task", "Look."), ("plan", &plan.to_string())])
        .exits(1)
        .says(&["None of the pages could be read"]);
    let started = galley.events("last").iter().find_map(|event| {
        let instance = &event["fact"]["instance"];
        (instance["input"]["step"] == "next").then(|| instance["input"]["context_summary"].clone())
    });
    let summary = started.unwrap();
    let summary = summary.as_str().unwrap();
    assert!(summary.starts_with("2 of 4 steps completed") && summary.contains("Do sum: 2"), "{summary}");
    assert!(summary.chars().count() <= 2_000);
    let early = json!([[step("read", "Orchestrator", "ExploreSearchResults", json!({}))]]);
    task(&galley, &[("task", "Look."), ("plan", &early.to_string())])
        .exits(1)
        .says(&["No search was completed before"]);
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn a_fork_inside_a_step_and_a_run_taken_in_elsewhere_have_the_files_that_were_made() {
    let galley = Galley::new();
    let plan = json!([
        [file("kept", "a.txt", "the first")],
        [calculation("sum", "1 + 1"), file("second", "b.txt", "@{outputs.kept.result_data}")],
    ]);
    let told = task(&galley, &[("task", "Keep."), ("plan", &plan.to_string())]).ok();
    let run = told.result()["run"].as_str().unwrap().to_owned();
    let inside = |galley: &Galley| {
        let events = galley.events(&run);
        let asks = |event: &&Value| event["fact"]["effect"]["call"]["input"]["expression"] == "1 + 1";
        events.iter().find(asks).unwrap()["seq"].to_string()
    };
    let holds = |galley: &Galley, run: &str| {
        let files = galley.data().join("runs").join(run).join("files/out");
        let text = |name: &str| std::fs::read_to_string(files.join(name)).unwrap();
        assert_eq!((text("a.txt"), text("b.txt")), ("the first".to_owned(), "out/a.txt".to_owned()));
    };
    holds(&galley, &run);
    let forked = |galley: &Galley| {
        // Also where no tool of the fork works with files any more.
        let end = (galley.events(&run).len() - 1).to_string();
        let late = galley.run(["fork", &run, "--at", &end, "--json"]).ok().result();
        holds(galley, late["run"].as_str().unwrap());
        let at = inside(galley);
        let fork = galley.run(["fork", &run, "--at", &at, "--json"]).ok().result();
        assert_eq!(fork["outcome"], "finished", "{fork}");
        holds(galley, fork["run"].as_str().unwrap());
        assert_eq!(value(galley, "task_status"), "COMPLETED");
    };
    forked(&galley);
    for format in ["json", "report"] {
        let exported = galley.run(["export", &run, "--format", format]).ok().out;
        let there = Galley::new();
        let path = there.file("of-another.txt", exported);
        there.run(["import", &path]).ok();
        there.run(["replay", &run]).ok();
        holds(&there, &run);
        forked(&there);
    }
}

#[test]
fn without_a_model_the_hits_of_a_search_are_answered_with_their_links() {
    let galley = Galley::new();
    task(&galley, &[("task", "Look up language models in the library")]).ok();
    let answer = value(&galley, "final_answer");
    let hits = answer.as_str().unwrap().lines().filter(|line| line.starts_with("  - ["));
    assert!(hits.clone().count() > 1 && hits.clone().all(|line| line.contains("](<https://")), "{answer}");
    assert!(!answer.as_str().unwrap().contains("{\""), "{answer}");
}
