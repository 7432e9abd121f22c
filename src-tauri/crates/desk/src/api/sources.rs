//! Search sources and their services, and the contacted hosts.

use kernel::Phrase;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One setting of a service: `services.NAME.SETTING`.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServiceSetting {
    /// The whole key of the setting.
    pub key: String,
    /// What it means.
    pub help: String,
    /// What it is set to, or empty.
    pub value: String,
}

/// An outside service that a search source asks.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServiceCard {
    /// Its name in settings.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// Where it is asked unless another base URL is set; empty when there is no usual place.
    pub base_url: String,
    /// Everything that can be set.
    pub settings: Vec<ServiceSetting>,
}

/// A search source, as a form of settings shows it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SourceCard {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What it searches and what it takes.
    pub purpose: Phrase,
    /// `none`, `optional` or `required`.
    pub key: String,
    /// Where a key is given out, or empty.
    pub key_page: String,
    /// The services it asks.
    pub services: Vec<ServiceCard>,
}

/// A host that searches of this process have contacted.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ContactedHost {
    /// Its name, with the port when that is not the usual one.
    pub host: String,
    /// How often.
    #[ts(type = "number")]
    pub requests: u64,
    /// When last, milliseconds since 1970 UTC.
    #[ts(type = "number")]
    pub last_at_ms: i64,
}

/// Every search source, and where searches have been.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SourceCards {
    /// Alphabetic.
    pub sources: Vec<SourceCard>,
    /// Alphabetic.
    pub contacted: Vec<ContactedHost>,
    /// The file with the list of feeds.
    pub feeds_file: String,
}
