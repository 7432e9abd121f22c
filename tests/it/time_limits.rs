//! How much time a run gets: by whose server answers, by what was measured, and as the person says.

use std::time::Duration;

use desk::api::{ForkRun, ProfileCard, ResumeRun, StartRun};
use desk::{Desk, LimitName, Options, Outcome};
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel};

use crate::pauses::Window;
use crate::profiles::request;

/// A desk where nobody is there to be asked.
struct Alone {
    desk: Desk,
    _folder: tempfile::TempDir,
}

impl Alone {
    async fn new() -> Alone {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        Alone { desk: Desk::open(options).await.unwrap(), _folder: folder }
    }

    async fn add(&self, name: &str, provider: &str, base_url: &str, limits: &[(LimitName, f64)]) {
        let card = ProfileCard {
            name: name.into(),
            provider: provider.into(),
            base_url: base_url.into(),
            models: [("default".to_owned(), "any".to_owned())].into(),
            limits: limits.iter().copied().collect(),
            ..ProfileCard::default()
        };
        self.desk.rpc("add_profile", json!(card)).await.unwrap();
    }

    /// The seconds that a run would get, and why.
    async fn time(&self, request: &StartRun) -> (f64, Value) {
        let preflight = self.desk.rpc("preflight", json!(request)).await.unwrap();
        (preflight["limits"]["max_execution_time_s"].as_f64().unwrap(), preflight["time_limit"].clone())
    }

    async fn time_of_run(&self, run: &str) -> f64 {
        let page = self.desk.rpc("open_run", json!({"run": run})).await.unwrap();
        page["limits"]["max_execution_time_s"].as_f64().unwrap()
    }
}

async fn slow_server(latency_ms: u64) -> ModelServer {
    ModelServer::news(NewsModel { latency: Duration::from_millis(latency_ms), ..NewsModel::default() }).await
}

#[tokio::test]
async fn a_cloud_gets_the_usual_time_a_server_of_ones_own_a_quarter_of_an_hour_and_a_set_limit_holds() {
    let alone = Alone::new().await;
    let local = |name: &str| json!({"kind": "local_server", "profile": name});
    let cases = [
        ("google", "gemini", "http://127.0.0.1:9", 90.0, Value::Null),
        ("large", "openai", "http://127.0.0.1:9/v1", 90.0, Value::Null),
        ("here", "openai-compatible", "http://127.0.0.1:9/v1", 900.0, local("here")),
        ("llama", "ollama", "", 900.0, local("llama")),
    ];
    for (name, provider, base_url, seconds, why) in cases {
        alone.add(name, provider, base_url, &[]).await;
        assert_eq!(alone.time(&request(name)).await, (seconds, why), "{name}");
    }
    assert_eq!(alone.time(&request("built-in")).await, (90.0, Value::Null));
    let set = json!({"kind": "set"});
    let limits = [(LimitName::MaxExecutionTimeS, 30.0)];
    let asked = StartRun { limits: limits.map(|(name, most)| (name, Some(most))).into(), ..request("here") };
    assert_eq!(alone.time(&asked).await, (30.0, set.clone()));
    alone.add("short", "ollama", "", &limits).await;
    assert_eq!(alone.time(&request("short")).await, (30.0, set));
}

