//! The settings file: one TOML file that a person may edit too. Secrets are never in it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::{BUILT_IN, Code};
use toml_edit::{DocumentMut, Item};

pub(crate) mod text;

use crate::api::{ProfileCard, Setting};
use crate::checks::refuse_setting;
use crate::profiles::named;
use crate::{ApiError, Desk};

/// The file's name in the data folder.
const FILE: &str = "settings.toml";

/// Every setting, with its default; a `*` stands for a name.
const KNOWN: &[(&str, &str)] = &[
    ("default_profile", BUILT_IN),
    ("default_source", "auto"),
    ("instructions.*", ""),
    ("language", "system"),
    ("net.allow", ""),
    ("net.contact", ""),
    ("notifications", "ask"),
    ("pipelines.*.agents.*.profile", ""),
    ("pipelines.*.profile", ""),
    ("services.*.base_url", ""),
    ("services.*.enabled", ""),
    ("services.*.engine", ""),
    ("services.*.key_env", ""),
    ("services.*.model", ""),
    ("services.*.profile", ""),
    ("theme", "system"),
    ("updates.address", ""),
    ("updates.channel", "stable"),
    ("updates.check", "on"),
];

/// What the person chose, for a window that is drawn before there is a desk; none where the system decides, or where
/// nothing can be read.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// `light` or `dark`.
    pub theme: Option<String>,
    /// The language's two letters.
    pub language: Option<String>,
}

/// The look that the settings of this folder choose.
pub fn chosen_look(folder: &Path) -> Look {
    let Ok(settings) = Settings::open(folder) else { return Look::default() };
    let is_language =
        |value: &String| value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_lowercase());
    Look {
        theme: settings.get("theme").ok().filter(|value| matches!(value.as_str(), "light" | "dark")),
        language: settings.get("language").ok().filter(is_language),
    }
}

/// The settings of a data folder. They are read where they are needed, so that what another program or a person changed
/// meanwhile counts and is never written over.
pub(crate) struct Settings {
    file: PathBuf,
    changing: Mutex<()>,
}

impl Settings {
    /// The settings in this folder.
    ///
    /// # Errors
    /// `bad_input` when there is a file that cannot be read.
    pub(crate) fn open(folder: &Path) -> Result<Settings, ApiError> {
        let settings = Settings { file: folder.join(FILE), changing: Mutex::default() };
        settings.document()?;
        Ok(settings)
    }

    fn document(&self) -> Result<DocumentMut, ApiError> {
        let text = match std::fs::read_to_string(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(self.unreadable(&format!("cannot be read: {error}"))),
        };
        text.parse().map_err(|error: toml_edit::TomlError| {
            self.unreadable(&format!("are not valid TOML: {}", error.message()))
        })
    }

    fn unreadable(&self, why: &str) -> ApiError {
        let message = format!("The settings {} {why}; mend or remove the file", self.file.display());
        ApiError::new(Code::BadInput, message)
    }

    /// Changes the file as it is now: two programs that change it at once do so one after the other.
    fn change(&self, edit: impl FnOnce(&mut DocumentMut) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let _here = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let elsewhere = std::fs::File::create(self.file.with_extension("lock"));
        let elsewhere = elsewhere.and_then(|lock| lock.lock().map(|()| lock));
        let _elsewhere = elsewhere.map_err(|error| self.unwritable(&error))?;
        let mut document = self.document()?;
        edit(&mut document)?;
        self.write(&document)
    }

    /// A setting's value, or its default.
    pub(crate) fn get(&self, key: &str) -> Result<String, ApiError> {
        let default = known(key)?;
        let document = self.document()?;
        let mut item: Option<&Item> = Some(document.as_item());
        for part in key.split('.') {
            item = item.and_then(|item| item.get(part));
        }
        let value = item.and_then(|item| item.as_value());
        Ok(value.map_or_else(|| default.to_owned(), text::plain))
    }

