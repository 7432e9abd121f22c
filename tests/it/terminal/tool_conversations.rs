//! A model that calls tools, in each dialect, streamed and not: two calls at once, a tool that is not there, a wrong input,
//! a tool that fails, a program that is killed in the middle, and the tool by which a model leaves its loop.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{ChatRequest, Dialect, Model, ModelServer, Reply, ServerOptions, ToolCall};

use super::galley::{Galley, KEY_VARIABLE, program};

const SCOUT: &str = r#"
id = "scout"
title = "Scout"
[input.subject]
title = "Subject"
[key.text]
title = "Text"
role = "final"
[tool.books]
kind = "search"
title = "Books"
default = "library"
[tool.web]
kind = "search"
title = "Web"
default = "searxng"
[agent.seeker]
reads = ["subject"]
may_read = ["text"]
writes = "text"
instruction = "Search, then write."
tools = ["books", "web"]
exit_tool = true
[flow]
steps = [{ loop = ["seeker"], rounds = 4 }]
"#;

/// What a model is told of each tool it called, in order.
pub(super) fn told(request: &ChatRequest) -> Vec<String> {
    let is_of_tool = |message: &&Value| message["role"] == "tool";
    request.messages().iter().filter(is_of_tool).map(|message| message["content"].to_string()).collect()
}

/// The name under which the one or the other tool is offered.
fn offered(request: &ChatRequest, which: usize) -> String {
    request.body["tools"][which]["function"]["name"].as_str().unwrap_or_default().to_owned()
}

fn answer(request: &ChatRequest) -> Reply {
    let calls = |calls: &[(&str, Value)]| {
        let call = |(at, (name, arguments)): (usize, &(&str, Value))| ToolCall {
            id: Some(format!("call_{at}_{}", told(request).len())),
            name: (*name).to_owned(),
            arguments: arguments.clone(),
        };
        Reply::ToolCalls(calls.iter().enumerate().map(call).collect())
    };
    let (books, web) = (offered(request, 0), offered(request, 1));
    let query = json!({"query": "retrieval-augmented generation", "from": "2026-06-01", "until": "2026-07-01", "max_results": 2});
    match told(request).len() {
        _ if request.last_user_text().contains("Two studies") => calls(&[("exit_loop", json!({}))]),
        0 => calls(&[(&books, query), ("teleport", json!({}))]),
        2 => calls(&[(&books, json!({"query": 5}))]),
        3 => calls(&[(&web, query)]),
        _ => Reply::text("Two studies compare it."),
    }
}

fn provider(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => "openai",
        Dialect::Gemini => "gemini",
        Dialect::Anthropic => "anthropic",
        Dialect::Ollama => "ollama",
    }
}

/// A place with a pipeline, whose profile asks this server.
pub(super) fn place(server: &ModelServer, dialect: Dialect, id: &str, pipeline: &str) -> Galley {
    let mut galley = Galley::new();
    galley.environment.push((KEY_VARIABLE, "key-of-a-test-0000".to_owned()));
    let profile = ["profile", "add", "test", "--provider", provider(dialect), "--base-url", &server.base_url];
    let key = if dialect == Dialect::Ollama { vec!["--no-key"] } else { vec!["--key-env", KEY_VARIABLE] };
    galley.run(profile.into_iter().chain(["--model", "gemini-test"]).chain(key)).ok();
    galley.run(["config", "set", "services.searxng.base_url", "http://127.0.0.1:9"]).ok();
    let folder = galley.data().join("pipelines");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{id}.toml")), pipeline).unwrap();
    galley
}

/// Plays the whole conversation, with the program killed while it waits for the answer to the wrong input.
async fn play(dialect: Dialect, is_streamed: bool) {
    let what = format!("{dialect:?}, streamed: {is_streamed}");
    let has_stalled = std::sync::atomic::AtomicBool::new(false);
    let model = move |request: &ChatRequest| {
        if request.is_stream() && !is_streamed {
            return Reply::error(501, "not_implemented", None, "streaming is not implemented");
        }
        if told(request).len() == 3 && !has_stalled.swap(true, std::sync::atomic::Ordering::SeqCst) {
            return Reply::silence();
        }
        answer(request)
    };
    let options = ServerOptions { dialect, ..ServerOptions::default() };
    let server = ModelServer::start(options, Model::Function(Box::new(model))).unwrap();
    let galley = place(&server, dialect, "scout", SCOUT);
    let mut command = galley.command(&program());
    command.args(["run", "scout", "--input", "subject=retrieval", "--profile", "test", "--quiet"]);
    let mut child = command.spawn().unwrap();
    // Where no stream is served, the first one is refused.
    let refused = usize::from(!is_streamed);
    while server.count() < 3 + refused {
        assert!(child.try_wait().unwrap().is_none(), "{what}: {:?}", child.wait_with_output());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let result = galley.run(["resume", "last", "--json"]).ok().result();
    assert_eq!(
        (&result["outcome"], &result["output"]),
        (&json!("finished"), &json!("Two studies compare it.")),
        "{what}"
    );
    let requests: Vec<ChatRequest> =
        server.requests().into_iter().filter(|request| request.is_stream() == is_streamed).collect();
    // Nothing is asked twice but what was in flight.
    let lengths: Vec<usize> = requests.iter().map(|request| told(request).len()).collect();
    assert_eq!(lengths, [0, 2, 3, 3, 4, 0], "{what}");
    let answers = told(&requests[4]);
    for (answer, words) in answers.iter().zip([
        vec!["title", "Retrieval"],
        vec!["teleport", "exit_loop"],
        vec!["bad_input", "required property", "/query"],
        vec!["error", "127.0.0.1"],
    ]) {
        assert!(words.iter().all(|word| answer.contains(word)), "{what}: {words:?} of {answer}");
    }
    if dialect == Dialect::Gemini {
        // The service refuses a conversation without the signatures of its own calls, also after a restart.
        let calls: Vec<Value> = requests[4].sent["contents"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|content| content["parts"].as_array().unwrap().clone())
            .filter(|part| part["functionCall"].is_object())
            .collect();
        assert_eq!(calls.len(), 4, "{calls:?}");
        assert!(calls.iter().all(|part| part["thoughtSignature"] == "c2lnbmF0dXJl"), "{calls:?}");
    }
    let events = galley.events(result["run"].as_str().unwrap());
    let exits: Vec<&Value> = events.iter().filter(|event| event["fact"]["kind"] == "round_ended").collect();
    assert_eq!(exits.len(), 2, "{what}");
    assert_eq!(exits[1]["fact"]["exit"]["why"], "exit_tool", "{what}: {}", exits[1]);
    galley.run(["replay", "last"]).ok();
}

#[tokio::test]
async fn openai_calls_tools_and_leaves_its_loop() {
    play(Dialect::OpenAi, true).await;
    play(Dialect::OpenAi, false).await;
}

#[tokio::test]
async fn gemini_calls_tools_and_leaves_its_loop() {
    play(Dialect::Gemini, true).await;
    play(Dialect::Gemini, false).await;
}

#[tokio::test]
async fn anthropic_calls_tools_and_leaves_its_loop() {
    play(Dialect::Anthropic, true).await;
    play(Dialect::Anthropic, false).await;
}

#[tokio::test]
async fn ollama_calls_tools_and_leaves_its_loop() {
    play(Dialect::Ollama, true).await;
    play(Dialect::Ollama, false).await;
}
