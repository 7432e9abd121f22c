//! The arguments of `galley queue` and `galley worker`.

use clap::{Args, Subcommand};

use super::settings::KeyFrom;

#[derive(Debug, Args)]
pub(crate) struct Queue {
    #[command(subcommand)]
    pub(crate) command: Option<QueueCommand>,
    /// Give the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Send sub-tasks to the workers of a NATS server
    Set {
        /// Its address: nats://[USER@]HOST[:PORT], or tls://… for an encrypted one
        url: String,
        #[command(flatten)]
        key: KeyFrom,
    },
    /// Make every call in this process again
    Clear,
}

#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// Whose sub-tasks it takes, for example ResearchAgent
    #[arg(long)]
    pub(crate) role: String,
    /// The queue's address [default: the setting queue.url]
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    pub(crate) queue: String,
    /// The environment variable with the queue's token, password, nkey seed or credentials
    #[arg(long, value_name = "VAR")]
    pub(crate) key_env: Option<String>,
    /// So many sub-tasks at once
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) at_once: u32,
    /// Its name for people [default: host and process]
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) name: String,
    /// Let a tool act, or search the library, for others: everywhere, or only at HOST; may be repeated
    #[arg(long, value_name = "TOOL[@HOST]")]
    pub(crate) allow: Vec<String>,
    /// Ask models for others with this profile; may be repeated
    #[arg(long = "profile", value_name = "NAME")]
    pub(crate) profiles: Vec<String>,
}
