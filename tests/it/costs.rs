//! The limit of money while a run runs: what would pass it is not sent.

use desk::api::{ProfileCard, ResumeRun, StartRun};
use desk::{Desk, ErrorCode, LimitName, Options, Outcome, RunEnd};
use serde_json::json;
use testkit::{ModelServer, NewsModel};

use crate::profiles::request;

/// A desk where nobody is there, whose profile `work` asks a model of this price, in US dollars a million tokens.
struct Shop {
    desk: Desk,
    server: ModelServer,
    folder: tempfile::TempDir,
}

impl Shop {
    async fn new(model: &str) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        let price = |model: &str, input: f64, output: f64| {
            format!(
                "[[price]]\nprovider = \"openai-compatible\"\nmodel = \"{model}\"\ninput = {input:?}\noutput = {output:?}\n"
            )
        };
        let prices = [price("priced", 2.0, 8.0), price("free", 0.0, 0.0)].concat();
        std::fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let options = Options { data_dir: Some(folder.path().to_owned()), ..Options::default() };
        let desk = Desk::open(options).await.unwrap();
        let server = ModelServer::news(NewsModel::default()).await;
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
        assert!(self.folder.path().exists());
        StartRun { limits: [(LimitName::MaxCost, most)].into(), ..request("work") }
    }

    /// Runs with so much money; gives the run's id too.
    async fn run(&self, most: f64) -> (String, RunEnd) {
        let handle = self.desk.start(self.asked(most)).await.unwrap();
        let end = handle.ended().await;
        (handle.run().0.clone(), end)
    }
}

#[tokio::test]
async fn with_no_money_no_paid_call_is_sent_and_with_more_the_run_goes_on() {
    let shop = Shop::new("priced").await;
    let (run, end) = shop.run(0.0).await;
    assert_eq!((end.outcome, shop.server.count(), end.usage.cost), (Outcome::Limited, 0, None));
    let error = end.error.unwrap();
    assert_eq!((error.code, error.limit.unwrap().name), (ErrorCode::LimitReached, LimitName::MaxCost));
    let more =
        ResumeRun { run: run.clone(), limits: [(LimitName::MaxCost, 1.0)].into(), ..ResumeRun::default() };
    let end = shop.desk.resume(more).await.unwrap().ended().await;
    assert_eq!((end.outcome, shop.server.count()), (Outcome::Finished, 3), "{:?}", end.error);
    let (report, ..) = shop.desk.replay(&run, desk::ReplayOf::Present).await.unwrap();
    assert!(report.difference.is_none(), "{:?}", report.difference);
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
async fn what_is_free_needs_no_money_and_a_price_that_nobody_knows_is_said_beforehand() {
    let shop = Shop::new("free").await;
    let (_, end) = shop.run(0.0).await;
    assert_eq!((end.outcome, end.usage.cost), (Outcome::Finished, Some(0.0)), "{:?}", end.error);
    let shop = Shop::new("unheard-of").await;
    let preflight = shop.desk.rpc("preflight", json!(shop.asked(0.0))).await.unwrap();
    let remarks = preflight["remarks"].to_string();
    assert!(remarks.contains("cannot hold") && remarks.contains("unheard-of"), "{remarks}");
    let (_, end) = shop.run(0.0).await;
    assert_eq!((end.outcome, end.usage.cost, end.usage.unpriced_calls), (Outcome::Finished, None, 3));
}
