//! Several profiles: who stands in when a key is refused, what happens when nobody does, and what it all cost.

use std::sync::Mutex;

use desk::api::{Ledger, ProfileCard, ResumeRun, SaveKey, StartRun};
use desk::{Desk, ErrorCode, LimitName, Options, Outcome, RunEnd, RunHandle};
use serde_json::{Value, json};
use testkit::{Dialect, Model, ModelServer, NewsModel, Reply, ServerOptions};

use crate::outcomes::well_but;

const PRICES: &str =
    "[[price]]\nprovider = \"openai-compatible\"\nmodel = \"priced\"\ninput = 2.0\noutput = 8.0\n";

struct Desks {
    desk: Desk,
    folder: tempfile::TempDir,
}

impl Desks {
    async fn new() -> Desks {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("prices.toml"), PRICES).unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        Desks { desk: Desk::open(options).await.unwrap(), folder }
    }

    async fn add(&self, name: &str, server: &ModelServer, model: &str, fallback: &str) {
        let card = ProfileCard {
            name: name.into(),
            provider: "openai-compatible".into(),
            base_url: server.base_url.clone(),
            models: [("default".to_owned(), model.to_owned())].into(),
            fallback: fallback.into(),
            ..ProfileCard::default()
        };
        self.desk.rpc("add_profile", json!(card)).await.unwrap();
    }

    async fn key(&self, profile: &str, key: &str) {
        let request = SaveKey { profile: profile.into(), key: key.into(), for_session: true };
        self.desk.rpc("save_key", json!(request)).await.unwrap();
    }

    async fn run(&self, profile: &str, change: impl FnOnce(&mut StartRun)) -> (RunHandle, RunEnd) {
        let mut request = request(profile);
        change(&mut request);
        let handle = self.desk.runs().start(request).await.unwrap();
        let end = handle.ended().await;
        (handle, end)
    }

    async fn facts(&self, handle: &RunHandle, kind: &str) -> Vec<Value> {
        let page = json!({"run": handle.run().0, "from_seq": 1, "limit": 500});
        let page = self.desk.rpc("read_events", page).await.unwrap();
        let fact = |entry: &Value| entry["event"]["fact"].clone();
        page["entries"].as_array().unwrap().iter().map(fact).filter(|fact| fact["kind"] == kind).collect()
    }

    async fn ledger(&self, request: Value) -> Ledger {
        serde_json::from_value(self.desk.rpc("total_usage", request).await.unwrap()).unwrap()
    }
}

/// A run of the news on the sample library.
pub(crate) fn request(profile: &str) -> StartRun {
    StartRun {
        pipeline: "ai-news".into(),
        inputs: [("user_topic".to_owned(), json!("retrieval-augmented generation").into())].into(),
        profile: Some(profile.into()),
        tools: [("search".into(), "library".into())].into(),
        as_of: Some("2026-07-01".into()),
        ..StartRun::default()
    }
}

#[tokio::test]
async fn a_profile_whose_key_is_refused_goes_on_with_its_stand_in_and_says_so() {
    let (refusing, answering) =
        (ModelServer::news(NewsModel::default()).await, ModelServer::news(NewsModel::default()).await);
    refusing.require_key("sk-the-right-one");
    let desks = Desks::new().await;
    desks.add("home", &answering, "small", "").await;
    desks.add("work", &refusing, "large", "home").await;
    desks.key("work", "sk-the-wrong-one").await;
    let (handle, end) = desks.run("work", |_| {}).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 4), "{:?}", end.error);
    assert_eq!((refusing.count(), answering.count()), (1, 3), "who failed once is not asked again");
    assert!(answering.requests().iter().all(|request| request.model() == "small"));
    let fallbacks = desks.facts(&handle, "fell_back").await;
    assert_eq!(fallbacks.len(), 1);
    assert_eq!([&fallbacks[0]["from"], &fallbacks[0]["to"]], ["work", "home"]);
    let (report, ..) = desks.desk.runs().replay(&handle.run().0, desk::ReplayOf::Present).await.unwrap();
    assert!(report.difference.is_none(), "{:?}", report.difference);
}

