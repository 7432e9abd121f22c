//! The last tool list of each server, in a file of the data folder, so that a pipeline can be drawn without starting
//! servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use kernel::Hash;
use serde::{Deserialize, Serialize};

use crate::config::ServerConfig;
use crate::connection::Era;
use crate::listing::Listing;

/// The file name in the data folder.
const FILE: &str = "tool_servers_seen.json";
/// The largest cache file, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// The last tool list of a server.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct CachedListing {
    /// The hash of the configuration that it was listed with.
    pub(crate) config: Option<Hash>,
    pub(crate) era: Option<Era>,
    pub(crate) listing: Listing,
}

/// The file.
pub(crate) struct ListingCache {
    path: PathBuf,
    /// Serializes writes.
    keeping: Mutex<()>,
}

impl ListingCache {
    pub(crate) fn of(folder: &Path) -> ListingCache {
        ListingCache { path: folder.join(FILE), keeping: Mutex::default() }
    }

    /// The lists by server name. Unreadable entries are dropped: they are only a cache.
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

/// The hash of what determines the list: the command or address. The selection of offered tools does not matter.
pub(crate) fn hash(config: &ServerConfig) -> Hash {
    let ServerConfig { command, args, folder, url, .. } = config;
    Hash::of(serde_json::to_string(&(command, args, folder, url)).unwrap_or_default().as_bytes())
}
