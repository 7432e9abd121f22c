//! Servers with OpenAI's chat completions: llama.cpp, vLLM, LM Studio, gateways, OpenAI itself.
//!
//! Such servers accept `max_tokens`. Reasoning models require `max_completion_tokens` instead, and no temperature.
//! Fields that some server refuses are not sent: no cache options, and an effort only where OpenAI's models refuse
//! tools without one.

use std::sync::Arc;

use engine::Model;
use kernel::{Error, Message, ModelRequest, ReplyShape, RequestPart, Speaker, ToolOffer, ToolRequest};
use reqwest::Url;
use serde::Serialize;
use serde_json::Value;

use crate::chat_completions::ChatCompletions;
use crate::chat_request::{
    Call, CalledFunction, ChatMessage, ChatRequest, Function, JsonSchema, ResponseFormat, StreamOptions, Tool,
};
use crate::http_model::{self, Protocol};
use crate::listing::{Listing, ModelCard, Page};
use crate::provider_client::{KeyHeader, ProviderClient};
use crate::reader::Reader;
use crate::refusals::AllowedParts;
use crate::request::{ROOM_TO_THINK, chat, json_of, text_of};
use crate::server_kinds::OPENAI_COMPATIBLE;
use crate::{Delivery, Hosting, Provider, ProviderDescription, Refusals};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: OPENAI_COMPATIBLE,
        title: "OpenAI-compatible server",
        hosting: Hosting::ByAddress,
        needs_key: false,
        searches_itself: false,
        key_page: "",
        key_variable: "",
        default_base_url: None,
        models: &[],
    },
    key_header: KeyHeader::Bearer,
    connect,
    listing: Listing { path: "models", headers: &[], read: read_list },
};

/// Reasoning models: they refuse a temperature, and their thinking counts as output.
const THINKING: &[&str] = &["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// Those of them that accept tools over chat completions only with thinking switched off (OpenAI's model pages, and its
/// error with `param` `reasoning_effort`). It cannot be switched off for their siblings `gpt-6-astra` and
/// `gpt-6.1-sol`.
const TOOLS_WITHOUT_THINKING: &[&str] = &["gpt-5.4", "gpt-5.6", "gpt-6-sol", "gpt-6-luna"];

struct OpenAiCompatible;

pub(crate) fn connect(client: ProviderClient, delivery: Delivery, refusals: Refusals) -> Arc<dyn Model> {
    http_model::model(OpenAiCompatible, client, delivery, refusals)
}

impl Protocol for OpenAiCompatible {
    const PARTS: &[RequestPart] = &RequestPart::ALL;

    fn url(&self, client: &ProviderClient, _: &str, _: bool) -> Url {
        client.url("chat/completions")
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ChatCompletions::default())
    }

    fn body(&self, request: &ModelRequest, sent: &AllowedParts) -> Result<impl Serialize, Error> {
        let is_of = |family: &[&str]| family.iter().any(|start| request.model.starts_with(start));
        let (thinks, has_tools) = (is_of(THINKING), !request.tools.is_empty());
        let room_to_think = request.max_output_tokens.saturating_add(ROOM_TO_THINK);
        let format = match &request.shape {
            Some(shape) if sent.takes(RequestPart::JsonSchema) => {
                Some(ResponseFormat::JsonSchema { json_schema: json_schema(shape)? })
            }
            Some(_) if sent.takes(RequestPart::JsonObject) => Some(ResponseFormat::JsonObject {}),
            _ => None,
        };
        // Each name is known to some servers and refused by others.
        let is_new =
            (thinks && sent.takes(RequestPart::MaxCompletionTokens)) || !sent.takes(RequestPart::MaxTokens);
        let most = if thinks { room_to_think } else { request.max_output_tokens };
        Ok(ChatRequest {
            model: &request.model,
            stream: sent.is_stream,
            messages: chat(request, |content| ChatMessage::System { content }, chat_message)?,
            stream_options: (sent.is_stream && sent.takes(RequestPart::StreamOptions))
                .then_some(StreamOptions { include_usage: true }),
            max_completion_tokens: (is_new && sent.takes(RequestPart::MaxCompletionTokens)).then_some(most),
            max_tokens: (!is_new && sent.takes(RequestPart::MaxTokens)).then_some(most),
            temperature: (!thinks && sent.takes(RequestPart::Temperature)).then_some(request.temperature),
            response_format: format,
            tools: request.tools.iter().map(tool).collect::<Result<_, Error>>()?,
            reasoning_effort: (has_tools
                && is_of(TOOLS_WITHOUT_THINKING)
                && sent.takes(RequestPart::Thinking))
            .then_some("none"),
        })
    }
}

fn chat_message(message: &Message) -> Result<ChatMessage<'_>, Error> {
    let content = text_of(&message.content)?;
    Ok(match message.speaker {
        Speaker::User => ChatMessage::User { content },
        Speaker::Model => {
            ChatMessage::Assistant { content, tool_calls: message.tool_requests.iter().map(call).collect() }
        }
        Speaker::Tool => {
            ChatMessage::Tool { tool_call_id: message.answers.as_deref().unwrap_or_default(), content }
        }
    })
}

pub(crate) fn call(request: &ToolRequest) -> Call<'_> {
    Call::Function {
        id: &request.id,
        function: CalledFunction { name: &request.tool, arguments: request.input.0.to_string() },
        extra_content: request.opaque.as_deref().and_then(|extra| serde_json::from_str(extra).ok()),
    }
}

fn json_schema(shape: &ReplyShape) -> Result<JsonSchema<'_>, Error> {
    Ok(JsonSchema { name: &shape.name, strict: true, schema: json_of(&shape.schema)? })
}

fn tool(offer: &ToolOffer) -> Result<Tool<'_>, Error> {
    let (name, description, parameters) = (&*offer.name, &*offer.description, json_of(&offer.schema)?);
    Ok(Tool::Function { function: Function { name, description, parameters, strict: false } })
}

/// `{"data": [{"id", "shutdown_date"}]}`; some servers send only the list.
pub(crate) fn read_list(body: &Value) -> Option<Page> {
    let models = body.get("data").unwrap_or(body).as_array()?;
    let card = |model: &Value| {
        let text = |name: &str| model.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        ModelCard { name: text("id"), shutdown_date: text("shutdown_date"), ..ModelCard::default() }
    };
    Some(Page { models: models.iter().map(card).collect(), next: None })
}