    /// Sets a setting; an empty value removes it.
    pub(crate) fn set(&self, setting: &Setting) -> Result<(), ApiError> {
        known(&setting.key)?;
        self.change(|document| text::put(document, setting))
    }

    /// Every setting that the file sets, profiles aside.
    pub(crate) fn all_set(&self) -> Result<Vec<Setting>, ApiError> {
        let mut set = text::settings_in(&self.document()?);
        set.retain(|setting| known(&setting.key).is_ok());
        Ok(set)
    }

    /// All profiles by name, the built-in one first.
    pub(crate) fn profiles(&self) -> Result<Vec<ProfileCard>, ApiError> {
        Ok(text::profiles_in(&self.document()?))
    }

    /// The settings that name a profile, dotted.
    pub(crate) fn uses_of_profile(&self, name: &str) -> Result<Vec<String>, ApiError> {
        let document = self.document()?;
        let mut uses = Vec::new();
        if self.get("default_profile")? == name {
            uses.push("default_profile".to_owned());
        }
        for section in ["pipelines", "services"] {
            let Some(table) = document.get(section).and_then(Item::as_table_like) else { continue };
            for (owner, item) in table.iter() {
                let own =
                    item.get("profile").into_iter().map(|item| (format!("{section}.{owner}.profile"), item));
                let agents = item.get("agents").and_then(Item::as_table_like);
                let of_agents =
                    agents.into_iter().flat_map(|agents| agents.iter()).filter_map(|(agent, item)| {
                        Some((format!("{section}.{owner}.agents.{agent}.profile"), item.get("profile")?))
                    });
                let naming = own.chain(of_agents).filter(|(_, item)| item.as_str() == Some(name));
                uses.extend(naming.map(|(setting, _)| setting));
            }
        }
        let others =
            self.profiles()?.into_iter().filter(|profile| profile.fallback == name && profile.name != name);
        uses.extend(others.map(|profile| format!("profiles.{}.fallback", profile.name)));
        Ok(uses)
    }

    /// Changes a profile as it is now, unless that is refused; tells what it was before.
    pub(crate) fn change_profile(
        &self,
        name: &str,
        change: impl FnOnce(ProfileCard) -> Result<ProfileCard, ApiError>,
    ) -> Result<ProfileCard, ApiError> {
        let mut former = None;
        self.change(|document| {
            let card = named(text::profiles_in(document), name)?;
            former = Some(card.clone());
            text::put_profile(document, name, Some(&change(card)?))
        })?;
        former.map_or_else(|| named(Vec::new(), name), Ok)
    }

    /// Stores a profile. Refused where it got another key than the one that was `seen`: nobody would know of that one any
    /// more.
    pub(crate) fn set_profile(&self, name: &str, seen: &str, card: &ProfileCard) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, name, seen)?;
            text::put_profile(document, name, Some(card))
        })
    }

    /// Removes a profile with the settings that go with it; refused in the same case.
    pub(crate) fn remove_profile(&self, name: &str, seen: &str, with: &[String]) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, name, seen)?;
            for key in with {
                text::put(document, &Setting { key: key.clone(), value: String::new() })?;
            }
            text::put_profile(document, name, None)
        })
    }

    /// Puts a profile that was changed or removed back as it was, with the settings that named it, unless it got a key since.
    pub(crate) fn put_back(&self, card: &ProfileCard, naming: &[String]) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, &card.name, "")?;
            for key in naming {
                text::put(document, &Setting { key: key.clone(), value: card.name.clone() })?;
            }
            text::put_profile(document, &card.name, Some(card))
        })
    }

    /// Written beside and moved into place, so that a crash leaves the old file or the new one.
    fn write(&self, document: &DocumentMut) -> Result<(), ApiError> {
        let beside = self.file.with_extension(format!("toml.{}", std::process::id()));
        std::fs::write(&beside, document.to_string())
            .and_then(|()| std::fs::rename(&beside, &self.file))
            .map_err(|error| {
                // The old file stands; a half-written one beside it is of no use.
                let _ = std::fs::remove_file(&beside);
                self.unwritable(&error)
            })
    }

    fn unwritable(&self, error: &std::io::Error) -> ApiError {
        let message =
            format!("The settings {} cannot be written: {error}; nothing was changed", self.file.display());
        ApiError::new(Code::ReadOnly, message)
    }
}

