//! `galley ask`: a request in free text finds its pipeline, its form is shown, and nothing that costs starts unseen.

use serde_json::json;
use testkit::Reply;

use super::galley::{Galley, server};

#[test]
fn a_clear_request_is_routed_and_run_with_its_form_filled_in() {
    let galley = Galley::new();
    galley.run(["config", "set", "default_source", "library"]).ok();
    let told =
        galley.run(["ask", "latest headlines about retrieval-augmented generation", "--yes", "--json"]).ok();
    let lines = told.lines();
    let (route, result) = (&lines[0], lines.last().unwrap());
    assert_eq!(
        (&route["type"], &route["pipeline"], &route["inputs"]),
        (&json!("route"), &json!("ai-news"), &json!({"user_topic": "retrieval-augmented generation"}))
    );
    assert!(route["confidence"].as_f64().unwrap() >= 0.6 && !route["reason"].as_str().unwrap().is_empty());
    assert_eq!((&result["type"], &result["outcome"]), (&json!("result"), &json!("finished")));
    assert_eq!(result["state"]["user_topic"], "retrieval-augmented generation");
    // Going by words is no call of a model: only the run itself is kept.
    assert_eq!(galley.run(["runs", "--json"]).ok().lines().len(), 1);
}

#[test]
fn an_unclear_request_names_the_likeliest_and_exits_5_without_a_run() {
    let galley = Galley::new();
    for request in ["Can you help me with something?", "帮我订一张去上海的机票", "明日の天気は"]
    {
        let told = galley.run(["ask", request, "--yes", "--json"]).exits(5);
        let lines = told.lines();
        assert_eq!(lines[0]["pipeline"], json!(null));
        assert_eq!((&lines[1]["outcome"], &lines[1]["run"]), (&json!("waiting"), &json!(null)));
    }
    let told = galley.run(["ask", "the usual, please"]).exits(5);
    assert!(told.out.contains("ai-news") && told.out.contains("content"), "{}", told.out);
    assert!(galley.run(["runs", "--json"]).ok().out.is_empty());
    galley.run(["ask", "  "]).exits(2);
}

#[test]
fn a_form_that_lacks_something_says_so_and_takes_it_as_an_input() {
    let galley = Galley::new();
    let request = "fill in the placeholders of my report template from the summary";
    let told = galley.run(["ask", request, "--yes"]).exits(2);
    assert!(told.err.contains("template: (needed)") && told.err.contains("reviewed_summary"), "{}", told.err);
    let template = "template=The review took place on {date}.";
    let summary = "reviewed_summary=The review took place on 3 March 2026.";
    let told = galley.run(["ask", request, "--yes", "--input", template, "--input", summary]).ok();
    assert!(told.out.contains("3 March 2026"), "{}", told.out);
}

#[test]
fn a_model_chooses_in_a_run_of_its_own_and_what_would_cost_is_not_started_unseen() {
    let server = server(|_| {
        Reply::Json(json!({
            "pipeline": "content", "confidence": 0.9, "reason": "A long text is wanted.",
            "inputs": [{"key": "tone", "value": "expert"}],
        }))
    });
    let galley = Galley::asking(&server);
    let told = galley.run(["ask", "something long on tides", "--profile", "test", "--json"]).exits(5);
    let lines = told.lines();
    let route = &lines[0];
    assert_eq!((&route["pipeline"], &route["reason"]), (&json!("content"), &json!("A long text is wanted.")));
    assert_eq!(route["inputs"], json!({"input_text": "something long on tides", "tone": "expert"}));
    assert!(told.err.contains("--yes"), "{}", told.err);
    let runs = galley.run(["runs", "--json"]).ok().lines();
    assert_eq!((runs.len(), &runs[0]["run"], &runs[0]["status"]), (1, &route["run"], &json!("finished")));
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("PeerAgent") || journal.contains("Peer agent"), "{journal}");
    galley.run(["replay", "last"]).ok();
    // The router is no pipeline that anybody is offered.
    assert!(!galley.run(["pipelines"]).ok().out.contains("peer-agent"));
}

#[test]
fn where_the_model_fails_or_names_no_pipeline_the_words_decide_and_it_is_said() {
    let odd =
        server(|_| Reply::Json(json!({"pipeline": "poetry", "confidence": 1.0, "reason": "", "inputs": []})));
    let failing = server(|_| Reply::invalid_key("sk-old"));
    for server in [odd, failing] {
        let galley = Galley::asking(&server);
        let told = galley.run(["ask", "AI news", "--profile", "test", "--json"]).exits(5);
        assert_eq!(told.lines()[0]["pipeline"], "ai-news", "{}", told.out);
        assert!(told.err.contains("the words of the pipelines decided"), "{}", told.err);
    }
}

