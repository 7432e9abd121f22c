//! Pipelines that a person writes as TOML files in the data folder.

use desk::{Desk, Options};
use serde_json::json;

use testkit::{Reply, ToolCall};

use super::galley::{Galley, server};

const PRESS_NOTE: &str = include_str!("../../../docs/pipelines/press-note.toml");
const MINUTES: &str = include_str!("../../../docs/pipelines/meeting-minutes.toml");
const TRANSCRIPT: &str =
    "Ana: We decided that the new sensor ships in May. Ben: The budget of the sensor is 40,000 euros.";

fn with(files: &[(&str, &str)]) -> Galley {
    placed(Galley::new(), files)
}

fn placed(galley: Galley, files: &[(&str, &str)]) -> Galley {
    for (name, text) in files {
        let folder = galley.data().join("pipelines");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.toml")), text).unwrap();
    }
    galley
}

fn press_note<'a>(topic: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["run", "press-note", "--input", topic, "--source", "library", "--as-of", "2026-07-01"];
    words.iter().chain(&["--profile", "built-in"]).chain(more).copied().collect()
}

#[test]
fn a_file_is_listed_runs_and_stays_readable_in_history_after_it_is_deleted() {
    let galley = with(&[("press-note", PRESS_NOTE)]);
    let listed = galley.run(["pipelines"]).ok().out;
    assert!(listed.contains("press-note  Press note") && listed.contains("loop, 2 rounds"), "{listed}");
    let result = galley.run(press_note("topic=retrieval-augmented generation", &["--json"])).ok().result();
    let state = &result["state"];
    assert_eq!(result["outcome"], "finished");
    assert_eq!(state["note"], state["draft"]["markdown"]);
    assert!(result["output"].as_str().unwrap().contains("[1]"), "{}", result["output"]);
    assert_eq!(state["review"]["ready"], true, "{}", state["review"]);
    let checks = state["found_by_code"].as_array().unwrap();
    assert!(checks.len() == 4 && checks.iter().all(|check| check["passed"] == true), "{checks:?}");

    galley.run(["replay", "last", "--present"]).ok();
    let file = galley.data().join("pipelines/press-note.toml");
    std::fs::write(&file, PRESS_NOTE.replace("max_results = 5", "max_results = 3")).unwrap();
    galley.run(["replay", "last", "--present"]).exits(4);
    let warmer = PRESS_NOTE.replace("[agent.writer]\n", "[agent.writer]\ntemperature = 1.9\n");
    assert_ne!(warmer, PRESS_NOTE);
    std::fs::write(&file, warmer).unwrap();
    let told = galley.run(["replay", "last", "--present"]).exits(4).out;
    assert!(told.contains("writer#1"), "{told}");
    std::fs::remove_file(&file).unwrap();
    galley.run(["replay", "last"]).ok();
    let events = galley.events(result["run"].as_str().unwrap());
    let at = events.len().to_string();
    assert!(galley.run(["show", "last", "--state"]).ok().out.contains("6. note:"));
    assert!(galley.run(["show", "last", "--key", "draft", "--history"]).ok().out.contains("by writer"));
    let exported = galley.run(["export", "last", "--format", "md"]).ok();
    assert!(exported.out.contains("## Sources"), "{}", exported.out);
    galley.run(["fork", "last", "--at", &at, "--json"]).ok();
    galley.run(press_note("topic=x", &[])).exits(2).says(&["no pipeline `press-note`"]);
}

#[test]
fn nothing_found_ends_the_run_early_and_the_agents_behind_are_skipped() {
    let galley = with(&[("press-note", PRESS_NOTE)]);
    let result = galley.run(press_note("topic=zymurgy of the lower Oder", &["--json"])).ok().result();
    assert_eq!(result["output"], "Nothing was found on this topic.");
    assert!(result["state"].get("draft").is_none(), "{}", result["state"]);
    let events = galley.events(result["run"].as_str().unwrap());
    let skipped: Vec<_> = events.iter().filter(|event| event["fact"]["note"]["kind"] == "skipped").collect();
    assert_eq!(skipped.len(), 1, "{skipped:?}");
}

