//! The subject of a request, which the search looks for, and the title of the text.

use engine::Acted;
use kernel::{Delta, Phrase};
use serde_json::{Value, json};

use crate::routing::{subject_of, title_of};
use interpreter::{Accept, FunctionContext, Registry, Run, WithoutModel};

const SUBJECT: &str = "text_subject";
const TITLE: &str = "text_title";

pub(super) fn register(registry: &mut Registry) {
    registry.accept.insert("named_subject", named_subject as Accept);
    registry.without_model.insert("subject_by_words", subject_by_words as WithoutModel);
    registry.run.insert("find_subject", find_subject as Run);
}

/// Rejects an answer without a subject. If it has no title, the subject becomes the title.
fn named_subject(_: &FunctionContext<'_>, mut answer: Value) -> Result<Value, Vec<String>> {
    let line = |field: &str| {
        answer[field].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (subject, title) = (line(SUBJECT), line(TITLE));
    if subject.is_empty() {
        return Err(vec![format!("`{SUBJECT}` is empty")]);
    }
    answer[TITLE] = json!(if title.is_empty() { &subject } else { &title });
    answer[SUBJECT] = json!(subject);
    Ok(answer)
}

/// Reads the subject and the title from the words of the request.
fn subject_by_words(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let request = context.text("input_text");
    Ok(json!({ SUBJECT: subject_of(request), TITLE: title_of(request) }))
}

/// Does the same if the model gave no usable answer.
fn find_subject(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let named = subject_by_words(context)?;
    let delta = Delta::of(SUBJECT, named[SUBJECT].clone()).with(TITLE, named[TITLE].clone());
    Ok(Acted { delta, ..Acted::default() })
}
