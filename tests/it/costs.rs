//! The limit of money while a run runs: what would pass it is not sent.

use std::time::Duration;

use desk::api::{ForkRun, ProfileCard, ResumeRun, StartRun};
use desk::{Desk, ErrorCode, LimitName, Options, Outcome, QuestionPolicy, RunEnd};
use serde_json::{Value, json};
use testkit::{ModelServer, NewsModel, Reply};

use crate::pauses::values;
use crate::profiles::request;

/// A desk where nobody is there, whose profile `work` asks a model of this price, in US dollars a million tokens.
struct Shop {
    desk: Desk,
    server: ModelServer,
    folder: tempfile::TempDir,
}

impl Shop {
    async fn new(model: &str) -> Shop {
        Shop::with(model, QuestionPolicy::default()).await
    }

    async fn with(model: &str, question_policy: QuestionPolicy) -> Shop {
        Shop::at(ModelServer::news(NewsModel::default()).await, model, question_policy).await
    }

    /// The same with another server.
    async fn at(server: ModelServer, model: &str, question_policy: QuestionPolicy) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        let prices = [price("priced", 2.0), price("free", 0.0)].concat();
        std::fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let data_dir = Some(folder.path().to_owned());
        let options = Options { data_dir, question_policy, ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let card = ProfileCard {
            name: "work".into(),
            provider: "openai-compatible".into(),
            base_url: server.base_url.clone(),
            models: [("default".to_owned(), model.to_owned())].into(),
            ..ProfileCard::default()
        };
        desk.rpc("add_profile", json!(card)).await.unwrap();
        Shop { desk, server, folder }
    }

    fn asked(&self, most: f64) -> StartRun {
        StartRun { limits: [(LimitName::MaxCost, Some(most))].into(), ..request("work") }
    }

    fn put_price(&self, model: &str, input: f64) {
        std::fs::write(self.folder.path().join("prices.toml"), price(model, input)).unwrap();
    }

    /// The question that the run asks, once it does.
    async fn question(&self, run: &str) -> Value {
        self.wait_for_question(run, 1).await;
        let facts = self.facts(run).await;
        facts.iter().rfind(|fact| fact["effect"]["effect"] == "question").unwrap()["effect"]["question"]
            .clone()
    }

    /// Waits until the run has asked so often and waits for the answer.
    async fn wait_for_question(&self, run: &str, count: usize) {
        let asked = async {
            while self.questions(run).await < count
                || self.desk.rpc("list_runs", json!({})).await.unwrap()["runs"][0]["status"] != "waiting"
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), asked).await.unwrap();
    }

    async fn questions(&self, run: &str) -> usize {
        self.facts(run).await.iter().filter(|fact| fact["effect"]["effect"] == "question").count()
    }

    async fn facts(&self, run: &str) -> Vec<Value> {
        let page = json!({"run": run, "from_seq": 1, "limit": 500});
        let page = self.desk.rpc("read_events", page).await.unwrap();
        page["entries"].as_array().unwrap().iter().map(|entry| entry["event"]["fact"].clone()).collect()
    }

    async fn replays(&self, run: &str) {
        let (report, ..) = self.desk.runs().replay(run, desk::ReplayOf::Present).await.unwrap();
        assert!(report.difference.is_none(), "{:?}", report.difference);
    }

    /// Runs with so much money; gives the run's id too.
    async fn run(&self, most: f64) -> (String, RunEnd) {
        let handle = self.desk.runs().start(self.asked(most)).await.unwrap();
        let end = handle.ended().await;
        (handle.run().0.clone(), end)
    }
}

/// A line of the table: US dollars a million tokens in, four times as much out.
fn price(model: &str, input: f64) -> String {
    let output = 4.0 * input;
    format!(
        "[[price]]\nprovider = \"openai-compatible\"\nmodel = \"{model}\"\ninput = {input:?}\noutput = {output:?}\n"
    )
}

#[tokio::test]
async fn with_no_money_no_paid_call_is_sent_and_with_more_the_run_goes_on() {
    let shop = Shop::new("priced").await;
    let (run, end) = shop.run(0.0).await;
    assert_eq!((end.outcome, shop.server.count(), end.usage.cost), (Outcome::Limited, 0, None));
    let error = end.error.unwrap();
    assert_eq!((error.code, error.limit.unwrap().name), (ErrorCode::LimitReached, LimitName::MaxCost));
    let more = ResumeRun {
        run: run.clone(),
        limits: [(LimitName::MaxCost, Some(1.0))].into(),
        ..ResumeRun::default()
    };
    let end = shop.desk.runs().resume(more).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, 3), "{:?}", end.error);
    shop.replays(&run).await;
}

