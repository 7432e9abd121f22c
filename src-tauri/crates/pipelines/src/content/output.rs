//! What the pipeline keeps: what is missing in a draft, and the output of seed 004.

use engine::Acted;
use kernel::{CheckResult, Delta, Note, Phrase};
use prose::sources_used;
use serde_json::{Value, json};

use crate::registry::{FunctionContext, Registry, Run, SourceItem};

/// The checks that one more writing can mend.
const MENDED: [&str; 3] = ["headings", "least_words", "citing"];

/// The remark on a text that cites nothing although there were sources; the definition has it in other languages.
const UNCITED: &str =
    "Uncited: the text cites none of the sources that were found, so none stands behind it.";

pub(super) fn register(registry: &mut Registry) {
    registry.run.insert("find_shortfall", find_shortfall as Run);
    registry.run.insert("keep_output", keep_output as Run);
}

/// What is missing in the draft: details of the checks of its sections, its length and its citations.
fn find_shortfall(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let checks: Vec<CheckResult> = context.read("content_checks").unwrap_or_default();
    let open = checks.into_iter().filter(|check| !check.passed && MENDED.contains(&check.name.as_str()));
    let missing: Vec<String> = open.map(|check| check.detail).collect();
    let note = (!missing.is_empty()).then(|| Note::decision("falls_short", json!({ "missing": missing })));
    Ok(Acted {
        notes: note.into_iter().collect(),
        delta: Delta::of("shortfall", json!(missing)),
        ..Acted::default()
    })
}

/// The draft as the result, with the sources that it cites; where it cites none of those it was given, it is marked as
/// uncited.
fn keep_output(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let draft: Value = context.read("draft_content").unwrap_or_default();
    let text = draft["markdown"].as_str().unwrap_or_default();
    let results: Value = context.read("search_results").unwrap_or_default();
    let sources: Vec<SourceItem> = serde_json::from_value(results["results"].clone()).unwrap_or_default();
    let used = sources_used(prose::without_references(text));
    let citations: Vec<Value> = used
        .into_iter()
        .filter_map(|index| sources.get(index))
        .map(|SourceItem { source, title, url, .. }| json!({ "source": source, "title": title, "url": url }))
        .collect();
    let output = json!({
        "agent_name": "ContentAgent", "content": text, "code_language": null, "citations": citations
    });
    let is_uncited = citations.is_empty() && !sources.is_empty();
    let delta = Delta::of("final_content", json!(text)).with("agent_output", output);
    let delta = if is_uncited { delta.with("final_remark", json!(UNCITED)) } else { delta };
    Ok(Acted { delta, ..Acted::default() })
}
