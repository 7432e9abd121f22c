//! The storage of one sign-in in the keyring: one entry, or several when it is too long for one.

use std::path::Path;
use std::sync::Arc;

use kernel::{Error, Hash};
use reqwest::Url;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use super::errors::keyring_needed;
use crate::keyring::Keyring;

/// The entry of a server at an address, for one data folder.
pub(crate) struct KeyringEntry {
    keyring: Arc<dyn Keyring>,
    server: String,
    name: String,
}

/// The content of the main entry when the text is split: the names of the other entries in order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    parts: Vec<String>,
}

impl KeyringEntry {
    /// Each data folder has its own sign-ins, because it has its own lock for renewals.
    pub(crate) fn new(
        keyring: &Arc<dyn Keyring>,
        server: &str,
        address: &Url,
        folder: &Path,
    ) -> KeyringEntry {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let folder = Hash::of(folder.as_os_str().as_encoded_bytes()).0;
        let name = format!("sign-in at tool server {server} for {address} ({folder})");
        KeyringEntry { keyring: keyring.clone(), server: server.to_owned(), name }
    }

    /// The stored text; `None` when a part is missing.
    ///
    /// # Errors
    /// `key_unavailable`.
    pub(crate) async fn read(&self) -> Result<Option<SecretString>, Error> {
        let Some(text) = self.get(&self.name).await? else { return Ok(None) };
        let Some(parts) = parts_of(&text) else { return Ok(Some(text)) };
        let mut whole = String::new();
        for part in parts {
            let Some(text) = self.get(&part).await? else { return Ok(None) };
            whole.push_str(text.expose_secret());
        }
        Ok(Some(whole.into()))
    }

    /// Stores this text while holding the lock, or removes it. When it fails, the previous text stays.
    ///
    /// # Errors
    /// `key_unavailable`.
    pub(crate) async fn write(&self, kept: Option<SecretString>) -> Result<(), Error> {
        let Some(longest) = self.keyring.longest_entry() else { return self.set(&self.name, kept).await };
        let former = self.get(&self.name).await?.and_then(|text| parts_of(&text)).unwrap_or_default();
        let mut parts = Vec::new();
        let written = async {
            let Some(text) = kept.as_ref().filter(|text| text.expose_secret().chars().count() > longest)
            else {
                return self.set(&self.name, kept).await;
            };
            let signs: Vec<char> = text.expose_secret().chars().collect();
            for part in signs.chunks(longest) {
                parts.push(format!("{} {}", self.name, engine::new_id()));
                let name = parts.last().unwrap_or(&self.name);
                self.set(name, Some(part.iter().collect::<String>().into())).await?;
            }
            let names = serde_json::to_string(&Parts { parts: parts.clone() }).unwrap_or_default();
            self.set(&self.name, Some(names.into())).await
        };
        let written = written.await;
        for part in if written.is_ok() { former } else { parts } {
            if let Err(error) = self.set(&part, None).await {
                tracing::warn!(server = self.server, %error, "a part of a former sign-in stays in the keyring");
            }
        }
        written
    }

    async fn get(&self, name: &str) -> Result<Option<SecretString>, Error> {
        self.keyring.sign_in(name).await.map_err(|error| keyring_needed(&self.server, error))
    }

    async fn set(&self, name: &str, kept: Option<SecretString>) -> Result<(), Error> {
        let done = self.keyring.keep_sign_in(name, kept).await;
        done.map_err(|error| keyring_needed(&self.server, error))
    }
}

fn parts_of(text: &SecretString) -> Option<Vec<String>> {
    serde_json::from_str(text.expose_secret()).ok().map(|Parts { parts }| parts)
}
