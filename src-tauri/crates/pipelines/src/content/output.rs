//! The output of the pipeline: the text in the form of seed 004, with the remarks on it.

use engine::Acted;
use kernel::{CheckResult, Delta, Note, Phrase};
use prose::{out_of_range, sources_used, without_references};
use serde_json::{Value, json};

use interpreter::{FunctionContext, Registry, Run, SourceItem};

/// The remark on a text that cites nothing although there were sources. The definition has its translations, and those
/// of the remarks on checks.
const UNCITED: &str =
    "Uncited: the text cites none of the sources that were found, so none stands behind it.";

pub(super) fn register(registry: &mut Registry) {
    registry.run.insert("keep_output", keep_output as Run);
}

/// The remark on a text that fails the check of this name.
fn remark_on(check: &str) -> Option<&'static str> {
    Some(match check {
        "citations" => "A citation names no source.",
        "citing" => UNCITED,
        "copying" => "A passage is copied from a source without quotation marks.",
        "grounding" => "A figure or a name is in no source cited for it.",
        "headings" => "The text lacks a title or sections.",
        "least_words" => "The text is shorter than a long text.",
        "references" => "The list of references is not what the text cites.",
        _ => return None,
    })
}

/// Keeps the draft as the result, with the sources that it cites and a remark on each failed check. Without sources
/// only wrong citations count: the remark that nothing was found covers the other checks.
fn keep_output(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let draft: Value = context.read("draft_content").unwrap_or_default();
    let text = draft["markdown"].as_str().unwrap_or_default();
    let results: Value = context.read("search_results").unwrap_or_default();
    let sources: Vec<SourceItem> = serde_json::from_value(results["results"].clone()).unwrap_or_default();
    let body = without_references(text);
    let citations: Vec<Value> = sources_used(body)
        .into_iter()
        .filter_map(|index| sources.get(index))
        .map(|SourceItem { source, title, url, .. }| json!({ "source": source, "title": title, "url": url }))
        .collect();
    let output = json!({
        "agent_name": "ContentAgent", "content": text, "code_language": null, "citations": citations
    });
    let is_wrongly_cited = !out_of_range(body, sources.len()).is_empty();
    let counts = |check: &CheckResult| match check.name.as_str() {
        "citations" => is_wrongly_cited,
        _ => !sources.is_empty(),
    };
    let checks: Vec<CheckResult> = context.read("content_checks").unwrap_or_default();
    let failed: Vec<CheckResult> =
        checks.into_iter().filter(|check| !check.passed && counts(check)).collect();
    let remark = Some(context.text("final_remark")).filter(|remark| !remark.is_empty());
    let remarks: Vec<&str> =
        remark.into_iter().chain(failed.iter().filter_map(|check| remark_on(&check.name))).collect();
    let remark = if remarks.is_empty() { Value::Null } else { json!(remarks.join(" ")) };
    let details: Vec<&str> = failed.iter().map(|check| check.detail.as_str()).collect();
    let note = (!details.is_empty()).then(|| Note::decision("checks_failed", json!({ "failed": details })));
    let delta = Delta::of("final_content", json!(text)).with("agent_output", output);
    Ok(Acted {
        notes: note.into_iter().collect(),
        delta: delta.with("final_remark", remark),
        ..Acted::default()
    })
}
