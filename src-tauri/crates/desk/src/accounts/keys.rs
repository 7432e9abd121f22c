//! The keys of profiles: where each comes from, and how it gets into the keyring. A key exists only in memory and in
//! the keyring; the settings store its last four characters.

use kernel::{BUILT_IN, Code, Form, Phrase, form, phrase};
use models::providers;
use secrecy::{ExposeSecret, SecretString};
use tools::{KeyNeed, offered_tools};

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::profile_card::{find, is_of_service};
use crate::api::{Named, Nothing, ProfileCard, ProviderCard, Providers, SaveKey, SavedKey};

/// The last four characters would reveal too much of a shorter key.
const SHORTEST_SHOWN_KEY: usize = 12;
/// Longest key, in bytes. No provider uses longer ones.
const LONGEST_KEY: usize = 4096;

/// The provider and address that a key is valid for; it is never sent to others.
fn purpose(card: &ProfileCard) -> String {
    format!("{} {}", card.provider, card.base_url).trim_end().to_owned()
}

/// The name of the keyring entry for a profile. It is new each time that a key is saved, so that no process overwrites
/// the entry of another one, and it contains the purpose, so that changed settings cannot send the key elsewhere.
fn entry(card: &ProfileCard) -> Option<String> {
    (!card.key_id.is_empty()).then(|| format!("{} ({}) for {}", card.name, card.key_id, purpose(card)))
}

/// The key that was entered for this session.
pub(crate) fn session_key(vault: &vault::Vault, card: &ProfileCard) -> Option<SecretString> {
    vault.session_key(&card.name, &purpose(card))
}

/// The key in an environment variable, if it is set.
pub(crate) fn key_in(variable: &str) -> Option<SecretString> {
    let key = std::env::var(variable).ok().filter(|key| !key.trim().is_empty())?;
    Some(SecretString::from(key.trim().to_owned()))
}

/// The key of a profile: the one of this session, else from its environment variable, else from the keyring. `None` for
/// a profile without a key.
pub(crate) async fn of_profile(
    vault: &vault::Vault,
    card: &ProfileCard,
) -> Result<Option<SecretString>, ApiError> {
    if let Some(key) = session_key(vault, card) {
        return Ok(Some(key));
    }
    if let Some(why) = missing(vault, card) {
        return Err(ApiError::new(Code::KeyUnavailable, why));
    }
    if !card.key_env.is_empty() {
        return Ok(key_in(&card.key_env));
    }
    let key = match entry(card) {
        Some(entry) => vault.read(&entry).await.map_err(|error| of(&card.name, error))?,
        // A profile without a key must not open a prompt of the keyring.
        None => None,
    };
    if key.is_none() && !card.last_four.is_empty() {
        return Err(ApiError::new(Code::KeyUnavailable, no_key(card)));
    }
    Ok(key)
}

/// Why the key of a profile is missing, as far as that is known without asking the keyring. `None` when it is there or
/// not needed.
pub(crate) fn missing(vault: &vault::Vault, card: &ProfileCard) -> Option<Phrase> {
    if session_key(vault, card).is_some() {
        return None;
    }
    if !card.key_env.is_empty() {
        let is_missing = key_in(&card.key_env).is_none();
        return is_missing.then(|| {
            phrase!(
                "The environment variable `{variable}`, where profile `{name}` finds its key, is not set; set it and try again",
                variable = card.key_env,
                name = card.name
            )
        });
    }
    let of = |provider: ProviderCard| provider.id == card.provider && provider.needs_key;
    let needs_key = of_models().chain(of_services()).any(of);
    (needs_key && card.last_four.is_empty()).then(|| no_key(card))
}

fn no_key(card: &ProfileCard) -> Phrase {
    phrase!(
        "Profile `{name}` has no key here. Open the profile and save one, or `galley profile add {name} … --key-stdin`",
        name = card.name
    )
}

fn of(profile: &str, error: ApiError) -> ApiError {
    let what = phrase!("The key of profile `{profile}` cannot be read.", profile);
    let why = (*error.phrase).clone();
    error.reworded(Phrase::sentences([what, why]))
}

fn of_models() -> impl Iterator<Item = ProviderCard> {
    providers().into_iter().map(|provider| ProviderCard {
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
        is_of_service: false,
    })
}

fn of_services() -> impl Iterator<Item = ProviderCard> {
    let keyed = offered_tools().filter(|source| source.key != KeyNeed::None);
    let services = keyed.flat_map(|source| source.services.iter().map(move |service| (source, service)));
    services.filter(|(_, service)| is_of_service(service.name)).map(|(source, service)| ProviderCard {
        id: service.name.to_owned(),
        title: service.title.to_owned(),
        needs_key: source.key == KeyNeed::Required,
        key_page: source.key_page.to_owned(),
        base_url: service.base_url.to_owned(),
        is_of_service: true,
        ..ProviderCard::default()
    })
}

impl AccountService {
    pub(crate) async fn list_providers(&self, _: Nothing) -> Result<Providers, ApiError> {
        // Asks only whether an entry exists, which needs no unlocking.
        let state = self.vault.state().await;
        Ok(Providers {
            providers: of_models().chain(of_services()).collect(),
            keyring: vault::KEYRING.to_owned(),
            keyring_error: state.err().map(|error| *error.phrase),
        })
    }

