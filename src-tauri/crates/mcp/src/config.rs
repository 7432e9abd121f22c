//! A tool server as the person set it up. Not here: where that is kept, and the keyring (`desk`).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use kernel::{Code, Error, phrase};
use serde::{Deserialize, Serialize};

/// How long a call may take where the person does not say, in seconds.
const USUAL_TIMEOUT_S: u32 = 60;
/// The longest that the person may allow, in seconds.
const LONGEST_TIMEOUT_S: u32 = 3600;
/// The longest name of a server, in bytes.
const LONGEST_NAME: usize = 40;

/// One tool server: a program of this machine, or an address.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerConfig {
    /// The program that is started; of a server on this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder in which it is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// The address of a server that speaks streamable HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The tools that are offered, by the names that the server gives them; all of them where nothing is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// How long one call may take, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u32>,
    /// Whether it is switched off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_off: bool,
    /// Variables of the environment that the program is given besides those that name the system's places.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, Given>,
    /// Headers of each request to the address.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, Given>,
}

/// Where the value of a variable or a header comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Given {
    /// It stands in the file.
    Text(String),
    /// It is that of a variable of this program's own environment.
    Variable {
        /// The variable.
        env: String,
    },
    /// The keyring has it, by the server and the name of the variable or header.
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

/// Whether a server can be called so.
///
/// # Errors
/// `bad_input`: the name is empty, too long, or has other signs than small letters, digits, `-` and `_`.
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
    /// Whether it can be used.
    ///
    /// # Errors
    /// `bad_input` with what is missing or contradicts itself.
    pub fn check(&self, name: &str) -> Result<(), Error> {
        check_name(name)?;
        self.transport(name)?;
        let seconds = self.timeout_s.unwrap_or(USUAL_TIMEOUT_S);
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

    /// Whether the person set a header for the authorization, so that no sign-in is needed.
    pub fn sets_authorization(&self) -> bool {
        self.headers.keys().any(|header| header.eq_ignore_ascii_case("authorization"))
    }

    /// How long one call may take.
    pub(crate) fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s.unwrap_or(USUAL_TIMEOUT_S).clamp(1, LONGEST_TIMEOUT_S).into())
    }

    /// Whether a tool of this name is offered.
    pub(crate) fn offers(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|chosen| chosen == tool))
    }
}
