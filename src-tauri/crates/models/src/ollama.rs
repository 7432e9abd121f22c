//! Ollama's own `/api/chat` API.
//!
//! This endpoint is used instead of the OpenAI-compatible one because only here the context size can be set: Ollama
//! silently truncates prompts that exceed its small default. Structured output uses `format`. Thinking is switched off:
//! on a small machine the answer would take minutes, and thinking counts as output.

use std::sync::Arc;

use engine::Model;
use kernel::{Error, Message, ModelRequest, RequestPart, Speaker, ToolRequest};
use reqwest::Url;
use serde::Serialize;
use serde_json::{Value, json};

use crate::http_model::{self, Protocol};
use crate::listing::Listing;
use crate::ndjson_chat::NdjsonChat;
use crate::prompt_size::Prompt;
use crate::provider_client::{KeyHeader, ProviderClient};
use crate::reader::Reader;
use crate::refusals::AllowedParts;
use crate::request::{chat, json_of, object_of, text_of, tool_of};
use crate::{Delivery, Hosting, Provider, ProviderDescription, Refusals, server_kinds};

/// Ollama's default address.
const USUAL_ADDRESS: &str = "http://127.0.0.1:11434";

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: server_kinds::OLLAMA,
        title: "Ollama",
        hosting: Hosting::Local,
        needs_key: false,
        searches_itself: false,
        key_page: "",
        key_variable: "OLLAMA_API_KEY",
        default_base_url: Some(USUAL_ADDRESS),
        models: &[],
    },
    key_header: KeyHeader::Bearer,
    connect,
    listing: Listing { path: "api/tags", headers: &[], read: server_kinds::read_list_of_ollama },
};

struct Ollama;

fn connect(client: ProviderClient, delivery: Delivery, refusals: Refusals) -> Arc<dyn Model> {
    http_model::model(Ollama, client, delivery, refusals)
}

impl Protocol for Ollama {
    const STREAMS_LINES: bool = true;
    const PARTS: &[RequestPart] = &[
        RequestPart::JsonSchema,
        RequestPart::JsonObject,
        RequestPart::Stream,
        RequestPart::Tools,
        RequestPart::Thinking,
        RequestPart::SystemMessage,
    ];

    fn url(&self, client: &ProviderClient, _: &str, _: bool) -> Url {
        client.url("api/chat")
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(NdjsonChat::default())
    }

    fn body(&self, request: &ModelRequest, sent: &AllowedParts) -> Result<impl Serialize, Error> {
        let system = |text| json!({"role": "system", "content": text});
        let messages = chat(request, system, |source| message(source, request))?;
        let mut body = json!({
            "model": request.model,
            "messages": messages,
            "stream": sent.is_stream,
            "options": {
                "temperature": request.temperature,
                "num_predict": request.max_output_tokens,
                "num_ctx": context_size(request, sent.window)?,
            },
        });
        if sent.takes(RequestPart::Thinking) {
            body["think"] = json!(false);
        }
        if let Some(shape) = &request.shape {
            if sent.takes(RequestPart::JsonSchema) {
                body["format"] = json_of(&shape.schema)?.clone();
            } else if sent.takes(RequestPart::JsonObject) {
                body["format"] = json!("json");
            }
        }
        if !request.tools.is_empty() {
            let mut tools = Vec::with_capacity(request.tools.len());
            for tool in &request.tools {
                let parameters = json_of(&tool.schema)?;
                let function =
                    json!({"name": tool.name, "description": tool.description, "parameters": parameters});
                tools.push(json!({"type": "function", "function": function}));
            }
            body["tools"] = json!(tools);
        }
        Ok(body)
    }
}

fn message(source: &Message, request: &ModelRequest) -> Result<Value, Error> {
    let text = text_of(&source.content)?;
    Ok(match source.speaker {
        Speaker::User => json!({"role": "user", "content": text}),
        Speaker::Model => {
            let call = |call: &ToolRequest| json!({"function": {"name": call.tool, "arguments": object_of(&call.input.0)}});
            let calls: Vec<Value> = source.tool_requests.iter().map(call).collect();
            let mut message = json!({"role": "assistant", "content": text});
            if !calls.is_empty() {
                message["tool_calls"] = json!(calls);
            }
            message
        }
        Speaker::Tool => json!({"role": "tool", "content": text, "tool_name": tool_of(source, request)}),
    })
}

/// The context size for prompt and answer, as a power of two, because every other size loads the model anew; never more
/// than the model's window.
fn context_size(request: &ModelRequest, window: Option<u64>) -> Result<u64, Error> {
    const FEWEST: u64 = 8192;
    /// Where the window is not known.
    const MOST: u64 = 131_072;
    let needed = Prompt::of(request)?.usual_tokens() + u64::from(request.max_output_tokens);
    Ok(needed.next_power_of_two().max(FEWEST).min(window.unwrap_or(MOST)))
}
