//! OpenAI's chat completions: the same dialect as the compatible servers, at its own address.
//!
//! Structured output uses `json_schema` with `strict`, as in that dialect. Its list of models announces shutdowns.

use crate::listing::Listing;
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
    listing: Listing { path: "models", headers: &[], read: openai_compatible::read_list },
};
