//! A request of the engine in genai's words.
//!
//! Two traps of genai 0.7 are stepped around here. It takes an effort off the end of a model's name
//! (`qwen-max` becomes `qwen` with effort max): an effort that it does not send keeps the name whole. And
//! it takes `a::` off the front: the extra body puts the full name back.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, JsonSpec, MessageContent, ReasoningEffort,
    Tool, ToolCall, ToolResponse,
};
use kernel::{Code, Fault, Message, ModelRequest, Speaker, ToolOffer, Value};

/// Models that refuse a temperature. genai itself knows that they want `max_completion_tokens` where
/// every other model, and every compatible server, knows `max_tokens`.
const WITHOUT_TEMPERATURE: &[&str] = &["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// The conversation and the options for it.
pub(crate) fn translated(request: &ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault> {
    let messages = request.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
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
        // Asks for the counts of a streamed answer too (`stream_options.include_usage`).
        .with_capture_usage(true)
        .with_reasoning_effort(ReasoningEffort::Budget(0));
    if !WITHOUT_TEMPERATURE.iter().any(|start| request.model.starts_with(start)) {
        options = options.with_temperature(request.temperature);
    }
    if let Some(shape) = &request.shape {
        options =
            options.with_response_format(JsonSpec::new(shape.name.clone(), json_of(&shape.schema)?.clone()));
    }
    if request.model.contains("::") {
        options = options.with_extra_body(serde_json::json!({ "model": request.model }));
    }
    Ok((chat, options))
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

fn text_of(value: &Value) -> Result<String, Fault> {
    Ok(match json_of(value)? {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    })
}

fn json_of(value: &Value) -> Result<&serde_json::Value, Fault> {
    value.json().ok_or_else(|| {
        Fault::new(
            Code::Internal,
            "A value of a request to a model is not here, only its hash; this is a fault of the program.",
        )
    })
}
