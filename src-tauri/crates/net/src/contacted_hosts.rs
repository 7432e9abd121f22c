//! Every host this process has contacted, so that a person can see where the program goes. In memory only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::Url;
use serde::Serialize;

/// More hosts than this are not told apart any more.
const MOST_HOSTS: usize = 2_000;

/// One host that was contacted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contact {
    /// Name or number, with its port when that is not the usual one.
    pub host: String,
    /// How often it was asked.
    pub requests: u64,
    /// When it was asked last, milliseconds since 1970 UTC.
    pub last_at_ms: i64,
}

static CONTACTS: Mutex<BTreeMap<String, (u64, i64)>> = Mutex::new(BTreeMap::new());

/// Every host contacted by this process, in alphabetic order.
pub fn contacted() -> Vec<Contact> {
    let contacts = CONTACTS.lock().unwrap_or_else(PoisonError::into_inner);
    let contact = |(host, (requests, last_at_ms)): (&String, &(u64, i64))| Contact {
        host: host.clone(),
        requests: *requests,
        last_at_ms: *last_at_ms,
    };
    contacts.iter().map(contact).collect()
}

/// Notes that this host is asked now; also for clients outside this crate.
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
