//! How edits and checks change a state, tested without a run.

use std::sync::Arc;

use kernel::{Delta, State, Value};
use serde_json::{Value as Json, json};

use interpreter::FunctionContext;
use interpreter::Pipeline;

const POST: &str = "Falcon halves the cost of search to 12 cents a query [1].";

fn pipeline() -> Arc<Pipeline> {
    crate::all().into_iter().find(|pipeline| pipeline.id() == "ai-news").unwrap()
}

fn article(title: &str, summary: &str) -> Json {
    json!({
        "title": title, "url": format!("https://example.org/{title}"), "source": "arXiv",
        "published": "2026-06-20", "summary": summary, "ai_relevance": "", "confidence": "high"
    })
}

fn results(articles: &[Json]) -> Json {
    json!({ "articles": articles, "search_window_days": 30 })
}

/// A state with two articles, of which the first supports the post.
fn found() -> State {
    let falcon = article("Falcon", "Falcon halves the cost of search to 12 cents a query.");
    let heron = article("Heron", "Heron doubles the speed of training.");
    state([("search_results", results(&[falcon, heron]))])
}

fn state<const N: usize>(keys: [(&str, Json); N]) -> State {
    keys.into_iter().map(|(key, json)| (key.to_owned(), Value::new(json))).collect()
}

/// The delta that a draft with this text produces.
fn drafted(state: &State, post: &str) -> Delta {
    pipeline().edited(state, "draft_post", Value::new(json!({ "post_markdown": post }))).unwrap()
}

fn failed(delta: &Delta) -> Vec<String> {
    let checks = delta.set["draft_checks"].json_or_null().as_array().cloned().unwrap_or_default();
    let failed = checks.iter().filter(|check| check["passed"] == json!(false));
    failed.map(|check| check["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_failed_check_is_english_text_for_the_model_and_a_phrase_for_the_person() {
    for post in [POST, "", &POST.replace("[1]", "[7]"), &"much ".repeat(300)] {
        for check in drafted(&found(), post).set["draft_checks"].json_or_null().as_array().unwrap() {
            let phrase: kernel::Phrase = serde_json::from_value(check["phrase"].clone()).unwrap();
            assert_eq!(check["detail"], phrase.english());
        }
    }
}

#[test]
fn a_sentence_is_checked_against_the_article_it_cites_only() {
    assert_eq!(failed(&drafted(&found(), POST)), [""; 0]);
    assert_eq!(failed(&drafted(&found(), &POST.replace("[1]", "[2]"))), ["grounding"]);
    let both = "Falcon halves the cost of search to 12 cents a query, and Heron doubles the speed of training [1][2].";
    assert_eq!(failed(&drafted(&found(), both)), [""; 0]);
}

#[test]
fn after_an_edit_the_checks_are_of_the_published_text_and_its_remark_is_removed() {
    let mut state = found();
    state.apply(&drafted(&found(), POST));
    let revised = "Heron doubles the speed of training [2].";
    state.apply(&Delta::of("final_post", json!(revised)).with("final_remark", json!("Checks fail.")));
    let edited = |key: &str, value: Json| pipeline().edited(&state, key, Value::new(value)).unwrap();
    let wrong = edited("final_post", json!("Heron doubles the speed of 97 trains [2]."));
    assert_eq!(failed(&wrong), ["grounding"]);
    assert!(wrong.set["final_remark"].json_or_null().is_null());
    // Without a remark the published text stays, and the draft changes.
    state.apply(&Delta::of("final_remark", Json::Null));
    let edited = |key: &str, value: Json| pipeline().edited(&state, key, Value::new(value)).unwrap();
    let draft = edited("draft_post", json!({ "post_markdown": POST.replace("12", "97") }));
    assert_eq!(failed(&draft), [""; 0]);
}

#[test]
fn a_figure_in_the_text_of_the_hit_is_grounded_and_a_date_outside_the_window_fails() {
    let mut state = found();
    let hit = json!({
        "title": "Heron", "url": "https://example.org/Heron", "source": "arXiv", "published": "2026-06-20",
        "text": "Heron doubles the speed of training on 64 GPUs."
    });
    let post = "Heron doubles the speed of training on 64 GPUs [2].";
    assert_eq!(failed(&drafted(&state, post)), ["grounding"]);
    let mut hits = json!({ "from": "2026-06-01", "until": "2026-07-01", "hits": [hit] });
    state.apply(&Delta::of("search_hits", hits.clone()));
    assert_eq!(failed(&drafted(&state, post)), [""; 0]);
    hits["from"] = json!("2026-06-25");
    state.apply(&Delta::of("search_hits", hits));
    assert_eq!(failed(&drafted(&state, post)), ["recency"]);
}

#[test]
fn a_copy_with_a_renamed_writer_or_without_checks_publishes_nothing_unchecked() {
    let checks = "checks = [\"word_limit\", \"citations_in_range\", \"every_paragraph_cites\", \"recent\", \"grounded\"]";
    let renamed = super::DEFINITION.replace("ai_news_writer", "author");
    assert!(renamed.contains(checks));
    let registry = crate::registry();
    for (text, post, is_published) in [
        (&renamed, POST, true),
        (&renamed, "Falcon costs 99 dollars [1].", false),
        (&renamed.replace(checks, ""), POST, false),
    ] {
        let definition = interpreter::read(text, &registry).unwrap();
        let mut state = found();
        state.apply(&Delta::of("draft_post", json!({ "post_markdown": post })));
        state.apply(&Delta::of("review_feedback", json!({ "ready_for_publish": true })));
        let context = FunctionContext {
            definition: &definition,
            registry: &registry,
            agent: "flow",
            state: &state,
            failure: None,
        };
        let published = registry.run["publish_reviewed"](&context).unwrap().delta;
        assert_eq!(published.set["final_post"].as_str() == Some(post), is_published, "{post}");
    }
}

#[test]
fn a_short_paragraph_that_states_something_must_cite_something() {
    let bare = format!("{POST}\n\nEverybody should buy shares of the company behind it right now.");
    assert_eq!(failed(&drafted(&found(), &bare)), ["coverage"]);
    let bridge = format!("{POST}\n\nThat is all for now.");
    assert_eq!(failed(&drafted(&found(), &bridge)), [""; 0]);
}

#[test]
fn other_articles_change_the_checks_of_the_same_draft() {
    let mut state = found();
    state.apply(&drafted(&state, POST));
    let others = results(&[article("Heron", "Heron doubles the speed of training.")]);
    let delta = pipeline().edited(&state, "search_results", Value::new(others)).unwrap();
    assert_eq!(failed(&delta), ["grounding"]);
}

#[test]
fn an_edit_of_the_published_text_changes_the_draft_it_came_from_and_the_checks() {
    let mut state = found();
    state.apply(&drafted(&state, POST));
    let edited = "Falcon costs 99 dollars [1].";
    for (published, is_draft) in [(POST, true), ("No recent AI news found on this topic.", false)] {
        let mut state = state.clone();
        state.apply(&Delta::of("final_post", Value::text(published)));
        let delta = pipeline().edited(&state, "final_post", Value::text(edited)).unwrap();
        assert_eq!(delta.set["final_post"].as_str(), Some(edited));
        assert_eq!(delta.set.contains_key("draft_post"), is_draft);
        if is_draft {
            assert_eq!(delta.set["draft_post"].json_or_null()["post_markdown"], edited);
            assert_eq!(failed(&delta), ["grounding"]);
        }
    }
}
