//! The data folder and its backups, and settings as a portable text.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::ApiError;

/// The data folder.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DataFolder {
    /// Where it is.
    pub path: String,
    /// Bytes of the database with what was not yet moved into it.
    #[ts(type = "number")]
    pub database_bytes: u64,
    /// How many runs of the history there are, and how many are in the trash.
    pub runs: u32,
    /// Of these, those in the trash.
    pub trashed_runs: u32,
    /// Whole copies of the database, the newest first.
    pub backups: Vec<BackupCard>,
}

/// A whole copy of the database.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct BackupCard {
    /// Its name in the data folder.
    pub file: String,
    /// When it was made, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// Its bytes.
    #[ts(type = "number")]
    pub bytes: u64,
}

/// A data folder whose database is damaged or missing.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DamageCard {
    /// What is the matter.
    pub error: ApiError,
    /// Where the folder is.
    pub path: String,
    /// Whole copies of the database, the newest first.
    pub backups: Vec<BackupCard>,
}

/// What takes the place of a database that is set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Replacement {
    /// A backup.
    Backup {
        /// Its name in the data folder.
        file: String,
    },
    /// What can be read of the database itself.
    Readable,
    /// An empty history.
    Empty,
    /// What can be read, or the newest usable backup where that holds more runs.
    Fullest,
}

/// How to go on where the database is damaged or missing.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Recover {
    /// What takes its place.
    pub replacement: Replacement,
}

/// A database that was set aside, and what took its place.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Recovered {
    /// The name of the database in the data folder now; none when there was none.
    pub kept: Option<String>,
    /// The backup that took its place; none when it was no backup.
    pub backup: Option<String>,
    /// How many runs there are now.
    pub runs: u32,
    /// Of these, those that end before what could not be read.
    pub shortened: u32,
    /// Of these, those whose definition or inputs could not be read: they can be shown and exported, not executed.
    pub without_definition: u32,
    /// Runs that could not be read at all.
    pub lost: u32,
}

/// Settings and profiles without their keys, as TOML.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SettingsText {
    /// The text.
    pub toml: String,
}

/// Settings to take over from a text.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ImportSettings {
    /// The text, as an export gave it.
    pub toml: String,
    /// Whether the answer only lists what would change.
    pub is_trial: bool,
}

/// What an import of settings changes.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct ImportedSettings {
    /// Settings that get another value.
    pub settings: Vec<ChangedSetting>,
    /// Profiles that are new, by name and the address that they ask; their keys are to be given here.
    pub profiles: Vec<NewProfile>,
    /// Names of profiles that are here already and stay as they are.
    pub kept: Vec<String>,
}

/// A setting that gets another value.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ChangedSetting {
    /// Its key, dotted.
    pub key: String,
    /// Its value now; its default when it was not set.
    pub from: String,
    /// Its value afterwards.
    pub to: String,
}

/// A profile that an import brings.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct NewProfile {
    /// Its name.
    pub name: String,
    /// Whom it asks.
    pub provider: String,
    /// Where; empty for the provider's own address.
    pub base_url: String,
}
