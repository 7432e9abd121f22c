//! The run as a session of Google's Agent Development Kit, in the form of its `Session` model.

use std::collections::BTreeMap;

use kernel::{AgentOutcome, Answer, Effect, Event, Fact, Path, State, USER};
use serde_json::{Map, Value, json};

use crate::Exportable;
use crate::events::{indented, partial_state};

/// The whole session. Its state is the sum of the events' `state_delta`s.
pub(crate) fn session(run: &Exportable<'_>, _state: &State) -> String {
    let mut state = Map::new();
    for change in run.events.iter().filter_map(partial_state) {
        state.extend(change);
    }
    let last = run.events.last().map_or(run.start.at_ms, |event| event.at_ms);
    indented(&json!({
        "id": run.start.session.0,
        "app_name": run.start.definition.pipeline,
        "user_id": USER,
        "state": state,
        "events": events(run),
        "last_update_time": seconds(last),
    }))
}

/// The events of a session: changes of the state, answers of models and tools, ends of loops.
pub(crate) fn events(run: &Exportable<'_>) -> Vec<Value> {
    // The requests by path and ordinal: an answer refers to its request.
    let mut asked: BTreeMap<(&Path, u32), &Effect> = BTreeMap::new();
    let mut session_events = Vec::new();
    for event in run.events {
        if let Fact::EffectAsked { effect, .. } = &event.fact {
            asked.insert((&event.path, event.n), effect);
        }
        let parts = parts(event, &asked);
        let change = partial_state(event);
        let exits_loop =
            matches!(event.fact, Fact::AgentEnded { outcome: AgentOutcome::Done { exits_loop: true }, .. });
        if parts.is_none() && change.is_none() && !exits_loop && !event.surface {
            continue;
        }
        let mut actions = json!({ "state_delta": change.unwrap_or_default(), "artifact_delta": {} });
        if exits_loop || event.surface {
            actions["escalate"] = json!(true);
        }
        session_events.push(json!({
            "id": format!("{}-{}", run.start.run, event.seq),
            "invocation_id": run.start.run.0,
            "author": event.author,
            "timestamp": seconds(event.at_ms),
            "content": parts,
            "actions": actions,
        }));
    }
    session_events
}

/// The content of an event: inputs of the person, the text of a model, a tool call or its result.
fn parts(event: &Event, asked: &BTreeMap<(&Path, u32), &Effect>) -> Option<Value> {
    let call_id = |n: u32| format!("{}.{n}", event.path.as_str());
    match &event.fact {
        Fact::StateChanged { delta } if event.author == USER => {
            let inputs = delta.set.values().filter_map(|value| value.as_str());
            let parts: Vec<Value> = inputs.map(|text| json!({ "text": text })).collect();
            (!parts.is_empty()).then(|| json!({ "role": "user", "parts": parts }))
        }
        Fact::EffectAsked { effect: Effect::Tool { call }, .. } => {
            let part = json!({ "function_call": {
                "id": call_id(event.n), "name": call.tool, "args": as_object(call.input.json_or_null(), "input")
            }});
            Some(json!({ "role": "model", "parts": [part] }))
        }
        Fact::EffectAnswered { asked: n, answer, .. } => {
            let result = match answer {
                Answer::Done { result } => result.json_or_null().clone(),
                Answer::Failed { error } => json!({ "error": error.message }),
                Answer::Interrupted { .. } => json!({ "error": "interrupted" }),
            };
            match *asked.get(&(&event.path, *n))? {
                Effect::Tool { call } => {
                    let part = json!({ "function_response": {
                        "id": call_id(*n), "name": call.tool, "response": as_object(&result, "result")
                    }});
                    Some(json!({ "role": "user", "parts": [part] }))
                }
                Effect::Model { .. } => {
                    let text = result.get("text").and_then(Value::as_str).filter(|text| !text.is_empty())?;
                    Some(json!({ "role": "model", "parts": [{ "text": text }] }))
                }
                Effect::Clock | Effect::Id | Effect::Question { .. } => None,
            }
        }
        _ => None,
    }
}

/// The value if it is an object, else an object with the value under this name.
fn as_object(value: &Value, name: &str) -> Value {
    if value.is_object() { value.clone() } else { json!({ name: value }) }
}

fn seconds(ms: i64) -> f64 {
    ms as f64 / 1000.0
}