#[tokio::test]
async fn stand_ins_that_name_each_other_end_when_all_have_failed() {
    let server = ModelServer::news(NewsModel::default()).await;
    server.require_key("sk-the-right-one");
    let desks = Desks::new().await;
    desks.add("home", &server, "small", "").await;
    desks.add("work", &server, "large", "home").await;
    desks.add("home", &server, "small", "work").await;
    let (_, end) = desks.run("work", |_| {}).await;
    assert_eq!(end.outcome, Outcome::Failed);
    assert_eq!(end.error.unwrap().code, ErrorCode::KeyRefused);
    assert_eq!(server.count(), 2);
}

#[tokio::test]
async fn without_a_stand_in_the_run_goes_on_when_the_key_is_mended_and_asks_nothing_twice() {
    let server = ModelServer::by_agent(well_but(|stage, call, _| {
        (stage == "post_markdown" && call == 1).then(|| Reply::invalid_key("sk-old"))
    }))
    .await;
    let desks = Desks::new().await;
    desks.add("work", &server, "large", "").await;
    desks.key("work", "sk-old-and-withdrawn").await;
    let (handle, end) = desks.run("work", |_| {}).await;
    assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, ErrorCode::KeyRefused));
    desks.key("work", "sk-new-and-well").await;
    let resume = ResumeRun { run: handle.run().0.clone(), ..ResumeRun::default() };
    let end = desks.desk.runs().resume(resume).await.unwrap().ended().await;
    assert_eq!(end.outcome, Outcome::Finished);
    let keys: Vec<_> = server.requests().iter().map(|request| request.key().unwrap().to_owned()).collect();
    let (old, new) = ("sk-old-and-withdrawn", "sk-new-and-well");
    assert_eq!(keys, [old, old, new, new], "search, write refused; write, review");
}

#[tokio::test]
async fn a_run_takes_its_profile_from_itself_its_agent_its_pipeline_or_the_default_in_this_order() {
    let (a, b) =
        (ModelServer::news(NewsModel::default()).await, ModelServer::news(NewsModel::default()).await);
    let desks = Desks::new().await;
    desks.add("a", &a, "m", "").await;
    desks.add("b", &b, "m", "").await;
    let set = async |key: &str, value: &str| {
        desks.desk.rpc("set_setting", json!({"key": key, "value": value})).await.unwrap();
    };
    set("pipelines.ai-news.profile", "a").await;
    set("pipelines.ai-news.agents.ai_news_reviewer.profile", "b").await;
    desks.run("", |request| request.profile = None).await;
    assert_eq!((a.count(), b.count()), (2, 1), "the reviewer has a profile of its own");
    let own = desk::api::AgentSettings { profile: Some("b".into()), ..Default::default() };
    desks.run("a", |request| drop(request.agents.insert("ai_news_writer".into(), own))).await;
    assert_eq!((a.count(), b.count()), (4, 2), "what the run says comes first");
    let refused = desks.desk.rpc("remove_profile", json!({"name": "b"})).await.unwrap_err();
    assert!(refused.message.contains("pipelines.ai-news.agents.ai_news_reviewer.profile"), "{refused}");
}

#[tokio::test]
async fn the_limits_of_a_profile_hold_for_its_runs_unless_they_say_otherwise() {
    let server = ModelServer::news(NewsModel::default()).await;
    let desks = Desks::new().await;
    let card = ProfileCard {
        name: "short".into(),
        provider: "openai-compatible".into(),
        base_url: server.base_url.clone(),
        models: [("default".to_owned(), "m".to_owned())].into(),
        limits: [(LimitName::MaxLlmCalls, 2.0)].into(),
        ..ProfileCard::default()
    };
    desks.desk.rpc("add_profile", json!(card)).await.unwrap();
    let (_, end) = desks.run("short", |_| {}).await;
    assert_eq!((end.outcome, end.usage.calls), (Outcome::Limited, 2));
    let more = [(LimitName::MaxLlmCalls, Some(9.0))].into();
    assert_eq!(desks.run("short", |request| request.limits = more).await.1.outcome, Outcome::Finished);
}

