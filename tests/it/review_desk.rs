//! The review desk: what the person decides about issues, which sentences are theirs, and what a rewrite makes of both.

use desk::api::StartRun;
use desk::{Desk, Outcome};
use serde_json::{Value, json};
use testkit::{ChatRequest, ModelServer, Reply};

use crate::outcomes::{Place, well_but};
use crate::pauses::{Window, values};
use crate::profiles::request;

const VAGUE: &str = "the opening is vague";
const UNTITLED: &str = "the post has no title";

fn review(issues: &[&str], is_ready: bool) -> Reply {
    Reply::Json(json!({
        "review_notes": format!("To do: {}.", issues.join(" and ")), "issues_found": issues,
        "revised_post_markdown": "", "ready_for_publish": is_ready
    }))
}

/// A model whose first review raises two issues, the second another one, and which approves what comes third.
fn reviewing(stage: &str, call: usize, _: &ChatRequest) -> Option<Reply> {
    match (stage, call) {
        ("review_notes", 1) => Some(review(&[VAGUE, UNTITLED], false)),
        ("review_notes", 2) => Some(review(&[UNTITLED, "a date is missing"], true)),
        ("review_notes", 3) => Some(review(&[VAGUE], true)),
        _ => None,
    }
}

fn asks(server: &ModelServer, field: &str) -> Vec<String> {
    server.requests().iter().filter(|request| request.asks_for(field)).map(ChatRequest::whole_text).collect()
}

async fn state(desk: &Desk, run: &str) -> Value {
    desk.rpc("state_at", json!({"run": run, "seq": null})).await.unwrap()["state"].clone()
}

async fn act(desk: &Desk, run: &str, action: Value) {
    desk.rpc("review_draft", json!({"run": run, "action": action})).await.unwrap();
}

#[tokio::test]
async fn what_an_agent_at_work_would_overwrite_is_refused_until_it_has_ended() {
    let stalled = |stage: &str, _: usize, _: &ChatRequest| {
        (stage == "review_notes").then(|| Reply::Stall { after_text: String::new() })
    };
    let server = ModelServer::by_agent(well_but(stalled)).await;
    let window = Window::new().await;
    window.add("test", &server).await;
    let run = window.desk.runs().start(request("test")).await.unwrap().run().0.clone();
    while asks(&server, "review_notes").is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let draft = state(&window.desk, &run).await["draft_post"]["post_markdown"].as_str().unwrap().to_owned();
    let sentence = draft.lines().last().unwrap();
    let lock = json!({"run": run, "action": {"kind": "lock", "sentence": sentence, "is_locked": true}});
    let refused = window.desk.rpc("review_draft", lock.clone()).await.unwrap_err();
    assert!(refused.message.contains("at work"), "{}", refused.message);
    window.ask("stop_run", json!({"run": run})).await;
    window.ended(&run).await;
    window.ask("review_draft", lock).await;
    let own = state(&window.desk, &run).await["draft_post_own_text"].clone();
    assert_eq!(own["sentences"].as_array().map(Vec::len), Some(1), "{own}");
}

#[tokio::test]
async fn only_what_is_not_dismissed_goes_to_the_writer_and_each_issue_tells_what_became_of_it() {
    let server = ModelServer::by_agent(well_but(reviewing)).await;
    let window = Window::new().await;
    window.add("test", &server).await;
    let start = StartRun { decide_issues: Some(true), ..request("test") };
    let run = window.desk.runs().start(start).await.unwrap().run().0.clone();
    let question = window.question(&run).await;
    assert_eq!((question["kind"]["kind"].as_str(), values(&question)), (Some("issues"), vec!["rewrite"]));
    act(&window.desk, &run, json!({"kind": "decide", "issue": 1, "decision": "accepted"})).await;
    act(&window.desk, &run, json!({"kind": "reply", "issue": 1, "reply": "Name the lab first"})).await;
    act(&window.desk, &run, json!({"kind": "decide", "issue": 2, "decision": "dismissed"})).await;
    let none = json!({"run": run, "action": {"kind": "decide", "issue": 7, "decision": null}});
    let refused = window.desk.rpc("review_draft", none).await.unwrap_err();
    assert!(refused.message.contains("there is 1, 2"), "{}", refused.message);
    window.answer(&run, "rewrite").await;
    assert_eq!(window.ended(&run).await["outcome"], "finished");

    let rewrite = &asks(&server, "post_markdown")[1];
    assert!(rewrite.contains(VAGUE) && rewrite.contains("Name the lab first"), "{rewrite}");
    assert!(!rewrite.contains(UNTITLED), "{rewrite}");
    let issues = state(&window.desk, &run).await["review_feedback_issues"]["issues"].clone();
    let standing = |at: usize| issues[at]["standing"].as_str().unwrap();
    assert_eq!((standing(0), standing(1), standing(2)), ("resolved", "open", "open"), "{issues}");
    assert_eq!(issues[1]["decision"], "dismissed", "what was dismissed stays so");
    window.replays_the_same(&run).await;

    // After the end the writer starts from the present text in a run of the same session, and only what is left is told.
    let linked = window.ask("rewrite_run", json!({"run": run})).await["run"].as_str().unwrap().to_owned();
    let page = window.ended(&linked).await;
    assert_eq!(page["outcome"], "finished", "{page}");
    assert_eq!(page["card"]["session"], window.ask("open_run", json!({"run": run})).await["card"]["session"]);
    assert_eq!(asks(&server, "articles").len(), 1, "nothing is searched again");
    let rewrite = asks(&server, "post_markdown")[2].clone();
    assert!(rewrite.contains("a date is missing") && !rewrite.contains(UNTITLED), "{rewrite}");
    let issues = state(&window.desk, &linked).await["review_feedback_issues"]["issues"].clone();
    assert_eq!(issues[0]["standing"], "came_back", "{issues}");
    window.replays_the_same(&linked).await;
}

