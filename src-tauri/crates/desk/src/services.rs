//! What the person set for outside services: `services.NAME.…` of the settings, and the key behind it. A key is read
//! when a search needs it; it comes from the service's profile, or from the environment variable that is named.

use std::sync::Arc;

use async_trait::async_trait;
use kernel::Code;
use secrecy::SecretString;
use tools::{FEEDS_FILE, KeyNeed, SEARCH_SOURCES, ServiceDescription, ServiceSettings, Services};

use crate::api::{ContactedHost, Nothing, ServiceCard, ServiceSetting, SourceCard, SourceCards};
use crate::keys::{self, key_in};
use crate::profiles::{find, model_for};
use crate::settings::Settings;
use crate::{ApiError, Desk};
use vault::Vault;

/// The services of the settings.
pub(crate) struct SettingsServices {
    settings: Arc<Settings>,
    vault: Arc<Vault>,
}

impl SettingsServices {
    pub(crate) fn new(settings: Arc<Settings>, vault: Arc<Vault>) -> SettingsServices {
        SettingsServices { settings, vault }
    }

    /// The key of a service: of the profile that it names, else of the variable.
    async fn key(&self, name: &str) -> Result<Option<SecretString>, ApiError> {
        let profile = self.settings.get(&format!("services.{name}.profile"))?;
        if !profile.is_empty() {
            return keys::of_profile(&self.vault, &self.settings, &find(&self.settings, &profile)?).await;
        }
        let variable = self.settings.get(&format!("services.{name}.key_env"))?;
        if variable.is_empty() {
            return Ok(None);
        }
        let key = key_in(&variable).ok_or_else(|| {
            let message = format!(
                "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again"
            );
            ApiError::new(Code::KeyRefused, message)
        })?;
        Ok(Some(key))
    }
}

#[async_trait]
impl Services for SettingsServices {
    async fn service(&self, name: &str) -> Result<ServiceSettings, ApiError> {
        let get = |field: &str| self.settings.get(&format!("services.{name}.{field}"));
        let mut model = get("model")?;
        if model.is_empty() {
            model = model_of_profile(&self.settings, name)?;
        }
        let mut base_url = get("base_url")?;
        let profile = get("profile")?;
        if base_url.is_empty() && !profile.is_empty() {
            // Its key was given for this address.
            base_url = find(&self.settings, &profile)?.base_url;
        }
        Ok(ServiceSettings {
            base_url,
            key: self.key(name).await?,
            model,
            engine: get("engine")?,
            is_enabled: get("enabled")? == "true",
        })
    }

    fn allowed(&self) -> Result<Vec<String>, ApiError> {
        allowed(&self.settings)
    }
}

/// The addresses that the person lets pages and pictures come from, although they are not public.
pub(crate) fn allowed(settings: &Settings) -> Result<Vec<String>, ApiError> {
    let allowed = settings.get("net.allow")?;
    let addresses = allowed.split([',', ' ', '\n']).map(str::trim).filter(|address| !address.is_empty());
    Ok(addresses.map(str::to_owned).collect())
}

impl Desk {
    pub(crate) async fn list_sources(&self, _: Nothing) -> Result<SourceCards, ApiError> {
        let sources = SEARCH_SOURCES.iter().map(|source| {
            let services = source.services.iter().map(|service| self.service_card(service, source.key));
            Ok(SourceCard {
                id: source.id.to_owned(),
                title: source.title.to_owned(),
                purpose: source.purpose.to_owned(),
                key: match source.key {
                    KeyNeed::None => "none",
                    KeyNeed::Optional => "optional",
                    KeyNeed::Required => "required",
                }
                .to_owned(),
                key_page: source.key_page.to_owned(),
                services: services.collect::<Result<_, ApiError>>()?,
            })
        });
        let contacted = net::contacted().into_iter().map(|contact| ContactedHost {
            host: contact.host,
            requests: contact.requests,
            last_at_ms: contact.last_at_ms,
        });
        Ok(SourceCards {
            sources: sources.collect::<Result<_, ApiError>>()?,
            contacted: contacted.collect(),
            feeds_file: self.inner.folder.join(FEEDS_FILE).display().to_string(),
        })
    }

    fn service_card(&self, service: &ServiceDescription, key: KeyNeed) -> Result<ServiceCard, ApiError> {
        let mut about = vec![("base_url", "Where it is asked, in place of its usual address")];
        if key != KeyNeed::None {
            about.push(("profile", "The profile whose key it uses"));
            about.push(("key_env", "The environment variable that holds its key, where no profile is named"));
        }
        about.extend_from_slice(service.settings);
        let settings = about.into_iter().map(|(field, help)| {
            let key = format!("services.{}.{field}", service.name);
            Ok(ServiceSetting { value: self.inner.settings.get(&key)?, key, help: help.to_owned() })
        });
        Ok(ServiceCard {
            name: service.name.to_owned(),
            title: service.title.to_owned(),
            base_url: service.base_url.to_owned(),
            settings: settings.collect::<Result<_, ApiError>>()?,
        })
    }
}

/// The environment variable with the key of a service; empty when none is named.
pub(crate) fn key_variable(settings: &Settings, name: &str) -> Result<String, ApiError> {
    let profile = settings.get(&format!("services.{name}.profile"))?;
    if !profile.is_empty() {
        return Ok(find(settings, &profile)?.key_env);
    }
    settings.get(&format!("services.{name}.key_env"))
}

/// The model that the service's profile searches with; empty when it has no profile, or the profile no model.
fn model_of_profile(settings: &Settings, name: &str) -> Result<String, ApiError> {
    let profile = settings.get(&format!("services.{name}.profile"))?;
    if profile.is_empty() {
        return Ok(String::new());
    }
    Ok(model_for(&find(settings, &profile)?, "search").unwrap_or_default())
}
