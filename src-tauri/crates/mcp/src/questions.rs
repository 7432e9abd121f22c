//! Converts the questions that a server asks the user during a call, and the answers, in either protocol era.
//!
//! A question is the server's text about the user's data: it is bounded and cleaned like all text of a server, and only
//! the user answers it. Requests for model output or for the user's folders are refused.

use std::collections::BTreeMap;

use kernel::{AskedInput, GivenInput, Json, NeededInput, Phrase, ServerAnswer, ServerQuestion, phrase};
use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests, InputResponses,
};
use serde_json::json;

use crate::listing::{plain, schema};

/// The longest text of a question, in characters.
const LONGEST_MESSAGE: usize = 4000;
/// The longest address of a page, in bytes.
const LONGEST_URL: usize = 4000;
/// The most questions in one round of a call.
const MOST_QUESTIONS: usize = 10;
/// The longest name of a question, and the longest state, in bytes: both are sent back unchanged.
const LONGEST_NAME: usize = 200;
const LONGEST_STATE: usize = 64 << 10;

/// The questions of one round of a call.
///
/// # Errors
/// The reason when it has too many questions, or of an unsupported kind.
pub(crate) fn needed(requests: InputRequests, state: Option<String>) -> Result<NeededInput, Phrase> {
    if requests.len() > MOST_QUESTIONS || state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(phrase!("it asks more than Galley passes on"));
    }
    let mut questions = BTreeMap::new();
    for (name, request) in requests {
        if name.len() > LONGEST_NAME {
            return Err(phrase!("it asks more than Galley passes on"));
        }
        let question = match request {
            InputRequest::Elicitation(asked) => question(asked.params)?,
            InputRequest::CreateMessage(_) => {
                return Err(phrase!("it wants a model to answer it, which Galley refuses to tool servers"));
            }
            _ => return Err(phrase!("it wants to know your folders, which Galley refuses to tool servers")),
        };
        questions.insert(name, question);
    }
    Ok(NeededInput { questions, state })
}

/// Converts one question.
///
/// # Errors
/// The reason when it cannot be displayed.
pub(crate) fn question(asked: ElicitRequestParams) -> Result<ServerQuestion, Phrase> {
    match asked {
        ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } => {
            let form = serde_json::to_value(requested_schema).unwrap_or_default();
            let schema = schema(form).map_err(|why| phrase!("its question cannot be shown: {why}", why))?;
            let asks_for = AskedInput::Form { schema: Json(schema) };
            Ok(ServerQuestion { message: plain(&message, LONGEST_MESSAGE), asks_for })
        }
        ElicitRequestParams::UrlElicitationParams { message, url, .. } => {
            let parsed = reqwest::Url::parse(&url).ok().filter(|_| url.len() <= LONGEST_URL);
            let is_here =
                |url: &reqwest::Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
            let safe = parsed.filter(|url| {
                let is_open = url.scheme() == "https" || (url.scheme() == "http" && is_here(url));
                is_open && url.username().is_empty() && url.password().is_none()
            });
            let Some(url) = safe else {
                return Err(phrase!("it wants a page opened whose address is not safe"));
            };
            let asks_for = AskedInput::Page { url: url.into() };
            Ok(ServerQuestion { message: plain(&message, LONGEST_MESSAGE), asks_for })
        }
        _ => Err(phrase!("it asks in a way that Galley does not know")),
    }
}

/// The answers in the format of the newer protocol.
pub(crate) fn responses(given: &GivenInput) -> InputResponses {
    let response = |(name, answer): (&String, &ServerAnswer)| (name.clone(), json!(result(answer.clone())));
    given.answers.iter().map(response).collect()
}

/// An answer in the format of both protocols.
pub(crate) fn result(answer: ServerAnswer) -> ElicitResult {
    match answer {
        ServerAnswer::Accept(form) => ElicitResult::new(ElicitationAction::Accept).with_content(form.0),
        ServerAnswer::Done => ElicitResult::new(ElicitationAction::Accept),
        ServerAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
        ServerAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
}
