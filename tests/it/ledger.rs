//! What the ledger and the meter tell is what the servers were asked and told: with a search that asks a model, with
//! requests that were tried again, stopped while they waited, or under way when the program was killed.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use desk::api::{Ledger, LedgerLine, ProfileCard, SaveKey, StartRun};
use desk::{Desk, LimitName, Options, Outcome};
use serde_json::{Value, json};
use testkit::{Canned, ModelServer, NewsModel, Reply, SearchServices};

use crate::outcomes::well_but;
use crate::profiles::request;
use crate::sources::services;
use crate::terminal::galley::{Galley, eventually, server};

const GROUNDING: &str = "gemini-3.8-flash";
const PRICES: &str = "[[price]]\nprovider = \"openai-compatible\"\nmodel = \"m\"\ninput = 2.0\noutput = 8.0\n\
    [[price]]\nprovider = \"gemini\"\nmodel = \"gemini-3.8-flash\"\ninput = 1.0\noutput = 4.0\nsearches = 14.0\n";

/// What one grounded search of the loopback service uses: it read 40 and, of what it found, 119.
const IN: u64 = 40 + 119;
const OUT: u64 = 90;

struct Place {
    desk: Desk,
    services: SearchServices,
    _folder: tempfile::TempDir,
}

impl Place {
    /// A desk whose searches go to loopback services, with the key of a profile.
    async fn new(prices: &str) -> Place {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        let services = services();
        let place = Place { desk: Desk::open(options).await.unwrap(), services, _folder: folder };
        place.set("net.allow", &place.services.base_url.clone()).await;
        place.service("search-key", "gemini", "").await;
        place.set("services.gemini.profile", "search-key").await;
        place
    }

    async fn ask(&self, command: &str, payload: Value) -> Value {
        self.desk.rpc(command, payload).await.unwrap()
    }

    async fn set(&self, key: &str, value: &str) {
        self.ask("set_setting", json!({"key": key, "value": value})).await;
    }

    async fn add(&self, card: ProfileCard, key: &str) {
        let save = SaveKey { profile: card.name.clone(), key: key.into(), for_session: true };
        self.ask("add_profile", json!(card)).await;
        self.ask("save_key", json!(save)).await;
    }

    /// A profile of a search service, with its key.
    async fn service(&self, name: &str, provider: &str, fallback: &str) {
        let card = ProfileCard {
            name: name.into(),
            provider: provider.into(),
            base_url: format!(
                "{}{}",
                self.services.base(provider),
                if provider == "gemini" { "/v1beta" } else { "" }
            ),
            fallback: fallback.into(),
            ..ProfileCard::default()
        };
        let key = if provider == "gemini" { "AIza-fake-0001" } else { "tvly-fake-0000" };
        self.add(card, key).await;
    }

    async fn model(&self, server: &ModelServer) {
        let card = ProfileCard {
            name: "work".into(),
            provider: "openai-compatible".into(),
            base_url: server.base_url.clone(),
            models: [("default".to_owned(), "m".to_owned())].into(),
            ..ProfileCard::default()
        };
        self.add(card, "sk-fake-0002").await;
    }

    async fn ledger(&self, run: &str) -> Vec<LedgerLine> {
        ledger(&self.desk, run).await
    }

    async fn replays_the_same(&self, run: &str) {
        let (report, ..) = self.desk.runs().replay(run, desk::ReplayOf::Present).await.unwrap();
        assert!(report.difference.is_none(), "{:?}", report.difference);
    }
}

async fn ledger(desk: &Desk, run: &str) -> Vec<LedgerLine> {
    let ledger: Ledger =
        serde_json::from_value(desk.rpc("total_usage", json!({"run": run})).await.unwrap()).unwrap();
    ledger.lines
}

fn sum(lines: &[LedgerLine], of: fn(&LedgerLine) -> u64) -> u64 {
    lines.iter().map(of).sum()
}

