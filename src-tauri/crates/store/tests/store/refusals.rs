//! A database that refuses writes for a while: a process that released a run can take it again at once, and unstored
//! events are stored once.

use std::path::{Path, PathBuf};

use engine::{Durability, Log};
use kernel::{Code, Event};
use rusqlite::Connection;
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{ended, set, shared, start, started};

fn locked(folder: &Path) -> Connection {
    let other = Connection::open(folder.join(DATABASE_FILE)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

fn unstored(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.to_string_lossy().contains("galley-unstored-")).collect()
}

/// A run with two events, and three more that the database refused.
async fn refused(store: &Store, folder: &Path) -> (Vec<Event>, Connection) {
    let start = start("run-1");
    store.create(&start, vec![started(&start), set(2, "draft_post", json!("first"))]).await.unwrap();
    let in_hand = vec![
        set(3, "draft_post", json!("x".repeat(9_000))),
        set(4, "k", json!("paid for")),
        set(5, "k", json!("last")),
    ];
    let other = locked(folder);
    let refusal = store.append(&start.run, shared(in_hand.clone()), Durability::Committed).await.unwrap_err();
    assert_eq!(refusal.code, Code::DatabaseLocked);
    (in_hand, other)
}

#[tokio::test]
async fn a_run_released_during_a_write_failure_is_free_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (_, other) = refused(&store, folder.path()).await;
    let run = start("run-1").run;
    store.release(&run).await.unwrap();
    assert_eq!(
        store.run_card(&run).await.unwrap().held_by,
        None,
        "nobody works on it, whatever its row says"
    );
    other.execute_batch("ROLLBACK").unwrap();
    store.hold(&run).await.unwrap();
    store.append(&run, shared(vec![ended(3)]), Durability::Committed).await.unwrap();
    assert_eq!(store.load(&run).await.unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_release_is_stored_as_soon_as_writes_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, theirs) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let (_, other) = refused(&mine, folder.path()).await;
    let run = start("run-1").run;
    mine.release(&run).await.unwrap();
    other.execute_batch("ROLLBACK").unwrap();
    for _ in 0..100 {
        match theirs.hold(&run).await {
            Ok(()) => return,
            Err(error) => assert_eq!(error.code, Code::Busy),
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the run stays held");
}

#[tokio::test]
async fn unstored_events_are_stored_by_the_next_holder_and_their_file_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    // None, a part or all of the events are stored already: these are not written twice.
    for stored in 0..=3 {
        let store = Store::open(folder.path()).unwrap();
        let run = start(&format!("run-{stored}")).run;
        let first = start(&run.0);
        store.create(&first, vec![started(&first), set(2, "draft_post", json!("first"))]).await.unwrap();
        let in_hand =
            vec![set(3, "draft_post", json!("x".repeat(9_000))), set(4, "k", json!("paid for")), ended(5)];
        store.append(&run, shared(in_hand[..stored].to_vec()), Durability::Committed).await.unwrap();
        let file = store.set_aside(&run, in_hand.clone()).await.unwrap();
        assert_eq!(unstored(folder.path()), [PathBuf::from(file)]);
        assert_eq!(store.run_card(&run).await.unwrap().waits_for_disk, stored < 3);
        store.release(&run).await.unwrap();
        if stored % 2 == 0 {
            store.hold(&run).await.unwrap();
            assert_eq!(store.hold(&run).await.unwrap_err().code, Code::Busy);
            store
                .append(&run, shared(vec![set(6, "k", json!("behind it"))]), Durability::Committed)
                .await
                .unwrap();
        } else {
            // A later process finds it, even if the run is not resumed.
            store.close().await;
            let later = Store::open(folder.path()).unwrap();
            later.take_up_set_aside().await;
        }
        let later = Store::open(folder.path()).unwrap();
        let events = later.load(&run).await.unwrap().events;
        assert_eq!(events[2..5], in_hand, "{stored} were stored");
        assert_eq!(unstored(folder.path()), Vec::<PathBuf>::new());
        later.close().await;
    }
}

#[tokio::test]
async fn unstored_events_that_do_not_fit_the_run_are_kept_under_another_name() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.set_aside(&start.run, vec![set(2, "k", json!("one way"))]).await.unwrap();
    let mut another = set(2, "k", json!("another way"));
    another.at_ms += 1;
    // Another process does not know of the events in this one.
    let other = Store::open(folder.path()).unwrap();
    store.release(&start.run).await.unwrap();
    std::fs::rename(&unstored(folder.path())[0], folder.path().join("away")).unwrap();
    other.hold(&start.run).await.unwrap();
    other.append(&start.run, shared(vec![another.clone()]), Durability::Committed).await.unwrap();
    other.release(&start.run).await.unwrap();
    std::fs::rename(folder.path().join("away"), folder.path().join("galley-unstored-run-1.json")).unwrap();
    store.hold(&start.run).await.unwrap();
    assert_eq!(store.load(&start.run).await.unwrap().events[1], another);
    let left: Vec<_> = unstored(folder.path());
    assert!(left.len() == 1 && left[0].to_string_lossy().ends_with(".overtaken"), "{left:?}");
}

