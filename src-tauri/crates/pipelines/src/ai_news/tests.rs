//! What an edit and the checks do to a state, without a run around them.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{Delta, State, Value};
use serde_json::{Value as Json, json};

use super::keys::{Check, DRAFT_CHECKS, DRAFT_POST, DraftPost, FINAL_POST, SEARCH_RESULTS};
use super::{AiNews, checks};
use crate::{Pipeline, Setup};

const POST: &str = "Falcon halves the cost of search to 12 cents a query [1].";

fn article(title: &str, summary: &str) -> Json {
    json!({
        "title": title, "url": format!("https://example.org/{title}"), "source": "arXiv",
        "published": "2026-06-20", "summary": summary, "ai_relevance": "", "confidence": "high"
    })
}

fn results(articles: &[Json]) -> Json {
    json!({ "articles": articles, "search_window_days": 30 })
}

/// Two articles, of which the first bears the post out.
fn found() -> State {
    let falcon = article("Falcon", "Falcon halves the cost of search to 12 cents a query.");
    let heron = article("Heron", "Heron doubles the speed of training.");
    state([(SEARCH_RESULTS.name, results(&[falcon, heron]))])
}

fn state<const N: usize>(keys: [(&str, Json); N]) -> State {
    keys.into_iter().map(|(key, json)| (key.to_owned(), Value::new(json))).collect()
}

fn failed(checks: &[Check]) -> Vec<&str> {
    checks.iter().filter(|check| !check.passed).map(|check| check.name.as_str()).collect()
}

fn failed_after(delta: &Delta) -> Vec<String> {
    let checks = delta.set[DRAFT_CHECKS.name].json_or_null().as_array().cloned().unwrap_or_default();
    let failed = checks.iter().filter(|check| check["passed"] == json!(false));
    failed.map(|check| check["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn everything_the_pipeline_says_of_itself_is_said_in_every_language_and_nothing_else_is() {
    let pipeline = AiNews::new();
    let description = pipeline.describe();
    let tools = BTreeMap::from([(crate::SEARCH.to_owned(), crate::check::placeholder("library_search"))]);
    let setup = Setup { tools };
    let outline = pipeline.tree(&setup).unwrap().outline().clone();
    let mut said = BTreeSet::from([description.title.as_str(), &description.purpose, &outline.title]);
    said.extend(
        description
            .inputs
            .iter()
            .flat_map(|input| [input.declaration.title.as_str(), input.declaration.help.as_str()]),
    );
    said.extend(description.keys.iter().map(|key| key.title.as_str()));
    said.extend(description.presets.iter().map(|preset| preset.description.as_str()));
    said.extend(outline.children.iter().map(|child| child.title.as_str()));
    for catalogue in &description.catalogues {
        let told: BTreeSet<_> = catalogue.words.iter().map(|(english, _)| english.as_str()).collect();
        assert!(told.is_superset(&said), "{}: {:?}", catalogue.language, said.difference(&told));
        let names = |text: &str| -> BTreeSet<String> {
            text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect()
        };
        assert!(catalogue.words.iter().all(|(english, theirs)| names(english) == names(theirs)));
        assert!(catalogue.words.iter().all(|(english, theirs)| english != theirs && !theirs.is_ascii()));
    }
}

#[test]
fn what_the_checks_find_is_told_in_every_language() {
    let bare = "Everybody should buy shares of the company behind it right now, he said yesterday.";
    let posts =
        [POST, "", bare, &POST.replace("[1]", "[2]"), &POST.replace("[1]", "[7]"), &"much ".repeat(300)];
    for catalogue in &AiNews::new().describe().catalogues {
        for check in posts.iter().flat_map(|post| checks::of_state(&found(), post)) {
            // Several of one kind stand in one line.
            for said in check.detail.split("; ").chain([check.name.as_str()]) {
                let is_told = |form: &str| {
                    let parts: Vec<&str> = form
                        .split('{')
                        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
                        .collect();
                    let mut rest = Some(said);
                    for part in &parts {
                        rest = rest.and_then(|text| text.split_once(part)).map(|(_, rest)| rest);
                    }
                    said.starts_with(parts[0]) && rest.is_some() && said.ends_with(parts[parts.len() - 1])
                };
                assert!(
                    catalogue.words.iter().any(|(english, _)| is_told(english)),
                    "{}: {said}",
                    catalogue.language
                );
            }
        }
    }
}

#[test]
fn a_sentence_is_held_against_the_article_it_cites_and_not_against_the_others() {
    assert_eq!(failed(&checks::of_state(&found(), POST)), [""; 0]);
    assert_eq!(failed(&checks::of_state(&found(), &POST.replace("[1]", "[2]"))), ["grounding"]);
    let both = "Falcon halves the cost of search to 12 cents a query, and Heron doubles the speed of training [1][2].";
    assert_eq!(failed(&checks::of_state(&found(), both)), [""; 0]);
}

#[test]
fn a_short_paragraph_that_states_something_must_cite_something() {
    let bare = format!("{POST}\n\nEverybody should buy shares of the company behind it right now.");
    assert_eq!(failed(&checks::of_state(&found(), &bare)), ["coverage"]);
    let bridge = format!("{POST}\n\nThat is all for now.");
    assert_eq!(failed(&checks::of_state(&found(), &bridge)), [""; 0]);
}

#[test]
fn other_articles_make_other_checks_of_the_same_draft() {
    let pipeline = AiNews::new();
    let mut state = found();
    state.apply(&checks::draft_delta(&state, &DraftPost::of(POST.to_owned())));
    let others = results(&[article("Heron", "Heron doubles the speed of training.")]);
    let delta = pipeline.edited(&state, SEARCH_RESULTS.name, Value::new(others)).unwrap();
    assert_eq!(failed_after(&delta), ["grounding"]);
}

#[test]
fn an_edit_of_what_was_published_changes_its_draft_and_the_checks_too_but_not_a_draft_that_was_not() {
    let pipeline = AiNews::new();
    let mut state = found();
    state.apply(&checks::draft_delta(&state, &DraftPost::of(POST.to_owned())));
    let edited = "Falcon costs 99 dollars [1].";
    for (published, is_draft) in [(POST, true), ("No recent AI news found on this topic.", false)] {
        let mut state = state.clone();
        state.apply(&Delta::of(FINAL_POST.name, Value::text(published)));
        let delta = pipeline.edited(&state, FINAL_POST.name, Value::text(edited)).unwrap();
        assert_eq!(delta.set[FINAL_POST.name].as_str(), Some(edited));
        assert_eq!(delta.set.contains_key(DRAFT_POST.name), is_draft);
        if is_draft {
            assert_eq!(delta.set[DRAFT_POST.name].json_or_null()["post_markdown"], edited);
            assert_eq!(failed_after(&delta), ["grounding"]);
        }
    }
}
