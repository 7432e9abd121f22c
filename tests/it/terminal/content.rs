//! Long texts with citations: without a model, without a search, with a second writing, and with a model that fails.

use serde_json::{Value, json};
use testkit::{ChatRequest, ModelServer, Reply};

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

/// A model that names the subject, and writes what `write` gives for a request for the text.
fn writer(write: impl Fn(&ChatRequest) -> String + Send + Sync + 'static) -> ModelServer {
    server(move |request| {
        Reply::Json(match request.asks_for("text_subject") {
            true => {
                json!({ "text_subject": "retrieval-augmented generation", "text_title": "Answers with sources" })
            }
            false => json!({ "markdown": write(request) }),
        })
    })
}

/// The requests for the text, in their order.
fn requests_for_text(server: &ModelServer) -> Vec<ChatRequest> {
    server.requests().into_iter().filter(|request| request.asks_for("markdown")).collect()
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
    let server = writer(|_| long("Known things are told.", ""));
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
        "# A title\n\n{section}{citation}\n\n## How it works\n\n{section}{citation}\n\n## Where it helps\n\n{section}{citation}"
    )
}

#[test]
fn a_model_names_what_is_searched_for_and_the_words_of_the_request_where_it_names_nothing() {
    let server = writer(|_| long("Retrieval helps answers.", "[1]"));
    let galley = Galley::asking(&server);
    let vague = "input_text=Something long and clever about how answers get their sources, please";
    let words = ["run", "content", "--input", vague, "--profile", "test", "--source", "library", "--json"];
    let run = |galley: &Galley| {
        galley.run(words.iter().chain(&["--as-of", "2026-07-01"])).ok().result()["state"].clone()
    };
    let state = run(&galley);
    assert_eq!(state["text_subject"], "retrieval-augmented generation");
    assert!(!state["search_results"]["results"].as_array().unwrap().is_empty());
    let asked = requests_for_text(&server)[0].last_user_text();
    assert!(asked.contains("Answers with sources"), "{asked}");

    let silent = server_that_names_nothing();
    let galley = Galley::asking(&silent);
    let state = run(&galley);
    assert_eq!(state["text_subject"], "answers get their sources");
    assert!(!state["final_content"].as_str().unwrap().is_empty());
}

fn server_that_names_nothing() -> ModelServer {
    server(|request| match request.asks_for("text_subject") {
        true => Reply::Json(json!({ "text_subject": "", "text_title": "" })),
        false => Reply::Json(json!({ "markdown": long("Answers need sources.", "") })),
    })
}

#[test]
fn a_draft_that_is_too_short_is_written_once_more_and_no_more() {
    let server = writer(|request| match request.last_user_text().contains("cannot be used") {
        true => long("Retrieval helps answers.", "[1]"),
        false => "# Short\n\nRetrieval [1].".into(),
    });
    let galley = Galley::asking(&server);
    let result = galley.run(words("test", "library")).ok().result();
    let requests = requests_for_text(&server);
    assert_eq!(requests.len(), 2);
    assert!(requests[1].last_user_text().contains("at least 200"), "{}", requests[1].last_user_text());
    assert!(requests[1].whole_text().contains("# Short"), "the draft is before the model");
    assert!(
        result["output"].as_str().unwrap().contains("## Where it helps\n\nRetrieval helps"),
        "{}",
        result["output"]
    );
    assert!(result["state"]["final_remark"].is_null());
}

/// What is wrong with a text, the words by which the second request names it, and the remark where it stays.
fn faulty_texts() -> [(String, &'static str, &'static str); 5] {
    let good = || long("Retrieval helps answers.", "[1]");
    let copied = sample_sentence();
    [
        (
            good().replace("[1]\n\n## Where it helps", "[9]\n\n## Where it helps"),
            "no such source",
            "A citation names no source.",
        ),
        (
            format!("{}\n\nIt saves 8731 dollars a day [1].", good()),
            "8731",
            "A figure or a name is in no source cited for it.",
        ),
        (
            format!("{}\n\n{copied} [1]", good()),
            "without quotation marks",
            "A passage is copied from a source",
        ),
        (long("Retrieval helps answers.", ""), "cites none of its", "Uncited: the text cites none"),
        (
            good().replace("## How it works\n\n", "").replace("## Where it helps\n\n", ""),
            "sections",
            "The text lacks a title or sections.",
        ),
    ]
}

/// The beginning of the text of the first source, as it stands there.
fn sample_sentence() -> String {
    let galley = Galley::new();
    let result = galley.run(words("built-in", "library")).ok().result();
    let text = result["state"]["search_results"]["results"][0]["text"].as_str().unwrap().to_owned();
    text.split_whitespace().take(30).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_text_that_fails_its_checks_is_asked_for_once_more_by_their_names_and_then_says_what_is_wrong() {
    for (text, named, remark) in faulty_texts() {
        let server = writer(move |_| text.clone());
        let galley = Galley::asking(&server);
        let told = galley.run(words("test", "library")).ok();
        let requests = requests_for_text(&server);
        assert_eq!(requests.len(), 2, "{remark}");
        assert!(requests[1].last_user_text().contains(named), "{named}: {}", requests[1].last_user_text());
        let said = told.result()["state"]["final_remark"].as_str().unwrap_or_default().to_owned();
        assert!(said.contains(remark), "{remark}: {said}");
        assert!(told.err.contains(remark), "standard error has the remark: {}", told.err);
        let exported = galley.run(["export", "last", "--format", "md", "--yes"]).ok().out;
        assert!(exported.contains(remark), "{exported}");
        galley.run(["replay", "last"]).ok();
    }
}

#[test]
fn a_text_that_the_second_writing_mends_has_no_remark() {
    for (text, _, remark) in faulty_texts() {
        let server = writer(move |request| match request.last_user_text().contains("cannot be used") {
            true => long("Retrieval helps answers.", "[1]"),
            false => text.clone(),
        });
        let result = Galley::asking(&server).run(words("test", "library")).ok().result();
        assert_eq!(result["state"]["final_remark"], Value::Null, "{remark}");
    }
}

#[test]
fn the_inputs_may_be_called_by_their_other_names() {
    let server = writer(|_| long("Retrieval helps answers.", "[1]"));
    let galley = Galley::asking(&server);
    let more = ["--input", "language=English", "--input", "max_results=3"];
    let result = galley.run(words("test", "library").iter().chain(&more)).ok().result();
    assert_eq!(
        (&result["state"]["text_language"], &result["state"]["most_sources"]),
        (&json!("English"), &json!(3))
    );
    assert_eq!(result["state"]["agent_output"]["citations"].as_array().unwrap().len(), 1);
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
