//! A model that fails for good, or whose answer cannot be used: its stage is done without a model, by the person's choice
//! or by one made beforehand, and the result says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use desk::api::{CorrectAnswer, ForkRun, ResumeRun, StartRun};
use desk::{Desk, ErrorCode, LimitName, OnFailure, Options, Outcome, RunHandle};
use serde_json::{Value, json};
use testkit::{ModelServer, Reply};

use crate::outcomes::well_but;
use crate::pauses::{Window, values};
use crate::profiles::request;

const WRITER: &str = "ai_news_writer";

/// A desk where nobody is there, with the profile `work`.
struct Alone {
    desk: Desk,
    server: ModelServer,
    _folder: tempfile::TempDir,
}

impl Alone {
    async fn with(server: ModelServer) -> Alone {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let card = json!({
            "name": "work", "provider": "openai-compatible", "base_url": server.base_url,
            "models": {"default": "any"}
        });
        desk.rpc("add_profile", card).await.unwrap();
        Alone { desk, server, _folder: folder }
    }

    async fn start(&self, fallback: Option<OnFailure>) -> RunHandle {
        self.desk.runs().start(StartRun { fallback, ..request("work") }).await.unwrap()
    }

    async fn without_model(&self, run: &RunHandle) -> Value {
        self.desk.rpc("open_run", json!({"run": run.run().0})).await.unwrap()["without_model"].clone()
    }

    async fn replays(&self, run: &RunHandle) {
        let (report, ..) = self.desk.runs().replay(&run.run().0, desk::ReplayOf::Present).await.unwrap();
        assert!(report.difference.is_none(), "{:?}", report.difference);
    }
}

/// A server whose writer answers nothing that can be used, until it is mended.
async fn babbling() -> (ModelServer, Arc<AtomicBool>) {
    let is_mended = Arc::new(AtomicBool::new(false));
    let mended = is_mended.clone();
    let babble = move |stage: &str, _: usize, _: &testkit::ChatRequest| {
        (stage == "post_markdown" && !mended.load(Ordering::SeqCst)).then(|| Reply::text("I am sorry."))
    };
    (ModelServer::by_agent(well_but(babble)).await, is_mended)
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_is_replaced_where_that_was_chosen_and_the_result_says_so() {
    let alone = Alone::with(babbling().await.0).await;
    let run = alone.start(Some(OnFailure::BuiltIn)).await;
    let end = run.ended().await;
    assert_eq!((end.outcome, &end.error), (Outcome::Finished, &None));
    assert!(end.state.get("draft_post").is_some());
    assert_eq!(alone.without_model(&run).await, json!([WRITER]), "the reviewer asks its model");
    assert_eq!((alone.server.count(), end.usage.calls), (4, 4), "search, two of the writer, the review");
    alone.replays(&run).await;
    // What was decided holds in a fork behind it: the writer is not asked again.
    let fork = ForkRun { run: run.run().0.clone(), at: run.fold().last_seq, ..ForkRun::default() };
    let forked = alone.desk.runs().fork(fork).await.unwrap();
    assert_eq!(forked.ended().await.outcome, Outcome::Finished);
    assert_eq!((alone.without_model(&forked).await, alone.server.count()), (json!([WRITER]), 4));
}

#[tokio::test]
async fn a_provider_that_is_down_is_replaced_for_every_stage_that_asks_it() {
    type Refusal = fn(&str) -> Reply;
    let cases: [(Refusal, ErrorCode); 3] = [
        (Reply::invalid_key, ErrorCode::KeyRefused),
        (|_| Reply::insufficient_quota(), ErrorCode::QuotaExhausted),
        (|_| Reply::model_not_found("any"), ErrorCode::RequestRefused),
    ];
    for (reply, code) in cases {
        let refuse = move |stage: &str, _: usize, _: &testkit::ChatRequest| {
            (stage != "articles").then(|| reply("sk-withdrawn"))
        };
        let alone = Alone::with(ModelServer::by_agent(well_but(refuse)).await).await;
        let plain = alone.start(None).await;
        let end = plain.ended().await;
        assert_eq!(end.outcome, Outcome::Failed, "{code:?}: nobody chose anything");
        assert_eq!(alone.without_model(&plain).await, Value::Null);
        let asked = alone.server.count();
        // The failed run goes on without a model when that is chosen now, and asks nothing twice.
        let resume = ResumeRun {
            run: plain.run().0.clone(),
            fallback: Some(OnFailure::BuiltIn),
            ..ResumeRun::default()
        };
        let resumed = alone.desk.runs().resume(resume).await.unwrap();
        let end = resumed.ended().await;
        assert_eq!(end.outcome, Outcome::Finished, "{code:?}: {:?}", end.error);
        assert_eq!(alone.without_model(&resumed).await, json!(["ai_news_reviewer", WRITER]));
        // What is missing is asked for once more, with the list of what there is.
        assert!(alone.server.count() <= asked + 2, "{code:?}: the search is not asked again");
        alone.replays(&resumed).await;
    }
}

#[tokio::test]
async fn the_setting_chooses_for_every_run_and_a_run_may_choose_otherwise() {
    let alone = Alone::with(babbling().await.0).await;
    alone.desk.rpc("set_setting", json!({"key": "default_fallback", "value": "built-in"})).await.unwrap();
    assert_eq!(alone.start(None).await.ended().await.outcome, Outcome::Finished);
    let end = alone.start(Some(OnFailure::Ask)).await.ended().await;
    assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, ErrorCode::MalformedAnswer));
    let wrong = alone.desk.rpc("set_setting", json!({"key": "default_fallback", "value": "guess"})).await;
    assert!(wrong.unwrap_err().message.contains("built-in"));
}

