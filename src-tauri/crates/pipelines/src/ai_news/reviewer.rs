//! The reviewer: ready only if the model says so and the checks of code pass.

use engine::{LlmAgent, LlmAgentParts};
use kernel::{Contract, Error, State};
use prose::normalize_citations;
use serde::Serialize;
use serde_json::json;

use super::checks;
use super::instructions::{REVIEW, examples, fenced};
use super::keys::{
    Article, Check, DRAFT_CHECKS, DRAFT_POST, DraftPost, REVIEW_FEEDBACK, REVIEWER, ReviewFeedback,
    SEARCH_HITS, SEARCH_RESULTS,
};

pub(crate) fn reviewer() -> Result<LlmAgent, Error> {
    LlmAgent::new(LlmAgentParts {
        name: REVIEWER.into(),
        title: "Reviewer".into(),
        instruction: REVIEW.to_owned(),
        contract: Contract::new(
            &[DRAFT_POST.name, SEARCH_RESULTS.name],
            &[SEARCH_HITS.name, DRAFT_CHECKS.name],
            &[REVIEW_FEEDBACK.name],
        ),
        key: REVIEW_FEEDBACK.name.into(),
        streams: Some("review_notes".into()),
        schema: json!({
            "type": "object", "additionalProperties": false,
            "required": ["review_notes", "issues_found", "revised_post_markdown", "ready_for_publish"],
            "properties": {
                "review_notes": {"type": "string", "default": ""},
                "issues_found": {"type": "array", "items": {"type": "string"}, "default": []},
                "revised_post_markdown": {"type": "string", "default": ""},
                "ready_for_publish": {"type": "boolean"}
            },
            "examples": examples(REVIEW)
        }),
        is_text: false,
        prompt: Box::new(|cx| {
            let draft = cx.get(&DRAFT_POST)?;
            let results = cx.get(&SEARCH_RESULTS)?;
            let found = cx.find(&DRAFT_CHECKS)?.unwrap_or_default();
            let material = Material {
                draft: &draft.post_markdown,
                word_count: draft.word_count,
                articles: results.articles.iter().zip(1..).map(numbered).collect(),
                checks: &found,
            };
            Ok(fenced("REVIEW MATERIAL", &material))
        }),
        finish: Box::new(verdict),
        derive: None,
        built_in: Some(Box::new(judge)),
        exit_field: None,
        offers_exit: false,
        tools: Vec::new(),
    })
}

/// What the reviewer is given. The order is part of the prompt, which a replay holds against the recorded one.
#[derive(Serialize)]
struct Material<'a> {
    draft: &'a str,
    word_count: usize,
    articles: Vec<Numbered<'a>>,
    checks: &'a [Check],
}

#[derive(Serialize)]
struct Numbered<'a> {
    number: usize,
    title: &'a str,
    published: &'a str,
    source: &'a str,
    summary: &'a str,
}

fn numbered((article, number): (&Article, usize)) -> Numbered<'_> {
    let Article { title, published, source, summary, .. } = article;
    Numbered { number, title, published, source, summary }
}

/// The text that may be published: the revised one when it passes the checks, else the draft when it does.
pub(crate) fn publishable(state: &State, feedback: &ReviewFeedback) -> Option<(String, &'static str)> {
    let revised = feedback.revised_post_markdown.trim();
    if !revised.is_empty() && checks::pass(&checks::of_state(state, revised)) {
        return Some((revised.to_owned(), "published_revision"));
    }
    let draft: DraftPost = checks::read(state, DRAFT_POST.name)?;
    checks::pass(&checks::of_draft(state, &draft)).then_some((draft.post_markdown, "published_draft"))
}

/// The model's word and the checks' together.
fn verdict(state: &State, json: serde_json::Value) -> Result<serde_json::Value, Vec<String>> {
    let mut feedback: ReviewFeedback = serde_json::from_value(json)
        .map_err(|error| vec![format!("the review has another shape: {error}")])?;
    feedback.issues_found.retain(|issue| !issue.trim().is_empty());
    feedback.revised_post_markdown =
        normalize_citations(feedback.revised_post_markdown.trim(), checks::article_count(state));
    if publishable(state, &feedback).is_none() {
        let draft: Option<DraftPost> = checks::read(state, DRAFT_POST.name);
        let problems = draft.map(|draft| failed(&checks::of_draft(state, &draft))).unwrap_or_default();
        for problem in problems {
            if !feedback.issues_found.contains(&problem) {
                feedback.issues_found.push(problem);
            }
        }
        feedback.ready_for_publish = false;
    }
    Ok(json!(feedback))
}

fn failed(found: &[Check]) -> Vec<String> {
    found.iter().filter(|check| !check.passed).map(|check| check.detail.clone()).collect()
}

/// Without a model: the checks alone.
fn judge(state: &State) -> Result<serde_json::Value, String> {
    let draft: DraftPost = checks::read(state, DRAFT_POST.name).ok_or("there is no draft to review")?;
    let found = checks::of_draft(state, &draft);
    let issues = failed(&found);
    let passed = found.iter().filter(|check| check.passed).count();
    let review_notes = if issues.is_empty() {
        format!("All {passed} checks pass. This review was made by checks alone, without a model.")
    } else {
        format!("{passed} of {} checks pass. Open: {}.", found.len(), issues.join("; "))
    };
    Ok(json!(ReviewFeedback {
        review_notes,
        ready_for_publish: issues.is_empty(),
        issues_found: issues,
        revised_post_markdown: String::new(),
    }))
}
