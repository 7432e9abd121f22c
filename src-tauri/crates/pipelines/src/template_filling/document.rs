//! The evaluation of a round, and the final document: that of the last complete round.

use engine::Acted;
use kernel::{CheckResult, Delta, Note, Phrase};
use serde_json::{Value, json};

use super::promises::{OPEN, open_placeholders};
use super::steps::{REPLACED, reasoning_of};
use super::{ENRICHED, FEEDBACK, FILLED, PRUNED, TEMPLATE};
use interpreter::draft::checks_key;
use interpreter::{Accept, FunctionContext, Registry, Run, WithoutModel};

const FINAL: &str = "final_filled_template";
const REMARK: &str = "final_remark";

pub(super) fn register(registry: &mut Registry) {
    registry.accept.insert("ready_if_promises_hold", ready_if_promises_hold as Accept);
    registry.without_model.insert("evaluate_template", evaluated as WithoutModel);
    registry.run.insert("save_final_filled_template", save_final as Run);
    registry.run.insert("save_last_complete_round", save_at_limit as Run);
}

/// The failed checks of the round: those of promises, and the one of open placeholders.
fn found(context: &FunctionContext<'_>) -> (Vec<CheckResult>, Option<CheckResult>) {
    let results: Vec<CheckResult> =
        checks_key(context.definition).and_then(|key| context.read(key)).unwrap_or_default();
    let failed = results.into_iter().filter(|check| !check.passed);
    let (open, broken): (Vec<_>, Vec<_>) = failed.partition(|check| check.name == OPEN);
    (broken, open.into_iter().next())
}

/// Rejects a document with a broken promise, whatever the model's verdict. Each failed check becomes an issue, too: the
/// next round reads it, and a round with fewer issues counts as better.
fn ready_if_promises_hold(context: &FunctionContext<'_>, mut review: Value) -> Result<Value, Vec<String>> {
    let mut issues: Vec<String> = serde_json::from_value(review["issues"].take()).unwrap_or_default();
    issues.retain(|issue| !issue.trim().is_empty());
    let (broken, open) = found(context);
    if !broken.is_empty() {
        review["ready"] = json!(false);
    }
    for check in broken.into_iter().chain(open) {
        if !issues.contains(&check.detail) {
            issues.push(check.detail);
        }
    }
    review["issues"] = json!(issues);
    Ok(review)
}

/// Without a model: accepts the document if every promise is kept, because another round would give the same result.
fn evaluated(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let (broken, open) = found(context);
    let notes = match (broken.is_empty(), open) {
        (true, None) => {
            "Every check passes. This evaluation was made by checks alone, without a model.".into()
        }
        (true, Some(open)) => {
            format!(
                "Every promise is kept; {}. This evaluation was made by checks alone, without a model.",
                open.detail
            )
        }
        (false, _) => format!("Promises are broken: {}.", broken.len()),
    };
    Ok(json!({ "notes": notes, "issues": [], "ready": broken.is_empty() }))
}

fn is_ready(context: &FunctionContext<'_>) -> bool {
    context.read::<Value>(FEEDBACK).is_some_and(|feedback| feedback["ready"] == json!(true))
}

/// The sentences of the template that the pruner removed.
fn removed<'a>(context: &FunctionContext<'a>) -> Vec<&'a str> {
    let pruned = context.text(PRUNED);
    let all = prose::sentences(context.text(TEMPLATE)).into_iter().map(|sentence| sentence.text);
    all.filter(|sentence| !pruned.contains(sentence)).collect()
}

/// The document with a note on its open placeholders, and the sentences to show beside it.
fn saved(context: &FunctionContext<'_>, text: &str, note: &str, first: Option<&str>) -> Acted {
    let mut notes = vec![Note::decision(note, json!({}))];
    let removed = removed(context);
    if !removed.is_empty() {
        notes.push(Note::decision("removed_sentences", json!({ "n": removed.len(), "removed": removed })));
    }
    let open = open_placeholders(text);
    let mut remarks: Vec<&str> = first.into_iter().collect();
    if !open.is_empty() {
        notes.push(Note::decision("open_placeholders", json!({ "n": open.len(), "open": open })));
        remarks.push("Placeholders are open: the summary does not answer them.");
    }
    if !found(context).0.is_empty() {
        remarks.push("Promises of the agents are broken; the checks name them.");
    }
    let is_replaced = |key: &&str| context.text(&reasoning_of(key)).starts_with(REPLACED);
    if [PRUNED, FILLED, ENRICHED].iter().any(is_replaced) {
        remarks.push("A step was done without a model, because its answers could not be used.");
    }
    let remark = if remarks.is_empty() { Value::Null } else { json!(remarks.join(" ")) };
    Acted { notes, delta: Delta::of(FINAL, json!(text)).with(REMARK, remark), ..Acted::default() }
}

/// The loop ended by itself, so its last round is complete.
fn save_final(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let unaccepted = (!is_ready(context)).then_some("The last round is the document; it was not accepted.");
    let mut acted = saved(context, context.text(ENRICHED), "save_final_filled_template", unaccepted);
    acted.notes.push(Note::decision("display_all_states", json!({})));
    Ok(acted)
}

/// A limit interrupted a round, so the round before gives the document. In the first round its own texts do.
fn save_at_limit(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let (text, remark) = match context.text(FINAL) {
        "" => (
            context.text(ENRICHED),
            "A limit was reached in the first round: the document was not evaluated.",
        ),
        last => (last, "A limit was reached: the document is that of the last complete round."),
    };
    Ok(saved(context, text, "save_final_filled_template", Some(remark)))
}
