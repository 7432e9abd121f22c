//! Pipelines tried on data sets by the real `galley`: choices whose difference shows, killed and gone on with, judged by
//! code and by a model, within limits.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{ChatRequest, ModelServer, Reply, ToolCall};

use super::galley::{Galley, eventually, program, server};
use super::host::Host;

const QUIZ: &str = r#"
id = "quiz"
title = "Quiz"
[input.question]
title = "Question"
[key.answer]
title = "Answer"
role = "final"
[agent.answerer]
reads = ["question"]
writes = "answer"
instruction = "Answer the question."
[flow]
steps = ["answerer"]
"#;

/// Twenty questions with numbers as answers.
fn questions() -> String {
    let case = |n: u32| {
        let inputs = json!({ "question": format!("What is {n} times 1000?") });
        json!({ "name": format!("q{n}"), "inputs": inputs, "expect": [{ "contains": format!("{n}000.") }] })
    };
    let cases = (1..=20).map(|n| format!("{}\n", case(n)));
    [json!({ "set": { "pipeline": "quiz" } }).to_string() + "\n"].into_iter().chain(cases).collect()
}

/// The number that a question asks about.
fn number(request: &ChatRequest) -> u32 {
    let text = request.last_user_text();
    let (_, after) = text.split_once("What is ").unwrap();
    after.split(' ').next().unwrap().parse().unwrap()
}

/// The model `good` is right in 18 of 20 cases, any other in 12, which are among them.
fn answer(request: &ChatRequest) -> Reply {
    let n = number(request);
    let wrong: &[u32] = if request.model() == "good" { &[3, 11] } else { &[3, 5, 7, 9, 11, 13, 15, 17] };
    match wrong.contains(&n) {
        true => Reply::text("It is nothing that I know."),
        false => Reply::text(format!("It is {n}000.")),
    }
}

fn place(server: &ModelServer, pipeline: &str, id: &str) -> Galley {
    let galley = Galley::asking(server);
    let folder = galley.data().join("pipelines");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{id}.toml")), pipeline).unwrap();
    galley
}

const EVAL: [&str; 9] =
    ["eval", "quiz", "--profile", "test", "--model", "answerer=good", "--model", "answerer=weak", "--json"];

