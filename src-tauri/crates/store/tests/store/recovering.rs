//! Going on where the database is damaged: nothing of it is lost, and a backup takes its place.

use std::collections::BTreeMap;
use std::path::Path;

use engine::Log;
use kernel::Code;
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{set, start, started};

/// Every file of the folder with its bytes, but for the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    named
        .filter(|(name, _)| name != "galley.lock")
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

/// A folder with a run, a backup of it, and a database that was damaged afterwards, with what a crash left beside it.
async fn damaged() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start), set(2, "k", json!("kept"))]).await.unwrap();
    store.back_up().await.unwrap();
    let backup = store.backups().unwrap()[0].file.clone();
    store.close().await;
    drop(store);
    std::fs::write(folder.path().join(DATABASE_FILE), "no database any more ".repeat(99)).unwrap();
    for (end, bytes) in [("-wal", "the log, of a run or of two"), ("-shm", "")] {
        std::fs::write(folder.path().join(format!("{DATABASE_FILE}{end}")), bytes).unwrap();
    }
    // Whoever tries to open it leaves the log to it.
    assert!(Store::open(folder.path()).is_err());
    (folder, backup)
}

fn refusal(folder: &Path, backup: Option<&str>) -> engine::LogError {
    Store::recover(folder, backup).unwrap_err()
}

#[tokio::test]
async fn a_backup_takes_the_place_of_a_damaged_database_which_is_kept_with_what_lay_beside_it() {
    let (folder, backup) = damaged().await;
    let before = files(folder.path());
    assert_eq!(Store::backups_of(folder.path()).unwrap()[0].file, backup);
    let kept = Store::recover(folder.path(), Some(&backup)).unwrap();
    assert!(kept.starts_with("galley-damaged-2") && kept.ends_with(".sqlite3"), "{kept}");
    let after = files(folder.path());
    for end in ["", "-wal", "-shm"] {
        assert_eq!(after[&format!("{kept}{end}")], before[&format!("{DATABASE_FILE}{end}")], "{end}");
    }
    assert_eq!(after[&format!("{kept}-wal")], b"the log, of a run or of two");
    assert_eq!(after[&backup], before[&backup]);
    assert_eq!(after[DATABASE_FILE], before[&backup]);
    assert_eq!(after.len(), before.len() + 1, "{:?}", after.keys());
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load(&start("run-1").run).await.unwrap().events.len(), 2);
    assert_eq!(store.backups().unwrap().len(), 1, "what is damaged is no backup");
}

#[tokio::test]
async fn an_empty_history_begins_where_that_is_wanted_and_a_second_time_takes_another_name() {
    let (folder, backup) = damaged().await;
    let first = Store::recover(folder.path(), None).unwrap();
    drop(Store::open(folder.path()).unwrap());
    let second = Store::recover(folder.path(), None).unwrap();
    assert_ne!(first, second);
    let left = files(folder.path());
    assert!([&first, &second, &backup].iter().all(|name| left.contains_key(*name)), "{:?}", left.keys());
    assert!(!left.contains_key(DATABASE_FILE));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.count_runs().await.unwrap(), (0, 0));
}

#[tokio::test]
async fn nothing_is_moved_for_another_process_an_unknown_name_or_a_backup_that_is_damaged_too() {
    let (folder, backup) = damaged().await;
    std::fs::write(folder.path().join("galley-backup-9-broken.sqlite3"), "nor was this ever one ".repeat(99))
        .unwrap();
    std::fs::write(folder.path().join("galley-backup-9-empty.sqlite3"), "").unwrap();
    let before = files(folder.path());
    for (name, code) in [
        ("galley-backup-9-broken.sqlite3", Code::DatabaseCorrupt),
        ("galley-backup-9-empty.sqlite3", Code::DatabaseCorrupt),
        ("galley-backup-9-missing.sqlite3", Code::NotFound),
        ("../galley-backup-9-broken.sqlite3", Code::NotFound),
        (DATABASE_FILE, Code::NotFound),
    ] {
        let error = refusal(folder.path(), Some(name));
        assert!(error.code == code && error.message.contains(name), "{error}");
    }
    let other = std::fs::File::open(folder.path().join("galley.lock")).unwrap();
    other.lock_shared().unwrap();
    for wanted in [Some(backup.as_str()), None] {
        let error = refusal(folder.path(), wanted);
        assert!(error.code == Code::DatabaseLocked && error.message.contains("Close every other"), "{error}");
    }
    assert_eq!(files(folder.path()), before);
    other.unlock().unwrap();
    Store::recover(folder.path(), Some(&backup)).unwrap();
}
