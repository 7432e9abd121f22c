//! The settings of outside services, `services.NAME.…`, and their keys. A key is read when a search needs it, from the
//! service's profile or from its environment variable.

use std::sync::Arc;

use async_trait::async_trait;
use engine::ToolContext;
use kernel::{Code, Phrase, phrase};
use secrecy::SecretString;
use tools::{
    FEEDS_FILE, KeyNeed, SEARCH_SOURCES, ServiceDescription, ServiceKey, ServiceSettings, Services,
    offered_tools,
};

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::keys::{self, key_in};
use crate::accounts::profile_card::refuse_stranger;
use crate::accounts::profile_card::{find, model_for};
use crate::api::{ContactedHost, Nothing, ProfileCard, ServiceCard, ServiceSetting, SourceCard, SourceCards};
use crate::settings::Settings;
use vault::Vault;

/// The number of days that a test search covers.
const DAYS_OF_TRIAL: i64 = 7;

/// The setting that names the profile of a service.
pub(crate) fn setting_of_service(card: &ProfileCard) -> String {
    format!("services.{}.profile", card.provider)
}

/// The services of the settings.
pub(crate) struct SettingsServices {
    settings: Arc<Settings>,
    vault: Arc<Vault>,
}

impl SettingsServices {
    pub(crate) fn new(settings: Arc<Settings>, vault: Arc<Vault>) -> SettingsServices {
        SettingsServices { settings, vault }
    }

    /// The profile of a service; empty when it has none.
    fn profile(&self, name: &str, instead: Option<&str>) -> Result<String, ApiError> {
        // A key without a profile is named after its settings, which is no name of a profile.
        match instead.filter(|instead| *instead != without_profile(name)) {
            Some(instead) => Ok(instead.to_owned()),
            None => self.settings.get(&format!("services.{name}.profile")),
        }
    }

    /// The key of a service: of its profile, else of the variable.
    async fn key(&self, name: &str, profile: &str) -> Result<Option<SecretString>, ApiError> {
        if !profile.is_empty() {
            let card = card_of(&self.settings, name, profile)?;
            return keys::of_profile(&self.vault, &card).await;
        }
        let variable = self.settings.get(&format!("services.{name}.key_env"))?;
        if variable.is_empty() {
            return Ok(None);
        }
        match key_in(&variable) {
            Some(key) => Ok(Some(key)),
            None => Err(ApiError::new(Code::KeyUnavailable, not_set(&variable, name))),
        }
    }
}

/// The profile whose key a service gets: only a profile of that service.
pub(crate) fn card_of(settings: &Settings, service: &str, profile: &str) -> Result<ProfileCard, ApiError> {
    let card = find(settings, profile)?;
    refuse_stranger(&card, service)?;
    Ok(card)
}

/// The name of a service's key without a profile.
fn without_profile(name: &str) -> String {
    format!("services.{name}")
}

fn not_set(variable: &str, name: &str) -> Phrase {
    phrase!(
        "The environment variable `{variable}`, where the service `{name}` finds its key, is not set; set it and try again",
        variable,
        name
    )
}

/// The search source behind an id.
pub(crate) fn search_source(id: &str) -> Result<&'static tools::OfferedTool, ApiError> {
    SEARCH_SOURCES.iter().find(|source| source.id == id).ok_or_else(|| {
        let known: Vec<&str> = SEARCH_SOURCES.iter().map(|source| source.id).collect();
        ApiError::new(
            Code::BadInput,
            phrase!("There is no search source `{id}`; there is {known}", id, known),
        )
    })
}

/// Why the key of a service is missing, as far as that is known without asking the keyring; `None` when it is there or
/// not needed.
pub(crate) fn missing_key(
    vault: &Vault,
    settings: &Settings,
    name: &str,
) -> Result<Option<Phrase>, ApiError> {
    let profile = settings.get(&format!("services.{name}.profile"))?;
    if !profile.is_empty() {
        return match card_of(settings, name, &profile) {
            Ok(card) => Ok(keys::missing(vault, &card)),
            Err(error) => Ok(Some(*error.phrase)),
        };
    }
    let variable = settings.get(&format!("services.{name}.key_env"))?;
    let is_missing = !variable.is_empty() && key_in(&variable).is_none();
    Ok(is_missing.then(|| not_set(&variable, name)))
}

/// The error where a service has no default address and none is set; `None` when it has one.
pub(crate) fn missing_address(
    settings: &Settings,
    service: &ServiceDescription,
) -> Result<Option<Phrase>, ApiError> {
    if !service.base_url.is_empty()
        || !settings.get(&format!("services.{}.base_url", service.name))?.is_empty()
    {
        return Ok(None);
    }
    Ok(Some(service.no_address()))
}

#[async_trait]
impl Services for SettingsServices {
    async fn service(&self, name: &str, instead: Option<&str>) -> Result<ServiceSettings, ApiError> {
        let get = |field: &str| self.settings.get(&format!("services.{name}.{field}"));
        let profile = self.profile(name, instead)?;
        // The address that belongs to the key takes precedence.
        let own = match profile.as_str() {
            "" => String::new(),
            profile => card_of(&self.settings, name, profile)?.base_url,
        };
        let base_url = if own.is_empty() { get("base_url")? } else { own };
        Ok(ServiceSettings {
            base_url,
            key: self.key(name, &profile).await?,
            model: model_of(&self.settings, name, &profile)?,
            engine: get("engine")?,
            is_enabled: get("enabled")? == "true",
        })
    }