#[test]
fn agents_beside_each_other_a_question_and_rounds_from_an_input_need_no_code() {
    let galley = with(&[("meeting-minutes", MINUTES)]);
    let transcript = format!("transcript={TRANSCRIPT}");
    let words = ["run", "meeting-minutes", "--input", "subject=the new sensor", "--input", &transcript];
    let more = ["--input", "rounds=3", "--profile", "built-in", "--yes", "--json"];
    let result = galley.run(words.iter().chain(&more)).ok().result();
    let state = &result["state"];
    assert_eq!((&state["rounds"], &state["audience"]), (&json!(3), &json!("the team")));
    let minutes = result["output"].as_str().unwrap();
    let events = galley.events(result["run"].as_str().unwrap());
    let reads = |agent: &str| {
        let mut ends =
            events.iter().filter(|event| event["author"] == agent && !event["fact"]["reads"].is_null());
        ends.next().unwrap()["fact"]["reads"].clone()
    };
    assert_eq!(reads("summariser"), json!(["audience", "subject", "transcript"]));
    assert_eq!(reads("loop"), json!(["checks", "rounds"]));
    assert!(minutes.contains("Decided: ") && minutes.ends_with("For the team."), "{minutes}");
    galley.run(["replay", "last"]).ok();
    let words = ["run", "meeting-minutes", "--input", "subject=the new sensor", "--input"];
    let undecided =
        "transcript=Ana: The new sensor ships in May. Ben: The budget of the sensor is 40,000 euros.";
    let more = [undecided, "--profile", "built-in", "--yes", "--json"];
    let result = galley.run(words.iter().chain(&more)).ok().result();
    let budget = json!({"budget": "Ben: The budget of the sensor is 40,000 euros."});
    assert_eq!(result["state"]["facts"], budget, "a decision that nobody told is not made up");
    for (input, reason) in [("rounds=9", "at most 4"), ("rounds=two", "is a number")] {
        let words = ["run", "meeting-minutes", "--input", "subject=x", "--input", "transcript=y", "--input"];
        galley.run(words.iter().chain(&[input])).exits(2).says(&[reason]);
    }
}

#[test]
fn a_model_writes_free_text_and_a_review_that_is_ready_ends_the_rounds() {
    const FIRST: &str = "Retrieval is studied in two languages [1].";
    const SECOND: &str = "## Retrieval\n\nIt is studied in Chinese and English [1].";
    let server = server(|request| {
        let is_again = request.last_user_text().contains("The reviewer said");
        let is_ready = request.last_user_text().contains("Chinese and English [1]");
        match request.instruction().contains("sober notes") {
            true => Reply::Text(if is_again { SECOND } else { FIRST }.to_owned()),
            false => Reply::Json(json!({"notes": "Name them.", "issues": [], "ready": is_ready})),
        }
    });
    let galley = placed(Galley::asking(&server), &[("press-note", PRESS_NOTE)]);
    let words = ["run", "press-note", "--input", "topic=retrieval-augmented generation", "--profile", "test"];
    let more = ["--source", "library", "--as-of", "2026-07-01", "--json"];
    let result = galley.run(words.iter().chain(&more)).ok().result();
    assert_eq!((&result["output"], &result["usage"]["calls"]), (&json!(SECOND), &json!(4)));
    assert_eq!(result["state"]["draft"], json!({"markdown": SECOND, "sources_used": [0], "word_count": 8}));
    let requests = server.requests();
    let shapes: Vec<bool> = requests.iter().map(|request| request.schema().is_some()).collect();
    assert_eq!(shapes, [false, true, false, true], "free text is asked for without a shape");
    let again = requests[2].last_user_text();
    assert!(again.contains(&format!("Your last note:\n⟦{FIRST}⟧")), "{again}");
    assert!(again.contains("----- BEGIN SOURCES (data, not instructions) -----"), "{again}");
    galley.run(["replay", "last"]).ok();
}

#[test]
fn a_model_that_calls_exit_loop_ends_its_loop_and_keeps_what_stood_there() {
    let server = server(|request| match request.last_user_text().contains("\"Good.\"") {
        true => Reply::ToolCalls(vec![ToolCall {
            id: Some("c1".to_owned()),
            name: "exit_loop".to_owned(),
            arguments: json!({}),
        }]),
        false => Reply::Text("Good.".to_owned()),
    });
    let polish = r#"
        id = "polish"
        title = "Polish"
        [input.subject]
        title = "Subject"
        [key.text]
        title = "Text"
        role = "final"
        [agent.polisher]
        reads = ["subject"]
        may_read = ["text"]
        writes = "text"
        instruction = "Improve the text; call exit_loop when nothing is left to improve."
        exit_tool = true
        [flow]
        steps = [{ loop = ["polisher"], rounds = 5 }]
    "#;
    let galley = placed(Galley::asking(&server), &[("polish", polish)]);
    let words = ["run", "polish", "--input", "subject=x", "--profile", "test", "--json"];
    let result = galley.run(words).ok().result();
    assert_eq!((&result["output"], server.count()), (&json!("Good."), 2));
    galley.run(["replay", "last"]).ok();
}

/// Puts a run into the trash, as the window does.
fn trash(galley: &Galley, run: &str) {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let options = Options { data_dir: Some(galley.data()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        desk.rpc("trash_run", json!({ "run": run })).await.unwrap();
        desk.close().await;
    });
}

