//! Backups that are made while the program works, and while it ends.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use engine::{Durability, Log};
use store::Store;

use crate::samples::{ended, shared, start, started};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A store with one run, which no process holds.
async fn with_a_run(folder: &Path) -> Store {
    let store = Store::open(folder).unwrap();
    let first = start("run-1");
    store.create(&first, vec![started(&first)]).await.unwrap();
    store.append(&first.run, shared(vec![ended(2)]), Durability::Committed).await.unwrap();
    store
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("galley-backup-")).collect();
    names.sort();
    names
}

fn write_dated(file: &Path, at: SystemTime) {
    std::fs::write(file, "some bytes").unwrap();
    File::options().write(true).open(file).unwrap().set_modified(at).unwrap();
}

#[tokio::test]
async fn a_weekly_backup_from_the_future_counts_for_a_week_and_is_deleted_first() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_a_run(folder.path()).await;
    let now = SystemTime::now();
    let place = |name: &str| folder.path().join(format!("galley-backup-weekly-{name}.sqlite3"));
    write_dated(&place("ahead"), now + 2 * DAY);
    assert!(!store.back_up_weekly().await.unwrap(), "it is of this week, whichever clock was wrong");
    write_dated(&place("ahead"), now + 300 * DAY);
    write_dated(&place("further"), now + 301 * DAY);
    assert!(store.back_up_weekly().await.unwrap());
    let made = |name: &String| !name.contains("ahead") && !name.contains("further");
    assert_eq!(names(folder.path()).len(), 2);
    assert!(names(folder.path()).iter().any(made), "the new one stays: {:?}", names(folder.path()));
    assert!(!store.back_up_weekly().await.unwrap(), "one of the future does not hide it");
    write_dated(&place("before"), now - 9 * DAY);
    let new = names(folder.path()).into_iter().find(made).unwrap();
    File::options().write(true).open(folder.path().join(&new)).unwrap().set_modified(now - 8 * DAY).unwrap();
    assert!(store.back_up_weekly().await.unwrap());
    let left = names(folder.path());
    assert!(left.len() == 2 && left.contains(&new) && left.iter().all(made), "{left:?}");
}

#[tokio::test]
async fn no_backup_begins_once_stopped_and_a_later_store_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_a_run(folder.path()).await;
    store.stop_copies();
    store.back_up_weekly().await.unwrap_err();
    store.back_up().await.unwrap_err();
    assert_eq!(names(folder.path()), Vec::<String>::new());
    store.close().await;
    let later = Store::open(folder.path()).unwrap();
    assert!(later.back_up_weekly().await.unwrap());
    assert_eq!(names(folder.path()).len(), 1);
}

#[tokio::test]
async fn closing_during_a_backup_leaves_a_complete_one_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let store = with_a_run(folder.path()).await;
    let copying = store.clone();
    let copying = tokio::spawn(async move { copying.back_up().await });
    tokio::task::yield_now().await;
    store.close().await;
    let is_made = copying.await.unwrap().is_ok();
    assert_eq!(names(folder.path()).len(), usize::from(is_made), "{:?}", names(folder.path()));
    assert_eq!(store.backups().unwrap().len(), usize::from(is_made));
}

#[test]
fn partial_backups_of_killed_processes_are_removed_and_running_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let hours = |n: u32| Duration::from_secs(60 * 60) * n;
    let now = SystemTime::now();
    let files = [
        ("galley-backup-weekly-2026-01-01.partial", now - hours(2), false),
        ("galley-backup-weekly-2026-01-01.partial-journal", now - hours(2), false),
        ("galley-backup-alone.partial-journal", now - hours(2), false),
        ("galley-backup-ahead.partial", now + hours(2), false),
        ("galley-backup-making.partial", now, true),
        ("galley-backup-making.partial-journal", now - hours(2), true),
        ("galley-backup-theirs.partial.txt", now - hours(2), true),
        ("other.partial", now - hours(2), true),
    ];
    for (name, at, _) in files {
        write_dated(&folder.path().join(name), at);
    }
    Store::open(folder.path()).unwrap();
    for (name, _, stays) in files {
        assert_eq!(folder.path().join(name).exists(), stays, "{name}");
    }
}
