//! Checks an address as written, before its name is resolved: scheme, credentials, port, name, number. The parser of
//! `Url` has already normalized all notations of a number: decimal, octal, hexadecimal, short, full-width. Not in here:
//! the addresses that a name resolves to (`lookup`).

use std::time::Duration;

use kernel::{Phrase, form, phrase};
use reqwest::Url;

use crate::NetError;
use crate::address::{ends_in, number_of, refused_kind};
use crate::offline::{closed_because, is_own_host};

/// The time within which a connection must be made, by the client and by the proxy.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(6);

/// Ports of the public web. A page with another port may target any service.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Name suffixes that only a local network resolves, or that are never public.
const LOCAL_SUFFIXES: [&str; 14] = [
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "lan",
    "home",
    "corp",
    "home.arpa",
    "test",
    "invalid",
    "example",
    "onion",
];

/// The rules of a client.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    /// Base URLs that the user configured; only their origins count.
    pub(crate) configured: Vec<Url>,
    /// Only this machine may be contacted.
    pub(crate) is_offline: bool,
    /// The user agent of requests, with the contact address.
    pub(crate) agent: String,
}

/// How an address may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressPolicy {
    /// Its name is resolved without checks.
    Configured,
    /// Only public addresses are connected to.
    Guarded,
}

impl Rules {
    /// How this address may be reached, or why not.
    pub(crate) fn judge(&self, url: &Url) -> Result<AddressPolicy, NetError> {
        let refuse = |reason: Phrase| Err(NetError::refused(url, reason));
        if !matches!(url.scheme(), "http" | "https") {
            return refuse(phrase!("`{scheme}` is neither http nor https", scheme = url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(phrase!("it carries a name or a password"));
        }
        let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
            return refuse(phrase!("it names no server"));
        };
        let number = number_of(host);
        let name = host.trim_end_matches('.');
        if self.is_offline && !is_own_host(host) {
            let reason = closed_because().unwrap_or(form!("the program keeps to this machine"));
            return Err(NetError::Offline { host: host.to_owned(), reason });
        }
        if self.configured.iter().any(|base| base.origin() == url.origin()) {
            return Ok(AddressPolicy::Configured);
        }
        if let Some(kind) = number.and_then(refused_kind) {
            return refuse(phrase!("it is {kind}", kind));
        }
        if number.is_none() {
            if !name.contains('.') {
                return refuse(phrase!("a name without a dot is one of the local network"));
            }
            if LOCAL_SUFFIXES.iter().any(|end| ends_in(name, end)) {
                return refuse(phrase!("it is a name of the local network"));
            }
        }
        match url.port_or_known_default() {
            Some(port) if PORTS.contains(&port) => Ok(AddressPolicy::Guarded),
            port => refuse(phrase!("port {port} is not one of the web", port = port.unwrap_or_default())),
        }
    }
}
