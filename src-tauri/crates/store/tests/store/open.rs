//! Opening any content of the data folder.

use std::path::Path;

use engine::{Durability, Log};
use kernel::Code;
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{set, shared, start, started};

fn refusal(folder: &Path) -> engine::LogError {
    match Store::open(folder) {
        Ok(_) => panic!("it opened"),
        Err(error) => error,
    }
}

#[test]
fn a_folder_that_is_a_file_or_cannot_be_created_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for (place, code) in [(file.clone(), Code::BadInput), (file.join("below"), Code::ReadOnly)] {
        let error = refusal(&place);
        assert_eq!(error.code, code);
        assert!(error.to_string().contains(&place.display().to_string()), "{error}");
    }
    Store::open(&folder.path().join("made/on/the/way")).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_reported() {
    // A folder that not even root can write.
    let place = Path::new("/proc/self/fdinfo");
    let error = refusal(place);
    assert_eq!(error.code, Code::ReadOnly);
    assert!(
        error.to_string().contains("/proc/self/fdinfo") && error.to_string().contains("--data-dir"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_no_database_is_reported_with_the_newest_backup() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(DATABASE_FILE), "this is not a database, nor was it ever ".repeat(99))
        .unwrap();
    let error = refusal(folder.path());
    assert_eq!(error.code, Code::DatabaseCorrupt);
    assert!(error.to_string().contains(DATABASE_FILE) && error.to_string().contains("no backup"), "{error}");
    assert!(error.to_string().contains("`galley recover`"), "{error}");
    std::fs::write(folder.path().join("galley-backup-1-2026-01-01.sqlite3"), "x").unwrap();
    assert!(refusal(folder.path()).to_string().contains("galley-backup-1-2026-01-01.sqlite3"));
}

#[tokio::test]
async fn damage_inside_the_database_is_reported_on_access() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    {
        let store = Store::open(folder.path()).unwrap();
        let many = (2..400).map(|seq| set(seq, "k", json!("y".repeat(900))));
        store.create(&start, std::iter::once(started(&start)).chain(many).collect()).await.unwrap();
    }
    let file = folder.path().join(DATABASE_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    // Pages that are full of the events' values, so that nothing else is damaged.
    let is_of_values = |page: &[u8]| page.iter().filter(|byte| **byte == b'y').count() > 3_000;
    for page in bytes.chunks_mut(4_096).filter(|page| is_of_values(page)).skip(20).take(10) {
        page.fill(0xA5);
    }
    std::fs::write(&file, bytes).unwrap();
    let store = Store::open(folder.path()).unwrap();
    let refused = store.load(&start.run).await.map(|recorded| recorded.events.len());
    assert_eq!(refused.unwrap_err().code, Code::DatabaseCorrupt);
}

#[test]
fn a_database_of_a_newer_program_is_refused_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let file = folder.path().join(DATABASE_FILE);
    let database = rusqlite::Connection::open(&file).unwrap();
    database.pragma_update(None, "user_version", 900).unwrap();
    drop(database);
    let before = std::fs::read(&file).unwrap();
    let error = refusal(folder.path());
    assert_eq!(error.code, Code::DatabaseNewer);
    assert!(error.to_string().contains("900") && error.to_string().contains("Update Galley"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[tokio::test]
async fn an_event_of_an_unknown_version_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    database.execute("UPDATE events SET v = 99, checksum = NULL", []).unwrap();
    assert_eq!(store.load(&start.run).await.unwrap_err().code, Code::DatabaseNewer);
    database.execute("UPDATE events SET v = 1, checksum = NULL", []).unwrap();
    let earlier = store.load(&start.run).await.unwrap_err();
    assert_eq!(earlier.code, Code::DatabaseCorrupt);
    assert!(
        earlier.to_string().contains("an earlier program") && earlier.to_string().contains("galley recover")
    );
}

#[tokio::test]
async fn a_locked_database_is_reported_and_usable_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    let other = rusqlite::Connection::open(store.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let next = || vec![set(2, "k", json!(1))];
    let error = store.append(&start.run, shared(next()), Durability::Committed).await.unwrap_err();
    assert_eq!(error.code, Code::DatabaseLocked);
    assert_eq!(store.load(&start.run).await.unwrap().events.len(), 1, "reading goes on");
    other.execute_batch("ROLLBACK").unwrap();
    store.append(&start.run, shared(next()), Durability::Committed).await.unwrap();
}

#[test]
fn a_new_folder_can_be_opened_concurrently() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| Store::open(folder.path()).unwrap());
        }
    });
}

