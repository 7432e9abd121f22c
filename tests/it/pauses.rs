//! A run that pauses while somebody is at the window: what it asks, and that each answer does what it says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use desk::api::{ProfileCard, StartRun};
use desk::{Desk, LimitName, Options, Outcome, QuestionPolicy};
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel, Reply, closed_port_url};

use crate::outcomes::well_but;
use crate::profiles::request;

/// So long a run may take to what a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A desk with a window, and a run that somebody follows there.
pub(crate) struct Window {
    pub(crate) desk: Desk,
    _folder: tempfile::TempDir,
}

impl Window {
    pub(crate) async fn new() -> Window {
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            data_dir: Some(folder.path().to_owned()),
            question_policy: QuestionPolicy::Window,
            ..Options::default()
        };
        Window { desk: Desk::open(options).await.unwrap(), _folder: folder }
    }

    pub(crate) async fn add(&self, name: &str, server: &ModelServer) {
        self.add_at(name, &server.base_url).await;
    }

    async fn add_at(&self, name: &str, base_url: &str) {
        let card = ProfileCard {
            name: name.into(),
            provider: "openai-compatible".into(),
            base_url: base_url.to_owned(),
            models: [("default".to_owned(), format!("model-of-{name}"))].into(),
            ..ProfileCard::default()
        };
        self.ask("add_profile", json!(card)).await;
    }

    async fn key(&self, profile: &str, key: &str) {
        self.ask("save_key", json!({"profile": profile, "key": key, "for_session": true})).await;
    }

    pub(crate) async fn ask(&self, command: &str, payload: Value) -> Value {
        self.desk.rpc(command, payload).await.unwrap()
    }

    pub(crate) async fn start(&self, profile: &str, limits: &[(LimitName, f64)]) -> String {
        let limits = limits.iter().map(|(name, most)| (*name, Some(*most))).collect();
        let request = StartRun { limits, ..request(profile) };
        self.desk.runs().start(request).await.unwrap().run().0.clone()
    }

    /// The question that the run asks, once it does.
    pub(crate) async fn question(&self, run: &str) -> Value {
        self.until(run, async || {
            let runs = self.ask("list_runs", json!({})).await;
            if runs["runs"][0]["status"] != "waiting" {
                return None;
            }
            let facts = self.facts(run).await;
            let asked = facts.iter().rev().find(|fact| fact["effect"]["effect"] == "question");
            Some(asked.unwrap()["effect"]["question"].clone())
        })
        .await
    }

    /// Waits for something that a run comes to; a run that never does is told as it stands.
    async fn until<T>(&self, run: &str, mut comes: impl AsyncFnMut() -> Option<T>) -> T {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Some(come) = comes().await {
                return come;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("it never came: {:#?}", self.facts(run).await);
    }

    pub(crate) async fn answer(&self, run: &str, value: &str) {
        self.ask("answer_run", json!({"run": run, "value": value})).await;
    }

    pub(crate) async fn ended(&self, run: &str) -> Value {
        self.until(run, async || {
            let page = self.ask("open_run", json!({"run": run})).await;
            (!page["outcome"].is_null()).then_some(page)
        })
        .await
    }

    pub(crate) async fn facts(&self, run: &str) -> Vec<Value> {
        let page = self.ask("read_events", json!({"run": run, "from_seq": 1, "limit": 500})).await;
        page["entries"].as_array().unwrap().iter().map(|entry| entry["event"]["fact"].clone()).collect()
    }

    pub(crate) async fn replays_the_same(&self, run: &str) {
        let (report, ..) = self.desk.runs().replay(run, desk::ReplayOf::Present).await.unwrap();
        assert!(report.difference.is_none(), "{:?}", report.difference);
    }
}

pub(crate) fn values(question: &Value) -> Vec<&str> {
    question["choices"].as_array().unwrap().iter().map(|choice| choice["value"].as_str().unwrap()).collect()
}

/// A server whose writer's key is withdrawn until it is mended.
async fn withdrawing() -> (ModelServer, Arc<AtomicBool>) {
    let is_mended = Arc::new(AtomicBool::new(false));
    let mended = is_mended.clone();
    let server = ModelServer::by_agent(well_but(move |stage, _, _| {
        (stage == "post_markdown" && !mended.load(Ordering::SeqCst)).then(|| Reply::invalid_key("sk-old"))
    }))
    .await;
    (server, is_mended)
}

