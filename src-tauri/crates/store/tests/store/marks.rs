//! The mark that identifies a database, also in one that was made before marks existed.

use std::path::Path;

use engine::{Durability, Log};
use kernel::Code;
use rusqlite::{Connection, OpenFlags};
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{set, shared, start, started};

/// A database with one run in the format of an earlier version.
async fn without_mark(folder: &Path) {
    let store = Store::open(folder).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.close().await;
    drop(store);
    Connection::open(folder.join(DATABASE_FILE)).unwrap().pragma_update(None, "application_id", 0).unwrap();
    assert_eq!(mark(folder), 0);
}

/// The mark in the file itself, regardless of its log.
fn mark(folder: &Path) -> i32 {
    let name = format!("file:{}?immutable=1", folder.join(DATABASE_FILE).display());
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let database = Connection::open_with_flags(name, flags).unwrap();
    database.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap()
}

#[tokio::test]
async fn a_database_without_a_mark_gets_one_for_detecting_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    without_mark(folder.path()).await;
    let file = folder.path().join(DATABASE_FILE);
    let before = std::fs::read(&file).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let given = mark(folder.path());
    assert_ne!(given, 0);
    let run = start("run-1").run;
    store.hold(&run).await.unwrap();
    store.append(&run, shared(vec![set(2, "k", json!(1))]), Durability::Committed).await.unwrap();
    assert_eq!(mark(folder.path()), given);
    // A copy that the user made before the database had a mark.
    let mut open = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
    std::io::Write::write_all(&mut open, &before).unwrap();
    let lost = store.append(&run, shared(vec![set(3, "k", json!(2))]), Durability::Committed).await;
    assert_eq!(lost.unwrap_err().code, Code::DatabaseMissing);
}

#[tokio::test]
async fn the_log_of_a_database_without_a_mark_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    without_mark(folder.path()).await;
    let (file, log) = (folder.path().join(DATABASE_FILE), format!("{DATABASE_FILE}-wal"));
    // The state after a killed process: with a log that is not checkpointed yet.
    let killed = tempfile::tempdir().unwrap();
    let database = Connection::open(&file).unwrap();
    database.execute("UPDATE runs SET title = 'in the log'", []).unwrap();
    for name in [DATABASE_FILE, &log] {
        std::fs::copy(folder.path().join(name), killed.path().join(name)).unwrap();
    }
    let store = Store::open(killed.path()).unwrap();
    assert_ne!(mark(killed.path()), 0);
    assert_eq!(store.run_card(&start("run-1").run).await.unwrap().title, "in the log");
}

#[tokio::test]
async fn a_database_open_elsewhere_is_opened_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    without_mark(folder.path()).await;
    let other = std::fs::File::open(folder.path().join("galley.lock")).unwrap();
    other.lock_shared().unwrap();
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(mark(folder.path()), 0);
    let run = start("run-1").run;
    store.hold(&run).await.unwrap();
    store.append(&run, shared(vec![set(2, "k", json!(1))]), Durability::Committed).await.unwrap();
    store.close().await;
    drop(store);
    other.unlock().unwrap();
    Store::open(folder.path()).unwrap();
    assert_ne!(mark(folder.path()), 0);
}
