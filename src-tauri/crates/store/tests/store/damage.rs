//! Damage inside the database: every read reports it, nothing is silently shortened, and no other run is affected.

use std::path::Path;
use std::sync::Arc;

use engine::{Durability, Log};
use kernel::{Code, RunId, SessionId, Value};
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{ended, set, shared, start, started};

async fn copied(folder: &Path, bytes: &[u8]) -> tempfile::TempDir {
    let copy = tempfile::tempdir_in(folder).unwrap();
    std::fs::write(copy.path().join(DATABASE_FILE), bytes).unwrap();
    copy
}

/// The results of all ways of reading a run: its data, or the error.
async fn read_in_all_ways(folder: &Path, run: &RunId) -> Vec<(&'static str, Result<String, Code>)> {
    let store = match Store::open(folder) {
        Ok(store) => store,
        Err(error) => return vec![("open", Err(error.code))],
    };
    let said = |text: Result<String, engine::LogError>| text.map_err(|error| error.code);
    let state = store.state_at(run, 398).await.map(|state| format!("{state:?}"));
    let history = store.key_events(run, "k7").await.map(|events| format!("{events:?}"));
    let shown = store.shown_at(run, 399).await.map(|shown| format!("{:?}", shown.fold));
    let picked = store.picked_events(run, vec![3, 200, 400]).await.map(|events| format!("{events:?}"));
    let events = store.events(run, 1, 500).await.map(|events| format!("{events:?}"));
    let loaded = store.load(run).await.map(|recorded| format!("{:?}", recorded.events));
    let begun = store.standing(run).await.map(|(start, _)| format!("{start:?}"));
    [
        ("state", said(state)),
        ("history of a key", said(history)),
        ("shown", said(shown)),
        ("picked", said(picked)),
        ("events", said(events)),
        ("load", said(loaded)),
        ("standing", said(begun)),
    ]
    .into()
}