fn grounded(profile: &str) -> StartRun {
    StartRun { tools: [("search".into(), "gemini".into())].into(), ..request(profile) }
}

/// A refusal that asks to wait hardly at all.
fn busy() -> Canned {
    let body = json!({"error": {"code": 429, "message": "Resource has been exhausted (e.g. check quota).", "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.01s"}]}});
    Canned::json(429, &body)
}

#[tokio::test]
async fn a_search_that_asks_a_model_is_a_call_in_the_ledger_the_meter_and_the_range() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::news(NewsModel::default()).await;
    place.model(&server).await;
    place.services.set_next("gemini", [busy()]);
    let range = async |request: StartRun| {
        let request = StartRun { limits: [(LimitName::MaxLlmCalls, Some(40.0))].into(), ..request };
        place.ask("preflight", json!(request)).await
    };
    let (with, without) = (range(grounded("work")).await, range(request("work")).await);
    for end in ["least", "most"] {
        assert_eq!(
            with["calls"][end].as_u64(),
            without["calls"][end].as_u64().map(|calls| calls + 1),
            "{with}"
        );
    }
    assert!(with["tokens"]["most"].as_f64() > without["tokens"]["most"].as_f64());
    assert_eq!(with["profiles"], json!(["search-key", "work"]));
    let handle = place.desk.runs().start(grounded("work")).await.unwrap();
    let end = handle.ended().await;
    assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
    let run = handle.run().0.clone();
    let lines = place.ledger(&run).await;
    let of_search = lines.iter().find(|line| line.model == GROUNDING).unwrap();
    assert_eq!((of_search.profile.as_str(), of_search.agent.as_str()), ("search-key", "ai_news_searcher"));
    assert_eq!((of_search.calls, of_search.failed_calls), (2, 1), "refused once, then answered");
    assert_eq!((of_search.input_tokens, of_search.output_tokens), (IN, OUT));
    let expected = (IN as f64 + 4.0 * OUT as f64) / 1e6 + 14.0 / 1e3;
    assert!((of_search.cost.unwrap() - expected).abs() < 1e-9, "{of_search:?}");
    let told = server.told_tokens();
    assert_eq!(sum(&lines, |line| line.calls.into()), (server.count() + 2) as u64);
    assert_eq!(sum(&lines, |line| line.input_tokens), told.0 as u64 + IN);
    assert_eq!(sum(&lines, |line| line.output_tokens), told.1 as u64 + OUT);
    assert_eq!(end.usage.calls, 4, "search and grounding, write, review; a retry is no call");
    assert_eq!(end.usage.input_tokens + end.usage.output_tokens, (told.0 + told.1) as u64 + IN + OUT);
    assert_eq!(end.usage.unpriced_calls, 0);
    place.replays_the_same(&run).await;
}

