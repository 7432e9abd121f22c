//! The verdict on a post: it is ready only if the model says so and the checks in code pass.

use engine::Acted;
use kernel::{CheckResult, Delta, Note, Phrase};
use prose::normalize_citations;
use serde_json::{Value, json};

use super::FALLBACK;
use crate::functions::undated::marked;
use interpreter::draft::{checked, checker, checks_key, merged, with_text};
use interpreter::own_text;
use interpreter::{Accept, FunctionContext, Registry, Run};

pub(super) fn register(registry: &mut Registry) {
    registry.accept.insert("ready_if_checked", ready_if_checked as Accept);
    registry.run.insert("publish_accepted", publish_accepted as Run);
    registry.run.insert("publish_reviewed", publish_reviewed as Run);
}

const DRAFT: &str = "draft_post";
/// The remark on a draft that is published although checks fail. The definition has its translations.
const CHECKS_FAIL: &str = "Checks of this text fail; you dismissed their issues.";

/// Runs the checks of the agent that writes the draft on a text.
fn checks_of(context: &FunctionContext<'_>, text: &str) -> Vec<CheckResult> {
    let writer = checker(context.definition, DRAFT);
    let Some(agent) = writer else { return Vec::new() };
    let mut state = context.state.clone();
    let draft = with_text(context.definition, context.state, DRAFT, &json!(text));
    state.apply(&Delta::of(DRAFT, draft));
    checked(&FunctionContext { agent, state: &state, ..*context })
}

/// A text without any check results does not pass: a person's copy of the pipeline may have no checks.
fn passes(found: &[CheckResult]) -> bool {
    !found.is_empty() && found.iter().all(|check| check.passed)
}

fn draft(context: &FunctionContext<'_>) -> String {
    let draft: Value = context.read(DRAFT).unwrap_or_default();
    draft["post_markdown"].as_str().unwrap_or_default().to_owned()
}

/// The text that may be published, with the note about it: the revised text if it passes the checks and keeps the
/// person's sentences, else the draft if it does.
fn publishable(context: &FunctionContext<'_>, review: &Value) -> Option<(String, &'static str)> {
    let revised = review["revised_post_markdown"].as_str().unwrap_or_default().trim();
    let keeps_own = || own_text::broken(context.definition, context.state, revised).is_empty();
    if !revised.is_empty() && passes(&checks_of(context, revised)) && keeps_own() {
        return Some((revised.to_owned(), "published_revision"));
    }
    let draft = draft(context);
    passes(&checks_of(context, &draft)).then_some((draft, "published_draft"))
}

/// Combines the model's verdict with the checks: each failed check becomes an issue, too.
fn ready_if_checked(context: &FunctionContext<'_>, mut review: Value) -> Result<Value, Vec<String>> {
    let mut issues: Vec<String> = serde_json::from_value(review["issues_found"].take()).unwrap_or_default();
    issues.retain(|issue| !issue.trim().is_empty());
    let revised = review["revised_post_markdown"].as_str().unwrap_or_default().trim();
    let sources = context.sources();
    review["revised_post_markdown"] = json!(marked(&normalize_citations(revised, sources.len()), &sources));
    if publishable(context, &review).is_none() {
        let open = checks_of(context, &draft(context)).into_iter().filter(|check| !check.passed);
        for check in open {
            if !issues.contains(&check.detail) {
                issues.push(check.detail);
            }
        }
        review["ready_for_publish"] = json!(false);
    }
    review["issues_found"] = json!(issues);
    Ok(review)
}

/// Publishes the text that the review allows; after an edit that fails the checks, the fallback.
fn publish_reviewed(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let review: Value = context.read("review_feedback").unwrap_or_default();
    let (text, note, surface) = match publishable(context, &review) {
        Some((text, note)) => (text, note, false),
        None => (FALLBACK.to_owned(), "changed_after_review", true),
    };
    let mut delta = Delta::of("final_post", json!(text)).with("final_remark", Value::Null);
    // From now on the checks belong to the published text.
    if let Some(checks) = checks_key(context.definition).filter(|_| !surface) {
        let results = merged(context.state, checks, checks_of(context, &text));
        if context.state.get(checks).map(|known| known.json_or_null()) != Some(&json!(results)) {
            delta = delta.with(checks, json!(results));
        }
    }
    Ok(Acted { notes: vec![Note::decision(note, json!({}))], delta, surface, ..Acted::default() })
}

/// Publishes the draft whose issues the person dismissed, with a remark if its checks fail.
fn publish_accepted(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let text = draft(context);
    let remark = if passes(&checks_of(context, &text)) { Value::Null } else { json!(CHECKS_FAIL) };
    let delta = Delta::of("final_post", json!(text)).with("final_remark", remark);
    Ok(Acted { notes: vec![Note::decision("published_accepted", json!({}))], delta, ..Acted::default() })
}
