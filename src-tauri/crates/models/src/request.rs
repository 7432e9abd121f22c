//! The common parts of the requests of all dialects: which messages are sent, the input of a call, and values as text
//! and JSON.

use std::borrow::Cow;

use kernel::{Code, Error, Message, ModelRequest, Speaker, Value, phrase};
use serde_json::json;

/// Tokens for thinking, in addition to those of the visible text.
pub(crate) const ROOM_TO_THINK: u32 = 8192;

/// Whether a message can be sent: most services refuse an empty answer.
pub(crate) fn says_something(message: &Message) -> bool {
    let is_empty = message.content.json().is_some_and(|content| content.as_str() == Some(""));
    message.speaker != Speaker::Model || !is_empty || !message.tool_requests.is_empty()
}

/// The instruction, as the system message, and the conversation as a list of messages.
pub(crate) fn chat<'a, M>(
    request: &'a ModelRequest,
    system: impl FnOnce(Cow<'a, str>) -> M,
    message: impl Fn(&'a Message) -> Result<M, Error>,
) -> Result<Vec<M>, Error> {
    let instruction = text_of(&request.instruction)?;
    let system = (!instruction.is_empty()).then(|| Ok(system(instruction)));
    let messages = request.messages.iter().filter(|message| says_something(message)).map(message);
    system.into_iter().chain(messages).collect()
}

/// The tool that a tool's message is the result of.
pub(crate) fn tool_of<'a>(message: &'a Message, request: &'a ModelRequest) -> &'a str {
    let id = message.answers.as_deref().unwrap_or_default();
    let mut calls = request.messages.iter().flat_map(|message| &message.tool_requests);
    calls.rfind(|call| call.id == id).map_or(id, |call| call.tool.as_str())
}

/// A call's input as an object, which some services require even if the model sent none.
pub(crate) fn object_of(input: &serde_json::Value) -> serde_json::Value {
    if input.is_object() { input.clone() } else { json!({ "input": input }) }
}

pub(crate) fn text_of(value: &Value) -> Result<Cow<'_, str>, Error> {
    Ok(match json_of(value)? {
        serde_json::Value::String(text) => Cow::Borrowed(text),
        serde_json::Value::Null => Cow::Borrowed(""),
        other => Cow::Owned(other.to_string()),
    })
}

pub(crate) fn json_of(value: &Value) -> Result<&serde_json::Value, Error> {
    value.json().ok_or_else(|| {
        Error::new(
            Code::Internal,
            phrase!(
                "A value of a request to a model is not here, only its hash; this is an error of the program."
            ),
        )
    })
}
