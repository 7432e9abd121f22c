//! Checks of settings and profiles before they are saved, from the person or from a file.

use std::collections::BTreeMap;

use kernel::{BUILT_IN, Code, Form, LimitName, OnFailure, form, phrase};

use crate::ApiError;
use crate::accounts::keys::key_in;
use crate::accounts::profile_card::{find, is_of_service, reachable, refuse_service, refuse_stranger};
use crate::accounts::services::search_source;
use crate::api::{ProfileCard, Setting};
use crate::program::logging::is_level;
use crate::settings::{
    BROWSER, DISK_WAIT, KEEP_AWAKE, LOG_LEVEL, OTLP_URL, Settings, UPDATES_ADDRESS, UPDATES_CHANNEL,
    UPDATES_CHECK, addresses_in, seconds,
};

const NO_VARIABLE: Form = form!(
    "The name of the environment variable may hold letters, digits and _ only and begins with no digit; give the variable's name, never the key"
);
const NOT_SET: Form = form!(
    "No environment variable of this name is set; set it, start Galley again and give the variable's name, never the key"
);

/// Refuses a profile that could not be used. `brought` are the other profiles of the same import.
pub(crate) fn refuse_profile(
    settings: &Settings,
    card: &ProfileCard,
    brought: &[ProfileCard],
) -> Result<(), ApiError> {
    let is_name = |text: &str| {
        !text.is_empty() && text.len() <= 60 && text.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
    };
    if !is_name(&card.name) || card.name == BUILT_IN {
        let message =
            phrase!("`{name}` cannot be a profile's name; use letters, digits, - and _", name = card.name);
        return Err(ApiError::new(Code::BadInput, message));
    }
    let known = settings.profiles()?.into_iter().find(|known| known.name == card.name);
    refuse_variable(&card.key_env, &known.unwrap_or_default().key_env)?;
    // An address that cannot be connected to is refused here, not in the middle of a run.
    if is_of_service(&card.provider) {
        refuse_address(&card.base_url)?;
    } else if card.provider != BUILT_IN {
        models::connect(reachable(card))?;
    }
    if !card.fallback.is_empty() && card.fallback == card.name {
        let message = phrase!(
            "Profile `{name}` cannot stand in for itself; name another profile, or none",
            name = card.name
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    if !card.fallback.is_empty() {
        can_stand_in(card, &find_among(settings, &card.fallback, brought)?)?;
    }
    checked_limits(card.limits.iter())?;
    Ok(())
}

/// Parses what happens when a model fails for good, from a setting or an argument.
///
/// # Errors
/// [`Code::BadInput`] names the choices.
pub fn on_failure(name: &str) -> Result<OnFailure, ApiError> {
    match name {
        "" | "ask" => Ok(OnFailure::Ask),
        BUILT_IN => Ok(OnFailure::BuiltIn),
        name => Err(ApiError::new(
            Code::BadInput,
            phrase!(
                "`{name}` is no fallback; choose `{built_in}`, which does a stage without a model, or `ask`",
                name,
                built_in = BUILT_IN
            ),
        )),
    }
}

/// The profile without limits of `nan` or `inf`, which JSON cannot hold and with which a run is refused.
pub(crate) fn with_finite_limits(mut card: ProfileCard) -> ProfileCard {
    card.limits.retain(|_, limit| limit.is_finite());
    card
}

/// Refuses a setting that would have no effect. `brought` are the profiles of the same import.
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
        LOG_LEVEL if !setting.value.is_empty() && !is_level(&setting.value) => Err(ApiError::new(
            Code::BadInput,
            phrase!(
                "`{value}` is no level of a log; set error, warn, info, debug or trace, or CRATE=LEVEL,…; nothing for no log",
                value = setting.value
            ),
        )),
        "decide_issues" | BROWSER | KEEP_AWAKE
            if !matches!(setting.value.as_str(), "" | "true" | "false") =>
        {
            Err(ApiError::new(
                Code::BadInput,
                phrase!("`{value}` is not `true` or `false`", value = setting.value),
            ))
        }
        "default_fallback" => on_failure(&setting.value).map(|_| ()),
        "default_source" if !setting.value.is_empty() => search_source(&setting.value).map(|_| ()),
        key if key.starts_with("services.") && key.ends_with(".key_env") => {
            refuse_variable(&setting.value, &settings.get(key)?)
        }
        key if key.starts_with("services.") && key.ends_with(".base_url") => refuse_address(&setting.value),
        "net.contact" if !net::is_contact(&setting.value) => Err(ApiError::new(
            Code::BadInput,
            phrase!(
                "`{value}` is no contact address; give an e-mail address or a URL, in letters from a to z, without spaces and brackets, or nothing",
                value = setting.value
            ),
        )),
        OTLP_URL => refuse_address(&setting.value),
        "net.allow" => addresses_in(&setting.value).try_for_each(refuse_address),
        key if key.starts_with("services.") && key.ends_with(".profile") && !setting.value.is_empty() => {
            // The middle part is the service's name, which contains no dot.
            let service = key.split('.').nth(1).unwrap_or_default();
            refuse_stranger(&find_among(settings, &setting.value, brought)?, service)
        }
        DISK_WAIT if !setting.value.is_empty() => seconds(&setting.value).map(drop),
        key if key.starts_with("updates.") => refuse_update_setting(setting),
        _ => Ok(()),
    }
}

