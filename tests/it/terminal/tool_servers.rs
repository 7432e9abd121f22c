//! Tools of MCP servers in a run: named by a pipeline, permitted, called by a model, and kept from doing harm when their server
//! is old, new, wrong or hostile.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{ChatRequest, Dialect, Model, ModelServer, Reply, ServerOptions, ToolCall};

use super::galley::{Galley, program};
use super::host::Host;
use super::tool_conversations::{place, told};

/// A pipeline whose agent may call these tools of the server `played`.
fn pipeline(tools: &[&str]) -> String {
    let names: Vec<String> = tools.iter().map(|tool| format!("\"played/{tool}\"")).collect();
    format!(
        r#"
id = "scout"
title = "Scout"
[input.subject]
title = "Subject"
[key.text]
title = "Text"
role = "final"
[agent.seeker]
reads = ["subject"]
writes = "text"
instruction = "Use the tools, then write."
tools = [{}]
[flow]
steps = ["seeker"]
"#,
        names.join(", ")
    )
}

/// A model that calls these tools one after the other, each with a text, and then writes.
fn calling(calls: Vec<(usize, String)>) -> ModelServer {
    let model = move |request: &ChatRequest| match calls.get(told(request).len()) {
        Some((tool, text)) => {
            let name = request.body["tools"][*tool]["function"]["name"].as_str().unwrap().to_owned();
            let id = Some(format!("call_{}", told(request).len()));
            Reply::ToolCalls(vec![ToolCall { id, name, arguments: json!({"text": text}) }])
        }
        None => Reply::text("Done."),
    };
    ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap()
}

fn tool_server() -> PathBuf {
    program().with_file_name("tool-server")
}

/// A place with the pipeline, and with the server started so. A call may take so long that no machine is too slow for it.
fn place_with(model: &ModelServer, tools: &[&str], words: &[&str]) -> Galley {
    place_with_timeout("120", model, tools, words)
}

fn place_with_timeout(seconds: &str, model: &ModelServer, tools: &[&str], words: &[&str]) -> Galley {
    let galley = place(model, Dialect::OpenAi, "scout", &pipeline(tools));
    let server = tool_server();
    let add = ["tool-server", "add", "played", "--timeout", seconds, "--"];
    galley.run(add.iter().copied().chain([server.to_str().unwrap()]).chain(words.iter().copied())).ok();
    galley
}

const RUN: [&str; 7] = ["run", "scout", "--input", "subject=x", "--profile", "test", "--json"];

fn run(galley: &Galley, allowed: &[&str]) -> Value {
    let rules: Vec<String> = allowed.iter().map(|tool| format!("--allow=played/{tool}")).collect();
    galley.run(RUN.iter().copied().chain(rules.iter().map(String::as_str))).ok().result()
}

#[test]
fn a_tool_of_a_server_of_either_era_is_called_once_it_is_allowed() {
    for words in [&["--old"][..], &["--new"], &[]] {
        let model = calling(vec![(0, "hello".into())]);
        let galley = place_with(&model, &["echo"], words);
        run(&galley, &[]);
        let answers = told(&model.requests()[1]);
        assert!(answers[0].contains("--allow played/echo"), "{words:?}: {answers:?}");
        let result = run(&galley, &["echo"]);
        assert_eq!(result["output"], "Done.", "{words:?}");
        let request = model.requests().pop().unwrap();
        assert!(told(&request)[0].contains("hello"), "{words:?}: {:?}", told(&request));
        // Hidden signs and escapes of its description never reach a model.
        let described = request.body["tools"][0]["function"]["description"].to_string();
        assert!(described.contains("Gives the text back.[31m\""), "{described}");
        galley.run(["replay", "--all"]).ok();
    }
}

#[test]
fn what_a_hostile_server_does_harms_one_call() {
    let tools = ["lie", "flood", "die", "echo"];
    let calls = ["", "", "", "still here"].iter().enumerate().map(|(at, text)| (at, (*text).to_owned()));
    let model = calling(calls.collect());
    let galley = place_with(&model, &tools, &["--old", "--said", "ready to lie"]);
    let tested = galley.run(["tool-server", "test", "played"]).ok().out;
    for words in ["played/echo", "no_schema is not offered: its schema is not valid", "ready to lie"] {
        assert!(tested.contains(words), "{words}: {tested}");
    }
    let result = run(&galley, &tools);
    assert_eq!(result["output"], "Done.");
    let answers = told(&model.requests().pop().unwrap());
    for (answer, words) in answers.iter().zip([
        "does not match the schema",
        "it sent too much data",
        "it ended: it had enough",
        "still here",
    ]) {
        assert!(answer.contains(words), "{words}: {answer}");
    }
    let events = galley.events(result["run"].as_str().unwrap());
    let is_failure = |event: &&Value| event["fact"].to_string().contains("\"failure\":");
    let failed = events.iter().filter(is_failure).count();
    assert_eq!(failed, 3, "each failure is journalled");
}

