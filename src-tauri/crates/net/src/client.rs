//! The client: checks addresses, connects, follows redirects itself, and enforces the caps.

use std::error::Error as StdError;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures::StreamExt as _;
use kernel::{Phrase, USER_AGENT, phrase};
use reqwest::header::LOCATION;
use reqwest::{Client, Url};

use crate::answer::Answer;
use crate::error::host_of;
use crate::lookup::{CheckedResolver, Lookup, NotPublic, SystemLookup};
use crate::proxy::{Proxy, ProxyCaps};
use crate::request::Request;
use crate::rules::{AddressPolicy, CONNECT_TIMEOUT, Rules};
use crate::{NetError, closed_because, contacted_hosts};

/// The network client. Clones share their connections.
#[derive(Clone)]
pub struct Net {
    clients: Arc<Clients>,
    rules: Arc<Rules>,
}

/// The two HTTP clients, created on first use because that reads the system's certificates.
struct Clients {
    lookup: Arc<dyn Lookup>,
    guarded: OnceLock<Result<Client, NetError>>,
    configured: OnceLock<Result<Client, NetError>>,
}

/// The longest contact address, in bytes.
const LONGEST_CONTACT: usize = 200;

/// Whether a contact address is valid in a header; an empty one is.
pub fn is_contact(text: &str) -> bool {
    text.len() <= LONGEST_CONTACT && text.trim().chars().all(|c| c.is_ascii_graphic() && !"()".contains(c))
}

impl Net {
    /// A client that reaches only the public web; only this machine when the network is [closed](closed_because).
    pub fn new() -> Net {
        Net::with(Arc::new(SystemLookup), closed_because().is_some())
    }

    /// A client with another name resolution.
    pub fn with(lookup: Arc<dyn Lookup>, is_offline: bool) -> Net {
        let clients = Clients { lookup, guarded: OnceLock::new(), configured: OnceLock::new() };
        let rules = Rules { configured: Vec::new(), is_offline, agent: USER_AGENT.to_owned() };
        Net { clients: Arc::new(clients), rules: Arc::new(rules) }
    }

    /// The same client that also sends a contact address, an e-mail address or a URL, as some services require. An
    /// address that is invalid in a header is ignored.
    pub fn introducing(&self, contact: &str) -> Net {
        let contact = contact.trim();
        if contact.is_empty() || !is_contact(contact) {
            return self.clone();
        }
        let agent = format!("{USER_AGENT} ({contact})");
        Net { rules: Arc::new(Rules { agent, ..Rules::clone(&self.rules) }), ..self.clone() }
    }

    /// Whether requests contain a contact address.
    pub fn has_contact(&self) -> bool {
        self.rules.agent != USER_AGENT
    }

