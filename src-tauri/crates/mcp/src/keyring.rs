//! The keyring, as tool servers need it.

use async_trait::async_trait;
use kernel::Error;
use secrecy::SecretString;

use crate::config::ServerConfig;

/// Gives the values that the person keeps in the keyring, and keeps those that servers give.
#[async_trait]
pub trait Keyring: Send + Sync + 'static {
    /// The value of a variable or header of a server that is set up so.
    ///
    /// # Errors
    /// It is not there, or the keyring cannot be used.
    async fn value(&self, server: &str, config: &ServerConfig, name: &str) -> Result<SecretString, Error>;

    /// The sign-in of an entry, as the keyring has it now: other processes change it, too.
    ///
    /// # Errors
    /// The keyring cannot be used.
    async fn sign_in(&self, entry: &str) -> Result<Option<SecretString>, Error>;

    /// Keeps the sign-in in place of the one so far, or removes that.
    ///
    /// # Errors
    /// The keyring cannot be used.
    async fn keep_sign_in(&self, entry: &str, kept: Option<SecretString>) -> Result<(), Error>;

    /// How many characters an entry holds at most, where the keyring has such a limit.
    fn longest_entry(&self) -> Option<usize> {
        None
    }
}