#[tokio::test]
async fn at_the_window_the_person_is_asked_what_becomes_of_an_answer_that_cannot_be_used() {
    for (answer, outcome, calls) in
        [("built_in", "finished", 4), ("retry", "finished", 5), ("stop", "failed", 3)]
    {
        let (server, is_mended) = babbling().await;
        let window = Window::new().await;
        window.add("work", &server).await;
        let run = window.start("work", &[(LimitName::MaxLlmCalls, 9.0)]).await;
        let question = window.question(&run).await;
        assert_eq!(question["kind"], json!({"kind": "malformed"}));
        assert_eq!(values(&question), ["retry", "built_in", "stop"]);
        is_mended.store(true, Ordering::SeqCst);
        window.answer(&run, answer).await;
        let page = window.ended(&run).await;
        assert_eq!((page["outcome"].as_str(), server.count()), (Some(outcome), calls), "{answer}");
        let without = if answer == "built_in" { json!([WRITER]) } else { Value::Null };
        assert_eq!(page["without_model"], without, "{answer}");
        window.replays_the_same(&run).await;
    }
}

#[tokio::test]
async fn the_answer_can_be_corrected_by_hand_while_the_person_is_asked_about_it() {
    let (server, _) = babbling().await;
    let window = Window::new().await;
    window.add("work", &server).await;
    let run = window.start("work", &[]).await;
    window.question(&run).await;
    let state = window.ask("state_at", json!({"run": run})).await["state"].clone();
    let title = state["search_results"]["articles"][0]["title"].as_str().unwrap();
    let post = format!("A paper of June: {title} [1].");
    let page = window.ask("read_events", json!({"run": run, "from_seq": 1, "limit": 500})).await;
    let mut answers = page["entries"].as_array().unwrap().iter().map(|entry| &entry["event"]);
    let last = answers.rfind(|event| event["fact"]["answer"]["result"]["text"] == "I am sorry.");
    let correction = CorrectAnswer {
        run: run.clone(),
        seq: serde_json::from_value(last.unwrap()["seq"].clone()).unwrap(),
        text: json!({"post_markdown": post, "sources_used": [0], "word_count": 9}).to_string(),
    };
    window.ask("correct_answer", json!(correction)).await;
    let page = window.ended(&run).await;
    assert_eq!((page["outcome"].as_str(), server.count()), (Some("finished"), 4), "{}", page["error"]);
    let state = window.ask("state_at", json!({"run": run})).await["state"].clone();
    assert_eq!(state["final_post"], json!(post));
    window.replays_the_same(&run).await;
}
