//! Parses recorded answers of Gemini; the other sources are tested over a socket in the integration tests.

use super::*;
use crate::offered_tool::KeyNeed;
use crate::sources::gemini::found_in;
use kernel::Code;
use serde_json::{Value, json};

fn recorded(name: &str) -> Value {
    let text = match name {
        "grounding-1" => include_str!(
            "../../../../../tests/fixtures/contracts/gemini-grounding/google-search-grounding.1.json"
        ),
        "grounding-2" => include_str!(
            "../../../../../tests/fixtures/contracts/gemini-grounding/google-search-grounding.2.json"
        ),
        "blocked" => include_str!(
            "../../../../../tests/fixtures/contracts/gemini-grounding/modelarmor-prompt-block.2.json"
        ),
        _ => include_str!("../../../../../tests/fixtures/contracts/gemini-grounding/simple-text.json"),
    };
    serde_json::from_str::<Value>(text).unwrap()["response"]["body"].take()
}

#[test]
fn every_source_has_an_id_a_tool_and_words_of_its_own() {
    let mut ids: Vec<&str> = SEARCH_SOURCES.iter().map(|source| source.id).collect();
    let sorted = ids.clone();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids, sorted, "alphabetic, each once");
    for source in SEARCH_SOURCES {
        assert!(source.purpose.0.ends_with('.') && !source.title.is_empty(), "{}", source.id);
        assert_eq!(source.key == KeyNeed::None, source.key_page.is_empty(), "{}", source.id);
        assert!(source.tool.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{}", source.tool);
        for service in source.services {
            assert!(
                service.base_url.is_empty() || service.base_url.starts_with("https://"),
                "{}",
                service.name
            );
        }
    }
}

#[test]
fn grounding_gives_each_page_with_its_sentences_and_the_required_attribution() {
    for name in ["grounding-1", "grounding-2"] {
        let answer = recorded(name);
        let found = found_in(&answer).unwrap();
        assert!(!found.candidates.is_empty(), "{name}");
        for candidate in &found.candidates {
            assert!(candidate.is_redirect && candidate.hit.published.is_empty());
            assert!(candidate.hit.url.contains("/grounding-api-redirect/"), "{}", candidate.hit.url);
        }
        let attribution = &found.attributions[0];
        assert!(
            attribution.html.contains("class=\"container\"") && !attribution.queries.is_empty(),
            "{name}"
        );
        assert_eq!(attribution.links.len(), found.candidates.len());
        assert!(attribution.usage["totalTokenCount"].as_u64().is_some());
    }
    let first = found_in(&recorded("grounding-1")).unwrap();
    assert!(first.candidates[0].hit.text.starts_with("According to the latest weather reports"));
}

#[test]
fn offsets_count_bytes_of_their_part_and_invalid_ones_are_skipped() {
    let part = "新しいモデル。本を読む。";
    let answer = |segment: Value| {
        json!({"candidates": [{"content": {"parts": [{"text": "x"}, {"text": part}]}, "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://r.example.org/1", "title": "a.example.org"}}],
            "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0, 7, -1, "0"]}]}}]})
    };
    let said = |segment: Value| found_in(&answer(segment)).unwrap().candidates[0].hit.text.trim().to_owned();
    let whole = part.len();
    assert_eq!(said(json!({"partIndex": 1, "endIndex": 21, "text": "?"})), "新しいモデル。");
    assert_eq!(said(json!({"partIndex": 1, "startIndex": 21, "endIndex": whole})), "本を読む。");
    for (segment, text) in [
        (json!({"partIndex": 1, "startIndex": 1, "endIndex": 20, "text": "kept"}), "kept"),
        (json!({"partIndex": 9, "startIndex": 0, "endIndex": 3, "text": "kept"}), "kept"),
        (json!({"partIndex": 1, "startIndex": 30, "endIndex": 3, "text": "kept"}), "kept"),
        (json!({"partIndex": 1, "startIndex": u64::MAX, "endIndex": u64::MAX}), ""),
        (json!(7), ""),
    ] {
        assert_eq!(said(segment), text);
    }
}

#[test]
fn an_answer_without_grounding_is_empty_and_a_refusal_is_an_error() {
    let empty = found_in(&recorded("simple-text")).unwrap();
    assert!(empty.candidates.is_empty() && empty.notes[0].english().contains("without a search"));
    for answer in [
        json!({"candidates": [{"content": {}, "groundingMetadata": {}, "finishReason": "STOP"}]}),
        json!({"candidates": [{}]}),
        json!([{"candidates": [{"groundingMetadata": {"groundingChunks": "none"}}]}]),
    ] {
        assert!(found_in(&answer).unwrap().candidates.is_empty());
    }
    let code = |answer: &Value| found_in(answer).unwrap_err().code;
    assert_eq!(code(&recorded("blocked")), Code::ContentRefused);
    assert_eq!(code(&json!({"candidates": [{"finishReason": "SAFETY"}]})), Code::ContentRefused);
    assert_eq!(code(&json!({"usageMetadata": {}})), Code::Overloaded);
    assert_eq!(code(&json!("text")), Code::Overloaded);
}