#[test]
fn a_tool_that_never_answers_ends_at_the_time_that_its_server_was_given() {
    let model = calling(vec![(0, String::new())]);
    let galley = place_with_timeout("1", &model, &["hang"], &["--new"]);
    run(&galley, &["hang"]);
    let answers = told(&model.requests().pop().unwrap());
    assert!(answers[0].contains("no answer in time"), "{answers:?}");
}

#[test]
fn what_a_server_asks_is_asked_of_the_person_in_either_era_and_in_a_task() {
    for (tool, era) in [("ask", "--old"), ("ask", "--new"), ("task", "--new")] {
        let model = calling(vec![(0, String::new())]);
        let galley = place_with(&model, &[tool], &[era]);
        let host = Host::open(&galley);
        let answer = |asked: &Value, value: Value| {
            host.ask(
                "answer_run",
                json!({"run": asked["run"], "question": asked["question"]["id"], "value": value}),
            )
        };
        let asked = question_of_run(&host, None).unwrap();
        answer(&asked, json!("once")).unwrap();
        let going_on = asked["run"].clone();
        let asked = question_of_run(&host, Some(&going_on)).unwrap();
        let question = &asked["question"]["question"];
        assert_eq!(question["kind"], json!({"kind": "tool_server", "tool": format!("played/{tool}")}));
        assert_eq!(question["details"]["message"], "Who is it for?[31m", "{tool} {era}");
        assert!(answer(&asked, json!({"accept": {"name": "A"}})).is_err(), "it does not fit the form");
        answer(&asked, json!({"accept": {"name": "Ada"}})).unwrap();
        assert!(question_of_run(&host, Some(&going_on)).is_none());
        let answers = told(&model.requests().pop().unwrap());
        assert!(answers[0].contains("hello Ada"), "{tool} {era}: {answers:?}");
        drop(host);
        // Where nobody is there, the server is told nothing, and goes on as it likes.
        run(&galley, &[tool]);
        let answers = told(&model.requests().pop().unwrap());
        assert!(answers[0].contains("nobody was named"), "{tool} {era}: {answers:?}");
        galley.run(["replay", "--all"]).ok();
    }
}