#[tokio::test]
async fn an_empty_or_missing_database_with_a_backup_or_log_is_reported_and_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.back_up().await.unwrap();
    let backup = store.backups().unwrap()[0].file.clone();
    store.close().await;
    drop(store);
    let file = folder.path().join(DATABASE_FILE);
    for is_empty in [true, false] {
        if is_empty {
            std::fs::write(&file, "").unwrap()
        } else {
            std::fs::remove_file(&file).unwrap()
        }
        let error = refusal(folder.path());
        assert_eq!(error.code, Code::DatabaseMissing);
        let word = if is_empty { "is empty" } else { "is missing" };
        for said in [word, "`galley recover`", &backup] {
            assert!(error.to_string().contains(said), "{said}: {error}");
        }
        assert_eq!(file.exists(), is_empty);
    }
    std::fs::remove_file(folder.path().join(&backup)).unwrap();
    std::fs::write(folder.path().join(format!("{DATABASE_FILE}-wal")), "what was not moved yet").unwrap();
    assert_eq!(refusal(folder.path()).code, Code::DatabaseMissing);
    assert!(folder.path().join(format!("{DATABASE_FILE}-wal")).exists());
}

#[tokio::test]
async fn a_truncated_database_is_not_treated_as_new() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.back_up().await.unwrap();
    let backup = store.backups().unwrap()[0].file.clone();
    store.close().await;
    drop(store);
    let file = folder.path().join(DATABASE_FILE);
    let nothing_stored = {
        let other = folder.path().join("other");
        rusqlite::Connection::open(&other).unwrap().execute_batch("PRAGMA user_version = 0; VACUUM").unwrap();
        let bytes = std::fs::read(&other).unwrap();
        std::fs::remove_file(&other).unwrap();
        bytes
    };
    let cases = [
        (b"x".to_vec(), Code::DatabaseCorrupt, "1 bytes are left"),
        (b"SQLite format 3\0".to_vec(), Code::DatabaseCorrupt, "16 bytes are left"),
        (vec![0; 99], Code::DatabaseCorrupt, "99 bytes are left"),
        (nothing_stored, Code::DatabaseMissing, "holds nothing"),
    ];
    for (bytes, code, words) in cases {
        std::fs::write(&file, &bytes).unwrap();
        for _ in 0..2 {
            let error = refusal(folder.path());
            assert_eq!(error.code, code, "{error}");
            for said in [words, "`galley recover`", &backup] {
                assert!(error.to_string().contains(said), "{said}: {error}");
            }
            assert_eq!(std::fs::read(&file).unwrap(), bytes);
        }
    }
    std::fs::remove_file(folder.path().join(&backup)).unwrap();
    std::fs::write(&file, "x").unwrap();
    assert_eq!(refusal(folder.path()).code, Code::DatabaseCorrupt);
}

