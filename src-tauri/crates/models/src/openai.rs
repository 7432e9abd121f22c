//! OpenAI's chat completions: the same dialect as the compatible servers, at its own address.
//!
//! Structured output uses `json_schema` with `strict`, as in that dialect. Its list of models announces shutdowns.

use serde_json::Value;

use crate::list::{Listing, ModelCard, Page};
use crate::provider_client::KeyHeader;
use crate::{Hosting, Provider, ProviderDescription, openai_compatible};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "openai",
        title: "OpenAI",
        hosting: Hosting::Cloud,
        needs_key: true,
        searches_itself: false,
        key_page: "https://platform.openai.com/api-keys",
        key_variable: "OPENAI_API_KEY",
        default_base_url: Some("https://api.openai.com/v1"),
        models: &[("default", "gpt-6-luna"), ("review", "gpt-6.1-sol")],
    },
    key_header: KeyHeader::Bearer,
    connect: openai_compatible::connect,
    listing: Listing { path: "models", headers: &[], read: read_list },
};

/// `{"data": [{"id", "shutdown_date"}]}`; some servers send only the list.
pub(crate) fn read_list(body: &Value) -> Option<Page> {
    let models = body.get("data").unwrap_or(body).as_array()?;
    let card = |model: &Value| {
        let text = |name: &str| model.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        ModelCard { name: text("id"), shutdown_date: text("shutdown_date"), ..ModelCard::default() }
    };
    Some(Page { models: models.iter().map(card).collect(), next: None })
}