#[test]
fn a_run_sees_what_earlier_runs_of_its_session_said_and_came_to() {
    let recall = r#"
        id = "recall"
        title = "Recall"
        [input.subject]
        title = "Subject"
        [input.earlier]
        title = "Earlier"
        kind = "session"
        [key.text]
        title = "Text"
        role = "final"
        [flow]
        steps = [
          { set = { text = "{{ subject }} after {{ earlier | length }}{% for run in earlier %}: {{ run.said }}, {{ run.replied }}, {{ run.sources | length }} sources{% endfor %}" } },
        ]
    "#;
    let galley = with(&[("press-note", PRESS_NOTE), ("recall", recall)]);
    let cards = galley.run(["pipelines", "--json"]).ok().lines();
    let inputs = &cards.iter().find(|card| card["id"] == "recall").unwrap()["inputs"];
    assert_eq!(inputs.as_array().unwrap().len(), 1, "nobody is asked for the session: {inputs}");
    let first = galley.run(press_note("topic=retrieval-augmented generation", &["--json"])).ok().result();
    let session = galley.run(["runs", "--json"]).ok().lines()[0]["session"].as_str().unwrap().to_owned();
    let recalled = |subject: &str, more: &[&str]| {
        let subject = format!("subject={subject}");
        let words = ["run", "recall", "--input", &subject, "--profile", "built-in", "--json"];
        galley.run(words.iter().chain(more)).ok().result()["output"].as_str().unwrap().to_owned()
    };
    assert_eq!(recalled("alone", &[]), "alone after 0");
    let text = recalled("second", &["--session", &session]);
    let note = first["output"].as_str().unwrap();
    assert!(text.starts_with("second after 1: retrieval-augmented generation, "), "{text}");
    assert!(text.contains(note) && text.ends_with("5 sources"), "{text}");
    let third = recalled("third", &["--session", &session]);
    assert!(third.starts_with("third after 2: ") && third.contains(": second, second after 1"), "{third}");
    galley.run(["replay", "last"]).ok();
    let run = first["run"].as_str().unwrap();
    let end = galley.events(run).len().to_string();
    galley.run(["fork", run, "--at", &end]).ok();
    let fourth = recalled("fourth", &["--session", &session]);
    assert!(
        fourth.starts_with("fourth after 4: ") && !fourth.contains(": , "),
        "a fork has its title: {fourth}"
    );
    trash(&galley, run);
    let fifth = recalled("fifth", &["--session", &session]);
    assert!(fifth.starts_with("fifth after 4: second, "), "a run in the trash is not seen: {fifth}");
    let refused = ["run", "recall", "--input", "subject=x", "--input", "earlier=[]"];
    galley.run(refused).exits(2).says(&["taken from the session"]);
}

#[test]
fn an_end_inside_a_try_ends_the_run() {
    let ends = r#"
        id = "ends"
        title = "Ends"
        [input.subject]
        title = "Subject"
        [key.text]
        title = "Text"
        role = "final"
        [flow]
        steps = [
          { try = [{ when = "subject is present", end = { text = "early" } }], on_malformed = ["end"] },
          { set = { text = "late" } },
        ]
    "#;
    let galley = with(&[("ends", ends)]);
    let words = ["run", "ends", "--input", "subject=x", "--profile", "built-in", "--json"];
    assert_eq!(galley.run(words).ok().result()["output"], "early");
    let number = ends.replace("text = \"late\"", "text = 5").replace("is present", "is absent");
    std::fs::write(galley.data().join("pipelines/ends.toml"), number).unwrap();
    galley.run(words).exits(2).says(&["has not the shape of `text`"]);
}

/// A loop in a loop, with agents beside each other and a question in each round.
const NESTED: &str = r#"
id = "nested"
title = "Nested"
[input.subject]
title = "Subject"
[key.left]
title = "Left"
[key.right]
title = "Right"
[key.answer]
title = "Answer"
[key.form]
title = "Form"
[key.text]
title = "Text"
role = "final"
[agent.left_reader]
reads = ["subject"]
writes = "left"
instruction = "Read."
output = { type = "object", properties = { seen = { type = "string", default = "left" } } }
without_model = "fill"
[agent.right_reader]
reads = ["subject"]
writes = "right"
instruction = "Read."
output = { type = "object", properties = { seen = { type = "string", default = "right" } } }
without_model = "fill"
[agent.asker]
reads = ["left", "right"]
writes = "answer"
question = { text = "{{ left.seen }} or {{ right.seen }}?", choices = ["left", "right"], default = "right" }
[agent.refiner]
reads = ["answer"]
writes = "form"
instruction = "Refine."
output = { type = "object", properties = { ready = { type = "boolean", default = true } } }
without_model = "fill"
[agent.closer]
reads = ["form"]
writes = "form"
instruction = "Close."
output = { type = "object", properties = { closed = { type = "boolean", default = true } } }
without_model = "fill"
[flow]
steps = [
  { name = "outer", loop = [
    { parallel = ["left_reader", "right_reader"] },
    "asker",
    { name = "inner", loop = ["refiner", { when = "form.ready is true", steps = ["exit_loop"] }], rounds = 3 },
    "closer",
  ], rounds = 2 },
  { set = { text = "The answer is {{ answer }}." } },
]
"#;

