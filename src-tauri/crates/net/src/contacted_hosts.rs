//! The hosts that this process contacted, for display to the user. Kept in memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::Url;
use serde::Serialize;

/// The most hosts that are listed; requests to further hosts are counted together.
const MOST_HOSTS: usize = 2_000;

/// A contacted host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contact {
    /// The host name or IP address, with its port unless it is the default one.
    pub host: String,
    /// The number of requests.
    pub requests: u64,
    /// The time of the last request, in milliseconds since 1970 UTC.
    pub last_at_ms: i64,
}

static CONTACTS: Mutex<BTreeMap<String, (u64, i64)>> = Mutex::new(BTreeMap::new());

/// All hosts contacted by this process, alphabetically.
pub fn contacted() -> Vec<Contact> {
    let contacts = CONTACTS.lock().unwrap_or_else(PoisonError::into_inner);
    let contact = |(host, (requests, last_at_ms)): (&String, &(u64, i64))| Contact {
        host: host.clone(),
        requests: *requests,
        last_at_ms: *last_at_ms,
    };
    contacts.iter().map(contact).collect()
}

/// Records a request to this host; also used by clients outside this crate.
pub fn note(url: &Url) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let now = i64::try_from(since.as_millis()).unwrap_or(i64::MAX);
    let mut contacts = CONTACTS.lock().unwrap_or_else(PoisonError::into_inner);
    let host = crate::error::host_of(url);
    let host = if contacts.len() < MOST_HOSTS || contacts.contains_key(&host) {
        host
    } else {
        "and others".to_owned()
    };
    let (requests, last_at_ms) = contacts.entry(host).or_default();
    *requests = requests.saturating_add(1);
    *last_at_ms = now;
}
