//! Judge: judges a text by a rubric in a run of its own.

use interpreter::{Accept, FunctionContext, Registry};
use serde_json::Value;

pub(crate) const DEFINITION: &str = include_str!("judge.toml");

/// The id of the pipeline.
pub const JUDGE: &str = "rubric-judge";
/// The input that takes the rubric.
pub const JUDGE_RUBRIC: &str = "rubric";
/// The input that takes the text.
pub const JUDGE_TEXT: &str = "text";
/// The input that takes what the text answers.
pub const JUDGE_REQUEST: &str = "request";
/// The input that takes a good result.
pub const JUDGE_REFERENCE: &str = "reference";
/// The key that takes the answer: an object with `reason`, `score` and `passed`.
pub const JUDGEMENT: &str = "judgement";

/// Registers the functions of this pipeline.
pub(crate) fn register(registry: &mut Registry) {
    registry.accept.insert("judgement_in_range", judgement_in_range as Accept);
}

/// Rejects an answer without a reason, or with a score outside 0 to 10.
fn judgement_in_range(_: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let mut wrong = Vec::new();
    if answer["reason"].as_str().unwrap_or_default().trim().is_empty() {
        wrong.push("`reason` is empty; say what decided".to_owned());
    }
    match answer["score"].as_f64() {
        Some(score) if (0.0..=10.0).contains(&score) => {}
        _ => wrong.push(format!("`score` is a number from 0 to 10, not {}", answer["score"])),
    }
    if wrong.is_empty() { Ok(answer) } else { Err(wrong) }
}
