//! A request of a tool. Secrets are marked, so that they are neither displayed nor sent to another host.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kernel::phrase;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use secrecy::{ExposeSecret, SecretString};

use crate::NetError;
use crate::error::{host_of, server_name};

/// The limits of an answer.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// The bytes of the body, decompressed.
    pub most_bytes: usize,
    /// The time from name resolution to the last byte, including redirects.
    pub within: Duration,
    /// The most redirects.
    pub redirects: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { most_bytes: 4 << 20, within: Duration::from_secs(15), redirects: 5 }
    }
}

/// A request.
#[derive(Debug, Clone)]
pub struct Request {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) caps: Caps,
    pub(crate) listener: Listener,
    pub(crate) redirect_hosts: RedirectHosts,
}

/// The hosts that redirects may lead to.
#[derive(Clone, Default)]
pub(crate) struct RedirectHosts(Option<Arc<AllowsHost>>);

type AllowsHost = dyn Fn(&str) -> bool + Send + Sync;

impl RedirectHosts {
    /// An address without a host is refused by the policy later.
    fn judge(&self, to: &Url) -> Result<(), NetError> {
        let host = server_name(to);
        let refused = self.0.as_ref().zip(host).and_then(|(allows, host)| (!allows(&host)).then_some(host));
        refused.map_or(Ok(()), |host| Err(NetError::NotAllowed { host }))
    }
}

impl fmt::Debug for RedirectHosts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("RedirectHosts").field(&self.0.is_some()).finish()
    }
}

/// The callback that reports whether a request may have costs.
#[derive(Clone, Default)]
pub(crate) struct Listener(Option<Arc<dyn Fn(bool) + Send + Sync>>);

impl Listener {
    pub(crate) fn notify(&self, may_cost: bool) {
        if let Some(callback) = &self.0 {
            callback(may_cost);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Listener").field(&self.0.is_some()).finish()
    }
}

impl Request {
    /// A GET request for this address.
    pub fn get(url: Url) -> Request {
        Request {
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: None,
            caps: Caps::default(),
            listener: Listener::default(),
            redirect_hosts: RedirectHosts::default(),
        }
    }

    /// A POST request with JSON.
    pub fn post(url: Url, json: &serde_json::Value) -> Request {
        Request::post_bytes(url, "application/json", json.to_string().into_bytes())
    }

    /// A POST request with bytes of this media type.
    pub fn post_bytes(url: Url, media_type: &'static str, body: Vec<u8>) -> Request {
        let mut request = Request { method: Method::POST, ..Request::get(url) };
        request.headers.insert(reqwest::header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        request.body = Some(body);
        request
    }

    /// Adds a header that is not secret.
    pub fn header(mut self, name: &'static str, value: &'static str) -> Request {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Adds a header with a key after a prefix. The key is sent to this host only.
    ///
    /// # Errors
    /// When the key has characters that are invalid in a header; the message does not contain the key.
    pub fn secret(
        mut self,
        name: &'static str,
        before: &str,
        key: &SecretString,
    ) -> Result<Request, NetError> {
        let value = format!("{before}{}", key.expose_secret().trim());
        let mut value = HeaderValue::from_str(&value).map_err(|_| NetError::BadRequest {
            host: host_of(&self.url),
            reason: phrase!("the key has characters that no key has; set it anew"),
        })?;
        value.set_sensitive(true);
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// Sets a callback for whether the request may have costs: true once it is sent, whether the answer comes
    /// completely, in part or not at all; false once it is known that it reached no server or was refused.
    pub fn when_sent(mut self, callback: impl Fn(bool) + Send + Sync + 'static) -> Request {
        self.listener = Listener(Some(Arc::new(callback)));
        self
    }

    /// Follows redirects only to hosts for which `allows` returns true; its argument is the host as [`server_name`]
    /// returns it. The policy still applies.
    pub fn redirects_only_to(mut self, allows: impl Fn(&str) -> bool + Send + Sync + 'static) -> Request {
        self.redirect_hosts = RedirectHosts(Some(Arc::new(allows)));
        self
    }

    /// Sets the caps.
    pub fn caps(mut self, caps: Caps) -> Request {
        self.caps = caps;
        self
    }

    /// Changes the request to follow a redirect with this status: without secrets when the host differs.
    pub(crate) fn redirected(&mut self, status: u16, to: Url) -> Result<(), NetError> {
        self.redirect_hosts.judge(&to)?;
        let is_elsewhere = to.origin() != self.url.origin();
        if matches!(status, 301..=303) {
            self.method = Method::GET;
            self.body = None;
            self.headers.remove(reqwest::header::CONTENT_TYPE);
        }
        if is_elsewhere && self.body.is_some() {
            let host = host_of(&self.url);
            return Err(NetError::refused(&to, phrase!("{host} wants what was sent to it passed on", host)));
        }
        if is_elsewhere {
            let secrets: Vec<HeaderName> = self
                .headers
                .iter()
                .filter(|(_, value)| value.is_sensitive())
                .map(|(name, _)| name.clone())
                .collect();
            for name in secrets {
                self.headers.remove(name);
            }
        }
        self.url = to;
        Ok(())
    }
}
