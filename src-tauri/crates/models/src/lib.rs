//! L2: providers of models behind the engine's [`Model`](engine::Model) port, one file each.
//!
//! A provider is one file with a `PROVIDER`, and two lines here: its `mod` and its entry in the list. The providers
//! share: allowed addresses (`address`), the client of a profile (`provider_client`), calls over HTTP (`http_model`, on
//! `http` and `request`), readers of the dialects (`chat_completions`, `generate_content`, `messages`, `ndjson_chat`,
//! on `reader`, `tokens`), the way from bytes to a reader (`frame_splitter`, `frames`, `surrogates`), the answer for
//! the run (`answer`), errors (`error`, `provider_error`), refused parts of requests (`refusals`), and the removal of
//! thinking from answers (`thinking`). The servers of this machine are data (`server_kinds`); `local_servers` finds
//! them, and `context_window` refuses requests that their models cannot hold (`prompt_size`).
//!
//! Not here: retries and limits (`engine`), storage of keys (`desk`), the built-in functions that do an agent's work
//! without a model (`pipelines`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod address;
mod answer;
mod anthropic;
mod chat_completions;
mod chat_request;
mod context_window;
mod error;
mod frame_splitter;
mod frames;
mod gemini;
mod generate_content;
mod hosting;
mod http;
mod http_model;
mod json_scan;
mod list;
mod listing;
mod local_servers;
mod messages;
mod ndjson_chat;
mod ollama;
mod openai;
mod openai_compatible;
mod prompt_size;
mod provider_client;
mod provider_error;
mod reader;
mod recognition;
mod refusals;
mod request;
mod server_kinds;
mod surrogates;
mod thinking;
mod tokens;
mod tool_names;
mod trial;

use std::fmt;
use std::sync::Arc;

use engine::Model;
use kernel::{Code, Error, phrase};
use secrecy::SecretString;
use serde::Serialize;

use listing::Listing;
use provider_client::{KeyHeader, ProviderClient};

pub use address::carries_more;
pub use hosting::{Hosting, is_local};
pub use list::list_models;
pub use listing::ModelCard;
pub use local_servers::{LocalServer, local_servers, servers_at};
pub use refusals::{Refusals, RefusedParts};
pub use trial::{Trial, answers, test};

/// All providers in alphabetic order of their ids.
const PROVIDERS: &[Provider] =
    &[anthropic::PROVIDER, gemini::PROVIDER, ollama::PROVIDER, openai::PROVIDER, openai_compatible::PROVIDER];

/// The description of a provider for the form of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ProviderDescription {
    /// Its id: `openai-compatible`.
    pub id: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Where its models run.
    pub hosting: Hosting,
    /// Whether it requires a key.
    pub needs_key: bool,
    /// Whether its models can search the web, which costs extra.
    pub searches_itself: bool,
    /// The page on which a person gets a key; empty if there is none.
    pub key_page: &'static str,
    /// The environment variable in which people usually keep the key; empty if there is none.
    pub key_variable: &'static str,
    /// The default base URL; `None` if the person has to enter one.
    pub default_base_url: Option<&'static str>,
    /// The default models as pairs of role and model; empty if only the server knows its models.
    pub models: &'static [(&'static str, &'static str)],
}

/// The access data for the models of one profile.
pub struct ProfileAccess {
    /// The profile's name, for messages.
    pub profile: String,
    /// The provider's id.
    pub provider: String,
    /// The base URL; empty for the provider's default.
    pub base_url: String,
    /// The key, when the profile has one.
    pub key: Option<SecretString>,
}

impl fmt::Debug for ProfileAccess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The base URL is left out too: people paste addresses that contain a key.
        formatter
            .debug_struct("ProfileAccess")
            .field("profile", &self.profile)
            .field("provider", &self.provider)
            .field("has_key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

/// How an answer is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Delivery {
    /// In pieces, while it is written.
    #[default]
    Streamed,
    /// As a whole at the end. This costs less and shows nothing in the meantime.
    Whole,
}

/// An entry of the list: the description of a provider, and how to connect to it.
struct Provider {
    description: ProviderDescription,
    key_header: KeyHeader,
    connect: fn(ProviderClient, Delivery, Refusals) -> Arc<dyn Model>,
    listing: Listing,
}

/// All providers in alphabetic order of their ids.
pub fn providers() -> Vec<ProviderDescription> {
    PROVIDERS.iter().map(|provider| provider.description).collect()
}

/// Connects to the models of a profile, with streaming. Opens no connection yet.
///
/// # Errors
/// [`Code::BadInput`] for an unknown provider, an invalid or forbidden base URL, and a key that no header can carry.
pub fn connect(access: ProfileAccess) -> Result<Arc<dyn Model>, Error> {
    connect_with(access, Delivery::default())
}

/// Like [`connect`], with the given delivery.
///
/// # Errors
/// As for [`connect`].
pub fn connect_with(access: ProfileAccess, delivery: Delivery) -> Result<Arc<dyn Model>, Error> {
    connect_knowing(access, delivery, Refusals::default())
}

/// Like [`connect_with`], with the parts that the server refused before. The same [`Refusals`] records further ones.
///
/// # Errors
/// As for [`connect`].
pub fn connect_knowing(
    mut access: ProfileAccess,
    delivery: Delivery,
    refusals: Refusals,
) -> Result<Arc<dyn Model>, Error> {
    let provider = provider_of(&mut access)?;
    Ok((provider.connect)(ProviderClient::open(access, provider)?, delivery, refusals))
}

/// The base URL for a profile: empty if it is the provider's default.
fn own_base_url(provider: &str, base_url: &str) -> String {
    let base_url = base_url.trim_end_matches('/');
    let known = PROVIDERS.iter().find(|known| known.description.id == provider);
    let is_usual = known.is_some_and(|known| known.description.default_base_url == Some(base_url));
    if is_usual { String::new() } else { base_url.to_owned() }
}

/// The usual path of a provider's base URL, such as `/v1`; empty if it has none.
fn usual_path(provider: &str) -> String {
    let known = PROVIDERS.iter().find(|known| known.description.id == provider);
    match known.map(|known| known.description.default_base_url) {
        Some(Some(usual)) => address::path_of(usual),
        // Servers that speak another provider's protocol mostly use the same path.
        Some(None) => address::path_of("http://localhost/v1"),
        None => String::new(),
    }
}

/// The provider of a profile. Sets the provider's base URL if the profile has none.
fn provider_of(access: &mut ProfileAccess) -> Result<&'static Provider, Error> {
    let Some(provider) = PROVIDERS.iter().find(|provider| provider.description.id == access.provider) else {
        let others = PROVIDERS.iter().map(|provider| provider.description.id);
        let known: Vec<_> = std::iter::once(kernel::BUILT_IN).chain(others).collect();
        return Err(Error::new(
            Code::BadInput,
            phrase!(
                "Provider `{provider}` of profile `{profile}` is not known; known are {known}.",
                provider = access.provider,
                profile = access.profile,
                known
            ),
        ));
    };
    let usual = provider.description.default_base_url.unwrap_or_default();
    if access.base_url.trim().is_empty() || address::is_bare(&access.base_url, usual) {
        access.base_url = usual.to_owned();
    }
    Ok(provider)
}
