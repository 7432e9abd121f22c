//! The reasons why a fetch failed. Each message names the host, the reason and the next step, and never the query of an
//! address, which may contain keys.

use kernel::{Code, Error, Form, Phrase, phrase};
use reqwest::Url;

/// Why a fetch failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NetError {
    /// The text is not an address.
    NoAddress {
        /// The text, shortened.
        text: String,
    },
    /// The policy forbids the address.
    Refused {
        /// The host.
        host: String,
        /// The reason.
        reason: Phrase,
    },
    /// The network is disabled except for this machine.
    Offline {
        /// The host.
        host: String,
        /// What disables the network, and how to enable it.
        reason: Form,
    },
    /// No connection, or no IP address for the name.
    Unreachable {
        /// The host.
        host: String,
        /// The root cause.
        cause: String,
    },
    /// The connection broke, or the answer is not HTTP.
    Broken {
        /// The host.
        host: String,
        /// The root cause.
        cause: String,
    },
    /// The time limit was reached before the answer was complete.
    TooSlow {
        /// The host.
        host: String,
        /// The limit.
        seconds: u64,
    },
    /// The answer is larger than the limit.
    TooLarge {
        /// The host.
        host: String,
        /// The limit in bytes, after decompression.
        most: usize,
    },
    /// The redirects exceed the limit.
    TooManyRedirects {
        /// The first host.
        host: String,
        /// The limit.
        most: usize,
    },
    /// The page of this host opened too many connections through the proxy.
    TooManyConnections {
        /// The host of the page.
        host: String,
        /// The limit.
        most: usize,
    },
    /// A redirect led to a host that the request may not contact.
    NotAllowed {
        /// The host, without its port.
        host: String,
    },
    /// The request is invalid.
    BadRequest {
        /// The host.
        host: String,
        /// What is invalid; never the value.
        reason: Phrase,
    },
}

impl NetError {
    /// The message.
    pub fn phrase(&self) -> Phrase {
        match self {
            NetError::NoAddress { text } => phrase!(
                "`{text}` is not an address of the web; it should look like https://example.org/page",
                text
            ),
            NetError::Refused { host, reason } => phrase!(
                "{host} was not contacted: {reason}. If it is meant, add its base URL: `galley config set net.allow URL`",
                host,
                reason
            ),
            NetError::Offline { host, reason } => {
                phrase!("{host} was not contacted, because {reason}", host, reason)
            }
            NetError::Unreachable { host, cause } => {
                phrase!("{host} cannot be reached ({cause}); check the network and try again", host, cause)
            }
            NetError::Broken { host, cause } => {
                phrase!("The connection to {host} broke ({cause}); try again", host, cause)
            }
            NetError::TooSlow { host, seconds } => {
                phrase!("{host} did not answer within {seconds} s; try again later", host, seconds)
            }
            NetError::TooLarge { host, most } => phrase!(
                "{host} sent more than {most} bytes, which is not read; open the address in a browser",
                host,
                most
            ),
            NetError::TooManyRedirects { host, most } => phrase!(
                "{host} led to more than {most} other addresses in a row; open the address in a browser",
                host,
                most
            ),
            NetError::TooManyConnections { host, most } => phrase!(
                "The page of {host} opened more than {most} connections; what is missing was not loaded",
                host,
                most
            ),
            NetError::NotAllowed { host } => phrase!(
                "{host} was not contacted: a redirect led there, and it is not allowed; ask for its address itself",
                host
            ),
            NetError::BadRequest { host, reason } => {
                phrase!("The request to {host} cannot be written: {reason}", host, reason)
            }
        }
    }
}

impl std::fmt::Display for NetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for NetError {}

impl NetError {
    pub(crate) fn refused(url: &Url, reason: Phrase) -> NetError {
        NetError::Refused { host: host_of(url), reason }
    }

    /// The error code at the API.
    pub fn code(&self) -> Code {
        match self {
            NetError::NoAddress { .. } | NetError::BadRequest { .. } => Code::BadInput,
            NetError::Refused { .. }
            | NetError::TooLarge { .. }
            | NetError::TooManyRedirects { .. }
            | NetError::TooManyConnections { .. } => Code::ToolFailed,
            NetError::Offline { .. } | NetError::Unreachable { .. } | NetError::Broken { .. } => {
                Code::Network
            }
            NetError::TooSlow { .. } => Code::Timeout,
            NetError::NotAllowed { .. } => Code::PermissionNeeded,
        }
    }
}

impl From<NetError> for Error {
    fn from(error: NetError) -> Error {
        Error::new(error.code(), error.phrase())
    }
}

/// The host of an address for messages; with its port unless it is the default one.
pub(crate) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or("(no host)");
    let host: String = host.chars().take(120).collect();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// The host name or IP address of an address in normalized form: lower case, without port and trailing dot.
pub fn server_name(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}