impl Desk {
    pub(crate) async fn get_setting(&self, setting: Setting) -> Result<Setting, ApiError> {
        Ok(Setting { value: self.inner.settings.get(&setting.key)?, key: setting.key })
    }

    pub(crate) async fn set_setting(&self, setting: Setting) -> Result<Setting, ApiError> {
        refuse_setting(&self.inner.settings, &setting, &[])?;
        self.inner.settings.set(&setting)?;
        self.get_setting(setting).await
    }
}

/// Refuses to touch a profile that got another key than the one that was seen.
fn refuse_rekeyed(document: &DocumentMut, name: &str, seen: &str) -> Result<(), ApiError> {
    let now = text::profiles_in(document).into_iter().find(|card| card.name == name);
    if now.unwrap_or_default().key_id == seen {
        return Ok(());
    }
    let message = format!(
        "Profile `{name}` got another key while it was being changed; look at the profile and change it again"
    );
    Err(ApiError::new(Code::Busy, message))
}

/// The default of a known setting.
fn known(key: &str) -> Result<&'static str, ApiError> {
    let fits = |pattern: &str| {
        let (parts, wanted): (Vec<&str>, Vec<&str>) =
            (key.split('.').collect(), pattern.split('.').collect());
        parts.len() == wanted.len()
            && parts.iter().zip(wanted).all(|(part, want)| !part.is_empty() && (want == "*" || *part == want))
    };
    KNOWN.iter().find(|(pattern, _)| fits(pattern)).map(|(_, default)| *default).ok_or_else(|| {
        let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
        ApiError::new(Code::NotFound, format!("There is no setting `{key}`; there is {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str) -> ProfileCard {
        ProfileCard {
            name: name.to_owned(),
            provider: "openai-compatible".to_owned(),
            base_url: "http://127.0.0.1:1".to_owned(),
            ..ProfileCard::default()
        }
    }

    #[test]
    fn what_another_program_changed_meanwhile_counts_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (window, terminal) =
            (Settings::open(folder.path()).unwrap(), Settings::open(folder.path()).unwrap());
        terminal.set_profile("added elsewhere", "", &profile("added elsewhere")).unwrap();
        window.set(&Setting { key: "theme".into(), value: "dark".into() }).unwrap();
        let names: Vec<String> = window.profiles().unwrap().into_iter().map(|profile| profile.name).collect();
        assert_eq!(names, [BUILT_IN, "added elsewhere"]);
        assert_eq!(terminal.get("theme").unwrap(), "dark");
    }

    #[test]
    fn a_profile_that_got_another_key_meanwhile_is_neither_written_over_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::open(folder.path()).unwrap();
        let with = |key_id: &str| ProfileCard { key_id: key_id.to_owned(), ..profile("work") };
        settings.set_profile("work", "", &with("first")).unwrap();
        for refused in
            [settings.set_profile("work", "", &with("")), settings.remove_profile("work", "other", &[])]
        {
            assert_eq!(refused.unwrap_err().code, Code::Busy);
            assert_eq!(named(settings.profiles().unwrap(), "work").unwrap().key_id, "first");
        }
        settings.remove_profile("work", "first", &[]).unwrap();
        assert!(named(settings.profiles().unwrap(), "work").is_err());
    }

    #[test]
    fn a_file_that_a_person_broke_is_named_and_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::open(folder.path()).unwrap();
        std::fs::write(folder.path().join(FILE), "theme = [").unwrap();
        let refused = settings.set(&Setting { key: "theme".into(), value: "dark".into() }).unwrap_err();
        assert!(refused.message.contains("not valid TOML"), "{}", refused.message);
        assert_eq!(std::fs::read_to_string(folder.path().join(FILE)).unwrap(), "theme = [");
    }
}
