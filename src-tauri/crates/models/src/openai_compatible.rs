//! Any server that speaks OpenAI's chat completions: llama.cpp, vLLM, LM Studio, gateways, OpenAI itself.
//!
//! Such servers know `max_tokens`; models that think by themselves want `max_completion_tokens` instead, and no
//! temperature. Nothing else is sent that some server refuses: no options of a cache, and an effort only where OpenAI's
//! models refuse tools without one.

use std::sync::Arc;

use engine::Model;
use kernel::{Fault, Message, ModelRequest, Speaker, ToolRequest};
use reqwest::Url;
use serde_json::{Value, json};

use crate::chat_completions::ChatCompletions;
use crate::http::Framing;
use crate::line::{KeyHeader, Line};
use crate::list::Listing;
use crate::over_http::{self, Protocol};
use crate::reading::Reader;
use crate::request::{ROOM_TO_THINK, chat, json_of, text_of};
use crate::{Delivery, Provider, ProviderDescription, openai};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "openai-compatible",
        title: "OpenAI-compatible server",
        needs_key: false,
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

pub(crate) fn connect(line: Line, delivery: Delivery) -> Result<Arc<dyn Model>, Fault> {
    Ok(over_http::model(OpenAiCompatible, line, delivery))
}

impl Protocol for OpenAiCompatible {
    const FRAMING: Framing = Framing::Events;

    fn url(&self, line: &Line, _: &str, _: bool) -> Url {
        line.url("chat/completions")
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(ChatCompletions::default())
    }

    fn body(&self, request: &ModelRequest, is_stream: bool) -> Result<Value, Fault> {
        let mut body = json!({"model": request.model, "stream": is_stream});
        body["messages"] = chat(request, message)?.into();
        if is_stream {
            body["stream_options"] = json!({"include_usage": true});
        }
        let is_of = |family: &[&str]| family.iter().any(|start| request.model.starts_with(start));
        if is_of(THINKING) {
            body["max_completion_tokens"] = json!(request.max_output_tokens.saturating_add(ROOM_TO_THINK));
        } else {
            body["max_tokens"] = json!(request.max_output_tokens);
            body["temperature"] = json!(request.temperature);
        }
        if let Some(shape) = &request.shape {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": {"name": shape.name, "strict": true, "schema": json_of(&shape.schema)?},
            });
        }
        if !request.tools.is_empty() {
            let mut tools = Vec::with_capacity(request.tools.len());
            for tool in &request.tools {
                let parameters = json_of(&tool.schema)?;
                tools.push(json!({"type": "function", "function": {
                    "name": tool.name, "description": tool.description, "parameters": parameters, "strict": false,
                }}));
            }
            body["tools"] = tools.into();
            if is_of(TOOLS_WITHOUT_THINKING) {
                body["reasoning_effort"] = json!("none");
            }
        }
        Ok(body)
    }
}

fn message(said: &Message) -> Result<Value, Fault> {
    let text = text_of(&said.content)?;
    Ok(match said.speaker {
        Speaker::User => json!({"role": "user", "content": text}),
        Speaker::Model => {
            let mut message = json!({"role": "assistant", "content": text});
            let call = |call: &ToolRequest| {
                let function = json!({"name": call.tool, "arguments": call.input.0.to_string()});
                json!({"type": "function", "id": call.id, "function": function})
            };
            if !said.tool_requests.is_empty() {
                message["tool_calls"] = said.tool_requests.iter().map(call).collect();
            }
            message
        }
        Speaker::Tool => {
            json!({"role": "tool", "tool_call_id": said.answers.as_deref().unwrap_or_default(), "content": text})
        }
    })
}
