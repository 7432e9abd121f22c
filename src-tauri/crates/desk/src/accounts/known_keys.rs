//! All keys that the program knows, to redact them in exports: a person may have typed one into a text, or a page may
//! have contained it.

use models::providers;
use redact::Redactor;
use secrecy::SecretString;
use tools::offered_tools;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::keys::{self, key_in};

impl AccountService {
    /// Redactors for the keys of all profiles and services, and of the environment variables that they name. A key that
    /// the keyring does not return is not included.
    pub(crate) async fn redactors(&self) -> Result<Vec<Redactor>, ApiError> {
        let mut known: Vec<SecretString> = Vec::new();
        for card in self.settings.profiles()? {
            match keys::of_profile(&self.vault, &card).await {
                Ok(key) => known.extend(key),
                Err(error) => {
                    tracing::warn!(%error, profile = card.name, "a key that is not to be had is not looked for in an export");
                }
            }
        }
        for service in offered_tools().flat_map(|source| source.services) {
            let variable = self.settings.get(&format!("services.{}.key_env", service.name))?;
            known.extend(key_in(&variable));
        }
        known.extend(providers().iter().filter_map(|provider| key_in(provider.key_variable)));
        Ok(known.iter().map(|key| Redactor::of(Some(key))).collect())
    }
}