#[tokio::test]
async fn before_the_start_calls_tokens_and_money_are_told_from_to_and_what_then_happens_lies_between() {
    let server = ModelServer::news(NewsModel { reject_first: true, ..NewsModel::default() }).await;
    let desks = Desks::new().await;
    desks.add("work", &server, "priced", "").await;
    desks.add("other", &server, "unpriced", "").await;
    let before = async |profile: &str, limits: Value| -> Value {
        let request = json!({
            "pipeline": "ai-news", "inputs": {"user_topic": "retrieval-augmented generation"}, "profile": profile,
            "source": "library", "as_of": "2026-07-01", "limits": limits
        });
        desks.desk.rpc("preflight", request).await.unwrap()
    };
    let told = before("work", json!({})).await;
    assert_eq!((&told["calls"], &told["profiles"]), (&json!({"least": 3, "most": 7}), &json!(["work"])));
    let (_, end) = desks.run("work", |_| {}).await;
    let used = (end.usage.input_tokens + end.usage.output_tokens) as f64;
    for (span, used) in [(&told["tokens"], used), (&told["cost"], end.usage.cost.unwrap())] {
        let (least, most) = (span["least"].as_f64().unwrap(), span["most"].as_f64().unwrap());
        assert!(0.0 < least && least < used && used < most, "{least} {used} {most}");
    }
    // A run later it is known better, and the page is told by what.
    let known = before("work", json!({})).await;
    let most = known["tokens"]["most"].as_f64().unwrap();
    assert!(used < most && most < told["tokens"]["most"].as_f64().unwrap(), "{known}");
    assert_eq!((&known["earlier_runs"], &known["bound_tokens"]), (&json!(1), &told["tokens"]["most"]));
    // What is not known is not nothing, and a budget cannot hold it.
    let told = before("other", json!({"max_cost": 0.5})).await;
    assert_eq!((&told["cost"], &told["unpriced"]), (&Value::Null, &json!(["unpriced"])));
    assert!(crate::words::english(&told["remarks"]).contains("nothing is sent to unpriced"), "{told}");
    for (limits, words) in [
        (json!({"max_cost": 0.0}), "costs at least"),
        (json!({"max_total_tokens": 10}), "needs at least"),
        (json!({"max_llm_calls": 4}), "all rounds need 5"),
    ] {
        let told = before("work", limits).await;
        assert!(crate::words::english(&told["remarks"]).contains(words), "{told}");
    }
    let told = before("built-in", json!({})).await;
    assert_eq!((&told["calls"]["most"], &told["tokens"]["most"]), (&json!(0), &json!(0.0)));
}

#[tokio::test]
async fn the_ledger_adds_up_to_what_the_servers_told_with_retries_and_failures() {
    let odd = |stage: &str, call| match (stage, call) {
        ("articles", 1) => Some(Reply::rate_limit_ms(1)),
        ("post_markdown", 1) => Some(Reply::text("no JSON at all")),
        ("review_notes", 1) => Some(Reply::invalid_key("sk-x")),
        _ => None,
    };
    let server = ModelServer::by_agent(well_but(move |stage, call, _| odd(stage, call))).await;
    let other = ModelServer::news(NewsModel::default()).await;
    let desks = Desks::new().await;
    desks.add("other", &other, "unpriced", "").await;
    desks.add("work", &server, "priced", "other").await;
    let (handle, end) = desks.run("work", |_| {}).await;
    assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
    let ledger = desks.ledger(json!({"run": handle.run().0})).await;
    let sum = |of: fn(&desk::api::LedgerLine) -> u64| ledger.lines.iter().map(of).sum::<u64>();
    let requests = server.count() + other.count();
    assert_eq!(sum(|line| u64::from(line.calls)), requests as u64, "{:#?}", ledger.lines);
    assert_eq!(sum(|line| u64::from(line.failed_calls)), 2, "one tried again, one refused");
    let (told, told_by_other) = (server.told_tokens(), other.told_tokens());
    assert_eq!(sum(|line| line.input_tokens), (told.0 + told_by_other.0) as u64);
    assert_eq!(sum(|line| line.output_tokens), (told.1 + told_by_other.1) as u64);
    let known: f64 = ledger.lines.iter().filter_map(|line| line.cost).sum();
    let expected = (told.0 as f64 * 2.0 + told.1 as f64 * 8.0) / 1e6;
    assert!((known - expected).abs() < 1e-9, "{known} for {expected}");
    assert_eq!(end.usage.cost.map(|cost| (cost - expected).abs() < 1e-9), Some(true));
    assert_eq!(sum(|line| u64::from(line.unpriced_calls)), other.count() as u64, "unknown is not nothing");
    // A fork pays only for what it asks anew.
    let before = ledger.lines.clone();
    let fork = json!({"run": handle.run().0, "at": 25, "set": {}, "agents": {}, "profile": "other", "limits": {}, "allow": []});
    let forked = desks.desk.rpc("fork_run", fork).await.unwrap();
    let run = forked["run"].as_str().unwrap().to_owned();
    let asked_before = requests;
    while desks.desk.rpc("open_run", json!({"run": run})).await.unwrap()["outcome"].is_null() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let of_fork = desks.ledger(json!({"run": run})).await;
    let calls: u32 = of_fork.lines.iter().map(|line| line.calls).sum();
    assert_eq!(calls as usize, server.count() + other.count() - asked_before);
    assert_eq!(desks.ledger(json!({"run": handle.run().0})).await.lines, before);
    let month = desks.ledger(json!({"month": "1999-01"})).await;
    assert!(month.lines.is_empty());
}

