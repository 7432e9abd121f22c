//! A request of the engine in genai's words, as far as all dialects agree on it.
//!
//! A trap of genai 0.7 is stepped around here: it takes `a::` off the front of a model's name, and the
//! extra body puts the full name back. Another waits for each dialect: without a word about the effort
//! genai takes one off the end of a name (`qwen-max` becomes `qwen`), so each says something of it.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, JsonSpec, MessageContent, Tool, ToolCall,
    ToolResponse,
};
use kernel::{Code, Fault, Message, ModelRequest, Speaker, ToolOffer, Value};

/// Tokens that a model which thinks gets on top of those of its visible text.
pub(crate) const ROOM_TO_THINK: u32 = 8192;

/// The conversation and the options for it.
pub(crate) fn translated(request: &ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault> {
    let said = request.messages.iter().filter(|message| says_something(message));
    let messages = said.map(message).collect::<Result<Vec<_>, _>>()?;
    let mut chat = ChatRequest::new(messages);
    let instruction = text_of(&request.instruction)?;
    if !instruction.is_empty() {
        chat = chat.with_system(instruction);
    }
    if !request.tools.is_empty() {
        chat = chat.with_tools(request.tools.iter().map(tool).collect::<Result<Vec<_>, _>>()?);
    }

    let mut options = ChatOptions::default()
        .with_max_tokens(request.max_output_tokens)
        .with_temperature(request.temperature)
        .with_capture_usage(true);
    if let Some(shape) = &request.shape {
        options =
            options.with_response_format(JsonSpec::new(shape.name.clone(), json_of(&shape.schema)?.clone()));
    }
    if request.model.contains("::") {
        options = options.with_extra_body(serde_json::json!({ "model": request.model }));
    }
    Ok((chat, options))
}

/// Whether a message can be sent: an answer without a word in it is refused by most services.
pub(crate) fn says_something(message: &Message) -> bool {
    let is_empty = message.content.json().is_some_and(|content| content.as_str() == Some(""));
    message.speaker != Speaker::Model || !is_empty || !message.tool_requests.is_empty()
}

/// The tool that a tool's message answers for.
pub(crate) fn tool_of<'a>(message: &'a Message, request: &'a ModelRequest) -> &'a str {
    let id = message.answers.as_deref().unwrap_or_default();
    let mut calls = request.messages.iter().flat_map(|message| &message.tool_requests);
    calls.rfind(|call| call.id == id).map_or(id, |call| call.tool.as_str())
}

/// A call's input as the object that some services insist on, also when the model's was none.
pub(crate) fn object_of(input: &serde_json::Value) -> serde_json::Value {
    if input.is_object() { input.clone() } else { serde_json::json!({ "input": input }) }
}

fn message(message: &Message) -> Result<ChatMessage, Fault> {
    let text = text_of(&message.content)?;
    Ok(match message.speaker {
        Speaker::User => ChatMessage::user(text),
        Speaker::Model => {
            let mut parts = Vec::with_capacity(1 + message.tool_requests.len());
            if !text.is_empty() || message.tool_requests.is_empty() {
                parts.push(ContentPart::Text(text));
            }
            parts.extend(message.tool_requests.iter().map(|request| {
                ContentPart::ToolCall(ToolCall {
                    call_id: request.id.clone(),
                    fn_name: request.tool.clone(),
                    fn_arguments: request.input.0.clone(),
                    thought_signatures: None,
                })
            }));
            ChatMessage::assistant(MessageContent::from_parts(parts))
        }
        Speaker::Tool => {
            let call = message.answers.clone().unwrap_or_default();
            ChatMessage::new(ChatRole::Tool, ToolResponse::new(call, text))
        }
    })
}

fn tool(offer: &ToolOffer) -> Result<Tool, Fault> {
    let schema = json_of(&offer.schema)?.clone();
    Ok(Tool::new(offer.name.as_str()).with_description(offer.description.as_str()).with_schema(schema))
}

pub(crate) fn text_of(value: &Value) -> Result<String, Fault> {
    Ok(match json_of(value)? {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    })
}

pub(crate) fn json_of(value: &Value) -> Result<&serde_json::Value, Fault> {
    value.json().ok_or_else(|| {
        Fault::new(
            Code::Internal,
            "A value of a request to a model is not here, only its hash; this is a fault of the program.",
        )
    })
}
