//! Anthropic's Messages API.
//!
//! Structured output uses `output_config.format`. Thinking is switched off where it is on by default: otherwise it
//! would have to be sent back with every tool result.

use std::sync::Arc;

use engine::Model;
use kernel::{Error, Message, ModelRequest, RequestPart, Speaker};
use reqwest::Url;
use serde::Serialize;
use serde_json::{Value, json};

use crate::http_model::{self, Protocol};
use crate::listing::{Listing, ModelCard, Page};
use crate::messages::Messages;
use crate::provider_client::{KeyHeader, ProviderClient};
use crate::reader::Reader;
use crate::refusals::AllowedParts;
use crate::request::{json_of, object_of, says_something, text_of};
use crate::{Delivery, Hosting, Provider, ProviderDescription, Refusals};

/// The protocol version, which every request has to name.
const VERSION: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "anthropic",
        title: "Anthropic",
        hosting: Hosting::Cloud,
        needs_key: true,
        searches_itself: false,
        key_page: "https://console.anthropic.com/settings/keys",
        key_variable: "ANTHROPIC_API_KEY",
        default_base_url: Some("https://api.anthropic.com/v1"),
        models: &[("default", "claude-sonnet-5"), ("search", "claude-haiku-4-5")],
    },
    key_header: KeyHeader::Named("x-api-key"),
    connect,
    listing: Listing { path: "models?limit=1000", headers: VERSION, read: read_list },
};

/// Parts of the names of models that still accept a temperature; Opus 4.7 and later reject it.
const WITH_TEMPERATURE: &[&str] = &[
    "claude-3", "claude-2", "haiku-4", "sonnet-4", "opus-4-0", "opus-4-1", "opus-4-2", "opus-4-5", "opus-4-6",
];

struct Anthropic;

fn connect(client: ProviderClient, delivery: Delivery, refusals: Refusals) -> Arc<dyn Model> {
    http_model::model(Anthropic, client, delivery, refusals)
}

impl Protocol for Anthropic {
    const PARTS: &[RequestPart] = &[
        RequestPart::JsonSchema,
        RequestPart::Stream,
        RequestPart::Tools,
        RequestPart::Temperature,
        RequestPart::Thinking,
    ];
    const HEADERS: &[(&str, &str)] = VERSION;
    const NEEDS_KEY: bool = true;

    fn url(&self, client: &ProviderClient, _: &str, _: bool) -> Url {
        client.url("messages")
    }

    fn reader(&self) -> Box<dyn Reader> {
        Box::new(Messages::default())
    }

    fn body(&self, request: &ModelRequest, sent: &AllowedParts) -> Result<impl Serialize, Error> {
        let mut messages: Vec<Value> = Vec::with_capacity(request.messages.len());
        let mut was_tool = false;
        for turn in request.messages.iter().filter(|turn| says_something(turn)) {
            let is_tool = turn.speaker == Speaker::Tool;
            // Results of calls that were made together belong into one message.
            match messages.last_mut().and_then(|last| last["content"].as_array_mut()) {
                Some(results) if was_tool && is_tool => results.push(result(turn)?),
                _ => messages.push(message(turn)?),
            }
            was_tool = is_tool;
        }
        let mut body = json!({
            "model": request.model, "messages": messages, "stream": sent.is_stream,
            "max_tokens": request.max_output_tokens,
        });
        let instruction = text_of(&request.instruction)?;
        if !instruction.is_empty() {
            body["system"] = json!(instruction);
        }
        if WITH_TEMPERATURE.iter().any(|name| request.model.contains(name)) {
            if sent.takes(RequestPart::Temperature) {
                body["temperature"] = json!(request.temperature.clamp(0.0, 1.0));
            }
        } else if sent.takes(RequestPart::Thinking) {
            body["thinking"] = json!({"type": "disabled"});
        }
        if let Some(shape) = request.shape.as_ref().filter(|_| sent.takes(RequestPart::JsonSchema)) {
            let format = json!({"type": "json_schema", "schema": json_of(&shape.schema)?});
            body["output_config"] = json!({ "format": format });
        }
        if !request.tools.is_empty() {
            let mut tools = Vec::with_capacity(request.tools.len());
            for tool in &request.tools {
                let schema = json_of(&tool.schema)?;
                tools.push(
                    json!({"name": tool.name, "description": tool.description, "input_schema": schema}),
                );
            }
            body["tools"] = json!(tools);
        }
        Ok(body)
    }
}

fn message(source: &Message) -> Result<Value, Error> {
    Ok(match source.speaker {
        Speaker::User => json!({"role": "user", "content": text_of(&source.content)?}),
        Speaker::Tool => json!({"role": "user", "content": [result(source)?]}),
        Speaker::Model => {
            let text = text_of(&source.content)?;
            if source.tool_requests.is_empty() {
                return Ok(json!({"role": "assistant", "content": text}));
            }
            let words = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
            let calls = source.tool_requests.iter().map(|call| {
                json!({"type": "tool_use", "id": call.id, "name": call.tool, "input": object_of(&call.input.0)})
            });
            json!({"role": "assistant", "content": words.into_iter().chain(calls).collect::<Vec<_>>()})
        }
    })
}

/// The result of a tool as a content block.
fn result(source: &Message) -> Result<Value, Error> {
    let (id, text) = (source.answers.as_deref().unwrap_or_default(), text_of(&source.content)?);
    Ok(json!({"type": "tool_result", "tool_use_id": id, "content": text}))
}

/// `{"data": [{"id", "display_name"}], "has_more", "last_id"}`
fn read_list(body: &Value) -> Option<Page> {
    let models = body.get("data")?.as_array()?;
    let text = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let card = |model: &Value| ModelCard {
        name: text(model, "id"),
        title: text(model, "display_name"),
        ..ModelCard::default()
    };
    let has_more = body.get("has_more").and_then(Value::as_bool).unwrap_or_default();
    let next = has_more.then(|| ("after_id", text(body, "last_id")));
    Some(Page { models: models.iter().map(card).collect(), next })
}
