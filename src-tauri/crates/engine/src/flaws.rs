//! What is wrong with an answer of a model, worded for the model and for the journal.

use answers::Fault as Flaw;
use kernel::{ModelReply, Phrase};
use serde_json::json;

/// What a model is told of an answer that cannot be used.
pub(crate) fn told(flaws: &[Flaw], is_text: bool) -> String {
    let wrong = worded(flaws);
    let way = if is_text {
        "Answer again with the whole text and nothing else: no fence, no remark"
    } else if flaws.contains(&Flaw::Cut) {
        "Answer again, whole and in fewer words: one JSON object of the required shape and nothing else"
    } else {
        "Answer again with one JSON object of the required shape and nothing else: no fence, no remark, every field present"
    };
    format!("Your last answer cannot be used: {wrong}. {way}.")
}

fn worded(flaws: &[Flaw]) -> String {
    flaws.iter().map(Flaw::to_string).collect::<Vec<_>>().join("; ")
}

/// The flaws for the journal.
pub(crate) fn phrases(flaws: &[Flaw]) -> Vec<Phrase> {
    let phrase = |flaw: &Flaw| match flaw {
        Flaw::Shape { field, problem } if field.is_empty() => {
            Phrase::new("flaw.whole_shape", json!({ "problem": problem }))
        }
        flaw => Phrase::of_tagged("flaw", "fault", flaw),
    };
    flaws.iter().map(phrase).collect()
}

/// A reply as the conversation keeps it: a service takes no empty message.
pub(crate) fn said(reply: &ModelReply) -> String {
    match reply.tool_requests.first() {
        Some(request) if reply.text.trim().is_empty() => format!("(a call of `{}`)", request.tool),
        None if reply.text.trim().is_empty() => "(nothing)".to_owned(),
        _ => reply.text.clone(),
    }
}
