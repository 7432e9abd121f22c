//! Profiles of models: where requests go, with which models, and where the key comes from.
//!
//! A key lives in the environment and in memory; only the variable's name is kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use engine::{Model, ModelDirectory};
use kernel::{BUILT_IN, Code};
use models::{ProfileAccess, connect, providers};
use secrecy::SecretString;

use crate::api::{Named, Nothing, ProfileCard, Profiles as ProfileList, Setting};
use crate::settings::Settings;
use crate::{ApiError, Desk};

const NO_VARIABLE: &str = "The name of the environment variable may hold letters, digits and _ only; give the variable's name, never the key";

/// A model with the profile it was made from: when that changes, it is made anew.
type Connected = (ProfileCard, Arc<dyn Model>);

/// Finds the model behind a profile, and keeps its connection.
pub(crate) struct Profiles {
    settings: Arc<Settings>,
    connected: Mutex<HashMap<String, Connected>>,
}

impl Profiles {
    pub(crate) fn new(settings: Arc<Settings>) -> Profiles {
        Profiles { settings, connected: Mutex::default() }
    }
}

#[async_trait]
impl ModelDirectory for Profiles {
    async fn model(&self, profile: &str) -> Result<Arc<dyn Model>, ApiError> {
        let card = find(&self.settings, profile)?;
        let mut connected = self.connected.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, model)) = connected.get(profile)
            && *known == card
        {
            return Ok(model.clone());
        }
        let model = connect(access(&card)?)?;
        connected.insert(profile.to_owned(), (card, model.clone()));
        Ok(model)
    }
}

fn access(card: &ProfileCard) -> Result<ProfileAccess, ApiError> {
    let key = match card.key_env.as_str() {
        "" => None,
        variable => Some(key_in(variable).ok_or_else(|| {
            let message = format!(
                "The environment variable `{variable}`, where profile `{}` finds its key, is not set; set it and try again",
                card.name
            );
            ApiError::new(Code::KeyRefused, message)
        })?),
    };
    Ok(ProfileAccess { key, ..reachable(card) })
}

/// The key that an environment variable holds, if it holds one.
pub(crate) fn key_in(variable: &str) -> Option<SecretString> {
    let key = std::env::var(variable).ok().filter(|key| !key.trim().is_empty())?;
    Some(SecretString::from(key.trim().to_owned()))
}

/// What must be known of a profile before a key is needed.
pub(crate) fn reachable(card: &ProfileCard) -> ProfileAccess {
    ProfileAccess {
        profile: card.name.clone(),
        provider: card.provider.clone(),
        base_url: card.base_url.clone(),
        key: None,
    }
}

/// The name under which agents ask a profile: whatever a profile of the built-in provider is called, it asks no model.
pub(crate) fn asked_as(card: &ProfileCard) -> String {
    if card.provider == BUILT_IN { BUILT_IN.to_owned() } else { card.name.clone() }
}

/// The profile of this name.
pub(crate) fn find(settings: &Settings, name: &str) -> Result<ProfileCard, ApiError> {
    let all = settings.profiles()?;
    if let Some(card) = all.iter().find(|card| card.name == name) {
        return Ok(card.clone());
    }
    let names: Vec<&str> = all.iter().map(|card| card.name.as_str()).collect();
    Err(ApiError::new(Code::NotFound, format!("There is no profile `{name}`; there is {}", names.join(", "))))
}

/// The model a profile names for a role: its own for the role, its default, or the provider's.
pub(crate) fn model_for(card: &ProfileCard, role: &str) -> Result<String, ApiError> {
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
        let message = format!(
            "Profile `{}` names no model for the role `{role}`; add one: `galley profile add {} --model default=NAME …`",
            card.name, card.name
        );
        ApiError::new(Code::BadInput, message)
    })
}

impl Desk {
    pub(crate) async fn list_profiles(&self, _: Nothing) -> Result<ProfileList, ApiError> {
        Ok(ProfileList { profiles: self.inner.settings.profiles()? })
    }

    pub(crate) async fn add_profile(&self, card: ProfileCard) -> Result<Nothing, ApiError> {
        let is_name = |text: &str| {
            !text.is_empty()
                && text.len() <= 60
                && text.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
        };
        if !is_name(&card.name) || card.name == BUILT_IN {
            let message = format!("`{}` cannot be a profile's name; use letters, digits, - and _", card.name);
            return Err(ApiError::new(Code::BadInput, message));
        }
        let is_variable = card.key_env.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_variable {
            // The text may be a key given by mistake: it is not repeated.
            return Err(ApiError::new(Code::BadInput, NO_VARIABLE));
        }
        // Whatever cannot be connected to is refused here, not in the middle of a run.
        if card.provider != BUILT_IN {
            connect(reachable(&card))?;
        }
        self.inner.settings.set_profile(&card.name, Some(&card))?;
        Ok(Nothing {})
    }

    pub(crate) async fn remove_profile(&self, named: Named) -> Result<Nothing, ApiError> {
        find(&self.inner.settings, &named.name)?;
        if named.name == BUILT_IN {
            return Err(ApiError::new(
                Code::BadInput,
                "The built-in profile cannot be removed; `galley profile list` names the others",
            ));
        }
        if self.inner.settings.get("default_profile")? == named.name {
            let message = format!(
                "`{}` is the default profile; set another first: `galley config set default_profile built-in`",
                named.name
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        self.inner.settings.set_profile(&named.name, None)?;
        Ok(Nothing {})
    }

    pub(crate) async fn test_profile(&self, named: Named) -> Result<Setting, ApiError> {
        let card = find(&self.inner.settings, &named.name)?;
        if card.provider == BUILT_IN {
            return Ok(Setting {
                key: named.name,
                value: "Works without a model, a key or the network".into(),
            });
        }
        let model = self.inner.world.models.model(&named.name).await?;
        let words = models::test(model.as_ref(), &model_for(&card, "default")?).await?;
        Ok(Setting { key: named.name, value: words })
    }

    pub(crate) async fn get_setting(&self, setting: Setting) -> Result<Setting, ApiError> {
        Ok(Setting { value: self.inner.settings.get(&setting.key)?, key: setting.key })
    }

    pub(crate) async fn set_setting(&self, setting: Setting) -> Result<Setting, ApiError> {
        match setting.key.as_str() {
            "default_profile" if !setting.value.is_empty() => {
                find(&self.inner.settings, &setting.value)?;
            }
            "default_source" if !setting.value.is_empty() => {
                crate::definitions::search_source(&setting.value)?;
            }
            key if key.starts_with("services.") && key.ends_with(".key_env") => {
                // The text may be a key given by mistake: it is not repeated.
                if !setting.value.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                    return Err(ApiError::new(Code::BadInput, NO_VARIABLE));
                }
            }
            _ => {}
        }
        self.inner.settings.set(&setting)?;
        self.get_setting(setting).await
    }
}
