//! Opening whatever is found in the data folder.

use std::path::Path;

use engine::{Durability, Log};
use kernel::Code;
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{set, start, started};

fn refusal(folder: &Path) -> engine::LogError {
    match Store::open(folder) {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

#[test]
fn a_folder_that_is_a_file_or_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for (place, code) in [(file.clone(), Code::BadInput), (file.join("below"), Code::ReadOnly)] {
        let error = refusal(&place);
        assert_eq!(error.code, code);
        assert!(error.message.contains(&place.display().to_string()), "{error}");
    }
    Store::open(&folder.path().join("made/on/the/way")).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    // Not even the superuser writes here.
    let place = Path::new("/proc/self/fdinfo");
    let error = refusal(place);
    assert_eq!(error.code, Code::ReadOnly);
    assert!(error.message.contains("/proc/self/fdinfo") && error.message.contains("--data-dir"), "{error}");
}

#[test]
fn a_file_that_is_no_database_is_damaged_and_the_newest_backup_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(DATABASE_FILE), "this is not a database, nor was it ever ".repeat(99))
        .unwrap();
    let error = refusal(folder.path());
    assert_eq!(error.code, Code::DatabaseCorrupt);
    assert!(error.message.contains(DATABASE_FILE) && error.message.contains("no backup"), "{error}");
    std::fs::write(folder.path().join("galley-backup-1-2026-01-01.sqlite3"), "").unwrap();
    assert!(refusal(folder.path()).message.contains("galley-backup-1-2026-01-01.sqlite3"));
}

#[tokio::test]
async fn damage_inside_the_database_is_named_when_it_is_met() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    {
        let store = Store::open(folder.path()).unwrap();
        let many = (2..400).map(|seq| set(seq, "k", json!("y".repeat(900))));
        store.create(&start, std::iter::once(started(&start)).chain(many).collect()).await.unwrap();
    }
    let file = folder.path().join(DATABASE_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    // In the midst of the events, wherever the tables before them end.
    let from =
        bytes.windows(900).position(|window| window.iter().all(|byte| *byte == b'y')).unwrap() + 100_000;
    bytes[from..from + 40_000].fill(0xA5);
    std::fs::write(&file, bytes).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let refused = store.load(&start.run).await.map(|recorded| recorded.events.len());
    assert_eq!(refused.unwrap_err().code, Code::DatabaseCorrupt);
}

#[test]
fn a_database_of_a_newer_program_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let file = folder.path().join(DATABASE_FILE);
    let database = rusqlite::Connection::open(&file).unwrap();
    database.pragma_update(None, "user_version", 900).unwrap();
    drop(database);
    let before = std::fs::read(&file).unwrap();
    let error = refusal(folder.path());
    assert_eq!(error.code, Code::DatabaseNewer);
    assert!(error.message.contains("900") && error.message.contains("Update Galley"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn an_event_of_a_newer_program_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    database.execute("UPDATE events SET v = 99", []).unwrap();
    assert_eq!(store.load(&start.run).await.unwrap_err().code, Code::DatabaseNewer);
}

#[tokio::test]
async fn a_database_locked_by_another_program_is_named_and_goes_on_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    let other = rusqlite::Connection::open(store.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let next = || vec![set(2, "k", json!(1))];
    let error = store.append(&start.run, next(), Durability::Committed).await.unwrap_err();
    assert_eq!(error.code, Code::DatabaseLocked);
    assert_eq!(store.load(&start.run).await.unwrap().events.len(), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    store.append(&start.run, next(), Durability::Committed).await.unwrap();
}

#[test]
fn many_open_a_new_folder_at_once() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Store::open(folder.path()).unwrap());
        }
    });
}
