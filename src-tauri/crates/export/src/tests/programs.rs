//! Exports for other programs: the journal as a table, events as partial states, sessions.

use kernel::{EventKind, fold_state};
use serde_json::{Value, json};

use super::{ARTICLE, Sample};
use crate::{Omissions, export, format};

#[test]
fn the_journal_is_a_table_without_formulas_and_can_omit_kinds_of_events() {
    let sample = Sample::of(ARTICLE);
    let rows = |without: &[EventKind]| {
        let export = export(
            &sample.run(),
            format("csv").unwrap(),
            &Omissions { events: without.to_vec(), ..Omissions::default() },
        )
        .unwrap();
        let mut reader = csv::Reader::from_reader(export.bytes.as_slice());
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows.len(), export.contents.events);
        rows
    };
    let all = rows(&[]);
    assert_eq!(all.len(), 6);
    assert_eq!(all[0][..4], ["1", "2025-06-15T15:06:40Z", "state", "user"]);
    assert_eq!(all[1][7], "writer: =HYPERLINK(\"https://spy.example\")");
    assert_eq!(all[4][5], "true", "it is put before the person");
    assert_eq!((all[5][3].as_str(), all[5][7].as_str()), ("'=1+1", "'=1+1 finished and ended the loop"));
    let some = rows(&[EventKind::State, EventKind::Stage]);
    assert_eq!(some.iter().map(|row| row[2].as_str()).collect::<Vec<_>>(), ["asked", "answered"]);
    let refused = export(
        &sample.run(),
        format("json").unwrap(),
        &Omissions { events: vec![EventKind::State], ..Omissions::default() },
    )
    .unwrap_err();
    assert!(refused.message.contains("csv"), "{}", refused.message);
}

#[test]
fn partial_states_and_sessions_fold_to_the_state_of_the_run() {
    let sample = Sample::of("text [1]");
    let mut expected = fold_state(&sample.events).to_json();
    // Neither format can remove a key: it becomes null.
    expected["topic"] = Value::Null;
    let fold = |changes: Vec<&Value>| {
        let mut state = json!({});
        for (key, value) in changes.into_iter().flat_map(|change| change.as_object().unwrap()) {
            state[key] = value.clone();
        }
        state
    };
    let seed: Vec<Value> = serde_json::from_str(&sample.export("seed").text).unwrap();
    assert_eq!(fold(seed.iter().map(|event| &event["content"]).collect()), expected);
    let last = seed.last().unwrap();
    assert_eq!((&last["author"], &last["actions"]), (&json!("writer"), &json!({ "escalate": true })));
    assert!(seed.iter().all(|event| event.as_object().unwrap().len() == 3));

    let export = sample.export("adk");
    let session: Value = serde_json::from_str(&export.text).unwrap();
    let events = session["events"].as_array().unwrap();
    assert_eq!(fold(events.iter().map(|event| &event["actions"]["state_delta"]).collect()), expected);
    assert_eq!(session["state"], expected);
    assert_eq!((events.len(), export.contents.tool_calls), (6, 1));
    assert_eq!(events[0]["content"], json!({ "role": "user", "parts": [{ "text": "検索" }] }));
    let call = &events[1]["content"]["parts"][0]["function_call"];
    let response = &events[2]["content"]["parts"][0]["function_response"];
    assert_eq!((&call["id"], &call["args"]), (&response["id"], &json!({ "query": "x" })));
    assert_eq!(response["response"], json!({ "result": ["found"] }));
    assert_eq!(events[5]["actions"]["escalate"], json!(true));
}
