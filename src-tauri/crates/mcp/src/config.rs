//! The configuration of a tool server. Not here: its storage, and the keyring (`desk`).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use kernel::{Code, Error, phrase};
use serde::{Deserialize, Serialize};

/// The default timeout of a call, in seconds.
const DEFAULT_TIMEOUT_S: u32 = 60;
/// The longest configurable timeout, in seconds.
const LONGEST_TIMEOUT_S: u32 = 3600;
/// The longest name of a server, in bytes.
const LONGEST_NAME: usize = 40;

/// A tool server: a program on this machine, or an address.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// The program to start, for a local server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The working directory of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The address of a server with streamable HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The offered tools by the server's names; all if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The timeout of a call, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u32>,
    /// Whether the server is disabled.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_off: bool,
    /// Environment variables of the program, besides those for system paths.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Given>,
    /// Headers of each request to the address.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, Given>,
}

/// The source of the value of a variable or header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Given {
    /// A literal in the file.
    Text(String),
    /// A variable of this program's environment.
    Variable {
        /// The name of the variable.
        env: String,
    },
    /// An entry of the keyring, identified by the server and the name of the variable or header.
    Kept {
        /// Always true.
        keyring: bool,
    },
}

/// How a server is reached.
pub(crate) enum Transport<'a> {
    Program(&'a str),
    Address(reqwest::Url),
}

/// Checks the name of a server.
///
/// # Errors
/// `bad_input`: the name is empty, too long, or has characters other than lower-case letters, digits, `-` and `_`.
pub fn check_name(name: &str) -> Result<(), Error> {
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    if !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_sign) {
        return Ok(());
    }
    let message = phrase!(
        "`{name}` cannot be the name of a tool server; use lower-case letters, digits, `-` and `_`, at most {most} characters",
        name,
        most = LONGEST_NAME
    );
    Err(Error::new(Code::BadInput, message))
}

impl ServerConfig {
    /// Checks the configuration.
    ///
    /// # Errors
    /// `bad_input` with what is missing or contradictory.
    pub fn check(&self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        self.transport(name)?;
        let seconds = self.timeout_s.unwrap_or(DEFAULT_TIMEOUT_S);
        if !(1..=LONGEST_TIMEOUT_S).contains(&seconds) {
            let message = phrase!(
                "A call of `{name}` may take from 1 to {most} seconds, not {seconds}",
                name,
                most = LONGEST_TIMEOUT_S,
                seconds
            );
            return Err(Error::new(Code::BadInput, message));
        }
        Ok(())
    }

    pub(crate) fn transport(&self, name: &str) -> Result<Transport<'_>, Error> {
        let bad = |message| Err(Error::new(Code::BadInput, message));
        match (self.command.as_deref().filter(|command| !command.trim().is_empty()), &self.url) {
            (Some(command), None) => Ok(Transport::Program(command)),
            (None, Some(url)) => match reqwest::Url::parse(url) {
                Ok(parsed) if matches!(parsed.scheme(), "http" | "https") && parsed.has_host() => {
                    Ok(Transport::Address(parsed))
                }
                _ => bad(phrase!(
                    "`{url}` is not the address of a tool server; it begins with https:// or http://",
                    url
                )),
            },
            (None, None) => {
                bad(phrase!("The tool server `{name}` has neither a command nor a URL; give it one", name))
            }
            (Some(_), Some(_)) => {
                bad(phrase!("The tool server `{name}` has both a command and a URL; leave one out", name))
            }
        }
    }

    /// Whether an authorization header is configured, so that no sign-in is needed.
    pub fn sets_authorization(&self) -> bool {
        self.headers.keys().any(|header| header.eq_ignore_ascii_case("authorization"))
    }

    /// The timeout of a call.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s.unwrap_or(DEFAULT_TIMEOUT_S).clamp(1, LONGEST_TIMEOUT_S).into())
    }

    /// Whether a tool with this name is offered.
    pub(crate) fn offers(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|chosen| chosen == tool))
    }
}
