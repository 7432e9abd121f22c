//! `--fallback`: where a model fails for good, its stage is done without one, and the result says so.

use testkit::Reply;

use super::galley::{Galley, news_server, server};
use crate::outcomes::well_but;

#[test]
fn a_run_whose_model_fails_is_finished_without_one_and_says_which_stages_were() {
    let refusing =
        server(well_but(|stage, _, _| (stage != "articles").then(|| Reply::invalid_key("sk-old"))));
    let galley = Galley::asking(&refusing);
    galley.news("retrieval-augmented generation", &["--profile", "test", "--json"]).exits(1);
    let told = galley.run(["resume", "last", "--fallback", "built-in", "--json"]).ok();
    let result = told.lines().pop().unwrap();
    assert_eq!(result["outcome"], "finished");
    assert_eq!(result["without_model"], serde_json::json!(["ai_news_reviewer", "ai_news_writer"]));
    let shown =
        galley.news("retrieval-augmented generation", &["--profile", "test", "--fallback", "built-in"]).ok();
    assert!(shown.err.contains("without a model") && shown.err.contains("ai_news_writer"), "{}", shown.err);
    // A run whose model answers says nothing of it.
    let answering = news_server(Default::default());
    let galley = Galley::asking(&answering);
    let told = galley
        .news("retrieval-augmented generation", &["--profile", "test", "--fallback", "built-in", "--json"]);
    assert!(told.ok().lines().pop().unwrap().get("without_model").is_none());
}

#[test]
fn a_fallback_that_there_is_not_is_bad_input() {
    let galley = Galley::new();
    let told = galley.news("rag", &["--fallback", "guess"]).exits(2);
    told.says(&["`guess` is no fallback", "built-in"]);
    galley.run(["config", "set", "default_fallback", "guess"]).exits(2);
    galley.run(["config", "set", "default_fallback", "built-in"]).ok();
}