#[tokio::test]
async fn foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["galley-unstored-run-1.json", "galley-unstored-run-9.json", "galley-unstored-.json"];
    for (name, text) in names.iter().zip(["[[[[", r#"{"run":"run-1","events":[]}"#, "{}"]) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("galley-unstored-run-2.json")).unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.take_up_set_aside().await;
    let start = start("run-2");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.append(&start.run, shared(vec![ended(2)]), Durability::Committed).await.unwrap();
    store.hold(&start.run).await.unwrap();
    assert_eq!(unstored(folder.path()).len(), 4);
}

#[tokio::test]
async fn files_of_an_earlier_version_are_stored_and_truncated_ones_are_left_to_the_user() {
    let folder = tempfile::tempdir().unwrap();
    let run = start("run-1");
    let store = Store::open(folder.path()).unwrap();
    store.create(&run, vec![started(&run), set(2, "k", json!("first"))]).await.unwrap();
    let paid = set(3, "draft_post", json!("paid for"));
    let file = folder.path().join("galley-unstored-run-1.json");
    let event = serde_json::to_string(&paid).unwrap();
    // Neither contains a complete event, but none is empty either.
    for left in [
        format!("{{\"run\":\"run-1\"}}\n{}", &event[..event.len() - 9]),
        "{\"run\":\"run-1\",\"answers\":[\"paid for\"]}".to_owned(),
    ] {
        std::fs::write(&file, &left).unwrap();
        store.release(&run.run).await.unwrap();
        store.take_up_set_aside().await;
        store.hold(&run.run).await.unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), left);
    }
    // The format before each run had a reserved file.
    std::fs::write(&file, format!("{{\"run\":\"run-1\",\"events\":[{event}]}}")).unwrap();
    store.release(&run.run).await.unwrap();
    store.hold(&run.run).await.unwrap();
    assert_eq!(store.load(&run.run).await.unwrap().events[2..], [paid]);
    for empty in ["", "{\"run\":\"run-1\"}\n", "{\"run\":\"run-1\",\"events\":[]}"] {
        std::fs::write(&file, empty).unwrap();
        store.release(&run.run).await.unwrap();
        store.hold(&run.run).await.unwrap();
        assert!(!file.exists(), "`{empty}` holds nothing");
    }
}

#[tokio::test]
async fn the_reserved_file_of_a_process_with_a_fast_clock_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (now, minutes) = (std::time::SystemTime::now(), std::time::Duration::from_secs(60));
    // The runs of these are not stored yet, or never were.
    for (room, at, stays) in
        [("ahead", now + 10 * minutes, true), ("new", now, true), ("old", now - 10 * minutes, false)]
    {
        let file = folder.path().join(format!("galley-reserved-{room}.7.partial"));
        std::fs::write(&file, "").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(at).unwrap();
        store.take_up_set_aside().await;
        assert_eq!(file.exists(), stays, "{room}");
    }
}
