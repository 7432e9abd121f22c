//! Keys of profiles: where each comes from, and how it gets into the keyring. A key is in memory and in the keyring,
//! nowhere else; the settings remember its last four characters only.

use kernel::{BUILT_IN, Code, Fault};
use models::providers;
use secrecy::{ExposeSecret, SecretString};
use vault::Slot;

use crate::api::{Named, Nothing, ProfileCard, ProviderCard, Providers, SaveKey, SavedKey, Setting};
use crate::profiles::find;
use crate::settings::Settings;
use crate::{ApiError, Desk};

/// The setting that holds this data folder's id.
const KEYRING_ID: &str = "keyring_id";
/// A key shorter than this would be half told by its last four characters.
const TELLING: usize = 12;
/// No provider's key is longer.
const LONGEST_KEY: usize = 4096;

/// The name of a profile's entry in the keyring; `None` while this data folder has no entry there.
fn entry(settings: &Settings, profile: &str) -> Result<Option<String>, ApiError> {
    let id = settings.get(KEYRING_ID)?;
    Ok((!id.is_empty()).then(|| format!("{profile} ({id})")))
}

/// Where the key of a profile lies, and for what it was given: another provider or address has no part in it, nor has
/// a profile whose key another program saved anew. `None` while this data folder has no entry in the keyring.
fn slot(settings: &Settings, card: &ProfileCard) -> Result<Option<Slot>, ApiError> {
    let purpose = format!("{}\n{}\n{}", card.provider, card.base_url, card.last_four);
    Ok(entry(settings, &card.name)?.map(|entry| Slot { entry, purpose }))
}

/// The same, and from now on this data folder has an id by which its entries are told from another folder's.
fn new_slot(settings: &Settings, card: &ProfileCard) -> Result<Slot, ApiError> {
    loop {
        if let Some(slot) = slot(settings, card)? {
            return Ok(slot);
        }
        let made = uuid::Uuid::new_v4().simple().to_string();
        settings.set(&Setting { key: KEYRING_ID.into(), value: made[..8].to_owned() })?;
    }
}

/// The key that an environment variable holds, if it holds one.
pub(crate) fn key_in(variable: &str) -> Option<SecretString> {
    let key = std::env::var(variable).ok().filter(|key| !key.trim().is_empty())?;
    Some(SecretString::from(key.trim().to_owned()))
}

/// The key of a profile: as it was given for this session, else from the variable it names, else as it was saved. `None`
/// for a profile without one.
pub(crate) async fn of_profile(
    vault: &vault::Vault,
    settings: &Settings,
    card: &ProfileCard,
) -> Result<Option<SecretString>, ApiError> {
    let slot = slot(settings, card)?;
    if let Some(key) = slot.as_ref().and_then(|slot| vault.known(slot)) {
        return Ok(Some(key));
    }
    if let Some(why) = missing(vault, settings, card)? {
        return Err(ApiError::new(Code::KeyRefused, why));
    }
    if !card.key_env.is_empty() {
        return Ok(key_in(&card.key_env));
    }
    let key = match slot {
        // The keyring is asked only for what it is known to hold: a profile without a key costs no prompt.
        Some(slot) if !card.last_four.is_empty() => {
            vault.read(&slot).await.map_err(|fault| of(&card.name, fault))?
        }
        _ => None,
    };
    if key.is_none() && !card.last_four.is_empty() {
        return Err(ApiError::new(Code::KeyRefused, no_key(card)));
    }
    Ok(key)
}

/// Why the key of a profile is not to be had, as far as that is known without asking the keyring. Nothing when it is, or
/// when the profile works without one.
pub(crate) fn missing(
    vault: &vault::Vault,
    settings: &Settings,
    card: &ProfileCard,
) -> Result<Option<String>, ApiError> {
    if slot(settings, card)?.is_some_and(|slot| vault.known(&slot).is_some()) {
        return Ok(None);
    }
    if !card.key_env.is_empty() {
        let is_missing = key_in(&card.key_env).is_none();
        return Ok(is_missing.then(|| {
            format!(
                "The environment variable `{}`, where profile `{}` finds its key, is not set; set it and try again",
                card.key_env, card.name
            )
        }));
    }
    let needs_key = providers().iter().any(|provider| provider.id == card.provider && provider.needs_key);
    Ok((needs_key && card.last_four.is_empty()).then(|| no_key(card)))
}

fn no_key(card: &ProfileCard) -> String {
    format!(
        "Profile `{0}` has no key here. Open the profile and save one, or `galley profile add {0} … --key-stdin`",
        card.name
    )
}

