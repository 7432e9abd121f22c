//! Any server that speaks OpenAI's chat completions: llama.cpp, vLLM, LM Studio, gateways, OpenAI itself.
//!
//! Such servers know `max_tokens`; models that think by themselves want `max_completion_tokens` instead, and no
//! temperature. Nothing else is sent that some server refuses: no options of a cache, and an effort only where OpenAI's
//! models refuse tools without one.

use std::sync::Arc;

use engine::Model;
use kernel::{Error, Message, ModelRequest, ReplyShape, RequestPart, Speaker, ToolOffer, ToolRequest};
use reqwest::Url;
use serde::Serialize;

use crate::chat_completions::ChatCompletions;
use crate::chat_request::{
    Call, Called, ChatRequest, Function, JsonSchema, ResponseFormat, Said, StreamOptions, Tool,
};
use crate::http_model::{self, Protocol};
use crate::list::Listing;
use crate::provider_client::{KeyHeader, ProviderClient};
use crate::reader::Reader;
use crate::refusals::Sent;
use crate::request::{ROOM_TO_THINK, chat, json_of, text_of};
use crate::{Delivery, Hosting, Provider, ProviderDescription, Refusals, openai};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "openai-compatible",
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
    listing: Listing { path: "models", headers: &[], read: openai::read_list },
};

/// Models that think by themselves: they refuse a temperature, and what they think counts as output.
const THINKING: &[&str] = &["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// Of these, those that use tools over chat completions only when they are told not to think (OpenAI's pages of the
/// models, and its error of `param` `reasoning_effort`). Their siblings `gpt-6-astra` and `gpt-6.1-sol` cannot be told so.
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

    fn body(&self, request: &ModelRequest, sent: &Sent) -> Result<impl Serialize, Error> {
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
            messages: chat(request, |content| Said::System { content }, said)?,
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

fn said(message: &Message) -> Result<Said<'_>, Error> {
    let content = text_of(&message.content)?;
    Ok(match message.speaker {
        Speaker::User => Said::User { content },
        Speaker::Model => {
            Said::Assistant { content, tool_calls: message.tool_requests.iter().map(call).collect() }
        }
        Speaker::Tool => Said::Tool { tool_call_id: message.answers.as_deref().unwrap_or_default(), content },
    })
}

pub(crate) fn call(request: &ToolRequest) -> Call<'_> {
    Call::Function {
        id: &request.id,
        function: Called { name: &request.tool, arguments: request.input.0.to_string() },
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
