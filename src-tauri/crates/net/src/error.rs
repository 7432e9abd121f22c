//! Why something was not fetched. Each sentence names the host, the reason and the next step; none holds the query
//! of an address, where services want their keys.

use kernel::{Code, Error};
use reqwest::Url;

/// Why something was not fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The text is no address.
    #[error("`{text}` is not an address of the web; it should look like https://example.org/page")]
    NoAddress {
        /// The text, cut.
        text: String,
    },
    /// The policy forbids it.
    #[error(
        "{host} was not contacted: {reason}. If it is meant, add its base URL: `galley config set net.allow URL`"
    )]
    Refused {
        /// The host.
        host: String,
        /// Why.
        reason: String,
    },
    /// The program was told to stay on this machine.
    #[error("{host} was not contacted, because {reason}")]
    Offline {
        /// The host.
        host: String,
        /// What keeps it there, and what opens the network.
        reason: &'static str,
    },
    /// No connection, or no address.
    #[error("{host} cannot be reached ({cause}); check the network and try again")]
    Unreachable {
        /// The host.
        host: String,
        /// The root cause.
        cause: String,
    },
    /// The connection broke, or what came is not HTTP.
    #[error("The connection to {host} broke ({cause}); try again")]
    Broken {
        /// The host.
        host: String,
        /// The root cause.
        cause: String,
    },
    /// Nothing whole came in time.
    #[error("{host} did not answer within {seconds} s; try again later")]
    TooSlow {
        /// The host.
        host: String,
        /// The cap.
        seconds: u64,
    },
    /// More came than is read.
    #[error("{host} sent more than {most} bytes, which is not read; open the address in a browser")]
    TooLarge {
        /// The host.
        host: String,
        /// The cap, of what was unpacked.
        most: usize,
    },
    /// It only pointed elsewhere.
    #[error("{host} led to more than {most} other addresses in a row; open the address in a browser")]
    TooManyRedirects {
        /// The first host.
        host: String,
        /// The cap.
        most: usize,
    },
    /// The request cannot be written.
    #[error("The request to {host} cannot be written: {reason}")]
    BadRequest {
        /// The host.
        host: String,
        /// What is wrong; never the value.
        reason: String,
    },
}

impl NetError {
    pub(crate) fn refused(url: &Url, reason: &str) -> NetError {
        NetError::Refused { host: host_of(url), reason: reason.to_owned() }
    }

    /// The same, as it crosses the border.
    pub fn code(&self) -> Code {
        match self {
            NetError::NoAddress { .. } | NetError::BadRequest { .. } => Code::BadInput,
            NetError::Refused { .. } | NetError::TooLarge { .. } | NetError::TooManyRedirects { .. } => {
                Code::ToolFailed
            }
            NetError::Offline { .. } | NetError::Unreachable { .. } | NetError::Broken { .. } => {
                Code::Network
            }
            NetError::TooSlow { .. } => Code::Timeout,
        }
    }
}

impl From<NetError> for Error {
    fn from(error: NetError) -> Error {
        Error::new(error.code(), error.to_string())
    }
}

/// The host of an address as people know it; its port only when it is not the usual one.
pub(crate) fn host_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or("(no host)");
    let host: String = host.chars().take(120).collect();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}