#[test]
fn a_database_with_triggers_or_other_tables_is_refused() {
    let cases = [
        "CREATE TRIGGER t AFTER INSERT ON runs BEGIN UPDATE runs SET title = 'theirs'; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX theirs ON runs (title)",
        "DROP TABLE sessions",
        "ALTER TABLE meta ADD COLUMN theirs TEXT DEFAULT 'x'",
        "CREATE VIRTUAL TABLE theirs USING fts5 (x)",
    ];
    for (sql, word) in cases.into_iter().zip(["`t`", "`v`", "`theirs`", "`sessions`", "`meta`", "`theirs`"]) {
        let folder = tempfile::tempdir().unwrap();
        drop(Store::open(folder.path()).unwrap());
        let database = rusqlite::Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
        database.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql};")).unwrap();
        drop(database);
        let error = refusal(folder.path());
        assert!(error.code == Code::DatabaseCorrupt && error.to_string().contains(word), "{sql}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    drop(Store::open(folder.path()).unwrap());
    let database = rusqlite::Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
    database.execute_batch("CREATE TABLE notes (x PRIMARY KEY); ANALYZE;").unwrap();
    drop(database);
    Store::open(folder.path()).unwrap();
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_folder_are_neither_followed_nor_waited_for() {
    use std::os::unix::fs::symlink;

    let outer = tempfile::tempdir().unwrap();
    let elsewhere = outer.path().join("elsewhere");
    for (n, name) in ["galley.lock", DATABASE_FILE].into_iter().enumerate() {
        for kind in ["dangling", "link", "pipe"] {
            let folder = outer.path().join(format!("{n}-{kind}"));
            std::fs::create_dir(&folder).unwrap();
            let file = folder.join(name);
            match kind {
                "dangling" => symlink(&elsewhere, &file).unwrap(),
                "link" => {
                    std::fs::write(outer.path().join("theirs"), "").unwrap();
                    symlink(outer.path().join("theirs"), &file).unwrap();
                }
                _ => assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success()),
            }
            let error = refusal(&folder);
            assert!(
                error.to_string().contains("link") || error.to_string().contains("regular"),
                "{name} {kind}: {error}"
            );
            assert!(!elsewhere.exists(), "{name} {kind}");
        }
    }
    assert_eq!(std::fs::read(outer.path().join("theirs")).unwrap(), b"");
    // The folder itself may be a link.
    symlink(outer.path().join("kept"), outer.path().join("folder")).unwrap();
    std::fs::create_dir(outer.path().join("kept")).unwrap();
    Store::open(&outer.path().join("folder")).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("made");
    let store = Store::open(&folder).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.back_up().await.unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 5, "{files:?}");
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
    }
}

/// What happens to the database during a run.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_database_was_removed_or_overwritten() {
    type Action = fn(&Path);
    fn overwrite(file: &Path, bytes: &[u8]) {
        let mut open = std::fs::OpenOptions::new().write(true).open(file).unwrap();
        std::io::Write::write_all(&mut open, bytes).unwrap();
    }
    let actions: [(&str, Action); 8] = [
        ("overwritten by other bytes", |file| overwrite(file, &b"no database any more ".repeat(9_999))),
        ("overwritten by another database", |file| {
            let other = tempfile::tempdir().unwrap();
            drop(Store::open(other.path()).unwrap());
            overwrite(file, &std::fs::read(other.path().join(DATABASE_FILE)).unwrap());
        }),
        ("overwritten by its backup", |file| {
            let backup = Store::backups_of(file.parent().unwrap()).unwrap()[0].file.clone();
            std::fs::copy(file.with_file_name(backup), file).unwrap();
        }),
        ("removed", |file| std::fs::remove_file(file).unwrap()),
        ("renamed", |file| std::fs::rename(file, file.with_extension("away")).unwrap()),
        ("replaced", |file| {
            let other = file.with_extension("other");
            std::fs::copy(file, &other).unwrap();
            std::fs::rename(other, file).unwrap();
        }),
        ("emptied", |file| std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(0).unwrap()),
        ("without its log", |file| std::fs::remove_file(file.with_extension("sqlite3-wal")).unwrap()),
    ];
    for (what, action) in actions {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let start = start("run-1");
        store.create(&start, vec![started(&start)]).await.unwrap();
        store.back_up().await.unwrap();
        action(store.file());
        let next = vec![set(2, "k", json!(1))];
        let error = store.append(&start.run, shared(next), Durability::Committed).await.expect_err(what);
        assert!(
            error.code == Code::DatabaseMissing || (what == "emptied" && error.code == Code::DatabaseCorrupt),
            "{what}: {error}"
        );
        assert!(error.to_string().contains(DATABASE_FILE), "{what}: {error}");
        // The log is not checkpointed into another file.
        let log = || {
            std::fs::metadata(folder.path().join(format!("{DATABASE_FILE}-wal"))).map_or(0, |log| log.len())
        };
        let before = log();
        store.close().await;
        assert!(!what.starts_with("overwritten") || log() >= before && before > 0, "{what}");
    }
}
