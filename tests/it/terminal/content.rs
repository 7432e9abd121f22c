//! Long texts with citations: without a model, without a search, with a second writing, and with a model that fails.

use serde_json::json;
use testkit::Reply;

use super::galley::{Galley, server};

const REQUEST: &str = "input_text=Write a blog post about retrieval-augmented generation for beginners";

fn words<'a>(profile: &'a str, source: &'a str) -> [&'a str; 11] {
    [
        "run",
        "content",
        "--input",
        REQUEST,
        "--profile",
        profile,
        "--source",
        source,
        "--as-of",
        "2026-07-01",
        "--json",
    ]
}

/// The numbers in square brackets.
fn numbers(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = text
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']').map(|(number, _)| number))
        .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn without_a_model_an_article_quotes_three_sources_and_lists_exactly_what_it_cites() {
    let galley = Galley::new();
    let result = galley.run(words("built-in", "library")).ok().result();
    let text = result["output"].as_str().unwrap();
    assert!(text.starts_with("# Retrieval-augmented generation\n"), "{text}");
    let (body, list) = text.split_once("\n\n## References\n").unwrap();
    assert!(body.matches("\n## ").count() >= 3 && body.matches("\n> “").count() >= 3, "{body}");
    assert_eq!(numbers(body), numbers(list));
    let citations = result["state"]["agent_output"]["citations"].as_array().unwrap();
    assert_eq!(citations.len(), numbers(body).len());
    assert!(citations.iter().all(|cited| list.contains(cited["url"].as_str().unwrap())), "{citations:?}");
    let checks = result["state"]["content_checks"].as_array().unwrap();
    assert!(checks.iter().all(|check| check["passed"] == true), "{checks:?}");
    let exported = galley.run(["export", "last", "--format", "md"]).ok().out;
    assert!(!exported.contains("## Sources") && exported.matches("## References").count() == 1, "{exported}");
    galley.run(["replay", "last"]).ok();
}

#[test]
fn where_the_search_fails_the_text_says_that_it_is_uncited_in_the_run_and_in_its_export() {
    let server = server(|_| Reply::Json(json!({ "markdown": long("Known things are told.", "") })));
    let galley = Galley::asking(&server);
    galley.run(["config", "set", "services.searxng.base_url", "http://127.0.0.1:9"]).ok();
    let result = galley.run(words("test", "searxng")).ok().result();
    assert_eq!(result["outcome"], "finished");
    assert_eq!(result["state"]["agent_output"]["citations"], json!([]));
    let remark = result["state"]["final_remark"].as_str().unwrap();
    assert!(remark.starts_with("Uncited: the search failed"), "{remark}");
    assert!(
        galley.run(["export", "last", "--format", "md"]).ok().out.contains("> Uncited: the search failed")
    );
    let journal = galley.run(["show", "last", "--journal"]).ok().out;
    assert!(journal.contains("written without sources") && journal.contains("127.0.0.1:9"), "{journal}");
}

/// A text with two sections and more than 200 words.
fn long(sentence: &str, citation: &str) -> String {
    let section = format!("{sentence} ").repeat(30);
    format!(
        "# A title\n\n{section}{citation}\n\n## One\n\n{section}{citation}\n\n## Two\n\n{section}{citation}"
    )
}

#[test]
fn a_draft_that_is_too_short_is_written_once_more_and_no_more() {
    let server = server(|request| {
        let is_again = request.last_user_text().contains("falls short");
        let text = if is_again {
            long("Retrieval helps answers.", "[1]")
        } else {
            "# Short\n\nRetrieval [1].".into()
        };
        Reply::Json(json!({ "markdown": text }))
    });
    let galley = Galley::asking(&server);
    let result = galley.run(words("test", "library")).ok().result();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let again = requests[1].last_user_text();
    assert!(again.contains("at least 200") && again.contains("# Short"), "{again}");
    assert!(result["output"].as_str().unwrap().contains("## Two\n\nRetrieval helps"), "{}", result["output"]);
}

#[test]
fn a_text_that_cites_no_source_is_written_once_more_and_then_marked_as_uncited() {
    let server = server(|request| {
        let is_again = request.last_user_text().contains("cites none of its");
        let citation =
            if is_again && request.last_user_text().contains("⟦English⟧") { "[1]" } else { "[88]" };
        Reply::Json(json!({ "markdown": long("Retrieval helps answers.", citation) }))
    });
    let galley = Galley::asking(&server);
    let more = ["--input", "language=English", "--input", "max_results=3"];
    let result = galley.run(words("test", "library").iter().chain(&more)).ok().result();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let again = requests[1].last_user_text();
    assert!(again.contains("cites none of its"), "{again}");
    assert_eq!(result["state"]["agent_output"]["citations"].as_array().unwrap().len(), 1, "{again}");
    assert_eq!(
        (&result["state"]["text_language"], &result["state"]["most_sources"]),
        (&json!("English"), &json!(3))
    );
    assert!(result["state"]["final_remark"].is_null());
    // One that never cites is kept, and says so.
    let uncited = galley.run(words("test", "library")).ok().result();
    assert!(uncited["state"]["final_remark"].as_str().unwrap().starts_with("Uncited: the text cites none"));
    assert_eq!(uncited["state"]["agent_output"]["citations"], json!([]));
    assert!(
        galley.run(["export", "last", "--format", "md"]).ok().out.contains("> Uncited: the text cites none")
    );
}

#[test]
fn a_model_that_always_fails_ends_the_run_as_failed_with_the_kind_of_the_error() {
    let server = server(|_| {
        Reply::error(401, "invalid_request_error", Some("invalid_api_key"), "Incorrect API key provided.")
    });
    let galley = Galley::asking(&server);
    let result = galley.run(words("test", "library")).exits(1).result();
    assert_eq!(result["outcome"], "failed");
    assert_eq!(result["error"]["code"], "key_refused");
}
