//! The address of a queue and the credentials for it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use async_nats::{ConnectOptions, ServerAddr};
use kernel::{Code, Error, phrase};
use secrecy::{ExposeSecret, SecretString};

/// The schemes of an address; the second requires encryption.
const SCHEMES: [&str; 2] = ["nats://", "tls://"];
/// The beginning of a credentials file, which contains a token signed by the server's owner and the matching key.
const CREDENTIALS: &str = "-----BEGIN NATS USER JWT-----";

/// The address of a server, `nats://[USER@]HOST[:PORT]` or `tls://…`.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueAddress {
    text: String,
    server: ServerAddr,
}

impl FromStr for QueueAddress {
    type Err = Error;

    fn from_str(text: &str) -> Result<QueueAddress, Error> {
        let text = text.trim();
        let is_known = SCHEMES.iter().any(|scheme| text.starts_with(scheme));
        let server = text.parse::<ServerAddr>().ok().filter(|server| is_known && !server.host().is_empty());
        let Some(server) = server else {
            let message = phrase!(
                "`{address}` is no address of a queue; write `nats://HOST:PORT`, or `tls://HOST:PORT` for an encrypted one",
                address = text
            );
            return Err(Error::new(Code::BadInput, message));
        };
        if server.password().is_some() {
            let message = phrase!(
                "The address of a queue holds no password: it would stand in the settings. Write `nats://USER@HOST:PORT` and give the password apart"
            );
            return Err(Error::new(Code::BadInput, message));
        }
        Ok(QueueAddress { text: text.to_owned(), server })
    }
}

impl fmt::Display for QueueAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl QueueAddress {
    pub(crate) fn server(&self) -> ServerAddr {
        self.server.clone()
    }

    /// Whether the connection must be encrypted before the secret is sent.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.server.tls_required()
    }

    /// The connection options. The secret is the content of a credentials file, an nkey seed, the password of the
    /// address's user, or a token.
    pub(crate) fn options(
        &self,
        secret: Option<&SecretString>,
        root_certificates: Option<PathBuf>,
    ) -> Result<ConnectOptions, Error> {
        let options = ConnectOptions::new();
        let options = match (secret.map(ExposeSecret::expose_secret), self.server.username()) {
            (None, _) => options,
            (Some(secret), _) if secret.trim_start().starts_with(CREDENTIALS) => {
                options.credentials(secret).map_err(|_| self.refused())?
            }
            (Some(secret), _) if is_seed(secret.trim()) => options.nkey(secret.trim().to_owned()),
            (Some(secret), Some(user)) => options.user_and_password(user.to_owned(), secret.to_owned()),
            (Some(secret), None) => options.token(secret.to_owned()),
        };
        Ok(match root_certificates {
            Some(file) => options.add_root_certificates(file),
            None => options,
        })
    }

    /// The error if the server rejects the secret.
    pub(crate) fn refused(&self) -> Error {
        let message = phrase!(
            "The queue {address} refused the credentials. Save the right ones: `galley queue set {address} --key-stdin`",
            address = self.to_string()
        );
        Error::new(Code::KeyRefused, message)
    }
}

/// Whether this is the seed of a user's nkey.
fn is_seed(secret: &str) -> bool {
    secret.len() == 58
        && secret.starts_with("SU")
        && secret.bytes().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_server_and_an_optional_user_and_never_a_password() {
        for good in ["nats://queue.example:4222", "tls://queue.example", " nats://alice@127.0.0.1:4333 "] {
            assert_eq!(good.parse::<QueueAddress>().unwrap().to_string(), good.trim());
        }
        for bad in
            ["", "queue.example", "http://queue.example", "nats://", "nats://a b", "nats://alice:secret@host"]
        {
            let error = bad.parse::<QueueAddress>().unwrap_err();
            assert_eq!(error.code, Code::BadInput, "{bad}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