/// Starts an evaluation, kills it as soon as so many requests have come, and returns nothing of it.
fn killed(galley: &Galley, server: &ModelServer, requests: usize) {
    let mut command = galley.command(&program());
    command.args(EVAL).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    eventually("the requests", || (server.count() == requests).then_some(()));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn two_models_are_told_apart_and_killed_twice_nothing_that_was_answered_is_asked_again() {
    // Requests with these numbers get no answer before their program is killed.
    let unanswered = [17, 18, 29, 30];
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let server = server(move |request| {
        let reply = answer(request);
        match unanswered.contains(&(counted.fetch_add(1, Ordering::SeqCst) + 1)) {
            true => Reply::silence().after(Duration::from_secs(60)),
            false => reply,
        }
    });
    let galley = place(&server, QUIZ, "quiz");
    let file = galley.file("quiz.jsonl", questions());
    galley.run(["set", "add", "quiz", &file]).ok();
    killed(&galley, &server, 18);
    let listed = galley.run(["eval", "list", "--json"]).ok().lines();
    assert_eq!((&listed[0]["status"], &listed[0]["done"]), (&json!("interrupted"), &json!(16)));
    // The same command finds the unfinished evaluation.
    killed(&galley, &server, 30);

    // What it was started with stays, whatever becomes of the set.
    let other = galley.file("other.csv", "question,expect.contains\nWhat is 1 times 1000?,never\n");
    galley.run(["set", "add", "quiz", &other, "--pipeline", "quiz", "--replace"]).ok();
    let told = galley.run(["eval", "--resume", "last", "--threshold", "0.9", "--json"]).exits(1);
    assert!(told.err.contains("goes on: 40 cells"), "{}", told.err);
    let mut lines = told.lines();
    let last = lines.pop().unwrap();
    assert_eq!(
        (&last["status"], &last["done"], &last["cells"]),
        (&json!("finished"), &json!(40), &json!(40))
    );
    let totals = |choice: usize| {
        let totals = &last["choices"][choice]["totals"];
        (totals["held"].as_u64().unwrap(), totals["expectations"].as_u64().unwrap())
    };
    assert_eq!((totals(0), totals(1)), ((18, 20), (12, 20)));
    let difference = &last["choices"][1]["difference"];
    assert_eq!((&difference["better"], &difference["worse"]), (&json!(0), &json!(6)));
    assert!(difference["chance"].as_f64().unwrap() < 0.05, "{difference}");
    assert_eq!((&last["share"], &last["passed"]), (&json!(0.6), &json!(false)));

    let mut times: BTreeMap<(String, u32), u32> = BTreeMap::new();
    for request in server.requests() {
        *times.entry((request.model().to_owned(), number(&request))).or_default() += 1;
    }
    assert_eq!((times.len(), server.count()), (40, 44), "only what got no answer is asked again: {times:?}");
    let runs = galley.run(["runs", "--json"]).ok().lines();
    assert_eq!(runs.len(), 40, "no cell has two runs");

    let wrong: Vec<&Value> =
        lines.iter().filter(|line| line["result"]["judgements"][0]["verdict"] == "failed").collect();
    assert_eq!((lines.len(), wrong.len()), (40, 10));
    assert_eq!(wrong[0]["result"]["judgements"][0]["reason"], "“3000.” is missing");
    let run = wrong[0]["run"].as_str().unwrap();
    let state = galley.run(["show", run, "--state", "--json"]).ok().lines();
    assert_eq!(state[0]["state"]["answer"], wrong[0]["result"]["output"]);

    // Nor does it change with its runs.
    let host = Host::open(&galley);
    host.ask("trash_run", json!({ "run": run })).unwrap();
    host.ask("erase_run", json!({ "run": run })).unwrap();
    drop(host);
    galley.run(["set", "remove", "quiz"]).ok();
    let shown = galley.run(["eval", "show", "last", "--json"]).ok().lines();
    assert_eq!(shown[..40], lines);
    let table = galley.run(["eval", "show", "last"]).ok().out;
    assert!(table.contains("18 of 20") && table.contains("answerer=weak") && table.contains(run), "{table}");
    galley.run(["eval", "--resume", "last"]).exits(2).says(&["is finished"]);
    assert_eq!(server.count(), 44);
}

#[test]
fn a_rubric_is_judged_in_a_run_of_its_own_and_runs_of_the_history_become_cases() {
    let server = server(|request| {
        if !request.asks_for("passed") {
            return answer(request);
        }
        let text = request.last_user_text();
        let is_known = text.contains("It is 1000.") && text.contains("Rubric: ⟦names a number⟧");
        let score = if is_known { 9 } else { 2 };
        Reply::Json(json!({ "reason": format!("score {score}"), "score": score, "passed": is_known }))
    });
    let galley = place(&server, QUIZ, "quiz");
    for question in ["What is 1 times 1000?", "What is 3 times 1000?"] {
        let input = format!("question={question}");
        galley.run(["run", "quiz", "--input", &input, "--profile", "test"]).ok();
        galley.run(["set", "add-run", "past", "last", "--reference"]).ok();
    }
    let exported = galley.run(["set", "export", "past"]).ok().out;
    let file = galley.file("past.jsonl", &exported);
    let rubric = r#"{"rubric": "names a number", "at_least": 7}"#;
    galley.run(["set", "add", "past", &file, "--replace", "--expect", rubric]).ok();
    galley.run(["eval", "past", "--profile", "test"]).exits(2).says(&["judged by a model", "built-in"]);
    let before = server.count();
    let words = ["eval", "past", "--profile", "test", "--judge", "test", "--json", "--threshold", "0.5"];
    let lines = galley.run(words).ok().lines();
    assert_eq!(server.count() - before, 4, "each case is answered and judged");
    let judgement = &lines[1]["result"]["judgements"][0];
    assert_eq!((&judgement["score"], &judgement["verdict"]), (&json!(2.0), &json!("failed")));
    let judge = judgement["run"].as_str().unwrap();
    let state = galley.run(["show", judge, "--state", "--json"]).ok().lines();
    assert_eq!(state[0]["state"]["judgement"]["reason"], judgement["reason"]);
    assert_eq!(
        state[0]["state"]["reference"], lines[1]["result"]["output"],
        "the run's text is its reference"
    );
    assert_eq!(lines[2]["choices"][0]["totals"]["judging"]["calls"], 2);

    let (one, other) = (lines[0]["run"].as_str().unwrap(), lines[1]["run"].as_str().unwrap());
    let compared = &galley.run(["compare", one, other, "--json"]).ok().lines()[0];
    let parts: Vec<&str> =
        compared["text"].as_array().unwrap().iter().map(|part| part["part"].as_str().unwrap()).collect();
    assert_eq!(parts, ["same", "removed", "added"], "{}", compared["text"]);
    assert_eq!((&compared["inputs"][0]["key"], &compared["agents"]), (&json!("question"), &json!([])));
    let table = galley.run(["compare", one, other]).ok().out;
    assert!(table.contains("[-1000.-]{+nothing that I know.+}"), "{table}");
}

#[test]
fn nobody_is_asked_for_a_tool_and_no_more_money_is_spent_than_allowed() {
    let model = server(|request| {
        let is_told = request.messages().iter().any(|message| message["role"] == "tool");
        if is_told {
            return Reply::text("Done.");
        }
        let name = request.body["tools"][0]["function"]["name"].as_str().unwrap().to_owned();
        let arguments = json!({ "text": "hello" });
        Reply::ToolCalls(vec![ToolCall { id: Some("call_1".to_owned()), name, arguments }])
    });
    let scout = QUIZ.replace("id = \"quiz\"", "id = \"scout\"");
    let scout = scout.replace("[flow]", "tools = [\"played/echo\"]\n[flow]");
    let galley = place(&model, &scout, "scout");
    let tools = program().with_file_name("tool-server");
    galley.run(["tool-server", "add", "played", "--timeout", "120", "--", tools.to_str().unwrap()]).ok();
    let file = galley.file("set.csv", "question,expect.contains\nx,Done\ny,Done\n");
    galley.run(["set", "add", "scouting", &file, "--pipeline", "scout"]).ok();

    // The price of the model is not known, so it is not asked under a limit of money.
    let words = ["eval", "scouting", "--profile", "test", "--json"];
    let limited = galley.run(words.iter().chain(&["--max-cost", "1"])).exits(3);
    assert_eq!((limited.lines().pop().unwrap()["status"].clone(), model.count()), (json!("limited"), 0));
    assert!(limited.err.contains("--max-cost"), "{}", limited.err);
    let lines = galley.run(["eval", "--resume", "last", "--json", "--at-once", "1"]).ok().lines();
    for line in &lines[..2] {
        assert_eq!(line["result"]["refused"], json!(["played/echo"]));
        assert_eq!(line["result"]["judgements"][0]["verdict"], "held", "the run goes on without the tool");
    }
    let lines = galley.run(words.iter().chain(&["--allow", "played/echo"])).ok().lines();
    assert!(lines[..2].iter().all(|line| line["result"].get("refused").is_none()), "{lines:?}");
    galley.run(["eval", "scouting", "--at-once", "0"]).exits(2).says(&["From 1 to 64 cells"]);
    galley.run(["eval", "no-such"]).exits(2).says(&["no data set `no-such`", "galley set list"]);
}