fn of(profile: &str, fault: Fault) -> ApiError {
    Fault { message: format!("The key of profile `{profile}` cannot be read. {}", fault.message), ..fault }
}

impl Desk {
    pub(crate) async fn list_providers(&self, _: Nothing) -> Result<Providers, ApiError> {
        let cards = providers().into_iter().map(|provider| ProviderCard {
            id: provider.id.to_owned(),
            title: provider.title.to_owned(),
            needs_key: provider.needs_key,
            key_page: provider.key_page.to_owned(),
            key_variable: provider.key_variable.to_owned(),
            is_key_found: std::env::var_os(provider.key_variable).is_some_and(|key| !key.is_empty()),
            base_url: provider.default_base_url.unwrap_or_default().to_owned(),
            models: provider
                .models
                .iter()
                .map(|(role, model)| ((*role).to_owned(), (*model).to_owned()))
                .collect(),
        });
        // Only what the keyring does not hold is asked for: that needs no unlocking.
        let keyring_fault =
            self.inner.vault.state().await.err().map_or_else(String::new, |fault| fault.message);
        Ok(Providers { providers: cards.collect(), keyring: vault::KEYRING.to_owned(), keyring_fault })
    }

    pub(crate) async fn save_key(&self, request: SaveKey) -> Result<SavedKey, ApiError> {
        let card = find(&self.inner.settings, &request.profile)?;
        let refused = |message: &str| Err(ApiError::new(Code::BadInput, message));
        if card.name == BUILT_IN || card.provider == BUILT_IN {
            return refused("A built-in profile asks nobody, so it needs no key");
        }
        // What is pasted often carries a line break or a blank with it.
        let key = request.key.trim();
        if key.is_empty() {
            return refused("The key is empty; paste it as the provider shows it");
        }
        if key.len() > LONGEST_KEY || key.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return refused(
                "This is no key: it holds blanks, line breaks or is too long; paste only the key",
            );
        }
        let count = key.chars().count();
        let shown: String = key.chars().skip(count.saturating_sub(4)).collect();
        let last_four = if count < TELLING { "····".to_owned() } else { shown };
        let secret = SecretString::from(key.to_owned());
        if request.for_session {
            self.inner.vault.keep_for_session(&new_slot(&self.inner.settings, &card)?, secret);
        } else {
            let kept = |card: ProfileCard| ProfileCard {
                last_four: last_four.clone(),
                key_env: String::new(),
                tested: String::new(),
                ..card
            };
            let slot = new_slot(&self.inner.settings, &kept(card.clone()))?;
            self.inner.vault.keep(&slot, secret).await?;
            // The person may have thought for a while before the keyring took it.
            let now = find(&self.inner.settings, &card.name).ok();
            let is_same =
                |now: &ProfileCard| (&now.provider, &now.base_url) == (&card.provider, &card.base_url);
            let Some(now) = now.filter(is_same) else {
                self.inner.vault.take_back(&slot).await?;
                let message = format!(
                    "Profile `{}` was changed while its key was being saved, so the key was not kept; look at the profile and save the key again",
                    card.name
                );
                return Err(ApiError::new(Code::Busy, message));
            };
            self.inner.settings.set_profile(&now.name, Some(&kept(now.clone())))?;
        }
        Ok(SavedKey { last_four })
    }

    pub(crate) async fn forget_key(&self, named: Named) -> Result<Nothing, ApiError> {
        let card = find(&self.inner.settings, &named.name)?;
        // A keyring that holds nothing is not asked.
        if card.last_four.is_empty() {
            return Ok(Nothing {});
        }
        forget(&self.inner.vault, &self.inner.settings, &card.name).await?;
        let card = ProfileCard { last_four: String::new(), ..find(&self.inner.settings, &named.name)? };
        self.inner.settings.set_profile(&card.name, Some(&card))?;
        Ok(Nothing {})
    }
}

/// Removes a profile's key from keyring and memory.
pub(crate) async fn forget(vault: &vault::Vault, settings: &Settings, profile: &str) -> Result<(), ApiError> {
    match entry(settings, profile)? {
        Some(entry) => vault.forget(&entry).await,
        None => Ok(()),
    }
}

/// Whether two keys are the same, without telling either.
pub(crate) fn same(a: Option<&SecretString>, b: Option<&SecretString>) -> bool {
    a.map(ExposeSecret::expose_secret) == b.map(ExposeSecret::expose_secret)
}
