//! Judges an address as it is written, before anything is looked up: scheme, credentials, port, name, number.
//! The parser of `Url` has already made one form of all spellings of a number: decimal, octal, hexadecimal, short,
//! full-width. Not in here: what a name stands for (`lookup`).

use std::net::IpAddr;

use kernel::{Phrase, form, phrase};
use reqwest::Url;

use crate::NetError;
use crate::address::refused_kind;
use crate::offline::{closed_because, is_own_host};

/// Ports at which the public web is served. A page that names another one may mean any service.
const PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Ends of names that only a local network knows, or that never are public.
const LOCAL_ENDS: [&str; 14] = [
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

/// What is let through.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    /// Base URLs that the person configured; only their origins count.
    pub(crate) configured: Vec<Url>,
    /// Only this machine may be reached.
    pub(crate) is_offline: bool,
    /// How requests name the program and the contact address.
    pub(crate) agent: String,
}

/// How an address may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Its name is resolved as usual.
    Configured,
    /// Only public addresses are connected to.
    Guarded,
}

impl Rules {
    /// The way to this address, or why there is none.
    pub(crate) fn judge(&self, url: &Url) -> Result<Way, NetError> {
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
            return Ok(Way::Configured);
        }
        if let Some(kind) = number.and_then(refused_kind) {
            return refuse(phrase!("it is {kind}", kind));
        }
        if number.is_none() {
            if !name.contains('.') {
                return refuse(phrase!("a name without a dot is one of the local network"));
            }
            if LOCAL_ENDS.iter().any(|end| ends_in(name, end)) {
                return refuse(phrase!("it is a name of the local network"));
            }
        }
        match url.port_or_known_default() {
            Some(port) if PORTS.contains(&port) => Ok(Way::Guarded),
            port => refuse(phrase!("port {port} is not one of the web", port = port.unwrap_or_default())),
        }
    }
}

/// The address a host is when it is a number.
pub(crate) fn number_of(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').parse().ok()
}

pub(crate) fn ends_in(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
