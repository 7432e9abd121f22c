//! The lines that programs read: events as they are stored, and the one result. Their fields are kept stable.

use desk::{ApiError, ErrorCode, Event, Fact, Outcome, Question, RunEnd, Seq};
use serde::Serialize;
use serde_json::{Value, json};

use crate::output;

#[derive(Serialize)]
struct EventLine<'a> {
    r#type: &'static str,
    seq: Seq,
    at_ms: i64,
    author: &'a str,
    path: &'a str,
    n: u32,
    surface: bool,
    fact: &'a Fact,
}

/// Writes an event as it is stored.
pub(crate) fn write_event(event: &Event) -> Result<(), ApiError> {
    output::write_json(&EventLine {
        r#type: "event",
        seq: event.seq,
        at_ms: event.at_ms,
        author: &event.author,
        path: event.path.as_str(),
        n: event.n,
        surface: event.surface,
        fact: &event.fact,
    })
}

#[derive(Default, Serialize)]
struct UsageLine {
    calls: u32,
    input_tokens: u64,
    output_tokens: u64,
    cost: Option<f64>,
}

#[derive(Serialize)]
struct ErrorLine {
    code: ErrorCode,
    message: String,
}

impl ErrorLine {
    fn of(error: &ApiError) -> ErrorLine {
        ErrorLine { code: error.code, message: output::sentence(error) }
    }
}

#[derive(Serialize)]
struct ResultLine<'a> {
    r#type: &'static str,
    run: Option<&'a str>,
    outcome: &'static str,
    output: &'a str,
    state: Value,
    usage: UsageLine,
    error: Option<ErrorLine>,
    notice: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a Question>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    without_model: &'a [String],
}

/// The end of a run with what stands beside it.
pub(crate) struct Ending<'a> {
    pub(crate) run: &'a str,
    pub(crate) end: &'a RunEnd,
    pub(crate) output: &'a str,
    pub(crate) notice: Option<&'a str>,
    pub(crate) question: Option<&'a Question>,
    /// Agents whose work was done without a model, because theirs failed.
    pub(crate) without_model: &'a [String],
}

/// Writes the result of a run.
pub(crate) fn write_result(ending: &Ending<'_>) -> Result<(), ApiError> {
    let usage = &ending.end.usage;
    output::write_json(&ResultLine {
        r#type: "result",
        run: Some(ending.run),
        outcome: ending.end.outcome.word(),
        output: ending.output,
        state: ending.end.state.to_json(),
        usage: UsageLine {
            calls: usage.calls,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            // A sum in which something is missing is no cost.
            cost: usage.cost.filter(|_| usage.unpriced_calls == 0),
        },
        error: ending.end.error.as_ref().map(ErrorLine::of),
        notice: ending.notice,
        question: ending.question,
        without_model: ending.without_model,
    })
}

/// Writes the result of a request for which no run was begun, because the person is to choose or to agree first.
pub(crate) fn write_waiting() -> Result<(), ApiError> {
    write_without_run(Outcome::Waiting, None)
}

/// Writes what prevented an answer: as the result of a run that never was, or as an error alone.
pub(crate) fn write_error(error: &ApiError, is_result: bool) -> Result<(), ApiError> {
    if !is_result {
        return output::write_json(&json!({ "error": ErrorLine::of(error) }));
    }
    write_without_run(Outcome::Failed, Some(error))
}

fn write_without_run(outcome: Outcome, error: Option<&ApiError>) -> Result<(), ApiError> {
    output::write_json(&ResultLine {
        r#type: "result",
        run: None,
        outcome: outcome.word(),
        output: "",
        state: json!({}),
        usage: UsageLine::default(),
        error: error.map(ErrorLine::of),
        notice: None,
        question: None,
        without_model: &[],
    })
}
