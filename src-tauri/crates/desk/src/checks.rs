//! What is refused before it is written into the settings, whether a person sets it or a file brings it.

use kernel::{BUILT_IN, Code};

use crate::ApiError;
use crate::api::{ProfileCard, Setting};
use crate::profiles::{find, is_of_service, reachable, refuse_service};
use crate::services::allowed_in;
use crate::settings::Settings;

const NO_VARIABLE: &str = "The name of the environment variable may hold letters, digits and _ only; give the variable's name, never the key";

/// Refuses a profile that could not be used. `brought` are profiles that come with it.
pub(crate) fn refuse_profile(
    settings: &Settings,
    card: &ProfileCard,
    brought: &[ProfileCard],
) -> Result<(), ApiError> {
    let is_name = |text: &str| {
        !text.is_empty() && text.len() <= 60 && text.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
    };
    if !is_name(&card.name) || card.name == BUILT_IN {
        let message = format!("`{}` cannot be a profile's name; use letters, digits, - and _", card.name);
        return Err(ApiError::new(Code::BadInput, message));
    }
    if !is_variable(&card.key_env) {
        // The text may be a key given by mistake: it is not repeated.
        return Err(ApiError::new(Code::BadInput, NO_VARIABLE));
    }
    // Whatever cannot be connected to is refused here, not in the middle of a run.
    if is_of_service(&card.provider) {
        refuse_address(&card.base_url)?;
    } else if card.provider != BUILT_IN {
        models::connect(reachable(card))?;
    }
    if !card.fallback.is_empty() && card.fallback == card.name {
        let message =
            format!("Profile `{}` cannot stand in for itself; name another profile, or none", card.name);
        return Err(ApiError::new(Code::BadInput, message));
    }
    if !card.fallback.is_empty() {
        can_stand_in(card, &find_among(settings, &card.fallback, brought)?)?;
    }
    crate::definitions::checked_limits(&card.limits)?;
    Ok(())
}

/// Refuses a setting that would mean nothing. `brought` are profiles that come with it.
pub(crate) fn refuse_setting(
    settings: &Settings,
    setting: &Setting,
    brought: &[ProfileCard],
) -> Result<(), ApiError> {
    match setting.key.as_str() {
        key if !setting.value.is_empty()
            && (key == "default_profile" || (key.starts_with("pipelines.") && key.ends_with(".profile"))) =>
        {
            refuse_service(&find_among(settings, &setting.value, brought)?)
        }
        "default_source" if !setting.value.is_empty() => {
            crate::definitions::search_source(&setting.value).map(|_| ())
        }
        // The text may be a key given by mistake: it is not repeated.
        key if key.starts_with("services.") && key.ends_with(".key_env") && !is_variable(&setting.value) => {
            Err(ApiError::new(Code::BadInput, NO_VARIABLE))
        }
        key if key.starts_with("services.") && key.ends_with(".base_url") => refuse_address(&setting.value),
        "net.allow" => allowed_in(&setting.value).try_for_each(refuse_address),
        key if key.starts_with("services.") && key.ends_with(".profile") && !setting.value.is_empty() => {
            // Between the two stands the service's name, which holds no dot.
            let service = key.split('.').nth(1).unwrap_or_default();
            refuse_stranger(&find_among(settings, &setting.value, brought)?, service)
        }
        key if key.starts_with("updates.") => crate::updates::refuse_setting(setting),
        _ => Ok(()),
    }
}

/// Refuses a profile of anybody but a service: a key goes to nobody but who gave it out.
pub(crate) fn refuse_stranger(card: &ProfileCard, service: &str) -> Result<(), ApiError> {
    if card.provider == service {
        return Ok(());
    }
    let message = format!(
        "Profile `{}` is of `{}`, so its key is not for `{service}`; name a profile of `{service}`",
        card.name, card.provider
    );
    Err(ApiError::new(Code::BadInput, message))
}

fn find_among(settings: &Settings, name: &str, brought: &[ProfileCard]) -> Result<ProfileCard, ApiError> {
    match brought.iter().find(|card| card.name == name) {
        Some(card) => Ok(card.clone()),
        None => find(settings, name),
    }
}

/// Whether a text can be the name of an environment variable; empty names none.
fn is_variable(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a profile can stand in for another: a service for the same service, models for models.
fn can_stand_in(card: &ProfileCard, other: &ProfileCard) -> Result<(), ApiError> {
    let is_service = [card, other].map(|card| is_of_service(&card.provider));
    if is_service == [false, false] || card.provider == other.provider {
        return Ok(());
    }
    let message = format!(
        "Profile `{}` is of `{}` and cannot stand in for one of `{}`; name a profile of `{2}`",
        other.name, other.provider, card.provider
    );
    Err(ApiError::new(Code::BadInput, message))
}

/// Refuses what is no address of the web, and one with a name, a password or what looks like a key in it, without
/// repeating it. Empty names none.
pub(crate) fn refuse_address(address: &str) -> Result<(), ApiError> {
    let address = address.trim();
    if address.is_empty() {
        return Ok(());
    }
    let refused = |message: &str| Err(ApiError::new(Code::BadInput, message));
    match net::Url::parse(address) {
        Ok(url) if models::carries_secret(&url) => refused(
            "The address carries a name, a password, a key or a part behind #; keep it out of the address, and give a key as the service's",
        ),
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        _ => refused("This is no address of the web; it should look like http://127.0.0.1:8080"),
    }
}