#[tokio::test]
async fn a_search_whose_answer_breaks_off_is_a_call_of_unknown_price() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::news(NewsModel::default()).await;
    place.model(&server).await;
    place.services.set_next("gemini", [Canned::of(200, "application/json", r#"{"candidates": [{"cont"#)]);
    let handle = place.desk.runs().start(grounded("work")).await.unwrap();
    let end = handle.ended().await;
    let lines = place.ledger(&handle.run().0).await;
    let of_search = lines.iter().find(|line| line.model == GROUNDING).unwrap();
    assert_eq!(of_search.calls as usize, place.services.asked("gemini").len());
    assert_eq!((of_search.unpriced_calls, end.usage.unpriced_calls), (1, 1), "{of_search:?}");
}

#[tokio::test]
async fn the_trial_of_a_profile_is_in_the_ledger_and_in_no_run_and_tells_nothing_of_runs_to_come() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::news(NewsModel::default()).await;
    place.model(&server).await;
    let range = place.ask("preflight", json!(request("work"))).await;
    for _ in 0..2 {
        place.ask("test_profile", json!({"name": "work"})).await;
    }
    let told = server.told_tokens();
    assert!(told.0 > 0 && told.1 > 0);
    server.require_key("another");
    place.desk.rpc("test_profile", json!({"name": "work"})).await.unwrap_err();
    let all: Ledger =
        serde_json::from_value(place.ask("total_usage", json!({"profile": "work"})).await).unwrap();
    let [line] = &*all.lines else { panic!("{all:?}") };
    assert_eq!((line.agent.as_str(), line.model.as_str()), ("profile test", "m"));
    assert_eq!((line.calls, line.failed_calls, line.unpriced_calls), (3, 1, 0), "the last was refused");
    assert_eq!((line.input_tokens, line.output_tokens), (told.0 as u64, told.1 as u64));
    let expected = (2.0 * told.0 as f64 + 8.0 * told.1 as f64) / 1e6;
    assert!((line.cost.unwrap() - expected).abs() < 1e-12, "{line:?}");
    assert_eq!(place.ask("preflight", json!(request("work"))).await, range);
}

#[tokio::test]
async fn what_a_grounded_search_costs_beside_its_tokens_stays_unknown_where_the_table_does_not_say() {
    let place = Place::new(&PRICES.replace("searches = 14.0\n", "")).await;
    let handle = place.desk.runs().start(grounded("built-in")).await.unwrap();
    let end = handle.ended().await;
    assert_eq!((end.usage.calls, end.usage.cost, end.usage.unpriced_calls), (1, None, 1), "{:?}", end.error);
    let [line] = &*place.ledger(&handle.run().0).await else { panic!("one line") };
    assert_eq!((line.cost, line.unpriced_calls, line.input_tokens), (None, 1, IN));
}

#[tokio::test]
async fn a_limit_of_calls_tokens_or_money_stands_before_a_search_that_asks_a_model() {
    let place = Place::new(PRICES).await;
    let nothing = [LimitName::MaxLlmCalls, LimitName::MaxTotalTokens, LimitName::MaxCost];
    for (limit, most) in nothing.map(|limit| (limit, 0.0)) {
        let request = StartRun { limits: [(limit, Some(most))].into(), ..grounded("built-in") };
        let handle = place.desk.runs().start(request).await.unwrap();
        let end = handle.ended().await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Limited, 0), "{:?}", end.error);
        assert!(place.ledger(&handle.run().0).await.is_empty());
    }
    assert_eq!(place.services.asked("gemini").len(), 0, "nobody was asked");
}

#[tokio::test]
async fn a_search_is_tried_again_as_a_model_is_and_goes_on_with_the_profile_that_stands_in() {
    let place = Place::new(PRICES).await;
    place.service("second", "tavily", "").await;
    place.service("first", "tavily", "second").await;
    place.set("services.tavily.profile", "first").await;
    let used_up =
        Canned::json(432, &json!({"detail": {"error": "This request exceeds your plan's set usage limit."}}));
    let overloaded = Canned::of(503, "text/plain", "later").with("retry-after", "0");
    place.services.set_next("tavily", [overloaded.clone(), overloaded, used_up]);
    let request = StartRun { tools: [("search".into(), "tavily".into())].into(), ..request("built-in") };
    let handle = place.desk.runs().start(request).await.unwrap();
    let end = handle.ended().await;
    assert_eq!((end.outcome, end.error), (Outcome::Finished, None));
    assert_eq!(place.services.asked("tavily").len(), 4, "twice again, once with the other key");
    let page = place.ask("read_events", json!({"run": handle.run().0, "from_seq": 1, "limit": 500})).await;
    let facts: Vec<&Value> =
        page["entries"].as_array().unwrap().iter().map(|entry| &entry["event"]["fact"]).collect();
    let count = |kind: &str| facts.iter().filter(|fact| fact["kind"] == kind).count();
    assert_eq!((count("request_failed"), count("request_sent"), count("fell_back")), (2, 2, 1), "{facts:?}");
    let fallback = facts.iter().find(|fact| fact["kind"] == "fell_back").unwrap();
    assert_eq!([&fallback["from"], &fallback["to"]], ["first", "second"]);
    place.replays_the_same(&handle.run().0).await;
    // Who stands in must be of the same service.
    let other = ProfileCard {
        name: "b".into(),
        provider: "brave".into(),
        fallback: "first".into(),
        ..ProfileCard::default()
    };
    let refused = place.desk.rpc("add_profile", json!(other)).await.unwrap_err();
    assert!(refused.message.contains("`first`") && refused.message.contains("tavily"), "{refused}");
}

