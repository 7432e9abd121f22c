//! What the requests of all dialects have in common: which messages are sent, what a call's input looks like, and values
//! as the text and the JSON that they are.

use std::borrow::Cow;

use kernel::{Code, Error, Message, ModelRequest, Speaker, Value, phrase};
use serde_json::json;

/// Tokens that a model which thinks gets on top of those of its visible text.
pub(crate) const ROOM_TO_THINK: u32 = 8192;

/// Whether a message can be sent: an answer without a word in it is refused by most services.
pub(crate) fn says_something(message: &Message) -> bool {
    let is_empty = message.content.json().is_some_and(|content| content.as_str() == Some(""));
    message.speaker != Speaker::Model || !is_empty || !message.tool_requests.is_empty()
}

/// The instruction and what was said since, as a list of messages of which the first is the system's.
pub(crate) fn chat<'a, M>(
    request: &'a ModelRequest,
    system: impl FnOnce(Cow<'a, str>) -> M,
    message: impl Fn(&'a Message) -> Result<M, Error>,
) -> Result<Vec<M>, Error> {
    let instruction = text_of(&request.instruction)?;
    let system = (!instruction.is_empty()).then(|| Ok(system(instruction)));
    let said = request.messages.iter().filter(|said| says_something(said)).map(message);
    system.into_iter().chain(said).collect()
}

/// The tool that a tool's message answers for.
pub(crate) fn tool_of<'a>(message: &'a Message, request: &'a ModelRequest) -> &'a str {
    let id = message.answers.as_deref().unwrap_or_default();
    let mut calls = request.messages.iter().flat_map(|message| &message.tool_requests);
    calls.rfind(|call| call.id == id).map_or(id, |call| call.tool.as_str())
}

/// A call's input as the object that some services insist on, also when the model's was none.
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