#[tokio::test]
async fn where_nobody_is_there_every_issue_goes_and_the_record_says_so() {
    let place = Place::but(reviewing).await;
    let start = StartRun { decide_issues: Some(true), ..request("test") };
    let handle = place.desk.runs().start(start).await.unwrap();
    assert_eq!(handle.ended().await.outcome, Outcome::Finished);
    let rewrite = &asks(&place.server, "post_markdown")[1];
    assert!(rewrite.contains(VAGUE) && rewrite.contains(UNTITLED), "{rewrite}");
    let events = place.events(&handle).await;
    let facts: Vec<Value> = events.iter().map(|event| json!(event.fact)).collect();
    let asked = facts.iter().position(|fact| fact["effect"]["question"]["kind"]["kind"] == "issues").unwrap();
    assert_eq!(facts[asked + 1]["answer"]["result"], "rewrite");
    place.replays_the_same(&handle).await;
    // Without the setting nothing is asked.
    let handle = place.desk.runs().start(request("test")).await.unwrap();
    handle.ended().await;
    let is_question = |event: &desk::Event| json!(event.fact)["effect"]["effect"] == "question";
    assert!(!place.events(&handle).await.iter().any(is_question));
}

/// A post that is written, reviewed, rewritten and published without a loop, all of it without a model.
const WITHOUT_LOOP: &str = r#"
id = "straight"
title = "Straight"
purpose = "A post in four steps."
[input.topic]
title = "Topic"
[key.hits]
title = "Found"
role = "sources"
[key.draft]
title = "Draft"
role = { draft = "markdown", word_limit = 60 }
[key.found_by_code]
title = "Checks"
role = "checks"
[key.review]
title = "Review"
role = "review"
[key.post]
title = "Post"
role = "final"
[tool.search]
kind = "search"
default = "library"
[agent.searcher]
reads = ["topic"]
writes = "hits"
call = { tool = "search", input = { query = "{{ topic }}", max_results = 2 } }
[agent.first_writer]
reads = ["topic", "hits"]
writes = "draft"
instruction = "Write."
output = "draft"
checks = ["least_words"]
without_model = "summarise_with_citations"
[agent.reviewer]
reads = ["draft", "found_by_code"]
writes = "review"
instruction = "Review."
output = "role"
without_model = "check"
[agent.rewriter]
reads = ["hits", "draft", "review"]
writes = "draft"
instruction = "Write it again."
output = "draft"
without_model = "summarise_with_citations"
[flow]
steps = ["searcher", "first_writer", "reviewer", "rewriter", { set = { post = "{{ draft.markdown }}" } }]
"#;

#[tokio::test]
async fn outside_a_loop_a_dismissed_review_passes_over_the_rewrite_alone() {
    let window = Window::new().await;
    let id = window.ask("create_pipeline", json!({})).await["id"].clone();
    let text = window.ask("open_pipeline", json!({"id": id})).await;
    let save = json!({"id": id, "text": WITHOUT_LOOP, "revision": text["revision"]});
    assert_eq!(window.ask("save_pipeline", save).await["kind"], "saved");
    for decision in ["dismissed", "accepted"] {
        let inputs = [("topic".to_owned(), desk::api::Json(json!("speech recognition")))];
        let start = StartRun {
            pipeline: "straight".into(),
            inputs: inputs.into(),
            profile: Some("built-in".into()),
            decide_issues: Some(true),
            ..StartRun::default()
        };
        let run = window.desk.runs().start(start).await.unwrap().run().0.clone();
        window.question(&run).await;
        act(&window.desk, &run, json!({"kind": "decide", "issue": 1, "decision": decision})).await;
        window.answer(&run, "rewrite").await;
        assert_eq!(window.ended(&run).await["outcome"], "finished");
        let state = state(&window.desk, &run).await;
        assert_eq!(state["post"], state["draft"]["markdown"], "the steps behind the rewrite are done");
        let asked = json!({"run": run, "from_seq": 1, "limit": 500, "is_whole": false});
        let journal = window.ask("read_events", asked).await["entries"].clone();
        let authors = journal.as_array().unwrap().iter().map(|entry| &entry["event"]["author"]);
        assert_eq!(authors.filter(|author| **author == "rewriter").count() > 0, decision == "accepted");
        window.replays_the_same(&run).await;
    }
}

