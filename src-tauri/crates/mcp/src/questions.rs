//! What a server asks of the person before it goes on with a call, in either era, and the answers on their way back.
//!
//! A question is the server's words about the person's data: it is bounded and cleaned like all that a server says, and
//! answered by the person alone. A server that wants a model's answer or the person's folders is refused.

use std::collections::BTreeMap;

use kernel::{AskedInput, GivenInput, Json, NeededInput, Phrase, ServerAnswer, ServerQuestion, phrase};
use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, InputRequest, InputRequests, InputResponses,
};
use serde_json::json;

use crate::listing::{plain, schema};

/// So much of the words of a question is shown, in characters.
const LONGEST_MESSAGE: usize = 4000;
/// The longest address of a page, in bytes.
const LONGEST_URL: usize = 4000;
/// So many questions may one round of a call have.
const MOST_QUESTIONS: usize = 10;
/// The longest name of a question, and the longest state, in bytes: both go back unread.
const LONGEST_NAME: usize = 200;
const LONGEST_STATE: usize = 64 << 10;

/// What one round of a call asks.
///
/// # Errors
/// A sentence where it asks too much, or what nobody answers.
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

/// One question.
///
/// # Errors
/// A sentence where it cannot be shown.
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

/// The answers as the newer protocol wants them.
pub(crate) fn responses(given: &GivenInput) -> InputResponses {
    let response = |(name, answer): (&String, &ServerAnswer)| (name.clone(), json!(result(answer.clone())));
    given.answers.iter().map(response).collect()
}

/// An answer as both eras of the protocol have it.
pub(crate) fn result(answer: ServerAnswer) -> ElicitResult {
    match answer {
        ServerAnswer::Accept(form) => ElicitResult::new(ElicitationAction::Accept).with_content(form.0),
        ServerAnswer::Done => ElicitResult::new(ElicitationAction::Accept),
        ServerAnswer::Decline => ElicitResult::new(ElicitationAction::Decline),
        ServerAnswer::Cancel => ElicitResult::new(ElicitationAction::Cancel),
    }
}
