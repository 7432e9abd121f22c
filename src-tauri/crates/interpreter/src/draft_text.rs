//! The text of a draft: reads and sets it in a value, whose role names the field.

use kernel::{PipelineDefinition, Role, State};
use serde_json::{Value, json};

/// The text of a value with this role: the edited field of a draft, or a value that is a text.
pub(crate) fn text_in<'v>(role: Option<&Role>, value: &'v Value) -> Option<&'v str> {
    match role {
        Some(Role::Draft { edit, .. }) if !edit.is_empty() => value.get(edit.as_ref())?.as_str(),
        _ => value.as_str(),
    }
}

/// The text under a key.
pub(crate) fn text_of(definition: &PipelineDefinition, state: &State, key: &str) -> Option<String> {
    text_in(definition.role(key), state.get(key)?.json()?).map(str::to_owned)
}

/// A draft with this text.
pub fn with_text(definition: &PipelineDefinition, state: &State, key: &str, text: &Value) -> Value {
    let mut draft = state.get(key).map(|draft| draft.json_or_null().clone()).unwrap_or_default();
    match definition.role(key) {
        Some(role) => set_text(role, &mut draft, text.as_str().unwrap_or_default()),
        None => draft = text.clone(),
    }
    draft
}

/// Sets the text of a value with this role.
pub(crate) fn set_text(role: &Role, value: &mut Value, text: &str) {
    match role {
        Role::Draft { edit, .. } if !edit.is_empty() => {
            if !value.is_object() {
                *value = json!({});
            }
            value[edit.as_ref()] = json!(text);
        }
        _ => *value = json!(text),
    }
}
