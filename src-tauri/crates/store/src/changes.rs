//! Noticing that the database changed, by this process or another.
//!
//! The writer tells of its own commits at once. For those of others a thread looks now and then,
//! only while somebody watches.

use std::sync::{Arc, Weak};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::watch;

use crate::open;
use crate::store::{Shared, Store, lock};

/// How long a change of another process may go unnoticed.
const INTERVAL: Duration = Duration::from_millis(150);

impl Store {
    /// Counts up when this process or another one changed the database.
    pub fn watch_changes(&self) -> watch::Receiver<u64> {
        let receiver = self.shared.changes.subscribe();
        let mut is_looking = lock(&self.shared.is_looking);
        if !*is_looking {
            let shared = Arc::downgrade(&self.shared);
            // The first look is here and now, so that no later change is missed.
            match open::open_reader(&self.shared.place) {
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

/// A number that is another one after a commit of any other connection.
fn version(connection: &Connection) -> Option<i64> {
    connection.prepare_cached("PRAGMA data_version").ok()?.query_row([], |row| row.get(0)).ok()
}

fn look(shared: &Weak<Shared>, connection: &Connection, mut seen: Option<i64>) {
    loop {
        std::thread::sleep(INTERVAL);
        let Some(shared) = shared.upgrade() else { return };
        if shared.changes.receiver_count() == 0 {
            let mut is_looking = lock(&shared.is_looking);
            // Somebody may have come in between.
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