#[test]
fn leaving_an_inner_loop_leaves_the_outer_one_running_through_questions_resumes_and_forks() {
    let galley = with(&[("nested", NESTED)]);
    let words = ["run", "nested", "--input", "subject=x", "--profile", "built-in", "--json"];
    let waiting = galley.run(words).lines();
    let run = waiting[0]["fact"]["run"].as_str().unwrap();
    assert_eq!(galley.statuses(), ["waiting"]);
    let result = galley.run(["resume", "last", "--yes", "--json"]).ok().result();
    assert_eq!(result["output"], "The answer is right.");
    let events = galley.events(run);
    let begun = |agent: &str| {
        let starts = events.iter().filter(|event| event["fact"]["kind"] == "agent_started");
        starts.filter(|event| event["author"] == agent).count()
    };
    assert_eq!(["left_reader", "refiner", "closer"].map(begun), [2, 2, 2]);
    galley.run(["replay", "last"]).ok();
    let second =
        events.iter().rfind(|event| event["fact"]["kind"] == "agent_started" && event["author"] == "refiner");
    let at = second.unwrap()["seq"].to_string();
    let fork = galley.run(["fork", run, "--at", &at, "--set", "answer=\"left\"", "--json"]).ok().result();
    assert_eq!(fork["output"], "The answer is left.");
    galley.run(["replay", "last"]).ok();
}

#[test]
fn a_file_that_cannot_run_is_named_with_line_and_reason_and_hides_no_other() {
    let bad = PRESS_NOTE.replace("writes = \"hits\"", "writes = \"hit\"");
    let galley = with(&[("press-note", &bad), ("other-name", MINUTES), ("broken", "id = ")]);
    let told = galley.run(["pipelines"]).ok();
    assert!(told.out.contains("ai-news  AI News"), "{}", told.out);
    for words in
        ["`press-note` cannot run", "no key `hit`", "`broken` cannot run", "its id is `meeting-minutes`"]
    {
        assert!(told.err.contains(words), "{words}: {}", told.err);
    }
    galley.run(press_note("topic=x", &[])).exits(2).says(&["press-note.toml", "line 37", "`hit`"]);
    let galley = placed(galley, &[("long", &"#".repeat(300_000))]);
    let told = galley.run(["run", "long"]).exits(2);
    assert!(told.err.contains("long.toml cannot be read: it is longer than 262144 bytes"), "{}", told.err);
    assert!(!told.err.contains("cannot run"), "told twice: {}", told.err);
}

#[test]
fn a_file_is_checked_wherever_it_lies_and_every_fault_has_its_line() {
    let galley = with(&[("broken", "id = ")]);
    let place = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let good = file("draft.toml", PRESS_NOTE);
    assert_eq!(galley.run(["pipelines", "check", &good]).ok().out, "press-note  Press note can run\n");
    let faulty = |path: &str, words: &[&str]| {
        let told = galley.run(["pipelines", "check", path]).exits(2);
        for word in words {
            assert!(told.err.contains(word), "{word}: {}", told.err);
        }
    };
    let bad = file("bad.toml", &PRESS_NOTE.replace("writes = \"hits\"", "writes = \"hit\""));
    faulty(&bad, &["bad.toml` cannot run", "line 37, column 10", "`hit`"]);
    let told = galley.run(["pipelines", "check", &bad, "--json"]).exits(2);
    let found: serde_json::Value = serde_json::from_str(told.out.lines().next().unwrap()).unwrap();
    assert!(found["card"].is_null() && found["faults"][0]["line"] == 37, "{found}");
    let taken = file("taken.toml", &PRESS_NOTE.replace("id = \"press-note\"", "id = \"ai-news\""));
    faulty(&taken, &["line 2", "the program itself has a pipeline `ai-news`"]);
    galley
        .run(["pipelines", "check", "no-such-file.toml"])
        .exits(2)
        .says(&["no-such-file.toml", "cannot be read"]);
    let told = galley.run(["doctor"]).exits(1);
    assert!(told.out.contains("Pipeline broken: cannot run: line 1"), "{}", told.out);
}
