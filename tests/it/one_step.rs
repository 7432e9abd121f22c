//! A run begun again, and its text rewritten in one step: by instructions of the program and of the person, with what must
//! stand and what may be cited.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use desk::LimitName;
use desk::api::{AgentSettings, StartRun};
use serde_json::{Value, json};
use testkit::{ChatRequest, ModelServer, NewsModel, Reply};

use crate::pauses::Window;
use crate::profiles::request;

/// A window with a server whose rewriter gives these answers one after the other, the last one again and again, and with
/// a finished run that asked it.
async fn place(answers: &'static [&'static str]) -> (Window, Arc<ModelServer>, String) {
    let calls = AtomicUsize::new(0);
    let server = ModelServer::by_agent(move |request| {
        if !request.asks_for("markdown") {
            return NewsModel::default().answer(request);
        }
        let call = calls.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1);
        Reply::Json(json!({ "markdown": answers[call] }))
    })
    .await;
    let window = Window::new().await;
    window.add("test", &server).await;
    let run = window.desk.runs().start(request("test")).await.unwrap().run().0.clone();
    assert_eq!(window.ended(&run).await["outcome"], "finished");
    (window, Arc::new(server), run)
}

async fn state(window: &Window, run: &str) -> Value {
    window.ask("state_at", json!({"run": run, "seq": null})).await["state"].clone()
}

/// Rewrites a run to the end; the id of the linked run and its state.
async fn rewritten(window: &Window, run: &str, step: Value) -> (String, Value) {
    let made = window.ask("rewrite_run", json!({"run": run, "step": step})).await;
    let linked = made["run"].as_str().unwrap().to_owned();
    let page = window.ended(&linked).await;
    assert_eq!(page["outcome"], "finished", "{page}");
    let session = window.ask("open_run", json!({"run": run})).await["card"]["session"].clone();
    assert_eq!(page["card"]["session"], session, "the run is linked by its session");
    window.replays_the_same(&linked).await;
    (linked.clone(), state(window, &linked).await)
}

fn rewriter_asked(server: &ModelServer) -> Vec<ChatRequest> {
    server.requests().into_iter().filter(|request| request.asks_for("markdown")).collect()
}

/// The passages of a post: sentences that end with a citation, and parts of quotations.
fn passages(post: &str) -> Vec<&str> {
    let paragraphs = post.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let cited = paragraphs.flat_map(|line| line.split_inclusive("]."));
    cited.flat_map(|sentence| sentence.split(" … ")).map(str::trim).collect()
}

