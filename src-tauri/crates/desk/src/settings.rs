//! The settings file: a TOML file that a person may edit too. It contains no secrets.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use kernel::{Code, Phrase, form, phrase};
use tokio::runtime::{Handle, RuntimeFlavor};
use toml_edit::{DocumentMut, Item};

mod catalog;
mod errors;
pub(crate) mod text;

use catalog::known;
pub(crate) use catalog::{
    BROWSER, DISK_WAIT, KEEP_AWAKE, LOG_LEVEL, MAP_STYLE, MAP_TILES, OTLP_URL, QUEUE_CERTIFICATES,
    QUEUE_KEEPS_KEY, QUEUE_KEY_ENV, QUEUE_LEASE, QUEUE_URL, UPDATES_ADDRESS, UPDATES_CHANNEL, UPDATES_CHECK,
    default_of,
};
pub(crate) use errors::{SettingError, errors_in};

use crate::ApiError;
use crate::api::{ProfileCard, Setting};

/// The file's name in the data folder.
const FILE: &str = "settings.toml";
/// Largest settings file, in bytes.
pub(crate) const LARGEST: u64 = 1 << 20;
/// How long to wait for another program that changes the settings, and how often to check.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The person's choices for a window that opens before the desk; `None` where the system decides or the settings cannot
/// be read.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// `light` or `dark`.
    pub theme: Option<String>,
    /// The language's two letters.
    pub language: Option<String>,
}

/// The look from the settings of this folder.
pub fn chosen_look(folder: &Path) -> Look {
    let Ok(settings) = Settings::open(folder) else { return Look::default() };
    let is_language =
        |value: &String| value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_lowercase());
    Look {
        theme: settings.get("theme").ok().filter(|value| matches!(value.as_str(), "light" | "dark")),
        language: settings.get("language").ok().filter(is_language),
    }
}

/// The settings of a data folder. They are read at each use, so that changes of other programs or the person hold and
/// are never overwritten.
pub(crate) struct Settings {
    file: PathBuf,
    changing: Mutex<()>,
}

impl Settings {
    /// The settings in this folder.
    ///
    /// # Errors
    /// `bad_input` when the file exists and cannot be read.
    pub(crate) fn open(folder: &Path) -> Result<Settings, ApiError> {
        let settings = Settings { file: folder.join(FILE), changing: Mutex::default() };
        settings.document()?;
        Ok(settings)
    }

    fn document(&self) -> Result<DocumentMut, ApiError> {
        let text = match disk::read_text(&self.file, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound && !self.file.is_symlink() => String::new(),
            Err(error) => return Err(self.unreadable(&error)),
        };
        text.parse().map_err(|error: toml_edit::TomlError| {
            self.refused(phrase!("are not valid TOML: {why}; mend or remove the file", why = error.message()))
        })
    }

    fn unreadable(&self, error: &std::io::Error) -> ApiError {
        let advice = match error.kind() {
            ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::FileTooLarge => {
                form!("mend or remove the file")
            }
            ErrorKind::IsADirectory => form!("move the folder away"),
            ErrorKind::NotFound => form!("the link leads to nothing: mend or remove it"),
            ErrorKind::PermissionDenied => form!("give yourself the right to read it"),
            // Any other error is not about the file: the disk may be full, or too many files open.
            _ => form!("see to that, then try again"),
        };
        self.refused(phrase!("cannot be read: {error}; {advice}", error, advice))
    }

    fn refused(&self, why: Phrase) -> ApiError {
        ApiError::new(Code::BadInput, phrase!("The settings {file} {why}", file = self.file.display(), why))
    }

    /// Changes the present file under a lock, so that concurrent changes follow each other.
    fn change(&self, edit: impl FnOnce(&mut DocumentMut) -> Result<(), ApiError>) -> Result<(), ApiError> {
        let _here = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let lock = disk::open_private(&self.file.with_extension("lock"));
        let lock = lock.map_err(|error| self.unwritable(&error))?;
        self.wait_for(&lock)?;
        let mut document = self.document()?;
        edit(&mut document)?;
        self.write(&document)
    }

    /// A setting's value, or its default.
    pub(crate) fn get(&self, key: &str) -> Result<String, ApiError> {
        let (default, kind) = known(key)?;
        let document = self.document()?;
        let mut item: Option<&Item> = Some(document.as_item());
        for part in key.split('.') {
            item = item.and_then(|item| item.get(part));
        }
        // A value of the wrong kind has no effect; opening the settings reports it.
        Ok(item.and_then(|item| kind.value(item)).unwrap_or_else(|| default.to_owned()))
    }

    /// The entries of the settings that have no effect.
    pub(crate) fn errors(&self) -> Result<Vec<SettingError>, ApiError> {
        Ok(errors_in(&self.document()?))
    }

    /// The path of the file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// How long a run without a person waits for a disk that refuses writes.
    pub(crate) fn disk_wait(&self) -> Result<Duration, ApiError> {
        let value = self.get(DISK_WAIT)?;
        seconds(&value)
    }

    /// The non-public addresses from which the person allows pages and pictures.
    pub(crate) fn allowed_addresses(&self) -> Result<Vec<String>, ApiError> {
        Ok(addresses_in(&self.get("net.allow")?).map(str::to_owned).collect())
    }

    /// Sets a setting; an empty value removes it.
    pub(crate) fn set(&self, setting: &Setting) -> Result<(), ApiError> {
        known(&setting.key)?;
        self.change(|document| text::put(document, setting))
    }

    /// Every setting in the file except profiles.
    pub(crate) fn all_set(&self) -> Result<Vec<Setting>, ApiError> {
        let mut set = text::settings_in(&self.document()?);
        set.retain(|setting| known(&setting.key).is_ok());
        Ok(set)
    }

