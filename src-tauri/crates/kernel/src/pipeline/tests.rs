use serde_json::json;

use super::*;

#[test]
fn a_pipeline_is_written_as_it_was_read_and_its_keys_get_the_schema_of_their_role() {
    let written = json!({
        "id": "press-note", "title": "Press note", "purpose": "A short note.",
        "input": {"topic": {"title": "Topic", "kind": "line", "example": "battery recycling"}},
        "key": {
            "hits": {"title": "What was found", "role": {"sources": "items"}},
            "draft": {"title": "Note", "role": {"draft": "markdown", "words": "word_count", "word_limit": 150}},
            "review": {"title": "Review", "role": "review"},
            "note": {"title": "Final note", "role": "final"}
        },
        "tool": {"search": {"kind": "search", "default": "library"}},
        "agent": {
            "searcher": {
                "reads": ["topic"], "writes": "hits",
                "call": {"tool": "search", "input": {"query": "{{ topic }}", "limit": 5}}
            },
            "writer": {
                "reads": ["topic", "hits"], "may_read": ["review"], "writes": "draft",
                "instruction": "Write.", "prompt": "{{ topic }}", "checks": ["length"], "without_model": "summarise"
            },
            "reviewer": {
                "reads": ["draft", "hits"], "writes": "review", "instruction": "Review.", "output": "role",
                "exits_loop_when": "ready", "without_model": "check"
            }
        },
        "flow": {"steps": [
            "searcher",
            {"when": "hits.items is empty", "end": {"note": "Nothing was found."}},
            {"loop": ["writer", "reviewer"], "rounds": 2},
            {"set": {"note": "{{ draft.markdown }}"}}
        ]},
        "limits": {"max_llm_calls": 6}
    });
    let read: PipelineDefinition = serde_json::from_value(written).unwrap();
    let again: PipelineDefinition = serde_json::from_value(json!(read)).unwrap();
    assert_eq!(read, again);
    let keys = read.declarations();
    let names: Vec<&str> = keys.iter().map(|key| key.name.as_str()).collect();
    assert_eq!(names, ["topic", "hits", "draft", "review", "note"]);
    assert_eq!(keys[2].schema.0["required"], json!(["markdown"]));
    assert_eq!(keys[3].schema.0["required"], json!(["notes", "issues", "ready"]));
    let desk = read.clone().with_review_desk();
    assert_eq!(desk, desk.clone().with_review_desk());
    assert_eq!(desk.keys.keys().rev().take(2).collect::<Vec<_>>(), ["draft_own_text", "review_issues"]);
    let contract = desk.contract(&desk.agents["writer"]);
    assert_eq!(contract.writes, ["draft", "review_issues", "draft_own_text"]);
    assert_eq!(desk.contract(&desk.agents["reviewer"]).writes, ["review", "review_issues"]);
    assert_eq!(read.contract(&read.agents["writer"]).writes, ["draft"]);
}

#[test]
fn a_word_that_the_grammar_does_not_have_is_refused_by_name() {
    let of_role = |role: serde_json::Value| {
        let key = json!({"title": "Key", "role": role});
        serde_json::from_value::<KeyEntry>(key).map(|_| ()).map_err(|error| error.to_string())
    };
    assert!(of_role(json!("draught")).unwrap_err().contains("there is no role `draught`"));
    assert!(of_role(json!(7)).unwrap_err().contains("expected a role"));
    assert!(of_role(json!({"draft": "markdown", "word_limt": 150})).unwrap_err().contains("`word_limt`"));
    assert!(of_role(json!({"draft": "", "words": "n"})).unwrap_err().contains("a plain text"));
    assert!(of_role(json!({"sources": "items", "word_limit": 9})).unwrap_err().contains("belong to a draft"));
    assert!(of_role(json!({"draft": "a", "sources": "b"})).unwrap_err().contains("is one of"));
    assert!(of_role(json!({"review": {"ready": "ok"}})).is_ok());
    let strange = json!({"id": "a", "title": "A", "flow": {"steps": []}, "agents": {}});
    let refusal = serde_json::from_value::<PipelineDefinition>(strange).unwrap_err().to_string();
    assert!(refusal.contains("unknown field `agents`"), "{refusal}");
}