#[tokio::test]
async fn a_run_stopped_while_it_waits_to_try_again_counts_what_was_sent() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::by_agent(well_but(|_, _, _| Some(Reply::rate_limit(60)))).await;
    place.model(&server).await;
    let handle = place.desk.runs().start(request("work")).await.unwrap();
    let mut events = handle.follow();
    server.wait_for_requests(1, Duration::from_secs(60)).await;
    while !serde_json::to_string(&*events.recv().await.unwrap()).unwrap().contains("request_failed") {}
    let lines = place.ledger(&handle.run().0).await;
    assert_eq!(sum(&lines, |line| line.calls.into()), 1, "while it waits");
    handle.cancel();
    assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);
    let lines = place.ledger(&handle.run().0).await;
    let is = (sum(&lines, |line| line.calls.into()), sum(&lines, |line| line.failed_calls.into()));
    assert_eq!((is, server.count()), ((1, 1), 1), "{lines:?}");
    place.replays_the_same(&handle.run().0).await;
}

#[tokio::test]
async fn what_was_used_by_an_answer_that_broke_off_untold_makes_no_sum_look_exact() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::by_agent(well_but(|_, count, _| {
        (count == 1).then(|| Reply::CutConnection { after_text: "{\"art".into() })
    }))
    .await;
    place.model(&server).await;
    let handle = place.desk.runs().start(request("work")).await.unwrap();
    let end = handle.ended().await;
    let lines = place.ledger(&handle.run().0).await;
    let cut = sum(&lines, |line| line.failed_calls.into());
    assert!(cut > 0 && end.outcome == Outcome::Finished, "{lines:?}");
    assert_eq!(sum(&lines, |line| line.unpriced_calls.into()), cut, "{lines:?}");
    assert_eq!(u64::from(end.usage.unpriced_calls), cut);
    place.replays_the_same(&handle.run().0).await;
}

#[tokio::test]
async fn what_was_sent_and_stopped_before_anything_was_heard_of_it_is_a_call_of_unknown_price() {
    let place = Place::new(PRICES).await;
    let server = ModelServer::by_agent(well_but(|_, _, _| Some(Reply::silence()))).await;
    place.model(&server).await;
    place.services.set_next("gemini", [Canned::silent()]);
    for (before, request) in [grounded("built-in"), request("work")].into_iter().enumerate() {
        let handle = place.desk.runs().start(request).await.unwrap();
        eventually_async(|| place.services.asked("gemini").len() + server.count() > before).await;
        handle.cancel();
        let end = handle.ended().await;
        let lines = place.ledger(&handle.run().0).await;
        let unpriced = sum(&lines, |line| line.unpriced_calls.into());
        assert_eq!((end.usage.unpriced_calls, unpriced), (1, 1), "{lines:?}");
    }
}

