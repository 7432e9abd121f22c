//! The tools that any agent may be given, called by a model from the terminal: numbers, files of the run, pages of the web; and
//! the questions of a run by their numbers.

use serde_json::{Value, json};
use testkit::{Canned, ChatRequest, Dialect, ModelServer, Reply, SearchServices};

use super::galley::{Galley, server};
use super::tool_conversations::place;

const RECKONER: &str = r#"
id = "reckoner"
title = "Reckoner"
[input.task]
title = "Task"
kind = "long_text"
[key.report]
title = "Report"
role = "final"
[agent.clerk]
reads = ["task"]
writes = "report"
instruction = "Do the task with your tools, then report."
prompt = "{{ task }}"
tools = ["calculator", "file_system", "read_webpage"]
[flow]
steps = ["clerk"]
"#;

const TWO_QUESTIONS: &str = r#"
id = "two-questions"
title = "Two questions"
[input.task]
title = "Task"
[key.colour]
title = "Colour"
[key.size]
title = "Size"
[agent.painter]
reads = ["task"]
writes = "colour"
question = { text = "Which colour?", choices = ["red", "blue"], default = "red" }
[agent.tailor]
reads = ["task"]
writes = "size"
question = { text = "Which size?", choices = ["small", "large"], default = "small" }
[flow]
steps = [{ parallel = ["painter", "tailor"] }]
"#;

const CHOOSING: &str = r#"
id = "choosing"
title = "Choosing"
[input.task]
title = "Task"
[key.inns]
title = "Inns"
[key.inn]
title = "Inn"
[agent.guest]
reads = ["task"]
may_read = ["inns"]
writes = "inn"
question = { text = "Where do you sleep?", choices_from = "inns.items" }
[flow]
steps = [
  { set = { inns = { items = [{ title = "The Anchor", details = "By the quay", rooms = 3 }, { title = "灯台", rooms = 1 }] } } },
  "guest",
]
"#;

/// What the model was told of its calls.
fn told(request: &ChatRequest) -> Vec<String> {
    let of_tools = request.messages().iter().filter(|message| message["role"] == "tool");
    of_tools.map(|message| message["content"].as_str().unwrap_or_default().to_owned()).collect()
}

