//! Reads the title, the place and the other details from a request.

use interpreter::{Accept, FunctionContext, Registry, WithoutModel};
use kernel::Phrase;
use serde_json::{Value, json};

use super::requests::{RequestDetails, SaidDay, read_request};

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.insert("request_by_forms", request_by_forms as WithoutModel);
    registry.accept.insert("read_request", accepted as Accept);
}

/// Reads the request by the table of forms.
fn request_by_forms(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let read = read_request(context.text("user_query"));
    Ok(json!({ "bangumi_name": read.title, "location": read.place, "extraction_meta": read.details }))
}

/// Cleans a model's answer: removes brackets around names and values that mean "unknown".
fn accepted(_: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    for field in ["bangumi_name", "location"] {
        answer[field] = json!(name_in(answer[field].as_str().unwrap_or_default()));
    }
    let mut details: RequestDetails =
        serde_json::from_value(answer["extraction_meta"].clone()).unwrap_or_default();
    if details.method.is_empty() {
        details.method = "llm".to_owned();
    }
    let is_time = |time: &String| jiff::civil::Time::strptime("%H:%M", time).is_ok();
    details.date = details.date.filter(|day| SaidDay::of(day).is_some());
    details.start_time = details.start_time.filter(is_time);
    details.end_time = details.end_time.filter(is_time);
    answer["extraction_meta"] = json!(details);
    Ok(answer)
}

fn name_in(text: &str) -> Option<&str> {
    let name = text.trim().trim_matches(|c: char| "《》「」『』“”\"".contains(c)).trim();
    let is_nothing =
        ["", "null", "none", "unknown", "n/a"].iter().any(|word| name.eq_ignore_ascii_case(word));
    (!is_nothing).then_some(name)
}
