//! The secret values of tool servers, in the keyring or in memory until the program ends, and their sign-ins, in the
//! keyring.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use kernel::{Code, Hash, phrase};
use mcp::{Given, ServerConfig};
use secrecy::SecretString;
use vault::Vault;

use crate::ApiError;

/// The secret values of servers. An entry belongs to a server, a variable, and the started program or address: a change
/// of these loses the value.
pub(crate) struct ServerValues {
    pub(crate) vault: Arc<Vault>,
}

#[async_trait]
impl mcp::Keyring for ServerValues {
    async fn value(&self, server: &str, config: &ServerConfig, name: &str) -> Result<SecretString, ApiError> {
        let (entry, purpose) = (entry(server, name), purpose(config));
        if let Some(value) = self.vault.session_key(&entry, &purpose) {
            return Ok(value);
        }
        self.vault.read(&format!("{entry} for {purpose}")).await?.ok_or_else(|| {
            let message = phrase!(
                "`{variable}` of the tool server `{server}` is not kept for this command or address; save it again",
                variable = name,
                server
            );
            ApiError::new(Code::KeyUnavailable, message)
        })
    }

    async fn sign_in(&self, entry: &str) -> Result<Option<SecretString>, ApiError> {
        self.vault.read_again(entry).await
    }

    async fn keep_sign_in(&self, entry: &str, kept: Option<SecretString>) -> Result<(), ApiError> {
        match kept {
            Some(kept) => self.vault.keep(entry, kept).await,
            None => self.vault.forget(entry).await,
        }
    }

    fn longest_entry(&self) -> Option<usize> {
        // The Credential Manager of Windows stores at most 2,560 bytes of UTF-16.
        cfg!(windows).then_some(1200)
    }
}

pub(crate) fn entry(server: &str, name: &str) -> String {
    format!("tool server {server}: {name}")
}

/// The purpose of a value: the started program or the address, with its other settings.
pub(crate) fn purpose(config: &ServerConfig) -> String {
    let ServerConfig { command, args, folder, url, env, .. } = config;
    let others: BTreeMap<_, _> = env.iter().filter(|(_, from)| !matches!(from, Given::Kept { .. })).collect();
    let whole = serde_json::to_string(&(command, args, folder, url, others)).unwrap_or_default();
    let shown = url.as_deref().or(command.as_deref()).unwrap_or_default();
    format!("{shown} ({})", Hash::of(whole.as_bytes()).0)
}