/// The next question of this run, or of one that is started at a window; nothing once the run has ended.
fn question_of_run(host: &Host, run: Option<&Value>) -> Option<Value> {
    let run = run.cloned().unwrap_or_else(|| {
        let start = json!({"pipeline": "scout", "inputs": {"subject": "x"}, "profile": "test"});
        host.ask("start_run", start).unwrap()["run"].clone()
    });
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let asked = host.ask("list_questions", json!({"run": run})).unwrap();
        if let Some(question) = asked["questions"].as_array().unwrap().first() {
            return Some(json!({"run": run, "question": question}));
        }
        let status = host.ask("open_run", json!({"run": run})).unwrap()["card"]["status"].clone();
        if status == "finished" {
            return None;
        }
        assert!(Instant::now() < until, "the run neither asks nor ends: {status}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_tool_that_is_described_otherwise_after_it_was_always_allowed_asks_again_and_shows_the_difference() {
    let model = calling(vec![(0, "hello".into())]);
    let marker = tempfile::tempdir().unwrap();
    let changed = marker.path().join("changed");
    let galley = place_with(&model, &["echo"], &["--changed", changed.to_str().unwrap()]);
    let asked = |host: &Host| {
        let asked = question_of_run(host, None)?;
        let (run, question) = (&asked["run"], &asked["question"]);
        host.ask("answer_run", json!({"run": run, "question": question["id"], "value": "always"})).unwrap();
        Some(question["question"]["details"].clone())
    };
    let host = Host::open(&galley);
    let first = asked(&host).unwrap();
    assert!(first["description"].to_string().contains("Gives the text back."), "{first:#}");
    assert!(first["allowed_before"].is_null(), "{first:#}");
    assert_eq!(asked(&host), None, "it is always allowed");
    std::fs::write(&changed, "").unwrap();
    drop(host);
    let host = Host::open(&galley);
    let second = asked(&host).unwrap();
    assert!(second["description"].to_string().contains("sends it to its author"), "{second:#}");
    assert_eq!(second["allowed_before"]["description"], first["description"]);
    assert_eq!(asked(&host), None, "it is allowed as it is described now");
    let rules = host.ask("list_rules", json!({})).unwrap();
    assert_eq!(rules["rules"].as_array().unwrap().len(), 1, "the former rule went: {rules:#}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_that_a_server_started_is_left_when_the_program_is_killed() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("numbers");
    let model = calling(vec![(0, file.to_str().unwrap().to_owned()), (1, String::new())]);
    let galley = place_with(&model, &["start", "hang"], &[]);
    let mut command = galley.command(&program());
    command.args(RUN).args(["--allow=played/start", "--allow=played/hang"]);
    let mut child = command.spawn().unwrap();
    let wait = |what: &str, is_so: &dyn Fn() -> bool| {
        let until = Instant::now() + Duration::from_secs(60);
        while !is_so() {
            assert!(Instant::now() < until, "{what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let numbers = || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        text.split(' ').map(str::to_owned).collect::<Vec<String>>()
    };
    // The second call is in flight: the server runs, and so does what it started.
    wait("the server starts a process", &|| numbers().len() == 2 && model.count() == 2);
    let is_there = |number: &String| {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    assert!(numbers().iter().all(is_there), "{:?}", numbers());
    child.kill().unwrap();
    child.wait().unwrap();
    wait("everything that the server started ends", &|| !numbers().iter().any(is_there));
}

#[test]
fn a_pipeline_may_call_every_tool_of_a_server_and_of_many_a_model_is_told_those_that_it_searches_for() {
    let model = |request: &ChatRequest| {
        let offered: Vec<&str> = request.body["tools"]
            .as_array()
            .map(|tools| tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect())
            .unwrap_or_default();
        let echo = offered.iter().find(|name| name.starts_with("played_echo"));
        let call = |name: &str, arguments: Value| {
            let id = Some(format!("call_{}", told(request).len()));
            Reply::ToolCalls(vec![ToolCall { id, name: name.to_owned(), arguments }])
        };
        match (told(request).len(), echo) {
            (0, None) => call(offered[0], json!({"query": "gives a text back"})),
            (1, Some(echo)) => call(echo, json!({"text": "found"})),
            _ => Reply::text("Done."),
        }
    };
    let model = ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap();
    let galley = place_with(&model, &["*"], &["--new", "--many"]);
    run(&galley, &["echo"]);
    let requests = model.requests();
    assert_eq!(requests[0].body["tools"].as_array().unwrap().len(), 1, "only the search is told");
    let tools = requests[2].body["tools"].as_array().unwrap();
    assert!(tools.len() > 1 && tools.len() <= 9, "what was found is told: {}", tools.len());
    assert!(told(&requests[2])[1].contains("found"), "{:?}", told(&requests[2]));
    galley.run(["replay", "--all"]).ok();
}

#[test]
fn what_was_always_allowed_of_a_server_does_not_hold_for_another_one_under_its_name() {
    let model = calling(vec![(0, "hello".into())]);
    let galley = place_with(&model, &["echo"], &["--new"]);
    let host = Host::open(&galley);
    let asked = question_of_run(&host, None).unwrap();
    let always = json!({"run": asked["run"], "question": asked["question"]["id"], "value": "always"});
    host.ask("answer_run", always).unwrap();
    assert!(question_of_run(&host, Some(&asked["run"])).is_none());
    assert!(question_of_run(&host, None).is_none(), "it is always allowed");
    let mut setup = host.ask("list_tool_servers", json!({})).unwrap()["servers"][0]["setup"].clone();
    setup["args"] = json!(["--new", "--said", "another"]);
    let save = json!({"setup": setup, "replaces": "played", "values": {}, "for_session": false});
    host.ask("save_tool_server", save).unwrap();
    assert!(question_of_run(&host, None).is_some(), "it is another server");
}

#[test]
fn an_answer_reaches_the_call_that_asked_and_no_other_one() {
    let model = calling(vec![(0, String::new())]);
    let galley = place_with(&model, &["ask"], &["--old"]);
    let answer = |host: &Host, asked: &Value, value: Value| {
        let id = asked["question"]["id"].clone();
        host.ask("answer_run", json!({"run": asked["run"], "question": id, "value": value})).unwrap();
    };
    let asking = |host: &Host| {
        let permission = question_of_run(host, None).unwrap();
        answer(host, &permission, json!("once"));
        question_of_run(host, Some(&permission["run"])).unwrap()
    };
    let host = Host::open(&galley);
    let former = asking(&host);
    drop(host);
    let host = Host::open(&galley);
    let present = asking(&host);
    host.ask("resume_run", json!({"run": former["run"]})).unwrap();
    let former = question_of_run(&host, Some(&former["run"])).unwrap();
    answer(&host, &former, json!({"accept": {"name": "Ada"}}));
    assert!(question_of_run(&host, Some(&former["run"])).is_none());
    answer(&host, &present, json!({"accept": {"name": "Bob"}}));
    assert!(question_of_run(&host, Some(&present["run"])).is_none());
    let told: Vec<String> = model.requests().iter().flat_map(told).collect();
    assert!(told.iter().any(|told| told.contains("hello Bob")), "{told:?}");
    assert!(told.iter().any(|told| told.contains("its server ended")), "{told:?}");
    assert!(!told.iter().any(|told| told.contains("hello Ada")), "{told:?}");
}

#[test]
fn a_server_that_is_fetched_before_its_first_start_is_waited_for_in_either_era() {
    std::thread::scope(|scope| {
        for era in [&["--new"][..], &["--old"], &[]] {
            scope.spawn(move || {
                let fetched = tempfile::tempdir().unwrap();
                let late = ["--late", fetched.path().join("fetched").to_str().unwrap()].map(str::to_owned);
                let words: Vec<&str> = era.iter().copied().chain(late.iter().map(String::as_str)).collect();
                let galley = place_with(&calling(vec![]), &["echo"], &words);
                let told = galley.run(["tool-server", "test", "played"]).ok();
                assert!(told.out.contains("played/echo"), "{era:?}: {}", told.out);
            });
        }
    });
}

#[test]
fn what_a_server_has_to_read_is_listed_and_goes_into_a_run_as_an_input() {
    for era in ["--old", "--new"] {
        let model = calling(vec![]);
        let galley = place_with(&model, &["echo"], &[era]);
        let listed = galley.run(["tool-server", "texts", "played"]).ok().out;
        for words in ["notes://1", "First note[31m", "greet whom"] {
            assert!(listed.contains(words), "{era}: {words}: {listed}");
        }
        let read = galley.run(["tool-server", "read", "played", "--resource", "notes://1"]).ok().out;
        assert_eq!(read, "Bees dance.\n");
        let filled = ["tool-server", "read", "played", "--prompt", "greet", "--set", "whom=Ada"];
        assert_eq!(galley.run(filled).ok().out, "Greet \"Ada\".\n");
        let refused = galley.run(["tool-server", "read", "played", "--resource", "notes://2"]).exits(1);
        assert!(refused.err.contains("there is no such note"), "{}", refused.err);
    }
}

#[test]
fn a_tool_that_is_added_to_tasks_is_a_tool_of_their_plans() {
    let step = json!({
        "stepId": "say", "assigned_agent_role": "Orchestrator", "tool_name": "played_echo",
        "sub_task_input": {"text": "from a plan"}, "narrative_step": "Say it",
    });
    let plan = json!({ "stages": [[step]], "reason": "" }).to_string();
    let model = move |request: &ChatRequest| match request.body.to_string().contains("played_echo") {
        true => Reply::text(&plan),
        false => Reply::text("It was said."),
    };
    let model = ModelServer::start(ServerOptions::default(), Model::Function(Box::new(model))).unwrap();
    let galley = place_with(&model, &["echo"], &["--new"]);
    let refused = galley.run(["tool-server", "use", "scout", "played/echo"]).exits(2);
    assert!(refused.err.contains("added_tools"), "{}", refused.err);
    galley.run(["tool-server", "use", "task", "played/echo"]).ok();
    let words = ["run", "task", "--input", "task=Say it somehow.", "--profile", "test", "--json"];
    let told = galley.run(words.iter().copied().chain(["--allow", "played/echo"])).ok();
    let steps = super::tasks::value(&galley, "step_results");
    assert!(steps.to_string().contains("from a plan"), "{steps} {}", told.out);
    galley.run(["replay", "--all"]).ok();
    galley.run(["tool-server", "use", "task"]).ok();
    let told = galley.run(words);
    assert!(!told.out.contains("from a plan"), "{}", told.out);
}
