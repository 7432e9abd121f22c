//! Derived values of a text: the computed fields of a draft and its checks, after an answer of a model and after an
//! edit.

use kernel::{
    CheckResult, Code, Delta, Error, Phrase, PipelineDefinition, ReviewAction, Role, State, Value, phrase,
    result_text,
};
use prose::{count_words, sources_used};
use serde::Deserialize;
use serde_json::{Value as Json, json};

pub use crate::draft_text::with_text;

use crate::draft_text::{set_text, text_in, text_of};
use crate::registry::{FunctionContext, Registry};
use crate::{edited_plan, issues, own_text};

/// The key with the results of checks.
pub fn checks_key(definition: &PipelineDefinition) -> Option<&str> {
    definition.key_of_role(|role| *role == Role::Checks).map(|(name, _)| name)
}

/// The agent whose checks apply to the draft under this key.
pub fn checker<'a>(definition: &'a PipelineDefinition, key: &str) -> Option<&'a str> {
    let agents = definition.agents.iter();
    let mut fitting = agents.filter(|(_, agent)| {
        !agent.checks.is_empty() && agent.writes.first().is_some_and(|first| first == key)
    });
    fitting.next().map(|(name, _)| name.as_str())
}

/// The results of the checks of an agent's text in the state.
pub fn checked(context: &FunctionContext<'_>) -> Vec<CheckResult> {
    let names = context.declaration().map(|agent| agent.checks.as_slice()).unwrap_or_default();
    let checks = names.iter().filter_map(|name| context.registry.checks.get(name.as_str()));
    checks.map(|check| check(context)).collect()
}

