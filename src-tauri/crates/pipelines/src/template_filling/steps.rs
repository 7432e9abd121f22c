//! The work of the pruner, the filler and the enricher without a model: if none was chosen, or if the model's answers
//! broke the step's promise even after the repair.

use engine::Acted;
use kernel::{CheckResult, Delta, Phrase, phrase};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use templates::{Placeholder, RemovalReason, enrich, fill, prune};

use super::promises::{ADDITIONS, FILLING, PRUNING};
use super::{ENRICHED, FEEDBACK, FILLED, PRUNED, SUMMARY, TEMPLATE};
use interpreter::draft::{change, checker, checks_key};
use interpreter::{FunctionContext, Registry, Run, WithoutModel};

/// The start of the reasoning if a step was done without the model that should have done it.
pub(super) const REPLACED: &str = "Done without a model, because the answers of the model could not be used.";

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.extend([
        ("prune_template", pruned as WithoutModel),
        ("fill_template", filled),
        ("enrich_template", enriched),
    ]);
    registry.run.extend([
        ("prune_template", replace_pruned as Run),
        ("fill_template", replace_filled),
        ("enrich_template", replace_enriched),
    ]);
}

/// The key of the reasoning for a text.
pub(super) fn reasoning_of(key: &str) -> String {
    format!("{key}_reasoning")
}

/// A text with its reasoning: one line per change.
fn reasoned(
    context: &FunctionContext<'_>,
    key: &str,
    text: String,
    first: String,
    lines: Vec<String>,
) -> Value {
    let feedback: Value = context.read(FEEDBACK).unwrap_or_default();
    let unheeded =
        (!feedback.is_null()).then(|| "The feedback was not followed: that needs a model.".to_owned());
    let reasoning: Vec<String> = std::iter::once(first).chain(unheeded).chain(lines).collect();
    Value::Object(Map::from_iter([
        (key.to_owned(), json!(text)),
        (reasoning_of(key), json!(reasoning.join("\n"))),
    ]))
}

fn pruned(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let pruned = prune(context.text(TEMPLATE), context.text(SUMMARY));
    if pruned.text.trim().is_empty() {
        let first = "Nothing was removed: the summary supports no sentence of the template.".to_owned();
        return Ok(reasoned(context, PRUNED, context.text(TEMPLATE).to_owned(), first, Vec::new()));
    }
    let lines = pruned.removed.iter().map(|removal| {
        let why = match removal.why {
            RemovalReason::NotMentioned => "the summary does not speak of it",
            RemovalReason::Denied => "the summary says otherwise",
            RemovalReason::EmptySection => "nothing is left under it",
        };
        format!("- Removed, because {why}: {}", removal.sentence)
    });
    let lines: Vec<String> = lines.collect();
    let first = format!("Sentences removed: {}.", lines.len());
    Ok(reasoned(context, PRUNED, pruned.text, first, lines))
}

fn filled(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let template = context.text(PRUNED);
    let filled = fill(template, context.text(SUMMARY));
    // A filled placeholder is reported with its place in the template, an open one with its place in the filled text.
    let written =
        |text: &str, mark: &Placeholder| text.get(mark.place.clone()).unwrap_or_default().to_owned();
    let replaced = filled
        .filled
        .iter()
        .map(|one| format!("- {} = {}, from: {}", written(template, &one.placeholder), one.value, one.from));
    let open = filled.open.iter().map(|mark| format!("- {} stays open", written(&filled.text, mark)));
    let lines = replaced.chain(open).collect();
    let first = format!("Placeholders filled: {}; open: {}.", filled.filled.len(), filled.open.len());
    Ok(reasoned(context, FILLED, filled.text, first, lines))
}

fn enriched(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let enriched = enrich(context.text(FILLED), context.text(SUMMARY));
    let lines: Vec<String> =
        enriched.added.iter().map(|addition| format!("- Added: {}", addition.sentence)).collect();
    let first = format!("Sentences of the summary added: {}.", lines.len());
    Ok(reasoned(context, ENRICHED, enriched.text, first, lines))
}

/// Does the step in place of the agent that writes `key`, with the checks of its text. The named check reports what was
/// wrong with the agent's own answers.
fn replaced(
    context: &FunctionContext<'_>,
    key: &str,
    check: &str,
    work: WithoutModel,
) -> Result<Acted, Phrase> {
    let mut done = work(context)?;
    let reasoning = format!("{REPLACED}\n{}", done[reasoning_of(key)].as_str().unwrap_or_default());
    let FunctionContext { definition, registry, state, failure, .. } = *context;
    let agent = checker(definition, key);
    let changed = change(definition, registry, agent, state, key, done[key].take());
    let delta = changed.with(reasoning_of(key), json!(reasoning));
    let flaws: Option<Vec<Phrase>> =
        failure.and_then(|error| Vec::deserialize(&error.phrase.parameters.get("flaws")?.0).ok());
    let delta = match (checks_key(definition), flaws) {
        (Some(checks), Some(flaws)) => with_failed_check(delta, checks, check, Phrase::clauses(flaws)),
        _ => delta,
    };
    Ok(Acted { delta, ..Acted::default() })
}

fn with_failed_check(delta: Delta, checks: &str, name: &str, flaws: Phrase) -> Delta {
    let known = delta.set.get(checks).and_then(|value| Vec::deserialize(value.json_or_null()).ok());
    let mut results: Vec<CheckResult> = known.unwrap_or_default();
    for result in results.iter_mut().filter(|result| result.name == name && result.passed) {
        *result = CheckResult::new(name, None, || {
            phrase!(
                "done without a model, because the answers of the model could not be used: {flaws}",
                flaws
            )
        });
    }
    delta.with(checks, json!(results))
}

fn replace_pruned(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    replaced(context, PRUNED, PRUNING, pruned)
}

fn replace_filled(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    replaced(context, FILLED, FILLING, filled)
}

fn replace_enriched(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    replaced(context, ENRICHED, ADDITIONS, enriched)
}
