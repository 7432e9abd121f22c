//! Converts a question of a run into a form for a client, and the client's result into an answer.

use desk::{ApiError, AskedInput, ErrorCode, Phrase, Question, ServerAnswer, UserAnswer, printable};
use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::{Value, json};

use crate::question_prompt;

/// The only field of the form.
const FIELD: &str = "answer";

/// The form of a question; `complaint` states why an earlier answer was invalid.
///
/// # Errors
/// `internal` if the form is invalid in the protocol.
pub(crate) fn form(question: &Question, complaint: Option<&str>) -> Result<ElicitRequestParams, ApiError> {
    let (schema, shown) = match server_form(question) {
        Some(schema) => (schema, question.text.english()),
        None => (own_form(question), question_prompt::shown(question)),
    };
    let requested_schema: ElicitationSchema = serde_json::from_value(schema).map_err(|error| {
        let message =
            format!("The question cannot be shown as a form: {error}; answer it with `galley answer`");
        ApiError::new(ErrorCode::Internal, Phrase::verbatim(message))
    })?;
    let message = complaint.map_or_else(|| shown.clone(), |complaint| format!("{complaint}\n\n{shown}"));
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: printable(&message).into_owned(),
        requested_schema,
    })
}

/// The form that the server of a tool requested, passed on unchanged.
fn server_form(question: &Question) -> Option<Value> {
    match question.of_server()?.asks_for {
        AskedInput::Form { schema } => Some(schema.0),
        AskedInput::Page { .. } => None,
    }
}

/// A form with one field and the choices.
fn own_form(question: &Question) -> Value {
    let takes_words = question.choices.is_empty() || question.is_free || question.takes_changes();
    let mut field = json!({ "type": "string", "title": "Answer" });
    if !takes_words {
        let choices = question.choices.iter();
        let titled = choices
            .map(|choice| json!({ "const": choice.value, "title": printable(&choice.label.english()) }));
        field["oneOf"] = titled.collect();
    }
    if !question.default.is_empty() {
        field["default"] = json!(question.default);
    }
    json!({ "type": "object", "properties": { FIELD: field }, "required": [FIELD] })
}

/// The answer in a client's result; if the person declined, the default applies.
///
/// # Errors
/// A sentence if the result is no valid answer.
pub(crate) fn answer(question: &Question, result: &Value) -> Result<UserAnswer, String> {
    let result: ElicitResult = serde_json::from_value(result.clone())
        .map_err(|error| format!("The answer is no result of a form: {error}"))?;
    if result.action != ElicitationAction::Accept {
        return Ok(UserAnswer::NobodyThere);
    }
    if server_form(question).is_some() {
        let given = json!(ServerAnswer::Accept(result.content.unwrap_or_default().into()));
        let checked = desk::admits(question, &given.clone().into());
        return checked.map(|()| UserAnswer::Chosen(given.into())).map_err(|error| error.message);
    }
    let field = result.content.as_ref().and_then(|content| content.get(FIELD));
    let line = match field {
        Some(Value::String(line)) => line.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => return Err(format!("The field `{FIELD}` is missing or no text; fill it in")),
    };
    question_prompt::chosen(question, &line).map(|chosen| UserAnswer::Chosen(chosen.into()))
}
