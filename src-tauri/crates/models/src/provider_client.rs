//! The client of one profile: its connections, its key, and the wording of its errors.
//!
//! Each profile has one HTTP client with keep-alive. The key is in that client's headers and in a [`SecretString`],
//! never in an address.

use std::time::Duration;

use kernel::{Code, Error, Phrase, USER_AGENT, phrase};
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use secrecy::{ExposeSecret, SecretString};

use crate::hosting::is_local;
use crate::listing::Listing;
use crate::provider_error::ProviderError;
use crate::{ProfileAccess, Provider, address};

/// Timeout for a connection.
const CONNECT: Duration = Duration::from_secs(10);
/// Timeout for the beginning of an answer. Thinking and small machines take minutes; the engine limits how long a run
/// waits, and this only ends dead connections.
const SILENCE: Duration = Duration::from_secs(300);
/// Timeout between two pieces of a streamed answer.
pub(crate) const PAUSE: Duration = Duration::from_secs(60);

/// The client of one profile.
pub(crate) struct ProviderClient {
    profile: String,
    provider: &'static str,
    base: Url,
    key: Option<SecretString>,
    http: reqwest::Client,
    /// The usual path of such a base URL.
    usual_path: String,
    listing: Listing,
}

/// The header for the key.
#[derive(Debug, Clone, Copy)]
pub(crate) enum KeyHeader {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// The key alone, in the header with this lower-case name.
    Named(&'static str),
}

impl ProviderClient {
    /// Opens the client of a profile. Makes no connection yet.
    pub(crate) fn open(access: ProfileAccess, provider: &Provider) -> Result<ProviderClient, Error> {
        let (key_header, listing) = (provider.key_header, provider.listing);
        let ProfileAccess { profile, base_url, key, .. } = access;
        let provider = provider.description.id;
        let usual_path = crate::usual_path(provider);
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
                    phrase!(
                        "The key of profile `{profile}` has characters that no request can carry; it may have been pasted with something around it.",
                        profile
                    ),
                ));
            };
            header.set_sensitive(true);
            headers.insert(name, header);
        }
        // Loading the system's certificates takes a while, and a server without encryption, most often on this machine,
        // does not need them: no redirect is followed, so the client never reaches another one.
        let http = match base.scheme() {
            "https" => reqwest::Client::builder(),
            _ => reqwest::Client::builder().tls_certs_only([]),
        };
        let http = http
            .default_headers(headers)
            .user_agent(USER_AGENT)
            .no_proxy()
            // A redirect leads to an address that the person did not configure, and would take the key there.
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
                    phrase!("No HTTP client can be made for profile `{profile}`; the system's certificates may be missing.", profile),
                )
            })?;
        Ok(ProviderClient { profile, provider, base, key, http, usual_path, listing })
    }

    /// The HTTP client, which sends the key with every request.
    pub(crate) fn http(&self) -> &reqwest::Client {
        &self.http
    }

    /// The key.
    pub(crate) fn key(&self) -> Option<&str> {
        self.key.as_ref().map(|key| key.expose_secret().trim())
    }

    /// A URL under the base URL.
    pub(crate) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path()));
        url
    }

    /// A URL under the server's address, which is the base URL without this path at its end.
    pub(crate) fn url_of_server(&self, base_path: &str, path: &str) -> Url {
        let mut url = self.base.clone();
        let base = self.base.path().trim_end_matches('/');
        let base = base.strip_suffix(base_path).unwrap_or(base).trim_end_matches('/');
        url.set_path(&format!("{base}/{path}"));
        url
    }

    /// Whether its models run on the person's own server.
    pub(crate) fn is_local(&self) -> bool {
        is_local(self.provider, self.base.as_str())
    }

    /// What may be wrong with an address that does not work, if it is known.
    fn hint(&self) -> Option<Phrase> {
        (self.base.path() == "/" && !self.usual_path.is_empty()).then(|| {
            phrase!(
                "It names no version; such servers are mostly found at {address}.",
                address = format!("{}{}", self.server(), self.usual_path)
            )
        })
    }

    /// Appends to a sentence what may be wrong with the address.
    pub(crate) fn with_hint(&self, sentence: Phrase) -> Phrase {
        Phrase::sentences(std::iter::once(sentence).chain(self.hint()))
    }

    /// The provider's id.
    pub(crate) fn provider(&self) -> &'static str {
        self.provider
    }

    /// The profile's name.
    pub(crate) fn profile(&self) -> &str {
        &self.profile
    }

    /// The base URL for messages.
    pub(crate) fn server(&self) -> String {
        address::shown(&self.base)
    }

    /// An error with our sentence, and the provider's words if there are any.
    pub(crate) fn error(&self, code: Code, phrase: Phrase, words: Option<&str>) -> Error {
        let words = words.and_then(|words| self.words(words));
        let phrase = phrase.map_texts(&|text| redact::redact_text(text, self.key.as_ref()));
        Error { provider_words: words, ..Error::new(code, phrase) }
    }

    /// A server's words in a form that may be recorded; `None` if there are none.
    pub(crate) fn words(&self, words: &str) -> Option<String> {
        Some(redact::clean(words, self.key.as_ref())).filter(|words| !words.is_empty())
    }

    /// The list of its models.
    pub(crate) fn listing(&self) -> Listing {
        self.listing
    }

    /// The redactor that keeps the key out of an answer.
    pub(crate) fn redactor(&self) -> redact::Redactor {
        redact::Redactor::of(self.key.as_ref())
    }

    /// The error for a provider's refusal. `headers` and `body` may contain the time to wait.
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
                net::wait_ms(header, body, engine::now())
            }
            _ => None,
        };
        let message = self.sentence(code, provider_error.status, model, wait);
        Error { retry_after_ms: wait, ..self.error(code, message, Some(&provider_error.words)) }
    }

    /// The error for a missing key.
    pub(crate) fn without_key(&self) -> Error {
        self.error(Code::KeyRefused, self.sentence(Code::KeyRefused, None, "", None), None)
    }

    fn sentence(&self, code: Code, status: Option<u16>, model: &str, wait: Option<u64>) -> Phrase {
        let (profile, server, seconds) = (&self.profile, self.server(), wait.map(|ms| ms.div_ceil(1000)));
        let status_words = match status {
            Some(status) => phrase!(" (HTTP {status})", status),
            None => Phrase::default(),
        };
        match (code, status, seconds) {
            (Code::KeyRefused, ..) if self.key.is_none() => phrase!(
                "{server} wants a key{status_words}, and profile `{profile}` has none; add the profile again with a key.",
                server,
                status_words,
                profile
            ),
            (Code::KeyRefused, ..) => phrase!(
                "Key of profile `{profile}` was refused by {server}{status_words}; check it with `galley profile test {profile}`.",
                profile,
                server,
                status_words
            ),
            (Code::QuotaExhausted, ..) => phrase!(
                "Quota or credit of profile `{profile}` at {server} is used up{status_words}; add credit, wait until it is renewed, or use another profile.",
                profile,
                server,
                status_words
            ),
            (Code::RateLimited, _, Some(seconds)) => phrase!(
                "{server} takes no more requests of profile `{profile}` just now{status_words}; it asks to wait {seconds} s.",
                server,
                profile,
                status_words,
                seconds
            ),
            (Code::RateLimited, ..) => phrase!(
                "{server} takes no more requests of profile `{profile}` just now{status_words}; wait a little and try again.",
                server,
                profile,
                status_words
            ),
            (Code::Timeout, ..) => {
                phrase!("{server} gave no answer in time{status_words}; try again.", server, status_words)
            }
            (Code::ContentRefused, ..) => phrase!(
                "{server} refused the content of this request to model `{model}`{status_words}; change the topic or the text and try again.",
                server,
                model,
                status_words
            ),
            (Code::ContextExceeded, ..) => phrase!(
                "{server} refused the request to model `{model}`, because it does not fit the model's context window{status_words}. What helps: a model with a larger window, shorter inputs, or a lower limit `max_output_tokens`.",
                server,
                model,
                status_words
            ),
            (Code::RequestRefused, Some(404), _) if model.is_empty() => self.with_hint(phrase!(
                "{server} has no list of models{status_words}; check the base URL of profile `{profile}`.",
                server,
                status_words,
                profile
            )),
            (Code::RequestRefused, Some(404), _) => self.with_hint(phrase!(
                "{server} does not know model `{model}` (any more), or is not the right address{status_words}; `galley models {profile}` lists the models there are, else check the base URL.",
                server,
                model,
                status_words,
                profile
            )),
            (Code::RequestRefused, Some(..400), _) => phrase!(
                "{server} only points to another address{status_words}, which is not followed; give profile `{profile}` the base URL it points to.",
                server,
                status_words,
                profile
            ),
            (Code::RequestRefused, ..) if model.is_empty() => phrase!(
                "{server} refused the request{status_words}; its words say why, check the base URL of profile `{profile}`.",
                server,
                status_words,
                profile
            ),
            (Code::RequestRefused, ..) => phrase!(
                "{server} refused the request to model `{model}`{status_words}; its words say why, check the model and the base URL of profile `{profile}`.",
                server,
                model,
                status_words,
                profile
            ),
            _ => phrase!(
                "{server} is overloaded or broken just now{status_words}; try again in a while.",
                server,
                status_words
            ),
        }
    }
}