fn find_among(settings: &Settings, name: &str, brought: &[ProfileCard]) -> Result<ProfileCard, ApiError> {
    match brought.iter().find(|card| card.name == name) {
        Some(card) => Ok(card.clone()),
        None => find(settings, name),
    }
}

/// Refuses a value that does not name an environment variable which is set. The message does not repeat it, because it
/// may be a key that was entered by mistake. Empty removes the setting; the present value `kept` may stay.
fn refuse_variable(name: &str, kept: &str) -> Result<(), ApiError> {
    if name.is_empty() || name == kept {
        return Ok(());
    }
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match (is_name, is_name && key_in(name).is_some()) {
        (false, _) => Err(ApiError::new(Code::BadInput, NO_VARIABLE)),
        (true, false) => Err(ApiError::new(Code::BadInput, NOT_SET)),
        (true, true) => Ok(()),
    }
}

/// Checks that one profile can replace another: a service for the same service, models for models.
fn can_stand_in(card: &ProfileCard, other: &ProfileCard) -> Result<(), ApiError> {
    let is_service = [card, other].map(|card| is_of_service(&card.provider));
    if is_service == [false, false] || card.provider == other.provider {
        return Ok(());
    }
    let message = phrase!(
        "Profile `{name}` is of `{provider}` and cannot stand in for one of `{wanted}`; name a profile of `{wanted}`",
        name = other.name,
        provider = other.provider,
        wanted = card.provider
    );
    Err(ApiError::new(Code::BadInput, message))
}

/// Refuses a value that is no web address, or has more than a host and path. The message does not repeat it. Empty
/// removes the setting.
pub(crate) fn refuse_address(address: &str) -> Result<(), ApiError> {
    // The parser would drop line breaks.
    let is_one_line = !address.contains(char::is_control);
    let address = address.trim();
    if address.is_empty() {
        return Ok(());
    }
    let refused = |message: Form| Err(ApiError::new(Code::BadInput, message));
    match net::Url::parse(address) {
        Ok(url) if models::carries_more(&url) => refused(form!(
            "The address carries a name, a password, or a part behind ? or #; keep it out of the address, and give a key as the service's"
        )),
        Ok(url) if is_one_line && matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(()),
        _ => refused(form!("This is no address of the web; it should look like http://127.0.0.1:8080")),
    }
}

/// Refuses changed limits that no run can have; any limit may be lifted.
pub(crate) fn checked_changes(limits: &BTreeMap<LimitName, Option<f64>>) -> Result<(), ApiError> {
    checked_limits(limits.iter().filter_map(|(name, value)| Some((name, value.as_ref()?))))
}

/// Refuses a limit that no run can have.
pub(crate) fn checked_limits<'a>(
    limits: impl Iterator<Item = (&'a LimitName, &'a f64)>,
) -> Result<(), ApiError> {
    for (name, value) in limits {
        // Time and money may have fractions; a model needs at least one token to answer.
        let (fits, wanted) = match name {
            LimitName::MaxExecutionTimeS | LimitName::MaxCost => (*value >= 0.0, form!("a number from 0 on")),
            LimitName::MaxOutputTokens => {
                (*value >= 1.0 && value.fract() == 0.0, form!("a whole number from 1 on"))
            }
            LimitName::MaxLlmCalls | LimitName::MaxTotalTokens | LimitName::MaxToolCalls => {
                (*value >= 0.0 && value.fract() == 0.0, form!("a whole number from 0 on"))
            }
        };
        if !fits || !value.is_finite() {
            let message = phrase!(
                "The limit `{limit}` cannot be {value}; give {wanted}",
                limit = name.word(),
                value,
                wanted
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
    }
    Ok(())
}

/// Refuses invalid values of update settings; an empty value restores the default.
fn refuse_update_setting(setting: &Setting) -> Result<(), ApiError> {
    let choices: &[&str] = match setting.key.as_str() {
        UPDATES_CHANNEL => &["stable", "beta"],
        UPDATES_CHECK => &["on", "off"],
        UPDATES_ADDRESS => return refuse_address(&setting.value),
        _ => return Ok(()),
    };
    if setting.value.is_empty() || choices.contains(&setting.value.as_str()) {
        return Ok(());
    }
    let message = phrase!(
        "`{key}` is `{choices}`, not `{value}`",
        key = setting.key,
        choices = choices.join("` or `"),
        value = setting.value
    );
    Err(ApiError::new(Code::BadInput, message))
}