fn failed(state: &Value) -> Vec<&str> {
    let checks = state["draft_checks"].as_array().unwrap().iter().filter(|check| check["passed"] == false);
    checks.map(|check| check["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_locked_sentence_stands_word_for_word_in_what_one_instruction_makes_and_the_sources_come_along() {
    let (window, server, run) = place(&["A plain text [1].", "Another plain text [1]."]).await;
    let before = state(&window, &run).await["final_post"].as_str().unwrap().to_owned();
    let sentence = *passages(&before).last().unwrap();
    let lock = json!({"kind": "lock", "sentence": sentence, "is_locked": true});
    window.ask("review_draft", json!({"run": run, "action": lock})).await;

    let (linked, after) = rewritten(&window, &run, json!({"instruction": "Plainer"})).await;
    let text = after["final_text"].as_str().unwrap();
    assert!(text.contains(sentence) && text.contains("plain text [1]"), "{text}");
    let asked = rewriter_asked(&server);
    assert_eq!(asked.len(), 2, "the lost sentence is asked for once");
    let told = asked[0].whole_text();
    assert!(told.contains("plainer words") && told.contains("SENTENCES TO KEEP") && told.contains(sentence));
    assert!(asked[1].whole_text().contains("must stand in the text word for word"));
    assert_eq!((&after["text"], &after["instruction_name"]), (&json!(before), &json!("plainer")));
    assert_eq!(failed(&after), Vec::<&str>::new(), "{}", after["draft_checks"]);
    assert!(after["draft_review"].is_null() && after["final_remark"].is_null(), "{after}");
    // The ledger of citations holds the text against the sources of the run before.
    let ledger = |run: String| window.ask("citations_at", json!({"run": run, "seq": null}));
    let (own, theirs) = (ledger(linked.clone()).await, ledger(run.clone()).await);
    assert!(own["citations"].as_array().unwrap().iter().all(|entry| entry["verdict"] != "out_of_range"));
    assert_eq!(own["sources"][0]["url"], theirs["sources"][0]["url"]);
    assert_eq!(own["sources"][0]["stored"], theirs["sources"][0]["stored"]);
    // What was rewritten is rewritten again, and at its review desk a sentence is given up.
    let lock = json!({"kind": "lock", "sentence": sentence, "is_locked": false});
    window.ask("review_draft", json!({"run": linked, "action": lock})).await;
    let (_, again) =
        rewritten(&window, &linked, json!({"instruction": "translate", "language": "Japanese"})).await;
    assert!(!again["final_text"].as_str().unwrap().contains(sentence), "{again}");
    assert!(rewriter_asked(&server)[2].whole_text().contains("into Japanese"));
}

#[tokio::test]
async fn a_number_nobody_cited_is_asked_about_once_and_what_stays_wrong_is_an_issue() {
    let (window, server, run) = place(&["It is said [9].", "It is said again [8]."]).await;
    let (linked, after) = rewritten(&window, &run, json!({"instruction": "longer"})).await;
    assert_eq!(rewriter_asked(&server).len(), 2);
    assert!(rewriter_asked(&server)[1].whole_text().contains("the text before does not cite [9]"));
    assert_eq!(failed(&after), ["known_citations"]);
    let issues = &after["draft_review_issues"]["issues"];
    assert_eq!(issues[0]["text"], "the text before does not cite [8]", "{issues}");
    assert_eq!(after["final_remark"], "the text before does not cite [8]");
    // The issue goes to the writer as after any other review.
    let made = window.ask("rewrite_run", json!({"run": linked})).await["run"].as_str().unwrap().to_owned();
    assert_eq!(window.ended(&made).await["outcome"], "finished");
    let told = rewriter_asked(&server)[2].whole_text();
    assert!(told.contains("LAST DRAFT WITH ITS REVIEW") && told.contains("does not cite [8]"), "{told}");

    let (window, server, run) = place(&["Nothing is cited any more."]).await;
    let (_, after) = rewritten(&window, &run, json!({"text": "Leave the citations out"})).await;
    assert_eq!((rewriter_asked(&server).len(), failed(&after)), (1, vec!["kept_citations"]));
    assert!(after["draft_review_issues"]["issues"][0]["text"].as_str().unwrap().contains("cites none"));
}

#[tokio::test]
async fn without_a_model_the_text_gets_shorter_and_everything_else_is_refused_before_a_run_begins() {
    let window = Window::new().await;
    let run = window.desk.runs().start(request("built-in")).await.unwrap().run().0.clone();
    window.ended(&run).await;
    let before = state(&window, &run).await["final_post"].as_str().unwrap().to_owned();
    let (linked, after) = rewritten(&window, &run, json!({"instruction": "shorter"})).await;
    let text = after["final_text"].as_str().unwrap();
    // A quotation may end with an earlier passage than before.
    let stood = |one: &&str| before.contains(one.split('”').next().unwrap_or_default());
    assert!(text.len() < before.len() && passages(text).iter().all(stood), "{text}");
    assert_eq!(failed(&after), Vec::<&str>::new());

    let count = async || window.ask("list_runs", json!({})).await["runs"].as_array().unwrap().len();
    let runs = count().await;
    // Every passage of the shortened text is locked: nothing is left to leave out.
    for sentence in passages(text) {
        let lock = json!({"kind": "lock", "sentence": sentence, "is_locked": true});
        window.ask("review_draft", json!({"run": linked, "action": lock})).await;
    }
    for (run, step, words) in [
        (&linked, json!({"instruction": "shorter"}), "Nothing can be left out"),
        (&run, json!({"instruction": "longer"}), "`longer` needs a model"),
        (&run, json!({"instruction": "translate", "language": "Japanese"}), "`translate` needs a model"),
        (&run, json!({"instruction": "translate"}), "needs the language"),
        (
            &run,
            json!({"instruction": "plainer", "language": "Japanese"}),
            "Only `translate` takes a language",
        ),
        (&run, json!({"text": "For the board"}), "of your own needs a model"),
        (&run, json!({"instruction": "nobler"}), "there is shorter, longer, plainer, translate"),
        (&run, json!({"instruction": "nobler", "profile": "nowhere"}), "There is no instruction `nobler`"),
        (&run, json!({}), "Name an instruction"),
    ] {
        let refused = window.desk.rpc("rewrite_run", json!({"run": run, "step": step})).await.unwrap_err();
        assert!(refused.message.contains(words), "{step}: {}", refused.message);
    }
    assert_eq!(count().await, runs, "no run was begun");
}

#[tokio::test]
async fn instructions_of_the_person_are_kept_by_name_within_what_a_run_admits() {
    let (window, server, run) = place(&["For the board [1]."]).await;
    let save = async |saved: Value| window.desk.rpc("save_instruction", saved).await;
    let board = json!({"name": "board", "text": "Write for the members of the board."});
    let all = save(board.clone()).await.unwrap();
    assert_eq!(all["saved"], json!([board]));
    let most = usize::try_from(all["max_bytes"].as_u64().unwrap()).unwrap();
    for (name, text, words) in [
        ("Shorter", "x".to_owned(), "Galley itself has the instruction `shorter`"),
        ("BOARD", "x".to_owned(), "already"),
        ("long", "x".repeat(most + 1), "at most"),
        ("", "x".to_owned(), "has a name and a text"),
        ("none", " ".to_owned(), "has a name and a text"),
    ] {
        let refused = save(json!({"name": name, "text": text})).await.unwrap_err();
        assert!(refused.message.contains(words), "{name}: {}", refused.message);
    }
    // What may be saved may be run, to the byte.
    let whole = format!("{}.", "y".repeat(most - 1));
    save(json!({"name": "whole", "text": whole})).await.unwrap();
    rewritten(&window, &run, json!({"instruction": "whole"})).await;
    assert!(rewriter_asked(&server)[0].whole_text().contains(&whole));
    let longer = window.desk.rpc("rewrite_run", json!({"run": run, "step": {"text": format!("{whole}z")}}));
    assert!(longer.await.unwrap_err().message.contains("at most"));

    save(json!({"name": "the board", "text": "Write for the board.", "replaces": "board"})).await.unwrap();
    let all = window.ask("remove_instruction", json!({"name": "whole"})).await;
    assert_eq!(all["saved"], json!([{"name": "the board", "text": "Write for the board."}]));
    let (_, after) = rewritten(&window, &run, json!({"instruction": "the board"})).await;
    assert_eq!(after["instruction"], "Write for the board.");
    std::fs::write(window.desk.folder().join("instructions.toml"), "name = ").unwrap();
    let refused = window.desk.rpc("list_instructions", json!({})).await.unwrap_err();
    assert!(refused.message.contains("instructions.toml cannot be read"), "{}", refused.message);
}

#[tokio::test]
async fn a_run_is_begun_again_with_its_inputs_profile_limits_and_the_settings_of_its_agents() {
    let (window, server, _) = place(&["Again [1]."]).await;
    window.add("other", &server).await;
    let own = AgentSettings {
        instruction: Some("Write a post, and answer with one JSON object.".into()),
        profile: Some("other".into()),
        model: Some("model-of-mine".into()),
        temperature: Some(0.9),
        limits: [(LimitName::MaxLlmCalls, Some(3.0))].into(),
    };
    let first = StartRun {
        agents: [("ai_news_writer".to_owned(), own)].into(),
        limits: [(LimitName::MaxLlmCalls, Some(6.0)), (LimitName::MaxExecutionTimeS, None)].into(),
        decide_issues: Some(false),
        ..request("test")
    };
    let run = window.desk.runs().start(first.clone()).await.unwrap().run().0.clone();
    window.ended(&run).await;
    let again: StartRun =
        serde_json::from_value(window.ask("read_request", json!({"run": run})).await).unwrap();
    let told = |start: &StartRun| {
        json!([
            start.pipeline,
            start.inputs,
            start.profile,
            start.tools,
            start.as_of,
            start.agents,
            start.limits
        ])
    };
    assert_eq!(told(&again), told(&first));
    let second = window.desk.runs().start(again).await.unwrap().run().0.clone();
    let (one, other) = (window.ended(&run).await, window.ended(&second).await);
    for same in ["profiles", "limits", "tools", "as_of", "outcome"] {
        assert_eq!(one[same], other[same], "{same}");
    }
    assert_ne!(one["card"]["session"], other["card"]["session"]);
    // Another input takes the place of its own.
    let changed = json!({"run": run, "inputs": {"user_topic": "parsers"}});
    assert_eq!(window.ask("read_request", changed).await["inputs"]["user_topic"], "parsers");
    // A rewrite in one step is done again on the same text, with its sources, in its session.
    let (linked, after) = rewritten(&window, &run, json!({"instruction": "plainer"})).await;
    let request = window.ask("read_request", json!({"run": linked})).await;
    let made = window.ask("start_run", request).await["run"].as_str().unwrap().to_owned();
    let page = window.ended(&made).await;
    assert_eq!((&page["outcome"], &page["card"]["session"]), (&json!("finished"), &one["card"]["session"]));
    let repeated = state(&window, &made).await;
    for same in ["text", "instruction", "sources", "draft_checks"] {
        assert_eq!(repeated[same], after[same], "{same}");
    }
}
