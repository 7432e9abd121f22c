//! Profiles, their keys, the settings, the services that are searched, and what calls cost.

pub(crate) mod checks;
pub(crate) mod estimates;
pub(crate) mod fallbacks;
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
mod server_texts;
pub(crate) mod services;
pub(crate) mod setting_commands;
pub(crate) mod task_queue;
mod tool_server_import;
pub(crate) mod tool_server_sign_ins;
pub(crate) mod tool_server_values;
pub(crate) mod tool_servers;