const MINE: &str = "I read all of these papers myself, on a train.";

#[tokio::test]
async fn a_sentence_of_the_person_survives_three_rewrites_by_a_model_that_changes_everything() {
    let posts =
        ["Nothing here is as it was [1].", "All new words came in [1].", "Yet another text begins [1]."];
    let place = Place::but(move |stage, call, _| match stage {
        // The first draft is the usual one; every later answer is another text altogether.
        "post_markdown" if call > 1 => Some(Reply::Json(json!({"post_markdown": posts[call % 3]}))),
        "review_notes" => Some(review(&[VAGUE], true)),
        _ => None,
    })
    .await;
    let (handle, end) = place.run(&[]).await;
    let run = handle.run().0.clone();
    let draft =
        end.state.get("draft_post").unwrap().json().unwrap()["post_markdown"].as_str().unwrap().to_owned();
    let edit =
        |text: String| json!({"run": run, "key": "draft_post", "field": "post_markdown", "value": text});
    // Typed in two strokes: what is typed on is the same sentence.
    place.desk.rpc("edit_state", edit(format!("{draft} I read"))).await.unwrap();
    place.desk.rpc("edit_state", edit(format!("{draft} {MINE}"))).await.unwrap();
    let own = state(&place.desk, &run).await["draft_post_own_text"].clone();
    assert_eq!(own["sentences"].as_array().unwrap().len(), 1, "{own}");
    assert_eq!(
        (&own["sentences"][0]["anchor"]["exact"], &own["sentences"][0]["is_typed"]),
        (&json!(MINE), &json!(true))
    );

    let (mut last, mut collision) = (run.clone(), Value::Null);
    for round in 1..=3 {
        let calls = asks(&place.server, "post_markdown").len();
        let linked = place.desk.rpc("rewrite_run", json!({"run": last})).await.unwrap()["run"].clone();
        last = linked.as_str().unwrap().to_owned();
        end_of(&place.desk, &last).await;
        let after = state(&place.desk, &last).await;
        let text = after["draft_post"]["post_markdown"].as_str().unwrap();
        assert!(
            text.contains(MINE) && text.contains("[1]") && !text.contains(&draft),
            "round {round}: {text}"
        );
        let asked = asks(&place.server, "post_markdown");
        assert!(asked[calls].contains("SENTENCES TO KEEP") && asked[calls].contains(MINE));
        assert!(asked[calls + 1].contains("must stand in the text word for word"), "{}", asked[calls + 1]);
        let check = |check: &&Value| check["name"] == "own_sentences";
        let checked = after["draft_checks"].as_array().unwrap().iter().find(check).unwrap().clone();
        assert_eq!(checked["passed"], true);
        assert!(checked["detail"].as_str().unwrap().contains("put back: 1"), "{checked}");
        collision = after["draft_post_own_text"]["collisions"][0].clone();
        assert_eq!(collision["yours"], MINE);
    }
    // Each rewrite asks for one repair and no more.
    assert_eq!(asks(&place.server, "post_markdown").len() % 2, 1);
    // The person gives their sentence up for what the agent wrote.
    act(&place.desk, &last, json!({"kind": "merge", "collision": collision["id"], "take": "agents"})).await;
    let after = state(&place.desk, &last).await;
    assert!(!after["draft_post"]["post_markdown"].as_str().unwrap().contains(MINE));
    assert_eq!(after["draft_post_own_text"], json!({"sentences": []}));
    // A sentence of the agent is kept like one's own.
    let sentence = posts.iter().find(|post| after["draft_post"]["post_markdown"] == **post).unwrap();
    act(&place.desk, &last, json!({"kind": "lock", "sentence": sentence, "is_locked": true})).await;
    let linked = place.desk.rpc("rewrite_run", json!({"run": last})).await.unwrap()["run"].clone();
    let linked = linked.as_str().unwrap();
    end_of(&place.desk, linked).await;
    let after = state(&place.desk, linked).await;
    assert!(after["draft_post"]["post_markdown"].as_str().unwrap().contains(sentence), "{after}");
}

/// Waits for the end of a run.
async fn end_of(desk: &Desk, run: &str) {
    for _ in 0..6000 {
        let page = desk.rpc("open_run", json!({"run": run})).await.unwrap();
        if page["outcome"].is_string() {
            assert_eq!(page["outcome"], "finished", "{page}");
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{run} does not end");
}
