//! What follows from a text: the counted fields of a draft and the checks, after an answer of a model and after an edit.

use kernel::{CheckResult, Code, Delta, Error, Phrase, PipelineDefinition, Role, State, Value, phrase};
use prose::{count_words, sources_used};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::registry::{FunctionContext, Registry};

/// The key that takes the results of checks.
pub(crate) fn checks_key(definition: &PipelineDefinition) -> Option<&str> {
    definition.key_of_role(|role| *role == Role::Checks).map(|(name, _)| name)
}

/// The agent whose checks hold for the draft under this key.
pub(crate) fn checker<'a>(definition: &'a PipelineDefinition, key: &str) -> Option<&'a str> {
    let agents = definition.agents.iter();
    let mut fitting = agents.filter(|(_, agent)| {
        !agent.checks.is_empty() && agent.writes.first().is_some_and(|first| first == key)
    });
    fitting.next().map(|(name, _)| name.as_str())
}

/// The results of the checks of a text that an agent wrote.
pub(crate) fn checked(context: &FunctionContext<'_>, text: &str) -> Vec<CheckResult> {
    let names = context.declaration().map(|agent| agent.checks.as_slice()).unwrap_or_default();
    names
        .iter()
        .filter_map(|name| context.registry.checks.get(name.as_str()))
        .map(|check| check(context, text))
        .collect()
}

/// The text of a value of this role: of a draft the field that is edited, of anything else a value that is a text.
fn text_in<'v>(role: Option<&Role>, value: &'v Json) -> Option<&'v str> {
    match role {
        Some(Role::Draft { edit, .. }) if !edit.is_empty() => value.get(edit.as_ref())?.as_str(),
        _ => value.as_str(),
    }
}

/// The results of checks with those that stand under their key: each takes the place of the earlier one of its name.
pub(crate) fn merged(state: &State, key: &str, results: Vec<CheckResult>) -> Vec<CheckResult> {
    let known = state.get(key).and_then(|value| Vec::deserialize(value.json_or_null()).ok());
    let mut all: Vec<CheckResult> = known.unwrap_or_default();
    for result in results {
        match all.iter_mut().find(|known| known.name == result.name) {
            Some(known) => *known = result,
            None => all.push(result),
        }
    }
    all
}

/// The change that a value of a key brings: of a draft its counted fields, of a text that is checked the results,
/// of anything else the value. `agent` wrote it; without one the agent that writes such texts under this key.
pub(crate) fn change(
    definition: &PipelineDefinition,
    registry: &Registry,
    agent: Option<&str>,
    state: &State,
    key: &str,
    value: Json,
) -> Delta {
    let role = definition.role(key);
    let text = text_in(role, &value).unwrap_or_default().to_owned();
    let mut counted = value;
    if let (Some(Role::Draft { words, .. }), Some(fields)) = (role, counted.as_object_mut()) {
        if definition.key_of_role(|role| matches!(role, Role::Sources { .. })).is_some() {
            fields.insert("sources_used".into(), json!(sources_used(&text)));
        }
        fields.insert(words.clone().into_owned(), json!(count_words(&text)));
    }
    let delta = Delta::of(key, counted);
    let (Some(checks), Some(agent)) = (checks_key(definition), agent.or_else(|| checker(definition, key)))
    else {
        return delta;
    };
    let mut after = state.clone();
    after.apply(&delta);
    let context = FunctionContext { definition, registry, agent, state: &after, failure: None };
    if context.declaration().is_none_or(|agent| agent.checks.is_empty()) {
        return delta;
    }
    let results = checked(&context, &text);
    delta.with(checks, json!(merged(state, checks, results)))
}