#[tokio::test]
async fn a_call_that_would_pass_what_is_left_is_not_sent_however_little_passes_it() {
    // What a whole run costs, and from it: enough for all, and for all but the last call.
    let shop = Shop::new("priced").await;
    let (_, end) = shop.run(100.0).await;
    let whole = end.usage.cost.unwrap();
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, 3));
    let mut sent = Vec::new();
    for part in [1.0, 0.9, 0.5, 0.25, 0.01] {
        let shop = Shop::new("priced").await;
        let (_, end) = shop.run(whole * part).await;
        let cost = end.usage.cost.unwrap_or(0.0);
        let is_whole = shop.server.count() == 3;
        assert_eq!(end.outcome, if is_whole { Outcome::Finished } else { Outcome::Limited }, "{part}");
        // The least that the refused call costs would have passed the limit; what was sent may have said more than that.
        assert!(is_whole || cost < whole, "{part}: {cost}");
        sent.push(shop.server.count());
    }
    assert_eq!((sent[0], *sent.last().unwrap()), (3, 0), "{sent:?}");
    assert!(sent.is_sorted_by(|more, fewer| more >= fewer), "{sent:?}");
}

#[tokio::test]
async fn what_is_free_needs_no_money() {
    for limit in [0.0, 5.0] {
        let shop = Shop::new("free").await;
        let (_, end) = shop.run(limit).await;
        assert_eq!((end.outcome, end.usage.cost), (Outcome::Finished, Some(0.0)), "{:?}", end.error);
    }
    // Nobody is paid for the pipeline's own functions either, and no table says so.
    let shop = Shop::new("unheard-of").await;
    let own = StartRun { profile: Some("built-in".into()), ..shop.asked(0.0) };
    let end = shop.desk.runs().start(own).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, 0), "{:?}", end.error);
}

#[tokio::test]
async fn under_a_limit_of_money_nothing_is_sent_whose_price_nobody_knows() {
    for limit in [0.0, 0.5, 1e9] {
        let shop = Shop::new("unheard-of").await;
        let preflight = shop.desk.rpc("preflight", json!(shop.asked(limit))).await.unwrap();
        let remarks = crate::words::english(&preflight["remarks"]);
        assert!(remarks.contains("nothing is sent to unheard-of"), "{remarks}");
        let (run, end) = shop.run(limit).await;
        assert_eq!((end.outcome, shop.server.count(), end.usage.calls), (Outcome::Limited, 0, 0), "{limit}");
        let error = end.error.unwrap();
        let reached = error.limit.clone().unwrap();
        assert_eq!((reached.name, reached.most), (LimitName::MaxCost, limit));
        assert_eq!(reached.unpriced.as_deref(), Some("unheard-of"));
        for words in ["`unheard-of` is not known", "prices.toml", "--limit max_cost=none"] {
            assert!(error.message.contains(words), "{error}");
        }
        // More money is no price.
        let more = [(LimitName::MaxCost, Some(2e9))].into();
        let more = ResumeRun { run: run.clone(), limits: more, ..ResumeRun::default() };
        let end = shop.desk.runs().resume(more).await.unwrap().ended().await;
        assert_eq!((end.outcome, shop.server.count()), (Outcome::Limited, 0));
        shop.replays(&run).await;
    }
}

#[tokio::test]
async fn a_run_goes_on_once_the_price_is_put_into_the_table_or_the_limit_is_lifted() {
    let shop = Shop::new("unheard-of").await;
    let (run, _) = shop.run(0.5).await;
    let fork = ForkRun { run: run.clone(), at: 2, ..ForkRun::default() };
    let end = shop.desk.runs().fork(fork.clone()).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Limited, 0), "the limit is its parent's");
    let lifted = ForkRun { limits: [(LimitName::MaxCost, None)].into(), ..fork };
    let forked = shop.desk.runs().fork(lifted).await.unwrap();
    let end = forked.ended().await;
    assert_eq!((end.outcome, end.usage.unpriced_calls, shop.server.count()), (Outcome::Finished, 3, 3));
    shop.replays(&forked.run().0).await;

    let lifted =
        ResumeRun { run: run.clone(), limits: [(LimitName::MaxCost, None)].into(), ..ResumeRun::default() };
    let end = shop.desk.runs().resume(lifted).await.unwrap().ended().await;
    assert_eq!((end.outcome, end.usage.unpriced_calls, shop.server.count()), (Outcome::Finished, 3, 6));
    let page = shop.desk.rpc("open_run", json!({"run": run})).await.unwrap();
    assert_eq!(page["limits"]["max_cost"], json!(null));
    shop.replays(&run).await;

    let (run, _) = shop.run(0.5).await;
    shop.put_price("unheard-of", 2.0);
    let end = shop.desk.runs().resume(ResumeRun { run, ..ResumeRun::default() }).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, 9), "{:?}", end.error);
    assert!(end.usage.cost.unwrap() > 0.0);
}

#[tokio::test]
async fn the_limit_of_a_profile_holds_in_a_fork_that_chooses_it_unless_the_fork_says_otherwise() {
    let shop = Shop::new("priced").await;
    let capped = ProfileCard {
        name: "capped".into(),
        provider: "openai-compatible".into(),
        base_url: shop.server.base_url.clone(),
        models: [("default".to_owned(), "priced".to_owned())].into(),
        limits: [(LimitName::MaxCost, 0.0)].into(),
        ..ProfileCard::default()
    };
    shop.desk.rpc("add_profile", json!(capped)).await.unwrap();
    let (run, _) = shop.run(1.0).await;
    let before = shop.server.count();
    let fork = ForkRun { run, at: 2, profile: Some("capped".into()), ..ForkRun::default() };
    let end = shop.desk.runs().fork(fork.clone()).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Limited, before));
    let more = ForkRun { limits: [(LimitName::MaxCost, Some(1.0))].into(), ..fork };
    let end = shop.desk.runs().fork(more).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, before + 3));
}

