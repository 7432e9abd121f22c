//! Requests in three languages, most of them written by people who had not seen the examples.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::*;
use interpreter::Pipeline;

use crate::{all, registry};

#[derive(Deserialize)]
struct Case {
    request: String,
    pipeline: Option<String>,
}

fn cases(lines: &str) -> Vec<Case> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn gold() -> Vec<Case> {
    cases(include_str!("../../../../../tests/fixtures/topics/router.jsonl"))
}

fn targets() -> Vec<RoutingTarget> {
    all().iter().map(|pipeline| RoutingTarget::of(pipeline.as_ref())).collect()
}

/// A pipeline that a person wrote, with two examples.
fn press_note() -> RoutingTarget {
    let text = include_str!("../../../../../docs/pipelines/press-note.toml").to_owned();
    RoutingTarget::of(&Pipeline::from_text(text, registry()).unwrap_or_else(|faults| panic!("{}", faults[0])))
}

/// Requests that were written later, also without knowledge of the examples. The first set showed what the examples
/// lacked; `requests_last` was written after examples and constants were final.
fn written_later() -> [Vec<Case>; 2] {
    [cases(include_str!("requests.jsonl")), cases(include_str!("requests_last.jsonl"))]
}

/// The number of requests that are routed correctly, and the others.
fn score(cases: &[Case], targets: &[RoutingTarget]) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    for Case { request, pipeline } in cases {
        let routing = route(request, targets);
        if routing.pipeline != *pipeline {
            let found = routing.candidates.iter().map(|found| (found.pipeline.as_str(), found.confidence));
            wrong.push(format!("{request}: {:?}, not {pipeline:?}", found.collect::<Vec<_>>()));
        }
    }
    (cases.len() - wrong.len(), wrong)
}

#[test]
fn nine_of_ten_requests_are_routed_correctly_and_vague_or_unsupported_ones_are_not_routed() {
    for targets in [targets(), targets().into_iter().chain([press_note()]).collect()] {
        let (meant, for_nothing): (Vec<Case>, Vec<Case>) =
            gold().into_iter().partition(|case| case.pipeline.is_some());
        assert!(meant.len() >= 45 && for_nothing.len() >= 15, "{} {}", meant.len(), for_nothing.len());
        for cases in written_later().into_iter().chain([meant, for_nothing]) {
            let (right, wrong) = score(&cases, &targets);
            assert!(right * 10 >= cases.len() * 9, "{right} of {}:\n{}", cases.len(), wrong.join("\n"));
        }
    }
}

#[test]
fn no_request_of_the_test_is_part_of_a_pipelines_description() {
    let folded = |text: &str| {
        text.chars().filter(|character| character.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let said: BTreeSet<String> = targets()
        .iter()
        .flat_map(|target| target.texts().into_iter().map(|text| folded(text.text)).collect::<Vec<_>>())
        .collect();
    for Case { request, .. } in gold().into_iter().chain(written_later().into_iter().flatten()) {
        assert!(!said.contains(&folded(&request)), "{request}");
    }
}

#[test]
fn a_pipeline_of_the_person_is_routed_by_its_own_words_alone() {
    let targets: Vec<RoutingTarget> = targets().into_iter().chain([press_note()]).collect();
    let routing = route("we need a press note on our new heat pump", &targets);
    assert_eq!(routing.pipeline.as_deref(), Some("press-note"), "{routing:?}");
    // A copy has the same texts as its original, so the person is offered both.
    let copy = RoutingTarget { id: "press-note-2".to_owned(), ..press_note() };
    let routing = route(
        "we need a press note on our new heat pump",
        &targets.into_iter().chain([copy]).collect::<Vec<_>>(),
    );
    let offered: BTreeSet<&str> = routing.candidates.iter().map(|found| found.pipeline.as_str()).collect();
    assert_eq!(routing.pipeline, None);
    assert!(offered.is_superset(&BTreeSet::from(["press-note", "press-note-2"])), "{offered:?}");
}

#[test]
fn a_form_is_filled_from_the_request_only() {
    let filled = |request: &str, pipeline: &str| {
        let target = targets().into_iter().find(|target| target.id == pipeline).unwrap();
        let inputs = prefilled(request, &target);
        json!(
            inputs
                .iter()
                .map(|(key, value)| (key.as_str(), value.json_or_null().clone()))
                .collect::<BTreeMap<_, _>>()
        )
    };
    assert_eq!(
        filled("latest headlines about solid-state batteries, please", "ai-news"),
        json!({"user_topic": "solid-state batteries"})
    );
    let request = "Write developer documentation on rate limits for experts";
    assert_eq!(
        filled(request, "content"),
        json!({"input_text": request, "mode": "developer documentation", "tone": "expert"})
    );
    let request = "初心者向けにコンポストのブログ記事を書いて";
    assert_eq!(
        filled(request, "content"),
        json!({"input_text": request, "mode": "blog post", "tone": "beginner"})
    );
    let request = "Plan what to grow on my balcony and write it to balcony.md";
    assert_eq!(filled(request, "task"), json!({"task": request}), "how far a task goes is chosen by hand");
    let request = "anime pilgrimage around Kamakura";
    assert_eq!(filled(request, "pilgrimage"), json!({"user_query": request}));
    assert_eq!(filled("fill in my form", "template"), json!({}));
}

#[test]
fn any_text_is_routed_without_an_error() {
    let targets = targets();
    for request in
        ["", " ", "?!", "a", "{{{", "\u{0}", "👩‍🚒", &"news ".repeat(100_000), &"新闻".repeat(50_000)]
    {
        let routing = route(request, &targets);
        assert!((0.0..=1.0).contains(&routing.confidence), "{}", routing.confidence);
        assert!(!routing.candidates.is_empty() && routing.candidates.len() <= 3);
    }
    assert!(route("AI news", &[]).candidates.is_empty());
}

#[test]
fn a_model_chooses_among_the_pipelines_and_fills_only_their_inputs() {
    let targets = targets();
    let request = "an overview of solid-state batteries";
    let answer = |pipeline: &str, confidence: f64| {
        json!({"pipeline": pipeline, "confidence": confidence, "reason": "because", "inputs": [
            {"key": "input_text", "value": "solid-state batteries"}, {"key": "mode", "value": "poem"},
            {"key": "tone", "value": "expert"}, {"key": "foreign", "value": "x"},
        ]})
    };
    let routing = |answer: &Json| routing_of_answer(answer, route(request, &targets), &targets);
    let sure = routing(&answer("content", 0.9));
    assert_eq!((sure.pipeline.as_deref(), sure.reason.english().as_str()), (Some("content"), "because"));
    let filled: Vec<(&str, &str)> = sure.candidates[0]
        .inputs
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str().unwrap()))
        .collect();
    assert_eq!(filled, [("input_text", "solid-state batteries"), ("tone", "expert")]);
    let unsure = routing(&answer("content", 0.4));
    assert_eq!((unsure.pipeline, unsure.candidates[0].pipeline.as_str()), (None, "content"));
    let none = routing(&answer("", 0.95));
    assert!(none.pipeline.is_none() && none.confidence < SURE && !none.candidates.is_empty());
}
