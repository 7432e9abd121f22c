//! The client of one profile: its connections, its key, and the words for its errors.
//!
//! One HTTP client per profile, kept alive. The key lives in that client's headers and in a
//! [`SecretString`]; never in an address.

use std::time::Duration;

use jiff::Timestamp;
use kernel::{Code, Error, USER_AGENT};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret, SecretString};

use crate::list::Listing;
use crate::provider_error::ProviderError;
use crate::{ProfileAccess, Provider, address};

/// Time to make a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest silence before an answer begins. Thinking and small machines take minutes; how long a
/// run may wait is the engine's limit, this only ends what is dead.
const SILENCE: Duration = Duration::from_secs(300);
/// The longest silence inside a streamed answer.
pub(crate) const PAUSE: Duration = Duration::from_secs(60);

/// The client of one profile.
pub(crate) struct ProviderClient {
    profile: String,
    base: Url,
    key: Option<SecretString>,
    http: reqwest::Client,
    /// What the path of such a base URL usually is.
    usual_path: String,
    listing: Listing,
}

/// The header in which a provider wants its key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// The key alone, in a header of this lower-case name.
    Named(&'static str),
}

impl ProviderClient {
    /// The client of a profile. Opens no connection yet.
    pub(crate) fn open(access: ProfileAccess, provider: &Provider) -> Result<ProviderClient, Error> {
        let (key_header, listing) = (provider.key_header, provider.listing);
        let ProfileAccess { profile, base_url, key, provider } = access;
        let usual_path = crate::usual_path(&provider);
        let base = address::base_of(&profile, &base_url)?;
        let mut headers = HeaderMap::new();
        let key = key.filter(|key| !key.expose_secret().trim().is_empty());
        if let Some(key) = &key {
            let key = key.expose_secret().trim();
            let (name, value) = match key_header {
                KeyHeader::Bearer => (AUTHORIZATION, format!("Bearer {key}")),
                KeyHeader::Named(name) => (HeaderName::from_static(name), key.to_owned()),
            };
            let header = HeaderValue::from_str(&value);
            let Some(mut header) = header.ok().filter(|_| key.bytes().all(|byte| byte.is_ascii_graphic()))
            else {
                return Err(Error::new(
                    Code::BadInput,
                    format!(
                        "The key of profile `{profile}` has characters that no request can carry; it may have been pasted with something around it."
                    ),
                ));
            };
            header.set_sensitive(true);
            headers.insert(name, header);
        }
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .user_agent(USER_AGENT)
            .no_proxy()
            // A redirect leads away from what the person configured, and the key would go with it.
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .http2_keep_alive_while_idle(true)
            .build()
            .map_err(|_| {
                Error::new(
                    Code::Internal,
                    format!("No HTTP client can be made for profile `{profile}`; the system's certificates may be missing."),
                )
            })?;
        Ok(ProviderClient { profile, base, key, http, usual_path, listing })
    }

    /// The client, which sends the key with every request.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// The key.
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.expose_secret().trim())
    }

    /// An address under the base.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }

    /// What may be wrong with an address that leads nowhere, or nothing.
    pub(crate) fn hint(&self) -> String {
        if self.base.path() != "/" || self.usual_path.is_empty() {
            return String::new();
        }
        format!(
            " It names no version; such servers are mostly found at {}{}.",
            self.server(),
            self.usual_path
        )
    }

    /// The profile's name.
    pub(crate) fn profile(&self) -> &str {
        &self.profile
    }

    /// The base URL for messages.
    pub(crate) fn server(&self) -> String {
        address::shown(&self.base)
    }

    /// An error of our own wording, with the provider's words when there are some.
    pub(crate) fn error(&self, code: Code, message: &str, words: Option<&str>) -> Error {
        let words = words.and_then(|words| self.words(words));
        Error { provider_words: words, ..Error::new(code, redact::redact_text(message, self.key.as_ref())) }
    }

    /// A server's words as they may be recorded; nothing where there are none.
    pub(crate) fn words(&self, words: &str) -> Option<String> {
        Some(redact::clean(words, self.key.as_ref())).filter(|words| !words.is_empty())
    }

    /// Where the models behind it are listed.
    pub(crate) fn listing(&self) -> Listing {
        self.listing
    }

    /// What keeps the key out of one answer.
    pub(crate) fn redactor(&self) -> redact::Redactor {
        redact::Redactor::of(self.key.as_ref())
    }

    /// What a provider's refusal means. `headers` and `body` may name the time to wait.
    pub(crate) fn refusal(
        &self,
        provider_error: &ProviderError,
        model: &str,
        headers: Option<&HeaderMap>,
        body: &str,
    ) -> Error {
        let code = provider_error.code();
        let wait = match code {
            Code::RateLimited | Code::Overloaded | Code::Timeout => {
                let header = |name: &str| headers?.get(name)?.to_str().ok();
                kernel::wait_ms(header, body, Timestamp::now())
            }
            _ => None,
        };
        let message = self.sentence(code, provider_error.status, model, wait);
        Error { retry_after_ms: wait, ..self.error(code, &message, Some(&provider_error.words)) }
    }

    /// There is no key where none answers without one.
    pub(crate) fn without_key(&self) -> Error {
        self.error(Code::KeyRefused, &self.sentence(Code::KeyRefused, None, "", None), None)
    }

    fn sentence(&self, code: Code, status: Option<u16>, model: &str, wait: Option<u64>) -> String {
        let (profile, server) = (&self.profile, self.server());
        let status_words = status.map(|status| format!(" (HTTP {status})")).unwrap_or_default();
        match code {
            Code::KeyRefused if self.key.is_none() => format!(
                "{server} wants a key{status_words}, and profile `{profile}` has none; add the profile again with a key."
            ),
            Code::KeyRefused => format!(
                "Key of profile `{profile}` was refused by {server}{status_words}; check it with `galley profile test {profile}`."
            ),
            Code::QuotaExhausted => format!(
                "Quota or credit of profile `{profile}` at {server} is used up{status_words}; add credit, wait until it is renewed, or use another profile."
            ),
            Code::RateLimited => {
                let wait = wait.map_or_else(
                    || "wait a little and try again".to_owned(),
                    |ms| format!("it asks to wait {} s", ms.div_ceil(1000)),
                );
                format!(
                    "{server} takes no more requests of profile `{profile}` just now{status_words}; {wait}."
                )
            }
            Code::Timeout => format!("{server} gave no answer in time{status_words}; try again."),
            Code::ContentRefused => format!(
                "{server} refused the content of this request to model `{model}`{status_words}; change the topic or the text and try again."
            ),
            Code::RequestRefused if status == Some(404) && model.is_empty() => format!(
                "{server} has no list of models{status_words}; check the base URL of profile `{profile}`.{}",
                self.hint()
            ),
            Code::RequestRefused if status == Some(404) => format!(
                "{server} does not know model `{model}` (any more), or is not the right address{status_words}; `galley models {profile}` lists the models there are, else check the base URL.{}",
                self.hint()
            ),
            Code::RequestRefused if status.is_some_and(|status| status < 400) => format!(
                "{server} only points to another address{status_words}, which is not followed; give profile `{profile}` the base URL it points to."
            ),
            Code::RequestRefused if model.is_empty() => format!(
                "{server} refused the request{status_words}; its words say why, check the base URL of profile `{profile}`."
            ),
            Code::RequestRefused => format!(
                "{server} refused the request to model `{model}`{status_words}; its words say why, check the model and the base URL of profile `{profile}`."
            ),
            _ => format!("{server} is overloaded or broken just now{status_words}; try again in a while."),
        }
    }
}
