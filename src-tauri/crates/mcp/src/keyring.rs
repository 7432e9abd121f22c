//! The interface to the keyring for tool servers.

use async_trait::async_trait;
use kernel::Error;
use secrecy::SecretString;

use crate::config::ServerConfig;

/// Provides the user's values in the keyring, and stores the tokens of servers.
#[async_trait]
pub trait Keyring: Send + Sync + 'static {
    /// The value of a variable or header of a server with this configuration.
    ///
    /// # Errors
    /// It is missing, or the keyring is unavailable.
    async fn value(&self, server: &str, config: &ServerConfig, name: &str) -> Result<SecretString, Error>;

    /// The sign-in of an entry, read anew because other processes change it, too.
    ///
    /// # Errors
    /// The keyring is unavailable.
    async fn sign_in(&self, entry: &str) -> Result<Option<SecretString>, Error>;

    /// Stores the sign-in in place of the previous one, or removes it.
    ///
    /// # Errors
    /// The keyring is unavailable.
    async fn keep_sign_in(&self, entry: &str, kept: Option<SecretString>) -> Result<(), Error>;

    /// The most characters of an entry, if the keyring has such a limit.
    fn longest_entry(&self) -> Option<usize> {
        None
    }
}