    pub(crate) async fn save_key(&self, request: SaveKey) -> Result<SavedKey, ApiError> {
        let card = find(&self.settings, &request.profile)?;
        let Some(Typed { secret, last_four }) = typed(&card, &request.key)? else {
            let message = phrase!("The key is empty; paste it as the provider shows it");
            return Err(ApiError::new(Code::BadInput, message));
        };
        if request.for_session {
            set_session_key(&self.vault, &card, secret);
        } else {
            self.keep_key(card, &last_four, secret).await?;
        }
        Ok(SavedKey { last_four })
    }

    /// Stores a key in the keyring and links its profile to it, unless the profile changed while the keyring waited for
    /// the person.
    async fn keep_key(
        &self,
        card: ProfileCard,
        last_four: &str,
        secret: SecretString,
    ) -> Result<(), ApiError> {
        let (vault, settings) = (&self.vault, &self.settings);
        let before = session_key(vault, &card);
        let kept = keep(vault, &card, Typed { secret, last_four: last_four.to_owned() }).await?;
        let with_key = |card: ProfileCard| ProfileCard {
            last_four: kept.last_four.clone(),
            key_id: kept.key_id.clone(),
            key_env: String::new(),
            tested: None,
            ..card
        };
        let led = settings.change_profile(&card.name, |now| {
            if purpose(&now) == purpose(&card) {
                return Ok(with_key(now));
            }
            let message = phrase!("Profile `{name}` was changed while its key was being saved, so the key was not kept; look at the profile and save the key again", name = card.name);
            Err(ApiError::new(Code::Busy, message))
        });
        let former = match led {
            Ok(former) => former,
            Err(error) => {
                forget_kept(vault, &kept).await?;
                return Err(error);
            }
        };
        // A key that was entered for this session meanwhile is newer.
        if same(before.as_ref(), session_key(vault, &card).as_ref()) {
            vault.remove_session_key(&card.name);
        }
        forget_former(vault, &former).await;
        Ok(())
    }

    pub(crate) async fn forget_key(&self, named: Named) -> Result<Nothing, ApiError> {
        let card = find(&self.settings, &named.name)?;
        // The person removed the key here, even if the keyring still holds one.
        self.vault.remove_session_key(&card.name);
        forget(&self.vault, &card).await?;
        self.settings.change_profile(&card.name, |now| {
            let is_new = now.key_id != card.key_id;
            Ok(if is_new {
                now
            } else {
                ProfileCard { last_four: String::new(), key_id: String::new(), ..now }
            })
        })?;
        Ok(Nothing {})
    }
}

/// A key as it was entered, and its last characters.
pub(crate) struct Typed {
    pub(crate) secret: SecretString,
    pub(crate) last_four: String,
}

/// The key that was entered for a profile; `None` for an empty text.
pub(crate) fn typed(card: &ProfileCard, text: &str) -> Result<Option<Typed>, ApiError> {
    let refused = |message: Form| Err(ApiError::new(Code::BadInput, message));
    // Pasted text often includes a line break or a blank.
    let key = text.trim();
    if key.is_empty() {
        return Ok(None);
    }
    if card.name == BUILT_IN || card.provider == BUILT_IN {
        return refused(form!("A built-in profile asks nobody, so it needs no key"));
    }
    if key.len() > LONGEST_KEY || key.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return refused(form!(
            "This is no key: it holds blanks, line breaks or is too long; paste only the key"
        ));
    }
    let secret = SecretString::from(key.to_owned());
    Ok(Some(Typed { last_four: last_four(&secret), secret }))
}

/// The last four characters of a key; empty for a short key.
pub(crate) fn last_four(key: &SecretString) -> String {
    let key = key.expose_secret();
    let count = key.chars().count();
    if count < SHORTEST_SHOWN_KEY { "····".to_owned() } else { key.chars().skip(count - 4).collect() }
}

/// Sets the key of a profile for this session.
pub(crate) fn set_session_key(vault: &vault::Vault, card: &ProfileCard, secret: SecretString) {
    vault.set_session_key(&card.name, &purpose(card), secret);
}

/// Stores a key in the keyring for a profile; returns the profile with the reference to it. Where the keyring fails,
/// nothing changes.
pub(crate) async fn keep(
    vault: &vault::Vault,
    card: &ProfileCard,
    typed: Typed,
) -> Result<ProfileCard, ApiError> {
    let key_id = uuid::Uuid::new_v4().simple().to_string();
    let kept = ProfileCard { last_four: typed.last_four, key_id, ..card.clone() };
    vault.keep(&entry(&kept).unwrap_or_default(), typed.secret).await?;
    Ok(kept)
}

/// Removes a key from the keyring that no profile refers to.
pub(crate) async fn forget_kept(vault: &vault::Vault, kept: &ProfileCard) -> Result<(), ApiError> {
    vault.forget(&entry(kept).unwrap_or_default()).await
}

/// Removes a key that was replaced. A failure is only logged.
pub(crate) async fn forget_former(vault: &vault::Vault, former: &ProfileCard) {
    if let Some(former) = entry(former)
        && let Err(error) = vault.forget(&former).await
    {
        tracing::warn!(%error, entry = former, "the former key stays in the keyring; nobody uses it");
    }
}

/// Removes a profile's key from keyring and memory. The keyring is asked only where it holds a key; where it fails, the
/// key of this session stays too.
pub(crate) async fn forget(vault: &vault::Vault, card: &ProfileCard) -> Result<(), ApiError> {
    if let Some(entry) = entry(card) {
        vault.forget(&entry).await?;
    }
    vault.remove_session_key(&card.name);
    Ok(())
}

/// Whether two keys are equal.
pub(crate) fn same(a: Option<&SecretString>, b: Option<&SecretString>) -> bool {
    a.map(ExposeSecret::expose_secret) == b.map(ExposeSecret::expose_secret)
}
