//! Profiles, their keys, the settings, the services that are searched, tools and their rules, and what calls cost.

pub(crate) mod checks;
pub(crate) mod estimates;
pub(crate) mod fallbacks;
mod found_servers;
pub(crate) mod keys;
pub(crate) mod known_keys;
pub(crate) mod ledger;
pub(crate) mod page_browser;
pub(crate) mod permissions;
pub(crate) mod price_commands;
pub(crate) mod price_table;
pub(crate) mod priced;
pub(crate) mod prices;
pub(crate) mod profile_card;
pub(crate) mod profile_directory;
pub(crate) mod profiles;
pub(crate) mod saved_tool_servers;
mod server_texts;
pub(crate) mod services;
pub(crate) mod setting_commands;
pub(crate) mod task_queue;
mod tool_server_import;
pub(crate) mod tool_server_sign_ins;
mod tool_server_values;
mod tool_servers;

use std::path::PathBuf;
use std::sync::Arc;

use engine::{ModelDirectory, ToolDirectory};
use store::Store;
use vault::Vault;

use crate::pipeline_directory::PipelineDirectory;
use crate::settings::Settings;
use permissions::SavedRules;
use prices::PriceList;
use saved_tool_servers::SavedToolServers;
use task_queue::SettingsQueue;
use tool_server_sign_ins::PendingSignIns;

/// The commands about profiles, keys, settings, prices, the queue, tool servers, rules for tools and the ledger.
pub struct AccountService {
    /// The data folder, where the list of feeds is.
    pub(crate) folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) settings: Arc<Settings>,
    pub(crate) vault: Arc<Vault>,
    pub(crate) prices: Arc<PriceList>,
    pub(crate) pipelines: Arc<PipelineDirectory>,
    pub(crate) models: Arc<dyn ModelDirectory>,
    pub(crate) tools: Arc<dyn ToolDirectory>,
    pub(crate) queue: Arc<SettingsQueue>,
    pub(crate) tool_servers: Arc<SavedToolServers>,
    pub(crate) sign_ins: PendingSignIns,
    pub(crate) rules: Arc<SavedRules>,
}