/// Kills `galley` when its log says so, and gives what a desk on the same folder tells then, before anything goes on.
async fn killed(server: &ModelServer, is_time: impl Fn(&[Value]) -> bool) -> (Vec<LedgerLine>, Value) {
    let galley = Galley::asking(server);
    let mut running = galley.begin_news("rag");
    let run = running.id();
    eventually("the moment", || is_time(&galley.events(&run)).then_some(()));
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    let desk = Desk::open(Options { data_dir: Some(galley.data()), ..Options::default() }).await.unwrap();
    let before = ledger(&desk, &run).await;
    let page = desk.rpc("open_run", json!({"run": run})).await.unwrap();
    desk.rpc("resume_run", json!({"run": run, "limits": {}, "allow": []})).await.unwrap();
    eventually_async(|| server.count() > sum(&before, |line| line.calls.into()) as usize).await;
    desk.close().await;
    let desk = Desk::open(Options { data_dir: Some(galley.data()), ..Options::default() }).await.unwrap();
    let after = ledger(&desk, &run).await;
    assert_eq!(sum(&after, |line| line.calls.into()), server.count() as u64, "after it went on: {after:?}");
    let went_on = desk.rpc("open_run", json!({"run": run})).await.unwrap()["usage"]["unpriced_calls"].clone();
    assert_eq!(went_on, json!(sum(&after, |line| line.unpriced_calls.into())), "after it went on: {after:?}");
    desk.close().await;
    (before, page["usage"].clone())
}

async fn eventually_async(is: impl Fn() -> bool) {
    while !is() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn facts(events: &[Value], kind: &str) -> usize {
    events.iter().filter(|event| event["fact"]["kind"] == kind).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_killed_while_it_waits_to_try_again_has_counted_every_try() {
    let asked = AtomicU32::new(0);
    let server = server(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::rate_limit_ms(1),
        _ => Reply::rate_limit_ms(60_000),
    });
    let (lines, usage) = killed(&server, |events| facts(events, "request_failed") == 2).await;
    let is = (sum(&lines, |line| line.calls.into()), sum(&lines, |line| line.failed_calls.into()));
    assert_eq!(is, (2, 2), "{lines:?}");
    assert_eq!(sum(&lines, |line| line.open_calls.into()), 0);
    assert_eq!((&usage["calls"], &usage["unpriced_calls"]), (&json!(1), &json!(0)), "tries are no calls");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_under_way_when_the_program_was_killed_is_told_at_once_as_not_answered() {
    // The first try is refused, the second never answered.
    let asked = AtomicU32::new(0);
    let server = server(move |_| match asked.fetch_add(1, Ordering::SeqCst) {
        0 => Reply::rate_limit_ms(1),
        _ => Reply::silence(),
    });
    let (lines, usage) = killed(&server, |events| facts(events, "request_sent") == 1).await;
    let [line] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!(
        (line.calls, line.failed_calls, line.open_calls, line.unpriced_calls),
        (2, 1, 1, 1),
        "{line:?}"
    );
    assert_eq!((line.cost, &usage["calls"], &usage["unpriced_calls"]), (None, &json!(1), &json!(1)));
}

#[tokio::test]
async fn the_test_of_a_service_sends_one_search_and_says_plainly_what_came_of_it() {
    let place = Place::new(PRICES).await;
    place.service("tv", "tavily", "").await;
    let told = place.ask("test_profile", json!({"name": "tv"})).await;
    assert!(crate::words::english(&told["phrase"]).starts_with("Tavily answered a search in "), "{told}");
    let asked = place.services.asked("tavily");
    assert_eq!((asked.len(), asked[0].header("authorization")), (1, "Bearer tvly-fake-0000"));
    assert_eq!(place.services.requests().len(), 1, "no page was fetched");
    let refused = json!({"detail": {"error": "Unauthorized: missing or invalid API key."}});
    place.services.set("tavily", Canned::json(401, &refused));
    let error = place.desk.rpc("test_profile", json!({"name": "tv"})).await.unwrap_err();
    assert!(error.message.contains("Tavily") && error.message.contains("key"), "{error}");
    let profiles = place.ask("list_profiles", json!({})).await;
    let card =
        profiles["profiles"].as_array().unwrap().iter().find(|card| card["name"] == "tv").unwrap().clone();
    assert!(crate::words::english(&card["tested"]["phrase"]).contains("HTTP 401"), "{card}");
}