/// The results merged into those under their key: each replaces the earlier one of its name.
pub fn merged(state: &State, key: &str, results: Vec<CheckResult>) -> Vec<CheckResult> {
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

/// The delta for a value of a key: the computed fields of a draft, the check results of a checked text, or just the
/// value. `agent` wrote it; without one, the agent that writes this key. Agents' texts must keep the person's
/// sentences, and their reviews become issues.
pub fn change(
    definition: &PipelineDefinition,
    registry: &Registry,
    agent: Option<&str>,
    state: &State,
    key: &str,
    value: Json,
) -> Delta {
    let counted = |value| counted_change(definition, registry, agent, state, key, value);
    let Some(role) = definition.role(key).filter(|_| agent.is_some()) else { return counted(value) };
    if definition.review_key() == Some(key) {
        let draft = definition.draft_key().and_then(|draft| text_of(definition, state, draft));
        let after = issues::after_review(definition, state, role, &value, &draft.unwrap_or_default());
        return with_value(counted(value), definition.issues_key(), after);
    }
    let Some(text) = text_in(Some(role), &value).filter(|_| is_at_desk(definition, key)) else {
        return counted(value);
    };
    let Some(kept) = own_text::after_rewrite(definition, state, text) else {
        let after = issues::anchored(definition, state, text);
        return with_value(counted(value), definition.issues_key(), after);
    };
    let mut value = value;
    set_text(role, &mut value, &kept.text);
    let delta = with_value(counted(value), definition.own_text_key(), Some(kept.own));
    let delta = with_own_check(definition, state, delta, kept.check);
    with_value(delta, definition.issues_key(), issues::anchored(definition, state, &kept.text))
}

/// Whether the key is a draft with a review.
fn is_at_desk(definition: &PipelineDefinition, key: &str) -> bool {
    definition.own_text_key().is_some() && definition.draft_key() == Some(key)
}

fn with_value(delta: Delta, key: Option<&str>, value: Option<impl serde::Serialize>) -> Delta {
    match (key, value) {
        (Some(key), Some(value)) => delta.with(key, json!(value)),
        _ => delta,
    }
}

/// The delta with this result of the check of the person's sentences; without one, the result is removed.
fn with_own_check(
    definition: &PipelineDefinition,
    state: &State,
    delta: Delta,
    check: Option<CheckResult>,
) -> Delta {
    let Some(checks) = checks_key(definition) else { return delta };
    let before = delta.set.get(checks).or_else(|| state.get(checks));
    let before = before.and_then(|value| Vec::<CheckResult>::deserialize(value.json_or_null()).ok());
    let mut results = before.clone().unwrap_or_default();
    results.retain(|result| result.name != own_text::CHECK);
    results.extend(check);
    if results == before.unwrap_or_default() { delta } else { delta.with(checks, json!(results)) }
}

/// The delta of an edit by the person, with the sentences that become theirs and the moved anchors of issues.
fn with_edit(
    definition: &PipelineDefinition,
    state: &State,
    delta: Delta,
    before: &str,
    after: &str,
) -> Delta {
    let own = own_text::after_edit(definition, state, before, after);
    let own = own.filter(|own| *own != own_text::own_text_in(definition, state));
    let delta = with_value(delta, definition.own_text_key(), own);
    let delta = with_value(delta, definition.issues_key(), issues::anchored(definition, state, after));
    match definition.own_text_key() {
        Some(_) => with_own_check(definition, state, delta, None),
        None => delta,
    }
}

fn counted_change(
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
    let results = checked(&context);
    delta.with(checks, json!(merged(state, checks, results)))
}

/// The delta of an edit by the person: the key with its computed fields and checks. `state` is the state before. If the
/// draft was published unchanged, the final text is updated, too.
///
/// # Errors
/// `bad_input` if the key is computed, or the value does not fit the key.
pub fn edited(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    key: &str,
    value: Value,
) -> Result<Delta, Error> {
    let bad = |message: Phrase| Error::new(Code::BadInput, message);
    let shaped = |schema: &Json, json: &Json| match misshape(schema, json) {
        Some(reason) => Err(bad(phrase!("`{key}` must keep its shape: {reason}", key, reason))),
        None => Ok(()),
    };
    if let Some(input) = definition.inputs.get(key) {
        shaped(&input.schema(), value.json_or_null())?;
        return Ok(rechecked(definition, registry, state, key, Delta::of(key, value)));
    }
    let Some(declared) = definition.keys.get(key) else {
        let names: Vec<&str> =
            definition.inputs.keys().chain(definition.keys.keys()).map(String::as_str).collect();
        return Err(bad(phrase!("There is no key `{key}` to change; there is {known}", key, known = names)));
    };
    if matches!(declared.role, Role::Issues | Role::OwnText) {
        let message = phrase!(
            "`{key}` follows from what is done at the review desk; decide, reply, lock or merge there",
            key
        );
        return Err(bad(message));
    }
    if declared.is_computed || declared.role == Role::Checks {
        return Err(bad(phrase!("`{key}` is counted by the program; change the draft instead", key)));
    }
    // A plan may be given as its stages alone, as at the start.
    let value = match value.json() {
        Some(stages @ Json::Array(_)) if declared.role == Role::Plan => {
            Value::new(json!({ "stages": stages }))
        }
        _ => value,
    };
    let json = value.json_or_null();
    shaped(&declared.schema.clone().unwrap_or_else(|| declared.role.schema()), json)?;
    if declared.role == Role::Plan {
        return Ok(Delta::of(key, edited_plan::accepted(definition, registry, state, key, json)?));
    }
    let draft = definition.key_of_role(|role| matches!(role, Role::Draft { .. })).map(|(name, _)| name);
    let last = definition.key_of_role(|role| *role == Role::Final).map(|(name, _)| name);
    let draft_text = draft.and_then(|draft| text_of(definition, state, draft));
    let published = last.and_then(|last| state.get(last)?.as_str()).filter(|text| !text.is_empty());
    if let (Some(draft), Some(last)) = (draft, last) {
        if key == last && published.is_some() && published == draft_text.as_deref() {
            let changed =
                change(definition, registry, None, state, draft, with_text(definition, state, draft, json));
            let (before, after) = (draft_text.unwrap_or_default(), json.as_str().unwrap_or_default());
            let changed = with_edit(definition, state, changed, &before, after);
            return Ok(without_remark(definition, changed.with(last, json.clone())));
        }
        if key == draft {
            let changed = change(definition, registry, None, state, draft, json.clone());
            // While the draft and the published text are the same, both are updated.
            let text = text_in(definition.role(draft), json).unwrap_or_default();
            let is_draft = published.is_some() && published == draft_text.as_deref();
            let before = draft_text.unwrap_or_default();
            let changed = with_edit(definition, state, changed, &before, text);
            return Ok(match is_draft {
                true => without_remark(definition, changed.with(last, json!(text))),
                false => with_checks_of_result(definition, registry, state, changed),
            });
        }
    }
    let changed = change(definition, registry, None, state, key, json.clone());
    if draft == Some(key) {
        let text = text_in(definition.role(key), json).unwrap_or_default();
        return Ok(with_edit(definition, state, changed, &draft_text.unwrap_or_default(), text));
    }
    if matches!(declared.role, Role::Review { .. }) {
        return Ok(changed);
    }
    if last == Some(key) {
        let changed = without_remark(definition, changed);
        return Ok(with_checks_of_result(definition, registry, state, changed));
    }
    Ok(rechecked(definition, registry, state, key, changed))
}

pub(crate) fn remark_key(definition: &PipelineDefinition) -> Option<&str> {
    definition.key_of_role(|role| *role == Role::Remark).map(|(name, _)| name)
}

/// The remark of an automatic decision does not apply to a text that the person publishes; its checks report problems.
fn without_remark(definition: &PipelineDefinition, changed: Delta) -> Delta {
    match remark_key(definition) {
        Some(remark) => changed.with(remark, Json::Null),
        None => changed,
    }
}

/// The delta with the checks of the resulting text if that is not the draft; they are those of a draft with this text.
fn with_checks_of_result(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    changed: Delta,
) -> Delta {
    let (Some(checks), Some(draft)) = (checks_key(definition), definition.draft_key()) else {
        return changed;
    };
    let Some(agent) = checker(definition, draft) else { return changed };
    let mut after = state.clone();
    after.apply(&changed);
    let Some(result) = result_text(&definition.declarations(), &after) else { return changed };
    let as_draft = with_text(definition, &after, draft, &json!(result.text));
    after.apply(&Delta::of(draft, as_draft));
    let context = FunctionContext { definition, registry, agent, state: &after, failure: None };
    let results = checked(&context);
    changed.with(checks, json!(merged(&after, checks, results)))
}

/// The delta of a key with the checks that depend on it: other sources give other results for the same draft.
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
        if own.filter(|_| is_read).and_then(|own| text_of(definition, &after, own)).is_none() {
            continue;
        }
        let results = checked(&FunctionContext { definition, registry, agent, state: &after, failure: None });
        let all = merged(&after, checks, results);
        after.apply(&Delta::of(checks, json!(all)));
    }
    match after.get(checks).filter(|results| before.as_ref() != Some(*results)) {
        Some(results) => changed.with(checks, results.json_or_null().clone()),
        None => changed,
    }
}