#[tokio::test]
async fn a_call_that_cost_an_unknown_sum_counts_as_the_least_of_the_coming_one() {
    // The smallest limit of money under which the second call is sent, where the first one was free or of unknown price.
    let enough = async |first_is_free: bool| {
        let shop = Shop::new("unheard-of").await;
        if first_is_free {
            shop.put_price("unheard-of", 0.0);
        }
        let first = StartRun { limits: [(LimitName::MaxLlmCalls, Some(1.0))].into(), ..request("work") };
        let handle = shop.desk.runs().start(first).await.unwrap();
        assert_eq!((handle.ended().await.outcome, shop.server.count()), (Outcome::Limited, 1));
        shop.put_price("unheard-of", 2.0);
        let mut most = 1e-4;
        loop {
            let limits = [(LimitName::MaxCost, Some(most)), (LimitName::MaxLlmCalls, Some(2.0))].into();
            let again = ResumeRun { run: handle.run().0.clone(), limits, ..ResumeRun::default() };
            shop.desk.runs().resume(again).await.unwrap().ended().await;
            if shop.server.count() > 1 {
                return most;
            }
            most *= 1.1;
        }
    };
    let ratio = enough(false).await / enough(true).await;
    assert!((1.7..2.3).contains(&ratio), "{ratio}");
}

#[tokio::test]
async fn a_call_that_failed_counts_before_it_is_sent_again() {
    let overloaded =
        || Reply::Error { status: 503, headers: vec![("retry-after".into(), "0".into())], body: "{}".into() };
    let mut sent = Vec::new();
    for most in [1e-3, 1e-2, 1.0] {
        let server = ModelServer::by_agent(move |_| overloaded()).await;
        let shop = Shop::at(server, "priced", QuestionPolicy::default()).await;
        let (run, end) = shop.run(most).await;
        let is_held = shop.server.count() < 5;
        assert_eq!(
            end.outcome,
            if is_held { Outcome::Limited } else { Outcome::Failed },
            "{most}: {:?}",
            end.error
        );
        shop.replays(&run).await;
        sent.push(shop.server.count());
    }
    assert!(sent[0] < sent[1] && sent[1] <= 5 && sent[2] == 5, "{sent:?}");
}

#[tokio::test]
async fn who_is_there_is_asked_and_may_name_the_price_or_lift_the_limit() {
    for answer in ["retry", "lift", "finish", "stop"] {
        let shop = Shop::with("unheard-of", QuestionPolicy::Window).await;
        let handle = shop.desk.runs().start(shop.asked(0.5)).await.unwrap();
        let run = handle.run().0.clone();
        let question = shop.question(&run).await;
        assert_eq!(question["kind"], json!({"kind": "limit", "limit": "max_cost"}));
        assert_eq!(question["details"]["unpriced"], "unheard-of");
        assert_eq!(values(&question), ["retry", "lift", "finish", "stop"]);
        let say = async |value: &str| shop.desk.rpc("answer_run", json!({"run": run, "value": value})).await;
        let refused = say("5").await.unwrap_err();
        assert!(!refused.message.contains("a number"), "{refused}");
        if answer == "retry" {
            // Tried again with nothing put into the table it asks again.
            let before = shop.questions(&run).await;
            say(answer).await.unwrap();
            shop.wait_for_question(&run, before + 1).await;
            shop.put_price("unheard-of", 2.0);
        }
        say(answer).await.unwrap();
        let end = handle.ended().await;
        let (outcome, sent) = match answer {
            "retry" | "lift" => (Outcome::Finished, 3),
            "finish" => (Outcome::Limited, 0),
            _ => (Outcome::Cancelled, 0),
        };
        assert_eq!((end.outcome, shop.server.count()), (outcome, sent), "{answer}: {:?}", end.error);
        let page = shop.desk.rpc("open_run", json!({"run": run})).await.unwrap();
        assert_eq!(page["limits"]["max_cost"].is_null(), answer == "lift", "{answer}");
        shop.replays(&run).await;
    }
}

#[tokio::test]
async fn each_run_has_its_cost_and_without_a_price_of_the_model_none() {
    let shop = Shop::new("priced").await;
    let (paid, end) = shop.run(100.0).await;
    let other = Shop::new("without-a-price").await;
    let handle = other.desk.runs().start(request("work")).await.unwrap();
    handle.ended().await;
    let costs = shop.desk.rpc("run_costs", json!({})).await.unwrap();
    let cost = costs["costs"][paid.as_str()].as_f64().unwrap();
    assert!((cost - end.usage.cost.unwrap()).abs() < 1e-9, "{cost}");
    let costs = other.desk.rpc("run_costs", json!({})).await.unwrap();
    assert_eq!(costs["costs"], json!({ (handle.run().0.as_str()): null }));
}