/// A model that makes these calls one after the other, then reports.
fn calling(calls: Vec<(&'static str, Value)>) -> ModelServer {
    server(move |request| match calls.get(told(request).len()) {
        Some((name, arguments)) => Reply::tool_call(name, arguments.clone()),
        None => Reply::text("It is done."),
    })
}

fn reckoner(server: &ModelServer) -> Galley {
    place(server, Dialect::OpenAi, "reckoner", RECKONER)
}

fn run(galley: &Galley, task: &str, more: &[&str]) -> Value {
    let task = format!("task={task}");
    let asked = ["run", "reckoner", "--input", &task, "--profile", "test", "--json"];
    galley.run(asked.into_iter().chain(more.iter().copied())).ok().result()
}

#[test]
fn numbers_are_calculated_and_files_of_a_run_go_with_its_fork() {
    let server = calling(vec![
        ("calculator", json!({"expression": "20% of 210 km to km"})),
        ("file_system", json!({"operation": "create_file", "path": "notes/答え.md", "content": "42 km"})),
        ("file_system", json!({"operation": "read_file", "path": "notes/答え.md"})),
        ("file_system", json!({"operation": "read_file", "path": "../../permissions.toml"})),
    ]);
    let galley = reckoner(&server);
    let result = run(&galley, "Reckon.", &[]);
    let last = told(&server.requests().pop().unwrap());
    assert!(last[0].contains("42 km") && last[2].contains("42 km"), "{last:#?}");
    assert!(last[3].contains("bad_input") && last[3].contains("/path"), "{last:#?}");
    let id = result["run"].as_str().unwrap();
    let file = |run: &str| galley.data().join("runs").join(run).join("files/notes/答え.md");
    assert_eq!(std::fs::read_to_string(file(id)).unwrap(), "42 km");

    // The fork begins behind the writing: its file is there all the same.
    let events = galley.run(["show", "last", "--events", "--json"]).ok().lines();
    let written = events.iter().find(|event| event.to_string().contains("\"files\"")).unwrap();
    let at = written["seq"].to_string();
    let fork = galley.run(["fork", "last", "--at", &at, "--json"]).ok().result();
    let fork_id = fork["run"].as_str().unwrap();
    assert!(fork_id != id && fork["outcome"] == "finished", "{fork}");
    assert_eq!(std::fs::read_to_string(file(fork_id)).unwrap(), "42 km");
    let last = told(&server.requests().pop().unwrap());
    assert!(last[2].contains("42 km"), "{last:#?}");
}

#[test]
fn an_address_that_nobody_named_is_asked_about_once_a_page_was_read() {
    let pages = SearchServices::knowing(Vec::new());
    let tides = "Tides rise and fall twice a day. ".repeat(40);
    let first = format!("<html><title>First</title><p>{tides}</p><a href=\"/page/second\">More</a></html>");
    pages.set("page/first", Canned::of(200, "text/html", first));
    for place in ["page/second", "page/carry"] {
        pages.set(place, Canned::of(200, "text/plain", "A page."));
    }
    let base = pages.base_url.clone();
    let page = |path: &str| json!({"url": format!("{base}{path}")});
    let calls = vec![
        ("read_webpage", page("/page/first")),
        ("read_webpage", page("/page/second")),
        ("read_webpage", page("/page/carry?away=secret")),
    ];
    let server = calling(calls);
    let galley = reckoner(&server);
    galley.run(["config", "set", "net.allow", &base]).ok();
    let task = format!("Read {base}/page/first and what it leads to.");
    run(&galley, &task, &[]);
    let last = told(&server.requests().pop().unwrap());
    assert!(last[0].contains("Tides rise"), "{last:#?}");
    assert!(last[1].contains("A page."), "{last:#?}");
    assert!(last[2].contains("refused") && last[2].contains("--allow read_webpage"), "{last:#?}");
    assert!(pages.requests().iter().all(|request| !request.path.contains("carry")));

    run(&galley, &task, &["--allow", "read_webpage@127.0.0.1"]);
    let last = told(&server.requests().pop().unwrap());
    assert!(last[2].contains("A page."), "{last:#?}");
}

#[test]
fn each_of_two_questions_is_answered_by_its_number() {
    let server = calling(Vec::new());
    let galley = place(&server, Dialect::OpenAi, "two-questions", TWO_QUESTIONS);
    let waiting = galley.run(["run", "two-questions", "--input", "task=paint", "--json"]);
    assert_eq!(waiting.code, Some(5), "{}", waiting.err);
    let listed = galley.run(["show", "last", "--questions"]).ok().out;
    assert!(
        listed.contains("painter asks: Which colour?") && listed.contains("tailor asks: Which size?"),
        "{listed}"
    );
    let questions = galley.run(["show", "last", "--questions", "--json"]).ok().lines();
    let id = |agent: &str| questions.iter().find(|open| open["agent"] == agent).unwrap()["id"].to_string();

    let unnamed = galley.run(["answer", "last", "blue"]);
    assert_eq!(unnamed.code, Some(2), "{}", unnamed.err);
    assert!(
        unnamed.err.contains("several questions") && unnamed.err.contains(&id("tailor")),
        "{}",
        unnamed.err
    );
    let unknown = galley.run(["answer", "last", "blue", "--question", "999"]);
    assert!(unknown.code == Some(2) && unknown.err.contains("does not ask question 999"), "{}", unknown.err);

    let half = galley.run(["answer", "last", "large", "--question", &id("tailor"), "--json"]);
    assert_eq!(half.code, Some(5), "{}", half.err);
    let again = galley.run(["answer", "last", "small", "--question", &id("tailor")]);
    assert!(again.code == Some(2) && again.err.contains("was answered already: `large`"), "{}", again.err);
    galley.run(["answer", "last", "blue", "--json"]).ok();
    assert_eq!(galley.run(["show", "last", "--key", "colour"]).ok().out, "blue\n");
    assert_eq!(galley.run(["show", "last", "--key", "size"]).ok().out, "large\n");
    assert_eq!(galley.run(["show", "last", "--questions"]).ok().out, "(asks nothing)\n");
}

#[test]
fn who_chooses_from_a_list_of_the_state_gets_the_whole_item() {
    let server = calling(Vec::new());
    let galley = place(&server, Dialect::OpenAi, "choosing", CHOOSING);
    let waiting = galley.run(["run", "choosing", "--input", "task=sleep", "--json"]);
    assert_eq!(waiting.code, Some(5), "{}", waiting.err);
    let listed = galley.run(["show", "last", "--questions"]).ok().out;
    assert!(listed.contains("1  The Anchor (the default)") && listed.contains("By the quay"), "{listed}");
    galley.run(["answer", "last", "2"]).ok();
    let inn = galley.run(["show", "last", "--key", "inn", "--json"]).ok().lines();
    assert_eq!(inn[0]["value"], json!({"title": "灯台", "rooms": 1}));
    let defaults = galley.run(["run", "choosing", "--input", "task=sleep", "--yes"]);
    defaults.ok();
    let inn = galley.run(["show", "last", "--key", "inn", "--json"]).ok().lines();
    assert_eq!(inn[0]["value"]["rooms"], 3);
}