/// What follows from an edit by the person: the key with its counted fields and checks, as one change. `state` is the
/// state before. Where the draft is what was published, the final text stays the same text.
///
/// # Errors
/// `bad_input` when the key is computed, or the value has not the shape of the key.
pub(crate) fn edited(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    key: &str,
    value: Value,
) -> Result<Delta, Error> {
    let bad = |message: Phrase| Error::new(Code::BadInput, message);
    let shaped = |schema: &Json| match misshape(schema, value.json_or_null()) {
        Some(reason) => Err(bad(phrase!("`{key}` must keep its shape: {reason}", key, reason))),
        None => Ok(()),
    };
    if let Some(input) = definition.inputs.get(key) {
        shaped(&input.schema())?;
        return Ok(rechecked(definition, registry, state, key, Delta::of(key, value)));
    }
    let Some(declared) = definition.keys.get(key) else {
        let names: Vec<&str> =
            definition.inputs.keys().chain(definition.keys.keys()).map(String::as_str).collect();
        return Err(bad(phrase!("There is no key `{key}` to change; there is {known}", key, known = names)));
    };
    if declared.is_computed || declared.role == Role::Checks {
        return Err(bad(phrase!("`{key}` is counted by the program; change the draft instead", key)));
    }
    let json = value.json_or_null();
    shaped(&declared.schema.clone().unwrap_or_else(|| declared.role.schema()))?;
    let draft = definition.key_of_role(|role| matches!(role, Role::Draft { .. })).map(|(name, _)| name);
    let last = definition.key_of_role(|role| *role == Role::Final).map(|(name, _)| name);
    let draft_text = draft.and_then(|draft| text_of(definition, state, draft));
    let published = last.and_then(|last| state.get(last)?.as_str()).filter(|text| !text.is_empty());
    if let (Some(draft), Some(last)) = (draft, last) {
        if key == last && published.is_some() && published == draft_text.as_deref() {
            let changed =
                change(definition, registry, None, state, draft, with_text(definition, state, draft, json));
            return Ok(changed.with(last, json.clone()));
        }
        if key == draft {
            let changed = change(definition, registry, None, state, draft, json.clone());
            // While the draft is what was published, the two stay one text.
            let text = text_in(definition.role(draft), json).unwrap_or_default();
            let is_draft = published.is_some() && published == draft_text.as_deref();
            return Ok(if is_draft { changed.with(last, json!(text)) } else { changed });
        }
    }
    let changed = change(definition, registry, None, state, key, json.clone());
    if matches!(declared.role, Role::Review { .. }) {
        return Ok(changed);
    }
    Ok(rechecked(definition, registry, state, key, changed))
}

/// A change of a key with the checks that follow from it: other sources make other checks of one draft.
fn rechecked(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    key: &str,
    changed: Delta,
) -> Delta {
    let Some(checks) = checks_key(definition) else { return changed };
    let mut after = state.clone();
    after.apply(&changed);
    let before = after.get(checks).cloned();
    for (agent, declared) in definition.agents.iter().filter(|(_, agent)| !agent.checks.is_empty()) {
        let own = declared.writes.first().filter(|own| *own != key);
        let is_read = declared.reads.iter().chain(&declared.may_read).any(|read| read == key);
        let text = own.filter(|_| is_read).and_then(|own| text_of(definition, &after, own));
        let Some(text) = text else { continue };
        let results =
            checked(&FunctionContext { definition, registry, agent, state: &after, failure: None }, &text);
        let all = merged(&after, checks, results);
        after.apply(&Delta::of(checks, json!(all)));
    }
    match after.get(checks).filter(|results| before.as_ref() != Some(*results)) {
        Some(results) => changed.with(checks, results.json_or_null().clone()),
        None => changed,
    }
}

/// The text under a key.
pub(crate) fn text_of(definition: &PipelineDefinition, state: &State, key: &str) -> Option<String> {
    text_in(definition.role(key), state.get(key)?.json()?).map(str::to_owned)
}

/// A draft of this text.
fn with_text(definition: &PipelineDefinition, state: &State, key: &str, text: &Json) -> Json {
    let edit = match definition.role(key) {
        Some(Role::Draft { edit, .. }) if !edit.is_empty() => edit,
        _ => return text.clone(),
    };
    let mut draft = state.get(key).map(|draft| draft.json_or_null().clone()).unwrap_or_default();
    if !draft.is_object() {
        draft = json!({});
    }
    draft[edit.as_ref()] = text.clone();
    draft
}

/// Why a value does not fit a schema; nothing when it does.
pub(crate) fn misshape(schema: &Json, value: &Json) -> Option<String> {
    let validator = jsonschema::validator_for(schema).ok()?;
    validator.iter_errors(value).next().map(|error| {
        let place = error.instance_path().to_string();
        let what: String = error.to_string().chars().take(200).collect();
        if place.is_empty() { what } else { format!("{what} (at {place})") }
    })
}
