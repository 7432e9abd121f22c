//! The lines for programs: events as they are stored, and the one result. Their fields are stable.

use desk::{ApiError, ErrorCode, Event, Fact, Outcome, Question, RunEnd, Seq};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{output, question_prompt};

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

/// The end of a run with further facts on it.
pub(crate) struct Ending<'a> {
    pub(crate) run: &'a str,
    pub(crate) end: &'a RunEnd,
    pub(crate) output: &'a str,
    pub(crate) notice: Option<&'a str>,
    pub(crate) question: Option<&'a Question>,
    /// Agents whose work was done without a model, because theirs failed.
    pub(crate) without_model: &'a [String],
}

impl Ending<'_> {
    /// The messages besides the text: remarks, and if the run did not finish, why and what can be done.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let (run, end) = (self.run, self.end);
        let mut sentences: Vec<String> =
            self.notice.map(|notice| format!("Note: {notice}")).into_iter().collect();
        if !self.without_model.is_empty() {
            let agents = self.without_model.join(", ");
            sentences.push(format!("Note: Done without a model, because the model failed: {agents}"));
        }
        match end.outcome {
            Outcome::Waiting => {
                let question = self.question.map(question_prompt::shown);
                sentences.extend(question.or_else(|| end.error.as_ref().map(output::sentence)));
                sentences.push(format!("The run waits: answer with `galley answer {run} VALUE`"));
            }
            Outcome::Cancelled => {
                sentences.push(format!("The run was stopped; `galley resume {run}` goes on"));
            }
            Outcome::Finished | Outcome::Failed | Outcome::Limited => {
                sentences.extend(end.error.as_ref().map(output::sentence));
            }
        }
        sentences
    }

    /// The result as an object, without the state.
    pub(crate) fn summary(&self) -> Value {
        let mut result = json!(result_line(self, json!({})));
        if let Some(fields) = result.as_object_mut() {
            fields.retain(|name, value| !["type", "state"].contains(&name.as_str()) && !value.is_null());
        }
        result
    }
}

/// Writes the result of a run.
pub(crate) fn write_result(ending: &Ending<'_>) -> Result<(), ApiError> {
    output::write_json(&result_line(ending, ending.end.state.to_json()))
}

fn result_line<'a>(ending: &'a Ending<'_>, state: Value) -> ResultLine<'a> {
    let usage = &ending.end.usage;
    ResultLine {
        r#type: "result",
        run: Some(ending.run),
        outcome: ending.end.outcome.word(),
        output: ending.output,
        state,
        usage: UsageLine {
            calls: usage.calls,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            // An incomplete sum is no cost.
            cost: usage.cost.filter(|_| usage.unpriced_calls == 0),
        },
        error: ending.end.error.as_ref().map(ErrorLine::of),
        notice: ending.notice,
        question: ending.question,
        without_model: ending.without_model,
    }
}

/// The result of a run that was not started, in the form of [`Ending::summary`].
pub(crate) fn refused_summary(error: &ApiError) -> Value {
    json!({ "outcome": Outcome::Failed.word(), "error": ErrorLine::of(error) })
}

/// Writes the result of a request that started no run, because the person has to choose or to agree first.
pub(crate) fn write_waiting() -> Result<(), ApiError> {
    write_without_run(Outcome::Waiting, None)
}

/// Writes an error: as the result of a run that was not started, or as an error alone.
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
