//! Notifies of changes of the database by this process or another.
//!
//! The writer reports its own commits at once. A thread polls for those of others, only while there are subscribers.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::watch;

use crate::connection::open_reader;
use crate::mutex::lock;
use crate::store::{Shared, Store};

/// The poll interval for changes of other processes.
const INTERVAL: Duration = Duration::from_millis(150);

impl Store {
    /// A counter that increases when this or another process changed the database.
    pub fn watch_changes(&self) -> watch::Receiver<u64> {
        let receiver = self.shared.changes.subscribe();
        let mut is_looking = lock(&self.shared.is_looking);
        if !*is_looking {
            let shared = Arc::downgrade(&self.shared);
            // The version is read here, so that no later change is missed.
            match open_reader(&self.shared.place) {
                Ok(connection) => {
                    let seen = version(&connection);
                    let thread = std::thread::Builder::new().name("store-changes".to_owned());
                    match thread.spawn(move || look(&shared, &connection, seen)) {
                        Ok(_) => *is_looking = true,
                        Err(error) => tracing::warn!(%error, "runs of other processes are not followed"),
                    }
                }
                Err(error) => tracing::warn!(%error, "runs of other processes are not followed"),
            }
        }
        receiver
    }
}

/// The data version, which changes with each commit of another connection.
fn version(connection: &Connection) -> Option<i64> {
    connection.prepare_cached("PRAGMA data_version").ok()?.query_row([], |row| row.get(0)).ok()
}

fn look(shared: &Weak<Shared>, connection: &Connection, mut seen: Option<i64>) {
    loop {
        std::thread::sleep(INTERVAL);
        let Some(shared) = shared.upgrade() else { return };
        if shared.changes.receiver_count() == 0 {
            let mut is_looking = lock(&shared.is_looking);
            // A subscriber may have been added meanwhile.
            if shared.changes.receiver_count() == 0 {
                *is_looking = false;
                return;
            }
        }
        let now = version(connection);
        if now.is_some() && now != seen {
            seen = now;
            shared.changes.send_modify(|count| *count = count.wrapping_add(1));
        }
    }
}
