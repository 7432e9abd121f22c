//! Settings taken to another machine and brought from one: never with a key, nor with what says where one is kept.
//!
//! A file of settings may be anybody's. So that it leads no key of this machine to another address, a profile that is
//! here already stays as it is, no variable is named for a new one, and of a service that has keys neither its key nor its
//! address is changed: a key may be given later.

use std::collections::BTreeMap;

use kernel::{BUILT_IN, Code, phrase};
use toml_edit::DocumentMut;

use crate::accounts::checks::{refuse_profile, refuse_setting};
use crate::accounts::settings::{LARGEST, OTLP_URL, default_of, errors_in, text};
use crate::api::{
    ChangedSetting, ImportSettings, ImportedSettings, NewProfile, Nothing, ProfileCard, Setting,
    SettingInForce, SettingsText, Wanted,
};
use crate::program::map_files;
use crate::{ApiError, Desk};

impl Desk {
    pub(crate) async fn get_setting(&self, setting: Setting) -> Result<SettingInForce, ApiError> {
        let value = self.inner.settings.get(&setting.key)?;
        Ok(SettingInForce { usual: default_of(&setting.key)?.to_owned(), value, key: setting.key })
    }

    pub(crate) async fn set_setting(&self, setting: Setting) -> Result<SettingInForce, ApiError> {
        refuse_setting(&self.inner.settings, &setting, &[])?;
        map_files::refuse(&setting).await?;
        self.inner.settings.set(&setting)?;
        self.get_setting(setting).await
    }

    pub(crate) async fn export_settings(&self, _: Nothing) -> Result<SettingsText, ApiError> {
        let settings = &self.inner.settings;
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
        let here = &self.inner.settings;
        let mut told = ImportedSettings::default();
        for Setting { key, value } in text::settings_in(&brought) {
            // A setting that does not exist is named before anything is changed.
            let from = here.get(&key)?;
            if from != value && !is_own(&key) && !leads_key(&key) {
                told.settings.push(ChangedSetting { key, from, to: value });
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
        told.kept = kept.into_iter().map(|card| card.name).collect();
        let told_of = |card: &ProfileCard| NewProfile {
            name: card.name.clone(),
            provider: card.provider.clone(),
            base_url: card.base_url.clone(),
        };
        told.profiles = fresh.iter().map(told_of).collect();
        // Whatever would be refused is so before anything is changed.
        for card in &fresh {
            refuse_profile(here, card, &fresh)?;
        }
        for change in &told.settings {
            let setting = Setting { key: change.key.clone(), value: change.to.clone() };
            refuse_setting(here, &setting, &fresh)?;
        }
        if request.is_trial {
            return Ok(told);
        }
        // Fallbacks name other profiles, which must be there first.
        for card in &fresh {
            self.put_profile(ProfileCard { fallback: String::new(), ..card.clone() }).await?;
        }
        for card in fresh.into_iter().filter(|card| !card.fallback.is_empty()) {
            self.put_profile(card).await?;
        }
        for change in &told.settings {
            self.set_setting(Setting { key: change.key.clone(), value: change.to.clone() }).await?;
        }
        Ok(told)
    }
}

/// Whether the setting says where a service is asked that may have a key.
fn leads_key(key: &str) -> bool {
    let service = key.strip_prefix("services.").and_then(|rest| rest.strip_suffix(".base_url"));
    let is_keyless = |name: &str| {
        let mut sources = tools::offered_tools().filter(|source| source.key == tools::KeyNeed::None);
        sources.any(|source| source.services.iter().any(|service| service.name == name))
    };
    service.is_some_and(|name| !is_keyless(name))
}

/// Settings that a file of settings may not set: those of this data folder, of files and keys of this machine, and the address
/// that spans are sent to.
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
