//! Exports the events of a run for other programs.

use kernel::{Event, State};
use serde_json::{Map, Value, json};

use crate::Exportable;

/// Each change as `{author, content, actions}`: `content` is the partial state, which is merged into the state by key,
/// and `escalate` marks an event that is shown to the person.
pub(crate) fn partial_states(run: &Exportable<'_>, _state: &State) -> String {
    let changes = run.events.iter().filter_map(|event| {
        let content = partial_state(event)?;
        Some(json!({
            "author": event.author, "content": content, "actions": { "escalate": event.surface }
        }))
    });
    indented(&Value::Array(changes.collect()))
}

/// The changes of an event by key, with null for a removed key; `None` for an event without changes.
pub(crate) fn partial_state(event: &Event) -> Option<Map<String, Value>> {
    let delta = event.delta().filter(|delta| !delta.is_empty())?;
    let removed = delta.removed.iter().map(|key| (key.clone(), Value::Null));
    let set = delta.set.iter().map(|(key, value)| (key.clone(), value.json_or_null().clone()));
    Some(removed.chain(set).collect())
}

pub(crate) fn indented(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