#[tokio::test]
async fn every_read_of_a_damaged_run_is_complete_or_reports_the_damage() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("data");
    let run = {
        let store = Store::open(&folder).unwrap();
        let start = start("run-1");
        let many = (2..=400)
            .map(|seq| set(seq, &format!("k{}", seq % 40), json!(format!("{seq}{}", "y".repeat(800)))));
        store.create(&start, std::iter::once(started(&start)).chain(many).collect()).await.unwrap();
        store.close().await;
        start.run
    };
    let sound = std::fs::read(folder.join(DATABASE_FILE)).unwrap();
    let whole = read_in_all_ways(&folder, &run).await;
    assert!(whole.iter().all(|(_, read)| read.is_ok()), "{whole:?}");
    let pages = sound.len() / 4096;
    let mut named = 0;
    for page in (1..pages).step_by(pages / 24) {
        let (from, to) = (page * 4096, (page + 1) * 4096);
        for kind in 0..3 {
            let mut bytes = sound.clone();
            match kind {
                0 => bytes[from..to].fill(0),
                1 => bytes[from..to].fill(0xA5),
                // Another page of the same kind in its place: SQLite finds no error.
                _ => bytes.copy_within(to..(to + 4096).min(sound.len()), from),
            }
            let copy = copied(outer.path(), &bytes).await;
            for (way, read) in read_in_all_ways(copy.path(), &run).await {
                match read {
                    Ok(text) => {
                        let (_, sound) = whole.iter().find(|(known, _)| *known == way).unwrap();
                        assert!(sound.as_ref() == Ok(&text), "page {page}, kind {kind}: {way} is shortened");
                    }
                    Err(code) => {
                        named += 1;
                        assert!(
                            matches!(code, Code::DatabaseCorrupt | Code::NotFound),
                            "page {page}: {way}: {code:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(named > 40, "{named}");
}

#[tokio::test]
async fn a_changed_large_value_is_reported_and_the_rest_can_be_displayed() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    let store = Store::open(folder.path()).unwrap();
    let large = Value::text("x".repeat(9_000));
    let events =
        vec![started(&start), set(2, "large", large.clone()), set(3, "small", json!("here")), ended(4)];
    store.create(&start, events).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    assert_eq!(store.inspect(|_, _| {}).await.unwrap().problems, Vec::<String>::new());
    database.execute("UPDATE contents SET json = '\"y\"' WHERE hash = ?1", [large.hash().0]).unwrap();
    for refused in [
        store.state_at(&start.run, 4).await.map(drop),
        store.load(&start.run).await.map(drop),
        store.key_events(&start.run, "large").await.map(drop),
        store.value(&large.hash()).await.map(drop),
    ] {
        let error = refused.unwrap_err();
        assert!(
            error.code == Code::DatabaseCorrupt && error.to_string().contains("`galley recover`"),
            "{error}"
        );
    }
    let found = store.inspect(|_, _| {}).await.unwrap();
    assert_eq!((found.damaged_runs, found.problems.len()), (vec![start.run.clone()], 2));

    database.execute("DELETE FROM events WHERE id = (1 << 32) + 1", []).unwrap();
    let showing = Store::open(folder.path()).unwrap();
    showing.leave_out_damage();
    let state = showing.state_at(&start.run, 4).await.unwrap();
    assert_eq!(state.get("small").unwrap().as_str(), Some("here"));
    assert!(state.get("large").unwrap().is_stored());
    let missing = showing.missing();
    assert_eq!(missing.events.into_iter().collect::<Vec<_>>(), [1]);
    assert_eq!(missing.values.into_iter().collect::<Vec<_>>(), [large.hash().0]);
}

#[tokio::test]
async fn a_gap_in_the_numbers_is_damage_for_every_use_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    let store = Store::open(folder.path()).unwrap();
    let events = (2..=9).map(|seq| set(seq, "k", json!(seq)));
    store.create(&start, std::iter::once(started(&start)).chain(events).collect()).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    for seq in [9, 4, 1] {
        database.execute("DELETE FROM events WHERE id = (1 << 32) + ?1", [seq]).unwrap();
        for refused in [
            store.state_at(&start.run, 9).await.map(drop),
            store.shown_at(&start.run, 9).await.map(drop),
            store.key_events(&start.run, "k").await.map(drop),
            store.picked_events(&start.run, vec![seq]).await.map(drop),
            store.events(&start.run, 1, 99).await.map(drop),
            store.events(&start.run, 5, 2).await.map(drop),
            store.whole_events(&start.run, 1, 99).await.map(drop),
            store.load(&start.run).await.map(drop),
        ] {
            let error = refused.unwrap_err();
            let names = error.to_string().contains(&format!("event {seq} of the run run-1 is missing"));
            assert!(error.code == Code::DatabaseCorrupt && names, "{seq}: {error}");
        }
    }
    // Events removed on purpose from an intact file: the rest can be replayed.
    assert_eq!(store.load_records(&start.run).await.unwrap().events.len(), 6);
}

#[tokio::test]
async fn a_missing_event_is_reported_even_before_a_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    let store = Store::open(folder.path()).unwrap();
    let events = (2..=1_100).map(|seq| set(seq, "k", json!(seq)));
    store.create(&start, std::iter::once(started(&start)).chain(events).collect()).await.unwrap();
    store.close().await;
    let database = rusqlite::Connection::open(folder.path().join(store::DATABASE_FILE)).unwrap();
    let snapshots: i64 = database.query_row("SELECT count(*) FROM snapshots", [], |row| row.get(0)).unwrap();
    assert_eq!(snapshots, 2);
    database.execute("DELETE FROM events WHERE id = (1 << 32) + 7", []).unwrap();
    let store = Store::open(folder.path()).unwrap();
    for refused in [
        store.state_at(&start.run, 1_100).await.map(drop),
        store.shown_at(&start.run, 1_050).await.map(drop),
        store.events(&start.run, 1_000, 9).await.map(drop),
    ] {
        let error = refused.unwrap_err();
        assert!(error.to_string().contains("event 7 of the run run-1 is missing"), "{error}");
    }
}

#[tokio::test]
async fn unreadable_runs_do_not_prevent_adding_up_others() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let ids: Vec<String> = (0..150).map(|n| format!("run-{n:03}")).collect();
    for id in &ids {
        let start = start(id);
        store.create(&start, vec![started(&start), ended(2)]).await.unwrap();
    }
    let database = rusqlite::Connection::open(store.file()).unwrap();
    // More than are read together, and one of each kind of damage.
    database.execute("UPDATE events SET fact = 'x' WHERE id >> 32 <= 70", []).unwrap();
    database.execute("UPDATE events SET v = 99 WHERE id >> 32 = 100", []).unwrap();
    database.execute("DELETE FROM events WHERE id = (120 << 32) + 1", []).unwrap();
    store.past_calls().await.unwrap();
    let (_, damaged) = store.ledger(None).await.unwrap();
    assert_eq!(damaged.len(), 72);
    assert!(damaged.contains(&RunId(ids[99].clone())) && damaged.contains(&RunId(ids[119].clone())));
    let known: i64 = database.query_row("SELECT count(*) FROM spending_known", [], |row| row.get(0)).unwrap();
    assert_eq!(known, 78, "the others are known from now on");
    let (_, of_one) = store.ledger(Some(&RunId(ids[149].clone()))).await.unwrap();
    assert!(of_one.is_empty());
}

#[tokio::test]
async fn events_in_flight_during_an_erasure_are_stored_with_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (erased, one, other) = (start("run-erased"), start("run-one"), start("run-other"));
    let (shared, kept) = (Value::text("s".repeat(9_000)), Value::text("k".repeat(9_000)));
    store.create(&erased, vec![started(&erased), set(2, "v", shared.clone()), ended(3)]).await.unwrap();
    store.create(&one, vec![started(&one), set(2, "v", kept.clone())]).await.unwrap();
    store.create(&other, vec![started(&other)]).await.unwrap();
    store.release(&erased.run).await.unwrap();
    store.trash_run(&erased.run, true).await.unwrap();
    store.ledger(None).await.unwrap();

    let lock = rusqlite::Connection::open(store.file()).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let erasing = tokio::spawn({
        let (store, run) = (store.clone(), erased.run.clone());
        async move { store.erase_run(&run).await }
    });
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let append = |run: &kernel::Start, seq, value: &Value| {
        let (store, run, event) = (store.clone(), run.run.clone(), set(seq, "w", value.clone()));
        tokio::spawn(async move { store.append(&run, vec![Arc::new(event)], Durability::Committed).await })
    };
    let first = append(&one, 3, &kept);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    let second = append(&other, 2, &shared);
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    lock.execute_batch("ROLLBACK").unwrap();
    erasing.await.unwrap().unwrap();
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    let recorded = store.load(&other.run).await.unwrap();
    assert_eq!(recorded.events[1].delta().unwrap().set["w"], shared);
}

#[tokio::test]
async fn the_reply_of_a_run_is_stored_once_with_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.keep_messages();
    let start = start("run-1");
    store.create(&start, vec![started(&start), set(2, "final", json!("first"))]).await.unwrap();
    let said = async || -> Vec<(String, String)> {
        let messages = store.messages(&SessionId("session".to_owned())).await.unwrap();
        messages.into_iter().map(|message| (message.author, message.text)).collect()
    };
    let message = |author: &str, text: &str| (author.to_owned(), text.to_owned());
    assert_eq!(said().await, [message("user", "A title of run-1")]);
    store.append(&start.run, shared(vec![ended(3)]), Durability::Committed).await.unwrap();
    assert_eq!(said().await, [message("user", "A title of run-1"), message("galley", "first")]);
    store.hold(&start.run).await.unwrap();
    let long = Value::text("second ".repeat(2_000));
    store
        .append(&start.run, shared(vec![set(4, "final", long.clone()), ended(5)]), Durability::Committed)
        .await
        .unwrap();
    assert_eq!(
        said().await,
        [message("user", "A title of run-1"), message("galley", long.as_str().unwrap())]
    );
}