#[tokio::test]
async fn what_an_answer_used_before_it_was_stopped_is_counted_as_far_as_it_was_told() {
    for (provider, dialect, model) in [
        ("gemini", Dialect::Gemini, "gemini-2.5-flash"),
        ("anthropic", Dialect::Anthropic, "claude-sonnet-4-5"),
    ] {
        let (hand, reply) = Reply::by_hand();
        let reply = Mutex::new(Some(reply));
        let answers = well_but(move |stage, _, _| {
            (stage == "post_markdown").then(|| reply.lock().unwrap().take().unwrap())
        });
        let options = ServerOptions { dialect, ..ServerOptions::default() };
        let server = ModelServer::start(options, Model::Function(Box::new(answers))).unwrap();
        let desks = Desks::new().await;
        let card = ProfileCard {
            name: "work".into(),
            provider: provider.into(),
            base_url: server.base_url.clone(),
            models: [("default".to_owned(), model.to_owned())].into(),
            ..ProfileCard::default()
        };
        desks.desk.rpc("add_profile", json!(card)).await.unwrap();
        desks.key("work", "a-key-of-a-test").await;
        let handle = desks.desk.runs().start(request("work")).await.unwrap();
        let (_, mut texts) = handle.follow_texts();
        assert!(hand.say("{\"post_markdown\": \"The first words"));
        // By then the searcher has answered, and the writer has told what it read.
        while texts.recv().await.unwrap().text.is_empty() {}
        handle.cancel();
        let end = handle.ended().await;
        assert_eq!(end.outcome, Outcome::Cancelled);
        let ledger = desks.ledger(json!({"run": handle.run().0})).await;
        let broken = ledger.lines.iter().find(|line| line.failed_calls == 1).unwrap();
        assert!(broken.input_tokens > 0 && broken.cost.is_some_and(|cost| cost > 0.0), "{broken:?}");
        assert_eq!(end.usage.input_tokens, ledger.lines.iter().map(|line| line.input_tokens).sum::<u64>());
        desks.desk.runs().replay(&handle.run().0, desk::ReplayOf::Present).await.unwrap();
    }
}

#[tokio::test]
async fn a_key_never_goes_to_another_address_than_the_one_it_was_given_for() {
    let (first, second) =
        (ModelServer::news(NewsModel::default()).await, ModelServer::news(NewsModel::default()).await);
    let desks = Desks::new().await;
    desks.add("work", &first, "m", "").await;
    desks.key("work", "sk-of-the-first-server").await;
    desks.run("work", |_| {}).await;
    assert_eq!(first.requests()[0].key(), Some("sk-of-the-first-server"));
    desks.add("work", &second, "m", "").await;
    let (_, end) = desks.run("work", |_| {}).await;
    assert_eq!(end.outcome, Outcome::Finished);
    let hosts = desks.desk.rpc("list_sources", json!({})).await.unwrap()["contacted"].clone();
    assert!(hosts.to_string().contains("127.0.0.1"), "{hosts}");
    // Not even after it was removed and another took its name.
    desks.key("work", "sk-of-the-second-server").await;
    desks.desk.rpc("remove_profile", json!({"name": "work"})).await.unwrap();
    desks.add("work", &first, "m", "").await;
    desks.run("work", |_| {}).await;
    assert_eq!(first.requests().last().unwrap().key(), None);
    assert!(second.requests().iter().all(|request| request.key() != Some("sk-of-the-first-server")));
}