    /// The same client that also reaches these base URLs, which the user configured. Only their exact origins count:
    /// scheme, host and port. Invalid URLs are ignored.
    pub fn allowing<'u>(&self, base_urls: impl IntoIterator<Item = &'u str>) -> Net {
        let parse = |text: &str| Url::parse(text.trim()).ok().filter(|url| url.has_host());
        let rules = Rules {
            configured: base_urls.into_iter().filter_map(parse).collect(),
            ..Rules::clone(&self.rules)
        };
        Net { rules: Arc::new(rules), ..self.clone() }
    }

    /// Whether the policy allows this address as written: its name is not resolved.
    ///
    /// # Errors
    /// When the policy forbids the address.
    pub fn may_ask(&self, url: &Url) -> Result<(), NetError> {
        self.rules.judge(url).map(drop)
    }

    /// A proxy on this machine through which a browser reads one page. It checks every target as [`Net::send`] does,
    /// and of the configured origins it allows only that of the page: a hostile page cannot reach the others.
    ///
    /// # Errors
    /// When the policy forbids the page itself, or no port is available.
    pub async fn proxy_for(&self, page: &Url, caps: ProxyCaps) -> Result<Proxy, NetError> {
        self.may_ask(page)?;
        let is_of_page = |base: &&Url| base.origin() == page.origin();
        let configured = self.rules.configured.iter().filter(is_of_page).cloned().collect();
        let rules = Rules { configured, ..Rules::clone(&self.rules) };
        Proxy::start(page.clone(), rules, self.clients.lookup.clone(), caps).await
    }

    /// Sends a request, follows redirects, and reads the whole answer. An error status is returned as an answer.
    ///
    /// # Errors
    /// When the policy forbids an address on the way, or no complete answer came within the caps.
    pub async fn send(&self, request: Request) -> Result<Answer, NetError> {
        let (host, caps) = (host_of(&request.url), request.caps);
        let whole = tokio::time::timeout(caps.within, self.follow(request));
        whole.await.unwrap_or(Err(NetError::TooSlow { host, seconds: caps.within.as_secs() }))
    }

    async fn follow(&self, mut request: Request) -> Result<Answer, NetError> {
        let first = host_of(&request.url);
        for _ in 0..=request.caps.redirects {
            let response = self.one(&request).await?;
            let status = response.status().as_u16();
            let target = response.headers().get(LOCATION).filter(|_| matches!(status, 301..=303 | 307 | 308));
            let Some(target) = target else {
                request.listener.notify(response.status().is_success());
                return whole(&request, response).await;
            };
            let target = String::from_utf8_lossy(target.as_bytes()).into_owned();
            let to = request.url.join(&target).map_err(|_| {
                NetError::refused(&request.url, phrase!("it points to what is no address of the web"))
            })?;
            request.redirected(status, to)?;
        }
        Err(NetError::TooManyRedirects { host: first, most: request.caps.redirects })
    }

    async fn one(&self, request: &Request) -> Result<reqwest::Response, NetError> {
        let client = self.clients.on(self.rules.judge(&request.url)?)?;
        let mut sent = client.request(request.method.clone(), request.url.clone());
        sent = sent.header(reqwest::header::USER_AGENT, &self.rules.agent).headers(request.headers.clone());
        if let Some(body) = &request.body {
            sent = sent.body(body.clone());
        }
        request.listener.notify(true);
        let answered = sent.send().await;
        // Without a connection nothing was sent.
        request
            .listener
            .notify(!answered.as_ref().is_err_and(|error| error.is_connect() || error.is_builder()));
        let refused = answered.as_ref().err().and_then(not_public);
        if let Some(reason) = refused {
            return Err(NetError::refused(&request.url, reason));
        }
        contacted_hosts::note(&request.url);
        answered.map_err(|error| of_transport(&request.url, &error))
    }
}

impl Default for Net {
    fn default() -> Net {
        Net::new()
    }
}

impl Clients {
    fn on(&self, way: AddressPolicy) -> Result<&Client, NetError> {
        let (kept, is_guarded) = match way {
            AddressPolicy::Guarded => (&self.guarded, true),
            AddressPolicy::Configured => (&self.configured, false),
        };
        let made = kept.get_or_init(|| client(CheckedResolver { lookup: self.lookup.clone(), is_guarded }));
        made.as_ref().map_err(NetError::clone)
    }
}

fn client(names: CheckedResolver) -> Result<Client, NetError> {
    Client::builder()
        .dns_resolver(Arc::new(names))
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .connect_timeout(CONNECT_TIMEOUT)
        .pool_idle_timeout(Duration::from_secs(30))
        .pool_max_idle_per_host(2)
        .build()
        .map_err(|error| NetError::BadRequest {
            host: "any host".to_owned(),
            reason: phrase!("no client can be made: {why}", why = innermost(&error)),
        })
}

async fn whole(request: &Request, response: reqwest::Response) -> Result<Answer, NetError> {
    let most = request.caps.most_bytes;
    let too_large = || NetError::TooLarge { host: host_of(&request.url), most };
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let mut body = Vec::new();
    // The chunks are already decompressed, so the cap also stops decompression bombs.
    let mut pieces = response.bytes_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| of_transport(&request.url, &error))?;
        if body.len() + piece.len() > most {
            return Err(too_large());
        }
        body.extend_from_slice(&piece);
    }
    Ok(Answer { status, url: request.url.clone(), headers, body })
}

fn of_transport(url: &Url, error: &reqwest::Error) -> NetError {
    let (host, cause) = (host_of(url), innermost(error));
    if error.is_timeout() {
        NetError::TooSlow { host, seconds: CONNECT_TIMEOUT.as_secs() }
    } else if error.is_connect() {
        NetError::Unreachable { host, cause }
    } else {
        NetError::Broken { host, cause }
    }
}

/// The reason why the resolver refused a name, if it did.
fn not_public(error: &reqwest::Error) -> Option<Phrase> {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<NotPublic>() {
            return Some(refused.0.clone());
        }
        cause = error.source();
    }
    None
}

/// The root cause without addresses: the outer messages repeat the whole URL with its secrets.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn StdError = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    let text =
        if cause.is::<reqwest::Error>() { "no reason was given".to_owned() } else { cause.to_string() };
    text.chars().take(200).collect()
}