#[tokio::test]
async fn the_speed_that_was_measured_corrects_the_time_within_the_run_and_for_the_next() {
    let server = slow_server(400).await;
    let alone = Alone::new().await;
    alone.add("slow", "openai-compatible", &server.base_url, &[]).await;
    alone.add("cloud", "gemini", "http://127.0.0.1:9", &[]).await;
    // Answers of hundreds of thousands of tokens may come: at the speed of these they take far more than 900 s.
    let asked =
        StartRun { limits: [(LimitName::MaxOutputTokens, Some(200_000.0))].into(), ..request("slow") };
    assert_eq!(alone.time(&asked).await.0, 900.0, "nothing is known yet");
    let handle = alone.desk.runs().start(asked.clone()).await.unwrap();
    let end = handle.ended().await;
    assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
    let run = handle.run().0.clone();
    let within = alone.time_of_run(&run).await;
    assert!(within > 900.0, "{within}");
    let (next, why) = alone.time(&asked).await;
    assert!(next > 900.0, "{next}");
    assert_eq!((why["kind"].as_str(), why["profile"].as_str()), (Some("measured"), Some("slow")));
    // By the speed of these answers: two of the searcher, four of each of the others, of the seven that are allowed.
    let speed = why["tokens_per_second"].as_f64().unwrap();
    let expected = 10.0 * 200_000.0 / speed;
    assert!((next - expected).abs() <= expected * 0.01 + 1.0, "{next} against {expected}");
    // A fork that asks a cloud has the time of a cloud, and back again.
    let fork = |run: &str, profile: &str| ForkRun {
        run: run.into(),
        at: 2,
        profile: Some(profile.into()),
        ..ForkRun::default()
    };
    let in_cloud = alone.desk.runs().fork(fork(&run, "built-in")).await.unwrap();
    in_cloud.ended().await;
    assert_eq!(alone.time_of_run(&in_cloud.run().0).await, 90.0);
    let set =
        ForkRun { limits: [(LimitName::MaxExecutionTimeS, Some(45.0))].into(), ..fork(&run, "built-in") };
    let set = alone.desk.runs().fork(set).await.unwrap();
    set.ended().await;
    assert_eq!(alone.time_of_run(&set.run().0).await, 45.0);
}

#[tokio::test]
async fn time_used_up_asks_at_the_window_and_the_answer_in_flight_is_used() {
    let server = slow_server(4_000).await;
    let window = Window::new().await;
    window.add("work", &server).await;
    let run = window.start("work", &[(LimitName::MaxExecutionTimeS, 2.0)]).await;
    let question = window.question(&run).await;
    assert_eq!(question["kind"], json!({"kind": "limit", "limit": "max_execution_time_s"}));
    window.answer(&run, "add").await;
    let page = window.ended(&run).await;
    assert_eq!((page["outcome"].as_str(), server.count()), (Some("finished"), 3), "nothing is asked twice");
    assert_eq!(page["limits"]["max_execution_time_s"], 32.0);
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn an_answer_that_comes_before_the_persons_takes_its_question_away() {
    let server = slow_server(9_000).await;
    let window = Window::new().await;
    window.add("work", &server).await;
    let run = window.start("work", &[(LimitName::MaxExecutionTimeS, 5.0)]).await;
    window.question(&run).await;
    // The search is answered; what comes next would begin behind the limit, which is another question.
    let is_withdrawn = |facts: &[Value]| facts.iter().any(|fact| fact["answer"]["result"] == "not_needed");
    let begun = std::time::Instant::now();
    while !is_withdrawn(&window.facts(&run).await) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:#?}", window.facts(&run).await);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    window.question(&run).await;
    window.answer(&run, "add").await;
    assert_eq!(window.ended(&run).await["outcome"], "finished");
    assert_eq!(server.count(), 3);
    window.replays_the_same(&run).await;
}

#[tokio::test]
async fn time_used_up_where_nobody_is_there_ends_with_the_best_so_far() {
    let server = slow_server(6_000).await;
    let alone = Alone::new().await;
    alone.add("work", "openai-compatible", &server.base_url, &[]).await;
    // Behind the draft, which comes after 12 s and what a slow machine adds, and before the review's answer, after 18 s.
    let limits = [(LimitName::MaxExecutionTimeS, Some(16.0))];
    let handle =
        alone.desk.runs().start(StartRun { limits: limits.into(), ..request("work") }).await.unwrap();
    let end = handle.ended().await;
    assert_eq!(end.outcome, Outcome::Limited, "{:?}", end.error);
    assert!(end.state.get("final_post").is_some(), "the draft is the best so far");
    let more = ResumeRun {
        run: handle.run().0.clone(),
        limits: [(LimitName::MaxExecutionTimeS, Some(60.0))].into(),
        ..ResumeRun::default()
    };
    assert_eq!(alone.desk.runs().resume(more).await.unwrap().ended().await.outcome, Outcome::Finished);
    assert_eq!(server.count(), 4, "search, draft, the review cut off and asked again");
    let (report, ..) = alone.desk.runs().replay(&handle.run().0, desk::ReplayOf::Present).await.unwrap();
    assert!(report.difference.is_none(), "{:?}", report.difference);
}
