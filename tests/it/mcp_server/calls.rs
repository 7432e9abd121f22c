//! Pipelines as tools: listed, called, refused, stopped.

use std::time::Duration;

use rmcp::model::*;
use rmcp::service::PeerRequestOptions;
use serde_json::{Value, json};
use testkit::{Canned, NewsModel, Reply, SearchServices};

use super::{Connected, Person, asks_forms, call, news, placed, summary, text};
use crate::terminal::galley::{Galley, eventually, news_server, server};

#[tokio::test(flavor = "multi_thread")]
async fn every_pipeline_is_a_tool_with_its_inputs_in_a_stable_order() {
    let galley = placed();
    let connected = Connected::to(&galley, Person::default()).await;
    let tools = connected.client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    let listed = galley.run(["pipelines", "--json"]).ok().lines();
    assert_eq!(names, listed.iter().map(|card| card["id"].as_str().unwrap()).collect::<Vec<_>>());
    assert_eq!(connected.client.list_all_tools().await.unwrap(), tools);
    let painter = tools.iter().find(|tool| tool.name == "painter").unwrap();
    assert_eq!(painter.description.as_deref(), Some("Chooses a colour."));
    let schema = Value::Object(painter.input_schema.as_ref().clone());
    assert_eq!(schema["required"], json!(["task"]));
    let coats = json!({ "type": "number", "title": "Coats", "minimum": 1.0, "maximum": 3.0, "default": 2 });
    assert_eq!(schema["properties"]["coats"], coats);
    assert_eq!(schema["properties"]["finish"]["enum"], json!(["matt", "gloss"]));
    let has_source = |tool: &Tool| tool.input_schema["properties"].get("source").is_some();
    assert!(!has_source(painter) && has_source(&tools[0]));
    connected.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pipeline_that_is_added_or_removed_is_told_of_in_both_eras() {
    let galley = placed();
    let person = Person::default();
    let connected = Connected::to(&galley, person.clone()).await;
    let without_session = Connected::without_session(&galley, Person::default()).await;
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut listening = without_session.client.listen(filter).await.unwrap();
    std::fs::remove_file(galley.data().join("pipelines/painter.toml")).unwrap();
    let within = Duration::from_secs(20);
    tokio::time::timeout(within, person.changed.notified()).await.unwrap();
    let told = tokio::time::timeout(within, listening.next()).await.unwrap().unwrap();
    assert!(matches!(told, Some(ServerNotification::ToolListChangedNotification(_))), "{told:?}");
    let tools = connected.client.list_all_tools().await.unwrap();
    assert!(tools.iter().all(|tool| tool.name != "painter"));
    connected.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_runs_the_pipeline_and_tells_every_stage_that_begins() {
    let galley = Galley::new();
    let person = Person::default();
    let connected = Connected::to(&galley, person.clone()).await;
    let result = connected.call("ai-news", news("built-in")).await;
    assert_eq!(result.is_error, Some(false), "{}", text(&result));
    let (told, run) = (summary(&result), summary(&result)["run"].as_str().unwrap());
    assert_eq!((&told["outcome"], told["output"].as_str().unwrap()), (&json!("finished"), &*text(&result)));
    assert_eq!(told["usage"]["calls"], 0);
    // The client hands over what it hears at once, and the answer perhaps before the last stage.
    eventually("every stage is told", || (person.stages.lock().unwrap().len() >= 4).then_some(()));
    let stages: Vec<String> = person.stages.lock().unwrap().values().cloned().collect();
    assert_eq!(stages, ["Searcher", "Write and review", "Writer, round 1", "Reviewer, round 1"]);
    galley.run(["replay", run]).ok();
    connected.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_refused_in_words_and_begins_no_run() {
    let galley = placed();
    let connected = Connected::to(&galley, Person::default()).await;
    for (arguments, words) in [
        (json!({}), "`task`, which is missing or empty"),
        (
            json!({ "task": "x", "gloss": 1 }),
            "no argument `gloss`; it has task, coats, finish, as_of, profile",
        ),
        (json!({ "task": 7 }), "`task` must be a text"),
        (json!({ "task": "x", "coats": 9 }), "`coats` is a number of at least 1 and at most 3"),
        (json!({ "task": "x", "finish": "rough" }), "`finish` is one of matt, gloss"),
        (json!({ "task": "x", "as_of": "today" }), "write it as YYYY-MM-DD"),
        (json!({ "task": "x", "profile": 3 }), "`profile` must be a text"),
        (json!({ "task": "x", "profile": "nobody" }), "no profile `nobody`; there is built-in"),
    ] {
        let result = connected.call("painter", arguments).await;
        assert!(result.is_error == Some(true) && text(&result).contains(words), "{words}: {}", text(&result));
        assert_eq!(summary(&result)["outcome"], "failed");
        assert!(summary(&result)["error"]["code"].is_string());
    }
    let unknown = connected.client.call_tool(call("nothing", &json!({}))).await.unwrap_err().to_string();
    assert!(unknown.contains("There is no tool `nothing`; there is ai-news"), "{unknown}");
    assert!(galley.statuses().is_empty());
    connected.ends().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_cancels_a_request_or_leaves_stops_its_run() {
    let server = server(|_| Reply::Stall { after_text: String::new() });
    let galley = Galley::asking(&server);
    let connected = Connected::to(&galley, Person::default()).await;
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(call("ai-news", &news("test"))));
    let options = PeerRequestOptions::no_options();
    let handle = connected.client.send_cancellable_request(request, options).await.unwrap();
    eventually("the model is asked", || (server.count() == 1).then_some(()));
    handle.cancel(Some("enough".to_owned())).await.unwrap();
    eventually("the run is stopped", || (galley.statuses() == ["cancelled"]).then_some(()));
    // The program is still there for the next call, over which its input ends.
    let next = connected.client.peer().clone();
    tokio::spawn(async move { next.call_tool(call("ai-news", &news("test"))).await });
    eventually("the model is asked again", || (server.count() == 2).then_some(()));
    connected.ends().await;
    assert_eq!(galley.statuses(), ["cancelled", "cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_ends_as_an_error_with_its_text_and_no_client_raises_it() {
    let server = news_server(NewsModel::default());
    let galley = Galley::new();
    let profile =
        ["profile", "add", "test", "--provider", "openai-compatible", "--base-url", &server.base_url];
    galley.run(profile.iter().chain(&["--model", "news-1", "--no-key", "--limit", "max_llm_calls=2"])).ok();
    let person = asks_forms();
    person.answers.lock().unwrap().push_back("50");
    let connected = Connected::to(&galley, person.clone()).await;
    let result = connected.call("ai-news", news("test")).await;
    assert_eq!((result.is_error, &summary(&result)["outcome"]), (Some(true), &json!("limited")));
    let told = summary(&result);
    assert_eq!(told["error"]["code"], "limit_reached");
    assert!(text(&result).ends_with(told["output"].as_str().unwrap()), "{}", text(&result));
    assert_eq!(person.asked.lock().unwrap().len(), 0);
    connected.ends().await;
    // Unless whoever started the server lets them.
    let connected = Connected::allowing(&galley, person.clone(), &["--allow-limits"]).await;
    let result = connected.call("ai-news", news("test")).await;
    assert_eq!(summary(&result)["outcome"], "finished", "{}", text(&result));
    assert_eq!(person.asked.lock().unwrap().len(), 1);
    connected.ends().await;
}

const CLERK: &str = r#"
id = "clerk"
title = "Clerk"
[input.task]
title = "Task"
[key.report]
title = "Report"
role = "final"
[agent.writer]
reads = ["task"]
writes = "report"
instruction = "Do the task with your tools, then report."
prompt = "{{ task }}"
tools = ["read_webpage"]
[flow]
steps = ["writer"]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_acts_only_where_the_command_allows_it_and_no_client_is_asked() {
    let pages = SearchServices::knowing(Vec::new());
    pages.set("page/first", Canned::of(200, "text/plain", "A page."));
    pages.set("page/carry", Canned::of(200, "text/plain", "Carried away."));
    let base = pages.base_url.clone();
    // Once a page was read, an address that nobody named is asked about. The report is what the tool told last.
    let server = server(move |request| {
        let told: Vec<_> = request.messages().iter().filter(|message| message["role"] == "tool").collect();
        match ["/page/first", "/page/carry?away=secret"].get(told.len()) {
            Some(path) => Reply::tool_call("read_webpage", json!({ "url": format!("{base}{path}") })),
            None => Reply::text(told[1]["content"].as_str().unwrap_or_default()),
        }
    });
    let galley = Galley::asking(&server);
    galley.run(["config", "set", "net.allow", &pages.base_url]).ok();
    galley.file("data/pipelines/clerk.toml", CLERK);
    for (more, words, requests) in
        [(&[][..], "--allow read_webpage", 1), (&["--allow", "read_webpage@127.0.0.1"], "Carried away.", 3)]
    {
        let person = asks_forms();
        person.answers.lock().unwrap().push_back("always");
        let connected = Connected::allowing(&galley, person.clone(), more).await;
        let result = connected.call("clerk", json!({ "task": "Read the pages", "profile": "test" })).await;
        assert!(text(&result).contains(words), "{}", text(&result));
        assert_eq!((pages.requests().len(), person.asked.lock().unwrap().len()), (requests, 0));
        connected.ends().await;
    }
}
