//! Properties of one profile: its address, its model, and whether it belongs to a service.

use kernel::{BUILT_IN, Code, phrase};
use models::{ProfileAccess, providers};

use crate::ApiError;
use crate::api::ProfileCard;
use crate::settings::{Settings, named};

/// Whether a provider is a search service without models.
pub(crate) fn is_of_service(provider: &str) -> bool {
    let mut services = tools::offered_tools().flat_map(|source| source.services);
    // Gemini is both: it offers models, and it searches.
    services.any(|service| service.name == provider) && !providers().iter().any(|known| known.id == provider)
}

/// The address of a profile's provider.
pub(crate) fn address_of(card: &ProfileCard) -> Option<net::Url> {
    let own = providers().into_iter().find(|provider| provider.id == card.provider);
    let own = own.and_then(|provider| provider.default_base_url).unwrap_or_default();
    if card.base_url.is_empty() { own } else { &card.base_url }.parse().ok()
}

/// The properties of a profile that are needed before its key.
pub(crate) fn reachable(card: &ProfileCard) -> ProfileAccess {
    ProfileAccess {
        profile: card.name.clone(),
        provider: card.provider.clone(),
        base_url: card.base_url.clone(),
        key: None,
    }
}

/// The profile name in agents' settings: every profile of the built-in provider has the same one.
pub(crate) fn asked_as(card: &ProfileCard) -> String {
    if card.provider == BUILT_IN { BUILT_IN.to_owned() } else { card.name.clone() }
}

/// The profile of this name.
pub(crate) fn find(settings: &Settings, name: &str) -> Result<ProfileCard, ApiError> {
    named(settings.profiles()?, name)
}

/// Refuses a profile of a service, which has no models.
pub(crate) fn refuse_service(card: &ProfileCard) -> Result<(), ApiError> {
    if !is_of_service(&card.provider) {
        return Ok(());
    }
    let message = phrase!(
        "Profile `{name}` is of `{provider}`, which is searched and has no models; name a profile of a provider of models",
        name = card.name,
        provider = card.provider
    );
    Err(ApiError::new(Code::BadInput, message))
}

/// The model of a profile for a role: the one for the role, its default, or the provider's.
pub(crate) fn model_for(card: &ProfileCard, role: &str) -> Result<String, ApiError> {
    refuse_service(card)?;
    if card.provider == BUILT_IN {
        return Ok(BUILT_IN.to_owned());
    }
    let of_provider = || {
        let provider = providers().into_iter().find(|provider| provider.id == card.provider)?;
        let find = |wanted: &str| provider.models.iter().find(|(name, _)| *name == wanted);
        find(role).or_else(|| find("default")).map(|(_, model)| (*model).to_owned())
    };
    let own = card.models.get(role).or_else(|| card.models.get("default"));
    own.cloned().or_else(of_provider).ok_or_else(|| {
        let message = phrase!("Profile `{name}` names no model for the role `{role}`; add one: `galley profile add {name} --model default=NAME …`", name = card.name, role);
        ApiError::new(Code::BadInput, message)
    })
}

/// Refuses a profile that does not belong to this service: a key is sent only to the service that issued it.
pub(crate) fn refuse_stranger(card: &ProfileCard, service: &str) -> Result<(), ApiError> {
    if card.provider == service {
        return Ok(());
    }
    let message = phrase!(
        "Profile `{name}` is of `{provider}`, so its key is not for `{service}`; name a profile of `{service}`",
        name = card.name,
        provider = card.provider,
        service
    );
    Err(ApiError::new(Code::BadInput, message))
}
