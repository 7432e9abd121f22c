//! Keys of profiles and the cost of calls in the API.

use kernel::Phrase;
use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A key on its way into the keyring. It goes in and never comes back.
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct SaveKey {
    /// The profile.
    pub profile: String,
    /// The key as it was typed or pasted.
    pub key: String,
    /// Whether it is kept in memory only, until the program ends.
    #[serde(default)]
    pub for_session: bool,
}

impl fmt::Debug for SaveKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SaveKey").field("profile", &self.profile).finish_non_exhaustive()
    }
}

/// What is shown of a key that was saved.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SavedKey {
    /// Its last four characters; empty for a key too short to show any.
    pub last_four: String,
}

/// A provider, for the form of a profile.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct ProviderCard {
    /// Its id: `gemini`.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Whether it refuses requests without a key.
    pub needs_key: bool,
    /// Where a key is to be had; empty where there is no such page.
    pub key_page: String,
    /// The environment variable that its own tools read; empty for none.
    pub key_variable: String,
    /// Whether that variable is set here. Its value is not looked at.
    pub is_key_found: bool,
    /// Its address when the person gives none; empty when they must.
    pub base_url: String,
    /// Its models by role.
    pub models: BTreeMap<String, String>,
    /// Whether it has no models but is searched.
    pub is_of_service: bool,
}

/// All providers.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Providers {
    /// By id.
    pub providers: Vec<ProviderCard>,
    /// The name of the system's keyring.
    pub keyring: String,
    /// Why it cannot be used; empty when it can.
    pub keyring_error: Option<Phrase>,
}

/// A server of models that runs on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FoundServer {
    /// The provider's id.
    pub provider: String,
    /// Its name for people.
    pub title: String,
    /// The address at which it was found.
    pub address: String,
    /// The base URL of its profile; empty for the provider's own address.
    pub base_url: String,
    /// The models installed there, which may be none; those that are loaded come first.
    pub models: Vec<String>,
    /// What to do before it can be used; `None` where it has a model.
    pub next_step: Option<Phrase>,
    /// The profile that asks it already; `None` where there is none.
    pub profile: Option<String>,
    /// A name for a new profile that no other has.
    pub free_name: String,
}

/// Servers of models that run on this machine.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FoundServers {
    /// By kind.
    pub servers: Vec<FoundServer>,
}

/// Which calls to add up.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct TotalUsage {
    /// Those of one run.
    #[serde(default)]
    pub run: Option<String>,
    /// Those of one profile.
    #[serde(default)]
    pub profile: Option<String>,
    /// Those of one month, `2026-11`, in UTC.
    #[serde(default)]
    pub month: Option<String>,
}

/// Calls added up.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Ledger {
    /// One line for each month, profile, model, run's pipeline and agent, the newest month first.
    pub lines: Vec<LedgerLine>,
    /// Runs that are damaged, so that what they used since they were last read is not in it.
    pub damaged_runs: Vec<String>,
}

/// What the runs cost.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunCosts {
    /// US dollars by run; `null` where no call has a known price. A run that asked no model is left out.
    pub costs: BTreeMap<String, Option<f64>>,
}

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LedgerLine {
    /// The month in UTC: `2026-11`.
    pub month: String,
    /// The profile.
    pub profile: String,
    /// The model that was asked.
    pub model: String,
    /// The agent that asked.
    pub agent: String,
    /// Requests sent, with those that were tried again.
    pub calls: u32,
    /// Of these, requests that failed.
    pub failed_calls: u32,
    /// Of these, requests that are not answered yet, or never will be because the program ended before.
    pub open_calls: u32,
    /// Tokens of the requests, where the provider counted them.
    #[ts(type = "number")]
    pub input_tokens: u64,
    /// Tokens of the answers.
    #[ts(type = "number")]
    pub output_tokens: u64,
    /// US dollars, of the calls whose price is known; `None` when none is.
    pub cost: Option<f64>,
    /// Calls that used tokens at a price that is not known, or whose answer never came.
    pub unpriced_calls: u32,
    /// Whether the cost is that of a price set after the calls, which had none.
    #[serde(default)]
    pub is_priced_later: bool,
    /// Of the tokens of the requests, those that the provider still had from an earlier one.
    #[ts(type = "number")]
    pub cached_tokens: u64,
}