    /// All profiles by name, the built-in one first.
    pub(crate) fn profiles(&self) -> Result<Vec<ProfileCard>, ApiError> {
        Ok(text::profiles_in(&self.document()?))
    }

    /// The settings that refer to a profile, as dotted keys.
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

    /// Changes the present profile unless the change is refused; returns the former one.
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

    /// Stores a profile. Refused where its key changed since it was `seen`: the reference to the new key would be lost.
    pub(crate) fn set_profile(&self, name: &str, seen: &str, card: &ProfileCard) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, name, seen)?;
            text::put_profile(document, name, Some(card))
        })
    }

    /// Removes a profile and the settings `with`; refused in the same case.
    pub(crate) fn remove_profile(&self, name: &str, seen: &str, with: &[String]) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, name, seen)?;
            for key in with {
                text::put(document, &Setting { key: key.clone(), value: String::new() })?;
            }
            text::put_profile(document, name, None)
        })
    }

    /// Restores a changed or removed profile and the settings that named it, unless it got a key since.
    pub(crate) fn put_back(&self, card: &ProfileCard, naming: &[String]) -> Result<(), ApiError> {
        self.change(|document| {
            refuse_rekeyed(document, &card.name, "")?;
            for key in naming {
                text::put(document, &Setting { key: key.clone(), value: card.name.clone() })?;
            }
            text::put_profile(document, &card.name, Some(card))
        })
    }

    /// Waits until no other program changes the settings, for a limited time.
    fn wait_for(&self, lock: &File) -> Result<(), ApiError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => rest(),
                Err(TryLockError::WouldBlock) => {
                    let message = phrase!(
                        "The settings {file} are being changed by another program that does not let go of them; close it, \
                         then try again",
                        file = self.file.display()
                    );
                    return Err(ApiError::new(Code::Busy, message));
                }
                Err(TryLockError::Error(error)) => return Err(self.unwritable(&error)),
            }
        }
    }

    /// Writes through a link, which stays where the person keeps the settings elsewhere.
    fn write(&self, document: &DocumentMut) -> Result<(), ApiError> {
        let text = document.to_string();
        let written = match self.file.is_symlink() {
            true => disk::write_export(&self.file, text.as_bytes(), true),
            false => disk::write_private(&self.file, text.as_bytes()),
        };
        written.map_err(|error| self.unwritable(&error))
    }

    fn unwritable(&self, error: &std::io::Error) -> ApiError {
        let message = phrase!(
            "The settings {file} cannot be written: {error}; nothing was changed",
            file = self.file.display(),
            error
        );
        ApiError::new(Code::ReadOnly, message)
    }
}

/// The profile of this name in a list.
pub(crate) fn named(all: Vec<ProfileCard>, name: &str) -> Result<ProfileCard, ApiError> {
    if let Some(card) = all.iter().find(|card| card.name == name) {
        return Ok(card.clone());
    }
    let names: Vec<&str> = all.iter().map(|card| card.name.as_str()).collect();
    Err(ApiError::new(
        Code::NotFound,
        phrase!("There is no profile `{name}`; there is {known}", name, known = names),
    ))
}

/// The addresses in a setting.
pub(crate) fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ', '\n']).map(str::trim).filter(|address| !address.is_empty())
}

/// Parses whole seconds.
pub(crate) fn seconds(value: &str) -> Result<Duration, ApiError> {
    value.trim().parse().map(Duration::from_secs).map_err(|_| {
        let message = phrase!(
            "`{setting}` is a number of seconds, like 20, and not `{value}`",
            setting = DISK_WAIT,
            value
        );
        ApiError::new(Code::BadInput, message)
    })
}

/// Sleeps briefly; other tasks of this thread move to other threads.
fn rest() {
    let is_shared =
        Handle::try_current().is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    let wait = || std::thread::sleep(LOOK_AGAIN);
    if is_shared { tokio::task::block_in_place(wait) } else { wait() }
}

/// Refuses to change a profile whose key changed since it was seen.
fn refuse_rekeyed(document: &DocumentMut, name: &str, seen: &str) -> Result<(), ApiError> {
    let now = text::profiles_in(document).into_iter().find(|card| card.name == name);
    if now.unwrap_or_default().key_id == seen {
        return Ok(());
    }
    let message = phrase!(
        "Profile `{name}` got another key while it was being changed; look at the profile and change it again",
        name
    );
    Err(ApiError::new(Code::Busy, message))
}

#[cfg(test)]
mod tests {
    use kernel::BUILT_IN;

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
    fn changes_of_another_program_hold_and_stay() {
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
    fn a_profile_with_a_new_key_is_neither_overwritten_nor_removed() {
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
    fn waiting_for_settings_that_another_program_locks_ends() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::open(folder.path()).unwrap();
        let other = disk::open_private(&folder.path().join("settings.lock")).unwrap();
        other.lock().unwrap();
        let refused = settings.set(&Setting { key: "theme".into(), value: "dark".into() }).unwrap_err();
        assert_eq!(refused.code, Code::Busy);
        drop(other);
        settings.set(&Setting { key: "theme".into(), value: "dark".into() }).unwrap();
    }

    #[test]
    fn a_broken_file_is_reported_and_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::open(folder.path()).unwrap();
        std::fs::write(folder.path().join(FILE), "theme = [").unwrap();
        let refused = settings.set(&Setting { key: "theme".into(), value: "dark".into() }).unwrap_err();
        assert!(refused.message.contains("not valid TOML"), "{}", refused.message);
        assert_eq!(std::fs::read_to_string(folder.path().join(FILE)).unwrap(), "theme = [");
    }
}
