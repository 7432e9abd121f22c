//! A client of one service: its current settings, its base URL, and the network client that may reach it.

use std::path::PathBuf;

use engine::ToolContext;
use jiff::civil::Date;
use kernel::{Code, Error, Phrase, phrase};
use net::{Answer, Net, Request, Url};
use secrecy::SecretString;
use serde_json::Value;

use super::json_fields::unreadable;
use super::rate_limit::{RateLimit, Turn, turn};
use super::refusal::{Wish, check, refusal};
use crate::offered_tool::{ServiceDescription, ToolParts};
use crate::search::SearchRequest;
use crate::service_settings::ServiceSettings;

/// The dependencies of a tool and the context of its call.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub(crate) parts: &'a ToolParts,
    pub(crate) context: &'a ToolContext,
}

/// A search request to a source.
pub(crate) struct ServiceClient<'a> {
    pub(crate) request: &'a SearchRequest,
    pub(crate) from: Date,
    pub(crate) until: Date,
    pub(crate) caller: Caller<'a>,
}

/// A service with its current settings.
pub(crate) struct Service {
    pub(crate) title: &'static str,
    pub(crate) settings: ServiceSettings,
    wish: Wish,
    base: Url,
    /// Whether it has its default base URL.
    is_usual: bool,
    net: Net,
    /// The data folder with the rate-limit locks.
    folder: PathBuf,
}

impl Caller<'_> {
    /// Creates the client of a service for this kind of request.
    pub(crate) async fn service(&self, about: &ServiceDescription, wish: Wish) -> Result<Service, Error> {
        let settings = self.parts.services.service(about.name, self.context.profile.as_deref()).await?;
        let own = settings.base_url.trim();
        let base = if own.is_empty() { about.base_url } else { own };
        if base.is_empty() {
            return Err(Error::new(Code::BadInput, about.no_address()));
        }
        let base = Url::parse(base).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(base) = base.filter(Url::has_host) else {
            let message = phrase!(
                "The base URL of {title} is not an address of the web; set it anew: `galley config set services.{service}.base_url URL`",
                title = about.title,
                service = about.name
            );
            return Err(Error::new(Code::BadInput, message));
        };
        let net = self.parts.introduced()?.allowing((!own.is_empty()).then_some(own));
        let folder = self.parts.folder.clone();
        let is_usual = own.is_empty();
        Ok(Service { title: about.title, settings, wish, base, is_usual, net, folder })
    }
}

impl ServiceClient<'_> {
    /// Creates the client of a service.
    pub(crate) async fn service(&self, about: &ServiceDescription) -> Result<Service, Error> {
        self.caller.service(about, Wish::Search).await
    }

    /// The topic as plain words, for services that require every word to match.
    pub(crate) fn words(&self) -> String {
        let terms = extractive::query_terms(&self.request.query);
        let is_plain = !terms.is_empty() && terms.iter().all(|term| term.is_ascii());
        if is_plain { terms.join(" ") } else { self.request.query.clone() }
    }

    /// The topic, cut to the limits of a service.
    pub(crate) fn query(&self, most_characters: usize, most_words: usize) -> String {
        let words: Vec<&str> = self.request.query.split_whitespace().take(most_words).collect();
        words.join(" ").chars().take(most_characters).collect()
    }
}

impl Service {
    /// An address below the base URL with these parameters.
    pub(crate) fn url(&self, path: &str, parameters: &[(&str, &str)]) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.set_fragment(None);
        if !parameters.is_empty() {
            url.query_pairs_mut().extend_pairs(parameters);
        }
        url
    }

    /// The note when a public service asks for a contact address, and none is set.
    pub(crate) fn no_contact(&self) -> Option<Phrase> {
        let is_missing = self.is_usual && !self.net.has_contact();
        is_missing.then(|| {
            phrase!(
                "{service} requires a contact address; set your e-mail address or a URL: `galley config set net.contact ADDRESS`",
                service = self.title
            )
        })
    }

    /// Whether its base URL ends with a version, such as `v1beta`.
    pub(crate) fn is_versioned(&self) -> bool {
        let last = self.base.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    }

    /// Its key, which is required.
    pub(crate) fn key(&self, name: &str, page: &str) -> Result<&SecretString, Error> {
        self.settings.key.as_ref().ok_or_else(|| {
            let message = phrase!("{title} needs a key; get one at {page} and name the environment variable that holds it: `galley config set services.{name}.key_env VARIABLE`", title = self.title, page, name);
            Error::new(Code::KeyUnavailable, message)
        })
    }

    /// Waits for the rate limit of this address; addresses that may not be contacted are refused first.
    pub(crate) async fn turn(&self, url: &Url, rate_limit: &RateLimit) -> Result<Turn, Error> {
        self.net.may_ask(url)?;
        turn(&self.folder, rate_limit).await
    }

    /// Sends a request; a refusal by the service is an error.
    pub(crate) async fn ask(&self, request: Request) -> Result<Answer, Error> {
        let answer = self.net.send(request).await?;
        if answer.is_success() { Ok(answer) } else { Err(self.refusal(&answer)) }
    }

    /// Requests JSON; a refusal by the service is returned as an answer.
    pub(crate) async fn send(&self, request: Request) -> Result<Answer, Error> {
        Ok(self.net.send(request.header("accept", "application/json")).await?)
    }

    /// The error for a refusal.
    pub(crate) fn refusal(&self, answer: &Answer) -> Error {
        refusal(self.title, self.wish, answer, self.settings.key.as_ref())
    }

    /// Requests JSON that has one of the `own` fields. A service may echo its key in the results, which are recorded
    /// and sent to models, so the key is redacted.
    pub(crate) async fn ask_json(&self, request: Request, own: &[&str]) -> Result<Value, Error> {
        self.json(&self.send(request).await?, own)
    }

    /// Parses the JSON of an answer as [`Service::ask_json`] does.
    pub(crate) fn json(&self, answer: &Answer, own: &[&str]) -> Result<Value, Error> {
        if !answer.is_success() {
            return Err(self.refusal(answer));
        }
        let key = self.settings.key.as_ref();
        let Ok(json) = super::json_fields::json(self.title, &answer.body) else {
            // A text or HTML page with a status of success may be a refusal, too.
            let refusal = self.refusal(answer);
            let is_specific = refusal.code != Code::RequestRefused;
            return Err(if is_specific {
                refusal
            } else {
                Error { provider_words: refusal.provider_words, ..unreadable(self.title) }
            });
        };
        check(self.title, self.wish, answer, &json, own, key)?;
        Ok(redact::Redactor::of(key).json(json))
    }
}