    fn key_of(&self, name: &str, instead: Option<&str>) -> Option<ServiceKey> {
        let profile = self.profile(name, instead).ok()?;
        let model = model_of(&self.settings, name, &profile).ok()?;
        if profile.is_empty() {
            let variable = self.settings.get(&format!("services.{name}.key_env")).ok()?;
            let has_key = !variable.is_empty() && key_in(&variable).is_some();
            return has_key.then(|| ServiceKey { profile: without_profile(name), fallback: None, model });
        }
        let card = card_of(&self.settings, name, &profile).ok()?;
        // Only a profile of the same service can be a fallback.
        let fallback = Some(card.fallback.clone())
            .filter(|other| *other != profile && card_of(&self.settings, name, other).is_ok());
        let has_key = keys::missing(&self.vault, &card).is_none();
        has_key.then_some(ServiceKey { profile, fallback, model })
    }

    fn allowed(&self) -> Result<Vec<String>, ApiError> {
        self.settings.allowed_addresses()
    }

    fn contact(&self) -> Result<String, ApiError> {
        self.settings.get("net.contact")
    }
}

impl AccountService {
    pub(crate) async fn list_sources(&self, _: Nothing) -> Result<SourceCards, ApiError> {
        // A source without a service is shown only for the search of news.
        let is_shown = |source: &&tools::OfferedTool| {
            !source.services.is_empty() || SEARCH_SOURCES.iter().any(|known| known.id == source.id)
        };
        let sources = offered_tools().filter(is_shown).map(|source| {
            let services = source.services.iter().map(|service| self.service_card(service, source.key));
            Ok(SourceCard {
                id: source.id.to_owned(),
                title: source.title.to_owned(),
                purpose: source.purpose.into(),
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
            feeds_file: self.folder.join(FEEDS_FILE).display().to_string(),
        })
    }

    /// Runs the smallest possible search with the key of a profile, and reports the result.
    pub(crate) async fn try_service(&self, card: &ProfileCard) -> Result<Phrase, ApiError> {
        let is_of = |service: &ServiceDescription| service.name == card.provider;
        let Some(source) = offered_tools().find(|source| source.services.iter().any(is_of)) else {
            let message = phrase!("There is no search source for `{provider}`", provider = card.provider);
            return Err(ApiError::new(Code::NotFound, message));
        };
        let until = engine::now().to_zoned(jiff::tz::TimeZone::UTC).date();
        let from = until.saturating_sub(jiff::Span::new().days(DAYS_OF_TRIAL));
        let search = serde_json::json!({
            "query": "artificial intelligence", "from": from.to_string(), "until": until.to_string(), "max_results": 1
        });
        let key = keys::of_profile(&self.vault, card).await?;
        let context =
            ToolContext { profile: Some(card.name.clone()), is_trial: true, ..ToolContext::default() };
        let tool = self.tools.tool(source.tool);
        let Some(tool) = tool else {
            return Err(ApiError::new(
                Code::NotFound,
                phrase!("There is no tool `{tool}`", tool = source.tool),
            ));
        };
        // A service that does not search is tested with its first example.
        let is_search = SEARCH_SOURCES.iter().any(|known| known.id == source.id);
        let example = tool.examples().into_iter().next().filter(|_| !is_search);
        let input = example.map_or(search, |example| example.input);
        let begun = std::time::Instant::now();
        tool.call(&input, &context).await?;
        let (source, seconds) = (source.title, format!("{:.1}", begun.elapsed().as_secs_f64()));
        Ok(match key {
            Some(_) => phrase!("{source} answered a search in {seconds} s, with this key.", source, seconds),
            None => phrase!("{source} answered a search in {seconds} s, without a key.", source, seconds),
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
            Ok(ServiceSetting { value: self.settings.get(&key)?, key, help: help.to_owned() })
        });
        Ok(ServiceCard {
            name: service.name.to_owned(),
            title: service.title.to_owned(),
            base_url: service.base_url.to_owned(),
            settings: settings.collect::<Result<_, ApiError>>()?,
        })
    }
}

/// The environment variable with the key of a service; empty when none is set.
pub(crate) fn key_variable(settings: &Settings, name: &str) -> Result<String, ApiError> {
    let profile = settings.get(&format!("services.{name}.profile"))?;
    if !profile.is_empty() {
        return Ok(find(settings, &profile)?.key_env);
    }
    settings.get(&format!("services.{name}.key_env"))
}

/// The model that a service searches with: from its settings, else from its profile; empty when neither names one.
fn model_of(settings: &Settings, name: &str, profile: &str) -> Result<String, ApiError> {
    let own = settings.get(&format!("services.{name}.model"))?;
    if !own.is_empty() || profile.is_empty() {
        return Ok(own);
    }
    Ok(model_for(&find(settings, profile)?, "search").unwrap_or_default())
}
