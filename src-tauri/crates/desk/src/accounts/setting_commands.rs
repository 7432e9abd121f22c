//! Exports settings to another machine and imports them, without keys or references to keys.
//!
//! A settings file may come from anybody. So that it cannot send a key of this machine to another address, an import
//! leaves existing profiles as they are, sets no environment variable for a new one, and changes neither key nor
//! address of a service that has keys.

use std::collections::BTreeMap;

use kernel::{BUILT_IN, Code, phrase};
use toml_edit::DocumentMut;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::checks::{refuse_profile, refuse_setting};
use crate::api::{
    ChangedSetting, ImportSettings, ImportedSettings, NewProfile, Nothing, ProfileCard, Setting,
    SettingInForce, SettingsText, Wanted,
};
use crate::program::map_files;
use crate::settings::{LARGEST, OTLP_URL, default_of, errors_in, text};

impl AccountService {
    pub(crate) async fn get_setting(&self, setting: Setting) -> Result<SettingInForce, ApiError> {
        let value = self.settings.get(&setting.key)?;
        Ok(SettingInForce { usual: default_of(&setting.key)?.to_owned(), value, key: setting.key })
    }

    pub(crate) async fn set_setting(&self, setting: Setting) -> Result<SettingInForce, ApiError> {
        refuse_setting(&self.settings, &setting, &[])?;
        map_files::refuse(&setting).await?;
        self.settings.set(&setting)?;
        self.get_setting(setting).await
    }

    pub(crate) async fn export_settings(&self, _: Nothing) -> Result<SettingsText, ApiError> {
        let settings = &self.settings;
        let mut document = DocumentMut::new();
        for setting in settings.all_set()?.iter().filter(|setting| !is_own(&setting.key)) {
            text::put(&mut document, setting)?;
        }
        for card in without_keys(settings.profiles()?) {
            text::put_profile(&mut document, &card.name, Some(&card))?;
        }
        Ok(SettingsText { toml: format!("# Settings and profiles of Galley, without keys.\n{document}") })
    }

    pub(crate) async fn import_settings(
        &self,
        request: ImportSettings,
    ) -> Result<ImportedSettings, ApiError> {
        if request.toml.len() as u64 > LARGEST {
            return Err(ApiError::new(
                Code::BadInput,
                phrase!("This text is too long for settings; choose another file"),
            ));
        }
        let brought: DocumentMut = request.toml.parse().map_err(|error: toml_edit::TomlError| {
            let message = phrase!(
                "This is not valid TOML: {why}; choose a file that Galley exported",
                why = error.message()
            );
            ApiError::new(Code::BadInput, message)
        })?;
        let here = &self.settings;
        let mut report = ImportedSettings::default();
        for Setting { key, value } in text::settings_in(&brought) {
            // An unknown setting is refused before anything is changed.
            let from = here.get(&key)?;
            if from != value && !is_own(&key) && !leads_key(&key) {
                report.settings.push(ChangedSetting { key, from, to: value });
            }
        }
        if let Some(error) = errors_in(&brought).into_iter().find(|error| error.wanted != Wanted::Nothing) {
            let message =
                phrase!("In this text {error}; mend it, or choose another file", error = error.phrase());
            return Err(ApiError::new(Code::BadInput, message));
        }
        let known: Vec<String> = here.profiles()?.into_iter().map(|card| card.name).collect();
        let (kept, fresh): (Vec<ProfileCard>, Vec<ProfileCard>) = without_keys(text::profiles_in(&brought))
            .into_iter()
            .partition(|card| known.contains(&card.name));
        report.kept = kept.into_iter().map(|card| card.name).collect();
        let new_profile = |card: &ProfileCard| NewProfile {
            name: card.name.clone(),
            provider: card.provider.clone(),
            base_url: card.base_url.clone(),
        };
        report.profiles = fresh.iter().map(new_profile).collect();
        // Every refusal comes before the first change.
        for card in &fresh {
            refuse_profile(here, card, &fresh)?;
        }
        for change in &report.settings {
            let setting = Setting { key: change.key.clone(), value: change.to.clone() };
            refuse_setting(here, &setting, &fresh)?;
        }
        if request.is_trial {
            return Ok(report);
        }
        // Fallbacks name other profiles, which must be saved first.
        for card in &fresh {
            self.put_profile(ProfileCard { fallback: String::new(), ..card.clone() }).await?;
        }
        for card in fresh.into_iter().filter(|card| !card.fallback.is_empty()) {
            self.put_profile(card).await?;
        }
        for change in &report.settings {
            self.set_setting(Setting { key: change.key.clone(), value: change.to.clone() }).await?;
        }
        Ok(report)
    }
}

/// Whether the setting is the address of a service that may have a key.
fn leads_key(key: &str) -> bool {
    let service = key.strip_prefix("services.").and_then(|rest| rest.strip_suffix(".base_url"));
    let is_keyless = |name: &str| {
        let mut sources = tools::offered_tools().filter(|source| source.key == tools::KeyNeed::None);
        sources.any(|source| source.services.iter().any(|service| service.name == name))
    };
    service.is_some_and(|name| !is_keyless(name))
}

/// Settings that an import may not set: those of this data folder, its files and keys, and the address that receives
/// spans.
fn is_own(key: &str) -> bool {
    let is_of_key = key.ends_with(".key_env") || key.ends_with(".profile");
    key == OTLP_URL || key.starts_with("map.") || (key.starts_with("services.") && is_of_key)
}

fn without_keys(profiles: Vec<ProfileCard>) -> Vec<ProfileCard> {
    profiles
        .into_iter()
        .filter(|card| card.name != BUILT_IN)
        .map(|card| ProfileCard {
            last_four: String::new(),
            key_id: String::new(),
            key_env: String::new(),
            tested: None,
            refused: BTreeMap::new(),
            ..card
        })
        .collect()
}
