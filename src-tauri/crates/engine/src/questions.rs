//! The questions that the engine itself asks, and how their answers are read.

use kernel::{ADD, Choice, Fault, Question, QuestionKind, Reached, ToolCall, Value, amount};
use serde::Deserialize;

pub(crate) const ALLOW: &str = "allow";
pub(crate) const REPEAT: &str = "repeat";
pub(crate) const STOP: &str = "stop";
const FINISH: &str = "finish";

fn choice(value: &str, label: impl Into<String>) -> Choice {
    Choice { value: value.to_owned(), label: label.into() }
}

fn question(kind: QuestionKind, text: String, choices: Vec<Choice>, default: &str) -> Question {
    Question { kind, text, choices, default: default.to_owned(), is_free: false, details: Value::default() }
}

/// A limit is reached: add, finish with the best so far, or stop.
pub(crate) fn limit(reached: &Reached, fault: &Fault) -> Question {
    let more = reached.step();
    let choices = vec![
        choice(ADD, format!("Add {more} and go on")),
        choice(FINISH, "Finish with the best so far"),
        choice(STOP, "Stop"),
    ];
    let text =
        format!("{}. Add to it, finish with the best so far, or stop?", first_sentence(&fault.message));
    // A number is an answer too: that much is added.
    Question { is_free: true, ..question(QuestionKind::Limit { limit: reached.name }, text, choices, FINISH) }
}

/// Whether this answer to a question of the engine forbids what was asked for.
pub(crate) fn is_refusal(question: &Question, answer: &Value) -> bool {
    let answer = answer.as_str().unwrap_or_default();
    match &question.kind {
        QuestionKind::Agent => false,
        QuestionKind::Limit { .. } => answer != ADD && amount(answer).is_none(),
        QuestionKind::Permission { .. } => answer != ALLOW,
        QuestionKind::Repeat => answer != REPEAT,
    }
}

fn first_sentence(text: &str) -> &str {
    text.split(". ").next().unwrap_or(text)
}

/// A tool that acts wants permission.
pub(crate) fn permission(call: &ToolCall) -> Question {
    let choices = vec![choice(ALLOW, "Allow it in this run"), choice("refuse", "Refuse")];
    let kind = QuestionKind::Permission { tool: call.tool.clone() };
    about(call, question(kind, format!("`{}` wants to act: {}", call.tool, call.title), choices, "refuse"))
}

/// A fork would do again what its parent did.
pub(crate) fn done_before(call: &ToolCall) -> Question {
    let choices = vec![choice("reuse", "Use what it gave then"), choice(REPEAT, "Do it again")];
    let text = format!("The run this one was forked from already did this: {}. Do it again?", call.title);
    about(call, question(QuestionKind::Repeat, text, choices, "reuse"))
}

/// Something that may be done only once was in flight when the program died.
pub(crate) fn was_in_flight(call: &ToolCall) -> Question {
    let choices = vec![choice("skip", "Do not repeat it"), choice(REPEAT, "Do it again")];
    let text = format!(
        "This was in flight when the program stopped and may have been done: {}. Do it again?",
        call.title
    );
    about(call, question(QuestionKind::Repeat, text, choices, "skip"))
}

/// Shows the call beside the question. A replay reads from there what is not plugged in any more.
fn about(call: &ToolCall, question: Question) -> Question {
    Question { details: Value::new(serde_json::to_value(call).unwrap_or_default()), ..question }
}

/// The call a question is about.
pub(crate) fn call_of(question: &Question) -> Option<ToolCall> {
    ToolCall::deserialize(question.details.json_or_null()).ok()
}
