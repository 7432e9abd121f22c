//! What servers listed last, kept in a file of the data folder: a pipeline is drawn without starting them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::Hash;
use serde::{Deserialize, Serialize};

use crate::config::ServerConfig;
use crate::connection::Era;
use crate::listing::Listing;

/// What servers listed last, in the data folder.
const FILE: &str = "tool_servers_seen.json";
/// The largest such file, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// What a server listed last.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CachedListing {
    /// Of this configuration.
    pub(crate) config: Option<Hash>,
    pub(crate) era: Option<Era>,
    pub(crate) listing: Listing,
}

/// The file.
pub(crate) struct ListingCache {
    path: PathBuf,
    /// It is written by one at a time.
    keeping: Mutex<()>,
}

impl ListingCache {
    pub(crate) fn of(folder: &Path) -> ListingCache {
        ListingCache { path: folder.join(FILE), keeping: Mutex::default() }
    }

    /// By the names of the servers. What cannot be read was only seen: it is asked for again.
    pub(crate) fn read(&self) -> BTreeMap<String, CachedListing> {
        let text = disk::read_text(&self.path, LARGEST_FILE).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(crate) fn keep(&self, name: &str, cached: CachedListing) {
        let _keeping = self.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.read();
        all.insert(name.to_owned(), cached);
        let kept = serde_json::to_vec(&all).map_err(std::io::Error::other);
        let kept = kept.and_then(|text| disk::write_private(&self.path, &text));
        if let Err(error) = kept {
            tracing::warn!(%error, "what a tool server listed is not kept");
        }
    }
}

/// What tells whether a list is still that of the server: what is started or asked. How its tools are offered changes nothing.
pub(crate) fn hash(config: &ServerConfig) -> Hash {
    let ServerConfig { command, args, folder, url, .. } = config;
    Hash::of(serde_json::to_string(&(command, args, folder, url)).unwrap_or_default().as_bytes())
}
