//! One request as a tool writes it. Secrets are marked, so that they are neither shown nor carried to another host.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kernel::phrase;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Url};
use secrecy::{ExposeSecret, SecretString};

use crate::NetError;
use crate::error::{host_of, server_name};

/// What an answer may cost.
#[derive(Debug, Clone, Copy)]
pub struct Caps {
    /// Bytes of the body, unpacked.
    pub most_bytes: usize,
    /// From the first look-up to the last byte, redirects included.
    pub within: Duration,
    /// Redirects in a row.
    pub redirects: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { most_bytes: 4 << 20, within: Duration::from_secs(15), redirects: 5 }
    }
}

/// One request.
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

/// Which hosts redirects may lead to.
#[derive(Clone, Default)]
pub(crate) struct RedirectHosts(Option<Arc<AllowsHost>>);

type AllowsHost = dyn Fn(&str) -> bool + Send + Sync;

impl RedirectHosts {
    /// An address without a host is left to the policy, which refuses it.
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

/// Who is told whether a request may cost something.
#[derive(Clone, Default)]
pub(crate) struct Listener(Option<Arc<dyn Fn(bool) + Send + Sync>>);

impl Listener {
    pub(crate) fn tell(&self, may_cost: bool) {
        if let Some(told) = &self.0 {
            told(may_cost);
        }
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Listener").field(&self.0.is_some()).finish()
    }
}

impl Request {
    /// Asks for what is at this address.
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

    /// Sends JSON.
    pub fn post(url: Url, json: &serde_json::Value) -> Request {
        Request::post_bytes(url, "application/json", json.to_string().into_bytes())
    }

    /// Sends bytes of this media type.
    pub fn post_bytes(url: Url, media_type: &'static str, body: Vec<u8>) -> Request {
        let mut request = Request { method: Method::POST, ..Request::get(url) };
        request.headers.insert(reqwest::header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        request.body = Some(body);
        request
    }

    /// With a header that everybody may see.
    pub fn header(mut self, name: &'static str, value: &'static str) -> Request {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// With a key in a header, behind these words. The key goes to this host only.
    ///
    /// # Errors
    /// When the key has characters that no header can carry; the key is not repeated.
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

    /// Tells whether it may cost something: from when it is sent, whether an answer comes whole, in part or not at all,
    /// until it is known that it reached nobody or was refused.
    pub fn when_sent(mut self, told: impl Fn(bool) + Send + Sync + 'static) -> Request {
        self.listener = Listener(Some(Arc::new(told)));
        self
    }

    /// Follows redirects only to hosts for which this is true; it is asked with the host as [`server_name`] gives it. What
    /// the policy refuses stays refused.
    pub fn redirects_only_to(mut self, allows: impl Fn(&str) -> bool + Send + Sync + 'static) -> Request {
        self.redirect_hosts = RedirectHosts(Some(Arc::new(allows)));
        self
    }

    /// With these caps.
    pub fn caps(mut self, caps: Caps) -> Request {
        self.caps = caps;
        self
    }

    /// Asks again elsewhere, as the answer of this status said: without secrets when the host is another one.
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
