use serde_json::json;

use super::*;

fn read(json: serde_json::Value) -> Result<Step, String> {
    serde_json::from_value(json).map_err(|error| error.to_string())
}

#[test]
fn a_step_is_written_as_it_was_read() {
    for written in [
        json!("writer"),
        json!("end"),
        json!("exit_loop"),
        json!({"loop": ["writer", "reviewer"], "rounds": 2, "until": "review.ready is true"}),
        json!({"loop": ["writer"], "rounds": "most", "name": "improve", "title": "Improve"}),
        json!({"parallel": ["a", {"sequence": ["b", "c"]}], "at_most": 2}),
        json!({"when": "hits is empty", "steps": [{"note": "nothing"}, "end"], "otherwise": ["writer"]}),
        json!({"try": ["searcher"], "on_tool_failure": [{"set": {"hits": {"items": []}}}]}),
        json!({"run": "publish", "reads": ["draft"], "writes": ["post"]}),
    ] {
        assert_eq!(json!(read(written.clone()).unwrap()), written);
    }
    let ended = read(json!({"when": "hits is empty", "end": {"post": "none"}})).unwrap();
    assert_eq!(json!(ended), json!({"when": "hits is empty", "steps": [{"set": {"post": "none"}}, "end"]}));
}

#[test]
fn a_step_of_two_kinds_or_of_none_is_refused_with_what_is_wrong() {
    for (written, words) in [
        (json!({}), "needs one of"),
        (json!({"loop": ["a"], "parallel": ["b"], "rounds": 2}), "parallel and loop"),
        (json!({"loop": ["a"]}), "needs `rounds`"),
        (json!({"parallel": ["a"], "rounds": 2}), "`rounds` does not belong"),
        (json!({"when": "a is empty"}), "needs `steps` or `end`"),
        (json!({"set": {"a": 1}, "end": {"b": 2}}), "`end` does not belong"),
        (json!({"lop": ["a"]}), "unknown field `lop`"),
        (json!(7), "the name of an agent"),
    ] {
        let refusal = read(written).unwrap_err();
        assert!(refusal.contains(words), "{refusal}");
    }
}
