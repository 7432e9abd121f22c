//! The queue of workers on other machines in the API.

use std::fmt;

use kernel::Phrase;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The queue as it is set, and what its server says.
#[derive(Debug, Clone, Default, Serialize, Deserialize, TS)]
pub struct QueueCard {
    /// The server's address; empty where the calls are made in this process.
    pub url: String,
    /// The environment variable that holds the token or password; empty where none is named.
    pub key_env: String,
    /// Whether the keyring keeps one for this address.
    pub keeps_key: bool,
    /// Whether one was given for this address that is in memory until the program ends.
    pub has_session_key: bool,
    /// The server, where it answers.
    pub server: Option<QueueServer>,
    /// Why it does not.
    pub error: Option<Phrase>,
}

/// What the server of a queue says.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct QueueServer {
    /// Its version.
    pub version: String,
    /// Whether the way there is encrypted.
    pub is_encrypted: bool,
    /// So many sub-tasks wait or are worked on.
    pub sub_tasks: u32,
    /// So many were laid aside because no worker could do them.
    pub dead_letters: u32,
    /// Who works, by role and name.
    pub workers: Vec<WorkerCard>,
}

/// A worker that was heard of in the last half minute.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct WorkerCard {
    /// Its name: host and process, unless it was given one.
    pub name: String,
    /// Whose sub-tasks it takes.
    pub role: String,
    /// So many it has in hand.
    pub working: u32,
    /// So many it takes at once.
    pub at_once: u32,
    /// When it was last heard, in milliseconds since 1970.
    #[ts(type = "number")]
    pub heard_at_ms: i64,
}

/// A queue to be set. Another address loses the key of the former one.
#[derive(Clone, Serialize, Deserialize, TS)]
pub struct SaveQueue {
    /// The server's address, `nats://[USER@]HOST[:PORT]` or `tls://…`; empty: calls are made in this process.
    pub url: String,
    /// The environment variable that holds the token or password; empty for none.
    #[serde(default)]
    pub key_env: String,
    /// A token, a password, an nkey's seed or the content of a credentials file, for the keyring. None: what is kept for this
    /// address stays; empty: it is forgotten.
    #[serde(default)]
    pub key: Option<String>,
    /// Whether the key is kept in memory only, until the program ends.
    #[serde(default)]
    pub for_session: bool,
}

impl fmt::Debug for SaveQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SaveQueue").field("url", &self.url).finish_non_exhaustive()
    }
}
