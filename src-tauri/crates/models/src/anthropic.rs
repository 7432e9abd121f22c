//! Anthropic, over its messages.
//!
//! Structured output is `output_config.format`; genai writes it and the header with the version. genai
//! writes the header with the key too and sends nothing without one, so here it is given the key. Models
//! that think unless told not to are told not to: their thinking would have to be sent back with every
//! tool's answer. genai stops at events about blocks it does not know; our reader passes them over.

use std::sync::Arc;

use engine::Model;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ReasoningEffort};
use kernel::{Fault, ModelRequest};
use serde_json::Value;

use crate::line::{KeyHeader, Line};
use crate::list::{Listing, ModelCard, Page};
use crate::messages::Messages;
use crate::over_genai::{self, Dialect};
use crate::{Delivery, Provider, ProviderDescription, request};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "anthropic",
        title: "Anthropic",
        needs_key: true,
        key_page: "https://console.anthropic.com/settings/keys",
        key_variable: "ANTHROPIC_API_KEY",
        default_base_url: Some("https://api.anthropic.com/v1"),
        models: &[("default", "claude-sonnet-5"), ("search", "claude-haiku-4-5")],
    },
    key_header: KeyHeader::Named("x-api-key"),
    connect,
    listing: Listing {
        path: "models?limit=1000",
        headers: &[("anthropic-version", "2023-06-01")],
        read: read_list,
    },
};

/// What the names of models that still take a temperature contain; from Opus 4.7 on it is refused.
const WITH_TEMPERATURE: &[&str] = &[
    "claude-3", "claude-2", "haiku-4", "sonnet-4", "opus-4-0", "opus-4-1", "opus-4-2", "opus-4-5", "opus-4-6",
];

static DIALECT: Dialect = Dialect {
    adapter: AdapterKind::Anthropic,
    is_key_given: true,
    translate,
    reader: || Box::new(Messages::default()),
};

fn connect(line: Line, delivery: Delivery) -> Result<Arc<dyn Model>, Fault> {
    over_genai::model(&DIALECT, line, delivery)
}

fn translate(request: &ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault> {
    let (chat, mut options) = request::translated(request)?;
    options.temperature = None;
    if WITH_TEMPERATURE.iter().any(|name| request.model.contains(name)) {
        options.temperature = Some(request.temperature.clamp(0.0, 1.0));
    }
    Ok((chat, options.with_reasoning_effort(ReasoningEffort::Zero)))
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
