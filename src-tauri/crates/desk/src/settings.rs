//! The settings file: one TOML file that a person may edit too. Secrets are never in it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::{BUILT_IN, Code};
use toml_edit::{DocumentMut, Item, Table};

use crate::ApiError;
use crate::api::{ProfileCard, Setting};

/// The file's name in the data folder.
const FILE: &str = "settings.toml";

/// Every setting, with its default; a `*` stands for a name.
const KNOWN: &[(&str, &str)] = &[
    ("default_profile", BUILT_IN),
    ("default_source", "auto"),
    ("instructions.*", ""),
    ("language", "system"),
    ("net.allow", ""),
    ("services.*.base_url", ""),
    ("services.*.profile", ""),
    ("theme", "system"),
];

pub(crate) struct Settings {
    file: PathBuf,
    document: Mutex<DocumentMut>,
}

impl Settings {
    pub(crate) fn read(folder: &Path) -> Result<Settings, ApiError> {
        let file = folder.join(FILE);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                let message = format!(
                    "The settings {} cannot be read: {error}; mend or remove the file",
                    file.display()
                );
                return Err(ApiError::new(Code::BadInput, message));
            }
        };
        let document = text.parse::<DocumentMut>().map_err(|error| {
            let message = format!(
                "The settings {} are not valid TOML: {}; mend or remove the file",
                file.display(),
                error.message()
            );
            ApiError::new(Code::BadInput, message)
        })?;
        Ok(Settings { file, document: Mutex::new(document) })
    }

    /// A setting's value, or its default.
    pub(crate) fn get(&self, key: &str) -> Result<String, ApiError> {
        let default = known(key)?;
        let document = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut item: Option<&Item> = Some(document.as_item());
        for part in key.split('.') {
            item = item.and_then(|item| item.get(part));
        }
        let value = item.and_then(|item| item.as_value());
        Ok(value.map_or_else(
            || default.to_owned(),
            |value| value.as_str().map_or_else(|| value.to_string().trim().to_owned(), str::to_owned),
        ))
    }

    /// Sets a setting; an empty value removes it.
    pub(crate) fn set(&self, setting: &Setting) -> Result<(), ApiError> {
        known(&setting.key)?;
        let mut document = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = document.clone();
        let parts: Vec<&str> = setting.key.split('.').collect();
        let Some((last, folders)) = parts.split_last() else { return Ok(()) };
        let mut table = changed.as_table_mut();
        for folder in folders {
            table = table.entry(folder).or_insert_with(implicit_table).as_table_mut().ok_or_else(|| {
                ApiError::new(
                    Code::BadInput,
                    format!("`{folder}` in the settings is not a table; mend the file"),
                )
            })?;
        }
        if setting.value.is_empty() {
            table.remove(last);
        } else {
            table.insert(last, toml_edit::value(setting.value.clone()));
        }
        self.write(&changed)?;
        *document = changed;
        Ok(())
    }

    /// All profiles by name, the built-in one first.
    pub(crate) fn profiles(&self) -> Vec<ProfileCard> {
        let document = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = vec![ProfileCard {
            name: BUILT_IN.into(),
            provider: BUILT_IN.into(),
            base_url: String::new(),
            models: Default::default(),
            key_env: String::new(),
        }];
        let Some(profiles) = document.get("profiles").and_then(Item::as_table) else { return all };
        for (name, item) in profiles {
            let text = |field: &str| item.get(field).and_then(Item::as_str).unwrap_or_default().to_owned();
            let models = item.get("models").and_then(Item::as_table_like);
            all.push(ProfileCard {
                name: name.to_owned(),
                provider: text("provider"),
                base_url: text("base_url"),
                key_env: text("key_env"),
                models: models
                    .into_iter()
                    .flat_map(|models| models.iter())
                    .filter_map(|(role, model)| Some((role.to_owned(), model.as_str()?.to_owned())))
                    .collect(),
            });
        }
        all
    }

    /// Stores a profile; `None` removes it.
    pub(crate) fn set_profile(&self, name: &str, card: Option<&ProfileCard>) -> Result<(), ApiError> {
        let mut document = self.document.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = document.clone();
        let profiles = changed.as_table_mut().entry("profiles").or_insert_with(implicit_table);
        let Some(profiles) = profiles.as_table_mut() else {
            return Err(ApiError::new(
                Code::BadInput,
                "`profiles` in the settings is not a table; mend the file",
            ));
        };
        match card {
            None => {
                profiles.remove(name);
            }
            Some(card) => {
                let mut table = Table::new();
                table.insert("provider", toml_edit::value(card.provider.clone()));
                for (field, value) in [("base_url", &card.base_url), ("key_env", &card.key_env)] {
                    if !value.is_empty() {
                        table.insert(field, toml_edit::value(value.clone()));
                    }
                }
                if !card.models.is_empty() {
                    let mut models = toml_edit::InlineTable::new();
                    for (role, model) in &card.models {
                        models.insert(role, model.clone().into());
                    }
                    table.insert("models", toml_edit::value(models));
                }
                profiles.insert(name, Item::Table(table));
            }
        }
        self.write(&changed)?;
        *document = changed;
        Ok(())
    }

    /// Written beside and moved into place, so that a crash leaves the old file or the new one.
    fn write(&self, document: &DocumentMut) -> Result<(), ApiError> {
        let beside = self.file.with_extension(format!("toml.{}", std::process::id()));
        std::fs::write(&beside, document.to_string())
            .and_then(|()| std::fs::rename(&beside, &self.file))
            .map_err(|error| {
                // The old file stands; a half-written one beside it is of no use.
                let _ = std::fs::remove_file(&beside);
                let message = format!(
                    "The settings {} cannot be written: {error}; nothing was changed",
                    self.file.display()
                );
                ApiError::new(Code::ReadOnly, message)
            })
    }
}

fn implicit_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
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