#[tokio::test]
async fn a_key_refused_in_the_middle_of_a_run_waits_for_the_key_and_asks_nothing_twice() {
    let (server, is_mended) = withdrawing().await;
    let window = Window::new().await;
    window.add("work", &server).await;
    window.key("work", "sk-old-and-withdrawn").await;
    let run = window.start("work", &[]).await;
    let question = window.question(&run).await;
    assert_eq!(question["kind"], json!({"kind": "profile", "profile": "work", "code": "key_refused"}));
    assert_eq!(values(&question), ["retry", "profile:built-in", "stop"]);
    // Tried again with nothing mended it asks again.
    window.answer(&run, "retry").await;
    server.wait_for_requests(3, Duration::from_secs(60)).await;
    window.question(&run).await;
    is_mended.store(true, Ordering::SeqCst);
    window.key("work", "sk-new-and-well").await;
    window.answer(&run, "retry").await;
    let page = window.ended(&run).await;
    assert_eq!((page["outcome"].as_str(), &page["error"]), (Some("finished"), &Value::Null));
    let keys: Vec<_> = server.requests().iter().map(|request| request.key().unwrap().to_owned()).collect();
    let (old, new) = ("sk-old-and-withdrawn", "sk-new-and-well");
    assert_eq!(keys, [old, old, old, new, new], "search, write refused twice; write, review");
    assert_eq!(page["usage"]["calls"], 5);
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn who_cannot_be_reached_is_waited_for_and_asked_again_when_the_person_says_so() {
    let server = ModelServer::news(NewsModel::default()).await;
    let window = Window::new().await;
    window.add_at("work", &closed_port_url()).await;
    let run = window.start("work", &[]).await;
    let question = window.question(&run).await;
    assert_eq!(question["kind"], json!({"kind": "profile", "profile": "work", "code": "network"}));
    assert_eq!(values(&question), ["retry", "profile:built-in", "stop"]);
    window.add("work", &server).await;
    window.answer(&run, "retry").await;
    assert_eq!(window.ended(&run).await["outcome"], "finished");
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn another_profile_named_by_the_person_is_asked_by_all_that_asked_the_refused_one() {
    let (refusing, _) = withdrawing().await;
    let home = ModelServer::news(NewsModel::default()).await;
    let window = Window::new().await;
    window.add("home", &home).await;
    window.add("work", &refusing).await;
    let run = window.start("work", &[]).await;
    window.question(&run).await;
    window.answer(&run, "profile:home").await;
    assert_eq!(window.ended(&run).await["outcome"], "finished");
    assert_eq!((refusing.count(), home.count()), (2, 2), "writer and reviewer go to the other");
    assert!(home.requests().iter().all(|request| request.model() == "model-of-home"));
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn who_stops_at_a_refused_key_has_a_failed_run_that_resumes_when_the_key_is_mended() {
    let (server, is_mended) = withdrawing().await;
    let window = Window::new().await;
    window.add("work", &server).await;
    let run = window.start("work", &[]).await;
    window.question(&run).await;
    window.answer(&run, "stop").await;
    let page = window.ended(&run).await;
    assert_eq!(
        (page["outcome"].as_str(), page["error"]["code"].as_str()),
        (Some("failed"), Some("key_refused"))
    );
    is_mended.store(true, Ordering::SeqCst);
    let resume = serde_json::from_value(json!({"run": run})).unwrap();
    assert_eq!(window.desk.runs().resume(resume).await.unwrap().ended().await.outcome, Outcome::Finished);
    assert_eq!(server.count(), 4, "search, write refused; write, review");
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn a_limit_asks_and_each_of_its_answers_does_what_it_says() {
    for (answer, outcome, calls) in
        [("add", "finished", 5), ("1", "finished", 5), ("finish", "limited", 4), ("stop", "cancelled", 4)]
    {
        let server = ModelServer::news(NewsModel { reject_first: true, ..NewsModel::default() }).await;
        let window = Window::new().await;
        window.add("work", &server).await;
        let run = window.start("work", &[(LimitName::MaxLlmCalls, 4.0)]).await;
        let question = window.question(&run).await;
        assert_eq!(question["kind"], json!({"kind": "limit", "limit": "max_llm_calls"}));
        assert_eq!(values(&question), ["add", "finish", "stop"]);
        window.answer(&run, answer).await;
        let page = window.ended(&run).await;
        assert_eq!((page["outcome"].as_str(), server.count()), (Some(outcome), calls), "{answer}");
        assert_eq!(page["usage"]["calls"], calls, "{answer}");
        let state = window.ask("state_at", json!({"run": run})).await["state"].clone();
        // The best so far is the result of a run that was finished; of a stopped one only the drafts stay.
        assert_eq!(state.get("final_post").is_some(), outcome != "cancelled", "{answer}: {state}");
        assert!(state.get("draft_post").is_some(), "{answer}");
        window.replays_the_same(&run).await;
    }
}

#[tokio::test]
async fn an_answer_given_while_the_run_is_being_resumed_reaches_it() {
    let server = ModelServer::news(NewsModel { reject_first: true, ..NewsModel::default() }).await;
    let window = Window::new().await;
    window.add("work", &server).await;
    let run = window.start("work", &[(LimitName::MaxLlmCalls, 4.0)]).await;
    window.question(&run).await;
    window.ask("stop_run", json!({"run": run})).await;
    assert_eq!(window.ended(&run).await["outcome"], "cancelled");
    // The question is on the page still, and both buttons may be pressed before the run asks it again.
    let (resume, answer) = (json!({"run": run}), json!({"run": run, "value": "add"}));
    // Whichever comes first lets the run go on; the answer arrives in either case.
    let (_, answered) =
        tokio::join!(window.desk.rpc("resume_run", resume), window.desk.rpc("answer_run", answer));
    answered.unwrap();
    assert_eq!(window.ended(&run).await["outcome"], "finished");
    assert_eq!(server.count(), 5, "nothing is asked twice");
    window.replays_the_same(&run).await;
}
