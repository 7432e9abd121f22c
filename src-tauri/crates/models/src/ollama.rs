//! Ollama, over its own `/api/chat`.
//!
//! genai 0.7 knows no schema there and no context size: both go in by the extra body. The size matters,
//! because Ollama cuts off what does not fit its small default, silently. Models that think are told not
//! to: on a small machine the answer would wait for minutes, and what they think counts as output.

use std::sync::Arc;
use std::time::Duration;

use engine::Model;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ReasoningEffort};
use kernel::{Code, Fault, ModelRequest};
use serde_json::{Map, Value, json};

use crate::line::{KeyHeader, Line};
use crate::list::{self, Listing, ModelCard, Page};
use crate::ndjson_chat::NdjsonChat;
use crate::over_genai::{self, Dialect};
use crate::{Delivery, ProfileAccess, Provider, ProviderDescription, request};

/// Where it listens when nobody says otherwise.
const USUAL_ADDRESS: &str = "http://127.0.0.1:11434";
/// As long is waited for a sign of it.
const SIGN_WITHIN: Duration = Duration::from_millis(800);

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "ollama",
        title: "Ollama",
        needs_key: false,
        key_page: "",
        key_variable: "OLLAMA_API_KEY",
        default_base_url: Some(USUAL_ADDRESS),
        models: &[],
    },
    key_header: KeyHeader::Bearer,
    connect,
    listing: Listing { path: "api/tags", headers: &[], read: read_list },
};

static DIALECT: Dialect = Dialect {
    adapter: AdapterKind::Ollama,
    is_key_given: false,
    translate,
    reader: || Box::new(NdjsonChat::default()),
};

fn connect(line: Line, delivery: Delivery) -> Result<Arc<dyn Model>, Fault> {
    over_genai::model(&DIALECT, line, delivery)
}

/// An Ollama that runs on this machine: its address and its models, which may be none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundOllama {
    /// The base URL for a profile.
    pub base_url: String,
    /// What is installed.
    pub models: Vec<ModelCard>,
}

/// Looks for an Ollama on its usual port, or at another base URL; `None` when none answers within a second.
pub async fn found_ollama(base_url: Option<&str>) -> Option<FoundOllama> {
    let base_url = base_url.unwrap_or(USUAL_ADDRESS).to_owned();
    let access = ProfileAccess {
        profile: "ollama".to_owned(),
        provider: PROVIDER.description.id.to_owned(),
        base_url: base_url.clone(),
        key: None,
    };
    match tokio::time::timeout(SIGN_WITHIN, list::list_models(access)).await.ok()? {
        Ok(models) => Some(FoundOllama { base_url, models }),
        // It runs, and nothing is installed yet.
        Err(fault) if fault.code == Code::NotFound => Some(FoundOllama { base_url, models: Vec::new() }),
        Err(_) => None,
    }
}

fn translate(request: &ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault> {
    let (chat, mut options) = request::translated(request)?;
    options.response_format = None;
    let mut extra = Map::new();
    extra.insert("model".to_owned(), json!(request.model));
    extra.insert(
        "options".to_owned(),
        json!({
            "temperature": request.temperature,
            "num_predict": request.max_output_tokens,
            "num_ctx": context_size(request),
        }),
    );
    if let Some(shape) = &request.shape {
        extra.insert("format".to_owned(), request::json_of(&shape.schema)?.clone());
    }
    Ok((chat, options.with_extra_body(Value::Object(extra)).with_reasoning_effort(ReasoningEffort::Zero)))
}

/// Tokens that question and answer need, in steps of a power of two: another size loads the model anew.
fn context_size(request: &ModelRequest) -> u64 {
    const FEWEST: u64 = 8192;
    const MOST: u64 = 131_072;
    let bytes = |value: &kernel::Value| value.json().map_or(0, |json| json.to_string().len() as u64);
    let said: u64 = request.messages.iter().map(|message| bytes(&message.content)).sum();
    let offered: u64 = request.tools.iter().map(|tool| bytes(&tool.schema)).sum();
    // Three bytes a token is on the safe side for English, and about right for Chinese and Japanese.
    let asked = (said + offered + bytes(&request.instruction)) / 3;
    (asked + u64::from(request.max_output_tokens)).next_power_of_two().clamp(FEWEST, MOST)
}

/// `{"models": [{"name", "details": {"parameter_size"}}]}`; old servers say null when there are none.
fn read_list(body: &Value) -> Option<Page> {
    let models = match body.get("models")? {
        Value::Array(models) => models.as_slice(),
        Value::Null => &[],
        _ => return None,
    };
    let card = |model: &Value| {
        let text = |path: &str| model.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        ModelCard { name: text("/name"), title: text("/details/parameter_size"), ..ModelCard::default() }
    };
    Some(Page { models: models.iter().map(card).collect(), next: None })
}