#[tokio::test]
async fn the_doctor_names_each_line_once_and_tells_strangers_no_address() {
    let servers =
        [ModelServer::news(NewsModel::default()).await, ModelServer::news(NewsModel::default()).await];
    let desks = Desks::new().await;
    for (name, server) in ["one", "two", "three"].iter().zip(servers.iter().cycle()) {
        desks.add(name, server, "m", "").await;
    }
    let report = desks.desk.rpc("doctor", json!({})).await.unwrap();
    let mut names: Vec<&str> =
        report["lines"].as_array().unwrap().iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("Server 127.0.0.1:")).count(), 2);
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "the page tells them apart by their names: {names:?}");
    assert!(!report["redacted"].as_str().unwrap().contains("127.0.0.1:"), "{}", report["redacted"]);
}

#[tokio::test]
async fn whoever_is_asked_for_their_models_is_among_the_hosts_that_were_contacted() {
    let desks = Desks::new().await;
    let card = json!({"name": "away", "provider": "openai-compatible", "base_url": "http://localhost:9/v1",
        "models": {"default": "m"}});
    desks.desk.rpc("add_profile", card).await.unwrap();
    desks.desk.rpc("list_models", json!({"name": "away"})).await.unwrap_err();
    let told = desks.desk.rpc("list_sources", json!({})).await.unwrap();
    assert!(told["contacted"].to_string().contains("localhost"), "{}", told["contacted"]);
}

#[tokio::test]
async fn a_profile_cannot_stand_in_for_itself() {
    let desks = Desks::new().await;
    let card = json!({"name": "work", "provider": "openai-compatible", "base_url": "http://127.0.0.1:9", "fallback": "work",
        "models": {"default": "m"}});
    let error = desks.desk.rpc("add_profile", card).await.unwrap_err();
    assert!(error.message.contains("cannot stand in for itself"), "{error}");
}

#[tokio::test]
async fn before_the_start_a_key_that_is_missing_is_named_of_the_profile_of_who_stands_in_and_of_the_source() {
    let server = ModelServer::news(NewsModel::default()).await;
    let desks = Desks::new().await;
    // The variables were set when they were named, in another session.
    let base_url = &server.base_url;
    let toml = format!(
        "[profiles.spare]\nprovider = \"openai\"\nbase_url = \"{base_url}\"\n[profiles.work]\nprovider = \"anthropic\"\n\
         base_url = \"{base_url}\"\nkey_env = \"GALLEY_TEST_VARIABLE_THAT_IS_NOT_SET\"\nfallback = \"spare\"\n"
    );
    let settings = desks.folder.path().join("settings.toml");
    std::fs::write(&settings, &toml).unwrap();
    let remarks = async |source: &str| {
        let asked = StartRun { tools: [("search".into(), source.into())].into(), ..request("work") };
        crate::words::english(&desks.desk.rpc("preflight", json!(asked)).await.unwrap()["remarks"])
    };
    let told = remarks("library").await;
    for words in ["GALLEY_TEST_VARIABLE_THAT_IS_NOT_SET", "stands in cannot", "`spare` has no key"] {
        assert!(told.contains(words), "{words}: {told}");
    }
    for source in ["brave", "gemini", "google-cse"] {
        let told = remarks(source).await;
        assert!(told.contains(&format!("The source `{source}` has no key")), "{told}");
    }
    assert!(!remarks("tavily").await.contains("tavily"), "it works without one");
    let tavily = "[services.tavily]\nkey_env = \"GALLEY_TEST_OTHER_NOT_SET\"\n";
    std::fs::write(&settings, toml + tavily).unwrap();
    assert!(remarks("tavily").await.contains("GALLEY_TEST_OTHER_NOT_SET"));
    assert!(remarks("searxng").await.contains("galley config set services.searxng.base_url"));
    let address = json!({"key": "services.searxng.base_url", "value": server.base_url});
    desks.desk.rpc("set_setting", address).await.unwrap();
    assert!(!remarks("searxng").await.contains("searxng"));
    assert_eq!(server.count(), 0);
}
