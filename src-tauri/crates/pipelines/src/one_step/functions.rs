//! The functions that the definition names: the checks of citations, the final form of an answer, and the work without
//! a model.

use std::collections::BTreeSet;

use engine::Acted;
use kernel::{CheckResult, Delta, Note, Phrase, phrase};
use prose::{citations, normalize_citations, without_inner_references, without_references};
use serde_json::{Value, json};

use super::{INSTRUCTION_NAME, SHORTER, TEXT, shortened};
use crate::functions::references;
use interpreter::PresentText;
use interpreter::draft;
use interpreter::own_text::own_text_in;
use interpreter::{Accept, Check, FunctionContext, Registry, Run, WithoutModel};

pub(super) fn register(registry: &mut Registry) {
    registry
        .checks
        .extend([("known_citations", known_citations as Check), ("kept_citations", kept_citations)]);
    registry.accept.insert("rewritten_text", rewritten_text as Accept);
    registry.without_model.insert("shorten_text", shorten_without_model as WithoutModel);
    registry.run.insert("tell_failed_checks", tell_failed_checks as Run);
}

/// The numbers that a text cites outside its list of references.
fn cited(text: &str) -> BTreeSet<usize> {
    citations(without_references(text)).iter().map(|citation| citation.number).collect()
}

/// Checks that the text cites no number that the text before did not cite.
fn known_citations(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let (before, now) = (cited(context.text(TEXT)), cited(text));
    let wrong: Vec<String> = now.difference(&before).map(|number| format!("[{number}]")).collect();
    let problem = (!wrong.is_empty()).then(|| phrase!("the text before does not cite {wrong}", wrong));
    let count = now.len();
    CheckResult::new("known_citations", problem, || {
        phrase!("{count} sources cited, each cited before", count)
    })
}

/// Checks that a text that had citations still has some.
fn kept_citations(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let (before, now) = (cited(context.text(TEXT)).len(), cited(text).len());
    let problem = (before > 0 && now == 0)
        .then(|| phrase!("the text before cited {before} sources, this one cites none", before));
    CheckResult::new("kept_citations", problem, || {
        phrase!("{now} of {before} sources are still cited", now, before)
    })
}

/// Brings the citations of a text into one form and appends the list of references of the text before. A list that the
/// program made is made anew; any other stays as it was.
fn rewritten_text(context: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    let field = context.text_field();
    let before = context.text(TEXT);
    let body_before = without_references(before);
    let list = before[body_before.len()..].trim();
    let most = cited(before).into_iter().max().unwrap_or_default();
    let text = normalize_citations(answer[&field].as_str().unwrap_or_default().trim(), most);
    let text = if list.is_empty() { text } else { without_inner_references(&text) };
    let body = without_references(&text).trim_end();
    if body.is_empty() {
        return Err(vec![format!("`{field}` is empty")]);
    }
    let sources = context.sources();
    let is_of_program = !sources.is_empty() && list == references(body_before, &sources).trim();
    let list = if is_of_program { references(body, &sources).trim().to_owned() } else { list.to_owned() };
    answer[&field] = json!(if list.is_empty() { body.to_owned() } else { format!("{body}\n\n{list}") });
    Ok(answer)
}

/// Shortens the text by its least important sentences: the one instruction that needs no model.
fn shorten_without_model(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    if context.text(INSTRUCTION_NAME) != SHORTER {
        return Err(phrase!("this instruction needs a model; choose a profile with a model"));
    }
    let present = PresentText {
        text: context.text(TEXT).to_owned(),
        own_text: own_text_in(context.definition, context.state),
    };
    match shortened(&present) {
        Some(text) => Ok(json!({ context.text_field(): text })),
        None => Err(phrase!("no sentence can be left out without a model")),
    }
}

/// Writes the failed checks as issues of a review and as the remark on the result; nothing if all passed.
fn tell_failed_checks(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let definition = context.definition;
    let key = draft::checks_key(definition).unwrap_or_default();
    let checks: Vec<CheckResult> = context.read(key).unwrap_or_default();
    let failed: Vec<String> =
        checks.into_iter().filter(|check| !check.passed).map(|check| check.detail).collect();
    let Some(review_key) = definition.review_key().filter(|_| !failed.is_empty()) else {
        return Ok(Acted { delta: Delta::of("final_remark", Value::Null), ..Acted::default() });
    };
    let issues = failed.join("; ");
    let review = json!({
        "notes": format!("This review was made by checks alone, without a model: {issues}."),
        "issues": failed, "ready": false
    });
    let delta =
        draft::change(definition, context.registry, Some(context.agent), context.state, review_key, review);
    Ok(Acted {
        notes: vec![Note::decision("failed_checks", json!({ "issues": failed }))],
        delta: delta.with("final_remark", json!(issues)),
        ..Acted::default()
    })
}
