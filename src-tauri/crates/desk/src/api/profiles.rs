//! Profiles of models and services, and settings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use kernel::{LimitName, Phrase, RequestPart};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A profile as it is shown: never with its secret.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ProfileCard {
    /// Its name.
    pub name: String,
    /// The provider's id.
    pub provider: String,
    /// Where requests go; empty for the provider's own address.
    #[serde(default)]
    pub base_url: String,
    /// Models by role (`default`, `search`, `write`, `review`).
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// The environment variable that holds the key; empty for none.
    #[serde(default)]
    pub key_env: String,
    /// The last four characters of the key that the keyring holds; empty when it holds none.
    #[serde(default)]
    pub last_four: String,
    /// By which the key of that moment is found in the keyring again; stays inside the program.
    #[serde(skip)]
    pub key_id: String,
    /// The profile that stands in when this one's key, credit or rate fails; empty for none.
    #[serde(default)]
    pub fallback: String,
    /// Limits of every run that it is chosen for, where the run sets none of its own.
    #[serde(default)]
    pub limits: BTreeMap<LimitName, f64>,
    /// Whether it asks a service that is searched, and no models. Told, never taken.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub is_of_service: bool,
    /// The last four characters of the key that is kept for it until the program ends; nothing when none is. Told, never
    /// taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub session_last_four: Option<String>,
    /// The settings that name it, dotted: `default_profile`, `profiles.NAME.fallback`. Told, never taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<String>>")]
    pub used_by: Vec<String>,
    /// What its server refused of requests, by model, and is not sent to it again until it is tested. Told, never taken.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(optional, as = "Option<BTreeMap<String, Vec<RequestPart>>>")]
    pub refused: BTreeMap<String, BTreeSet<RequestPart>>,
    /// What came of its last trial; nothing when it never was tried.
    #[serde(default)]
    pub tested: Option<ProfileTest>,
}

/// A trial of a profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ProfileTest {
    /// When, in milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub at_ms: i64,
    /// What came of it.
    pub phrase: Phrase,
}

/// A profile on its way into the settings, with its key where one was typed. The key goes in and never comes back.
#[derive(Clone, Default, Serialize, Deserialize, TS)]
pub struct AddProfile {
    /// The profile.
    #[serde(flatten)]
    pub profile: ProfileCard,
    /// Its key as it was typed or pasted; empty to leave its key as it is.
    #[serde(default)]
    pub key: String,
    /// Whether the key is kept in memory only, until the program ends.
    #[serde(default)]
    pub for_session: bool,
}

impl fmt::Debug for AddProfile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("AddProfile").field("profile", &self.profile).finish_non_exhaustive()
    }
}

/// What went with a profile that was removed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct RemovedProfile {
    /// The settings that named it and are not set any more, dotted.
    pub unset: Vec<String>,
}

/// A model as its provider lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelCard {
    /// The name by which a profile names it.
    pub name: String,
    /// Its name for people, or its size; may be empty.
    pub title: String,
    /// The day on which it will be shut down, `YYYY-MM-DD`; empty when none is announced.
    pub shutdown_date: String,
    /// Most tokens of a request; 0 when the provider does not say.
    #[ts(type = "number")]
    pub input_tokens: u64,
    /// Most tokens of an answer; 0 when the provider does not say.
    #[ts(type = "number")]
    pub output_tokens: u64,
}

/// The models behind a profile.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ModelList {
    /// In the provider's order.
    pub models: Vec<ModelCard>,
}

/// All profiles.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Profiles {
    /// By name.
    pub profiles: Vec<ProfileCard>,
}

/// A setting as it is in force.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SettingInForce {
    /// Its key, dotted.
    pub key: String,
    /// Its value.
    pub value: String,
    /// The value that it has when it is not set.
    pub usual: String,
}

/// A setting.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Setting {
    /// Its key, dotted.
    pub key: String,
    /// Its value; empty text when it is not set.
    #[serde(default)]
    pub value: String,
}