/// The error for a pipeline without a reviewed draft.
pub fn no_review_desk(title: &str) -> Error {
    Error::new(Code::BadInput, phrase!("“{title}” has no draft with a review; edit the text instead", title))
}

/// The delta of an action at the review desk.
///
/// # Errors
/// `bad_input` if there is no draft with a review; `not_found` lists the existing issues, sentences or collisions.
pub fn reviewed(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
    action: &ReviewAction,
) -> Result<Delta, Error> {
    let (Some(issues_key), Some(own_key), Some(draft_key)) =
        (definition.issues_key(), definition.own_text_key(), definition.draft_key())
    else {
        return Err(no_review_desk(&definition.title));
    };
    let draft = text_of(definition, state, draft_key).unwrap_or_default();
    let own = || own_text::own_text_in(definition, state);
    Ok(match action {
        ReviewAction::Decide { issue, decision } => {
            let after = issues::with_issue(definition, state, *issue, |issue| issue.decision = *decision)?;
            Delta::of(issues_key, json!(after))
        }
        ReviewAction::Reply { issue, reply } => {
            let reply = reply.trim().to_owned();
            Delta::of(
                issues_key,
                json!(issues::with_issue(definition, state, *issue, |issue| issue.reply = reply)?),
            )
        }
        ReviewAction::Lock { sentence, is_locked } => {
            Delta::of(own_key, json!(own_text::with_lock(own(), &draft, sentence, *is_locked)?))
        }
        ReviewAction::Merge { collision, take } => {
            let (text, merged) = own_text::merged(own(), &draft, *collision, *take)?;
            let value = with_text(definition, state, draft_key, &json!(text));
            let changed = edited(definition, registry, state, draft_key, value.into())?;
            changed.with(own_key, json!(merged))
        }
    })
}

/// Why a value does not match a schema; `None` if it does.
pub fn misshape(schema: &Json, value: &Json) -> Option<String> {
    let validator = jsonschema::validator_for(schema).ok()?;
    validator.iter_errors(value).next().map(|error| {
        let place = error.instance_path().to_string();
        let what: String = error.to_string().chars().take(200).collect();
        if place.is_empty() { what } else { format!("{what} (at {place})") }
    })
}