#[test]
fn a_model_that_says_that_no_pipeline_is_meant_is_taken_at_its_word() {
    let server = server(|_| {
        Reply::Json(
            json!({"pipeline": "", "confidence": 0.9, "reason": "Nothing here books flights.", "inputs": []}),
        )
    });
    let galley = Galley::asking(&server);
    let told = galley.run(["ask", "book a flight to Osaka", "--profile", "test", "--json"]).exits(5);
    assert_eq!(told.lines()[0]["pipeline"], json!(null), "{}", told.out);
    assert_eq!(server.count(), 1, "nothing is asked again");
    assert!(!told.err.contains("the words of the pipelines decided"), "{}", told.err);
}

/// The titles of the articles that a run found.
fn found(told: &super::galley::Told) -> Vec<String> {
    let result = told.lines().pop().unwrap();
    let state = &result["state"];
    let articles =
        state["search_results"]["articles"].as_array().or(state["search_results"]["results"].as_array());
    let titles = articles.into_iter().flatten().map(|article| article["title"].as_str().unwrap().to_owned());
    let mut titles: Vec<String> = titles.collect();
    titles.sort();
    titles
}

#[test]
fn a_request_of_a_whole_sentence_finds_what_its_bare_topic_finds() {
    let galley = Galley::new();
    let options = ["--source", "library", "--as-of", "2026-07-01", "--profile", "built-in", "--json"];
    for (request, pipeline, topic) in [
        (
            "Catch me up on what has happened with diffusion language models over the past month",
            "ai-news",
            "diffusion language models",
        ),
        (
            "Could you write an in-depth article on Gaussian splatting for engineers, about 1500 words?",
            "content",
            "Gaussian splatting",
        ),
        ("最近一个月关于强化学习有什么新进展，给团队写条快讯", "ai-news", "强化学习"),
        ("我想要一篇给初学者看的、介绍视频生成的技术文章", "content", "视频生成"),
        ("先週の音声認識の動きを短くまとめてください", "ai-news", "音声認識"),
        (
            "初心者向けにマルチエージェントシステムを解説する記事を書いてください",
            "content",
            "マルチエージェントシステム",
        ),
    ] {
        let asked = galley.run(["ask", request, "--yes"].iter().chain(&options)).ok();
        assert_eq!(asked.lines()[0]["pipeline"], pipeline, "{request}");
        let input = format!("{}={topic}", if pipeline == "content" { "input_text" } else { "user_topic" });
        let bare = galley.run(["run", pipeline, "--input", &input].iter().chain(&options)).ok();
        assert!(!found(&bare).is_empty(), "{topic}");
        assert_eq!(found(&asked), found(&bare), "{request}");
    }
}

#[test]
fn a_request_to_read_a_page_is_asked_about_and_says_why() {
    let galley = Galley::new();
    for request in ["请总结https://example.org/新闻这个网页", "www.example.org の記事を要約して"]
    {
        let told = galley.run(["ask", request, "--yes", "--json"]).exits(5);
        let route = &told.lines()[0];
        assert_eq!(route["pipeline"], json!(null), "{request}");
        assert!(route["confidence"].as_f64().unwrap() < 0.6);
        assert!(route["reason"].as_str().unwrap().contains("reads web pages"), "{route}");
    }
}

#[test]
fn what_is_planned_without_a_model_is_a_task() {
    let galley = Galley::new();
    for request in
        ["convert 5 feet to cm and save it to feet.txt", "把12英里换算成公里", "2340の15%を計算して"]
    {
        let told = galley.run(["ask", request, "--yes", "--json"]).ok();
        assert_eq!(told.lines()[0]["pipeline"], "task", "{request}");
    }
}

#[test]
fn a_model_names_the_topic_of_a_request() {
    let server = server(|_| {
        Reply::Json(json!({
            "pipeline": "ai-news", "confidence": 0.9, "reason": "News is wanted.",
            "inputs": [{"key": "user_topic", "value": "solid-state batteries"}],
        }))
    });
    let galley = Galley::asking(&server);
    let request = "my aunt keeps talking of those new cells without liquid, what do the papers say";
    let told = galley.run(["ask", request, "--profile", "test", "--json"]).exits(5);
    assert_eq!(told.lines()[0]["inputs"], json!({"user_topic": "solid-state batteries"}));
    let asked = server.requests()[0].whole_text();
    assert!(asked.contains("the topic alone"), "{asked}");
}
