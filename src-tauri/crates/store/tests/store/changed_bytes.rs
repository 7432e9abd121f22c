//! Changed bytes in a stored event whose row is still readable: every read reports the run, none returns another state,
//! and nothing is appended to it.

use std::path::Path;

use engine::Log;
use kernel::{Code, Event, RunId};
use proptest::prelude::*;
use rusqlite::Connection;
use serde_json::json;
use store::{DATABASE_FILE, Replacement, Store};

use crate::samples::{ended, set, start, started};

/// The number of the changed event, one of seven.
const CHANGED: u32 = 5;
const MARK: &str = "the value of the fifth event";

async fn written(folder: &Path) -> RunId {
    let store = Store::open(folder).unwrap();
    let start = start("run-1");
    let mut events: Vec<Event> = vec![started(&start)];
    events.extend((2..7).map(|seq| set(seq, "k", json!(if seq == CHANGED { MARK } else { "another" }))));
    events.push(ended(7));
    for event in &mut events {
        event.author = format!("author-of-{}", event.seq);
    }
    store.create(&start, events).await.unwrap();
    store.close().await;
    start.run
}

/// The results of all ways of reading the run.
async fn reads(store: &Store, run: &RunId) -> Vec<(&'static str, Result<String, engine::LogError>)> {
    let state = store.state_at(run, 7).await.map(|state| format!("{state:?}"));
    let references = store.state_references_at(run, 7).await.map(|state| format!("{state:?}"));
    let shown = store.shown_at(run, 7).await.map(|shown| format!("{:?}", shown.fold));
    let standing = store.standing(run).await.map(|(_, fold)| format!("{fold:?}"));
    let history = store.key_events(run, "k").await.map(|events| format!("{events:?}"));
    let of_another_key = store.key_events(run, "none").await.map(|events| format!("{events:?}"));
    let picked = store.picked_events(run, vec![1, CHANGED]).await.map(|events| format!("{events:?}"));
    let events = store.events(run, 1, 99).await.map(|events| format!("{events:?}"));
    let whole = store.whole_events(run, 1, 99).await.map(|events| format!("{events:?}"));
    let loaded = store.load(run).await.map(|recorded| format!("{:?}", recorded.events));
    let records = store.load_records(run).await.map(|recorded| format!("{:?}", recorded.events));
    [
        ("state", state),
        ("references", references),
        ("shown", shown),
        ("standing", standing),
        ("history of a key", history),
        ("history of another", of_another_key),
        ("picked", picked),
        ("events", events),
        ("whole events", whole),
        ("load", loaded),
        ("records", records),
    ]
    .into()
}

/// Asserts that every read, the check of the database and the ledger report the damage and the run; other runs are
/// unaffected.
async fn assert_named(folder: &Path, run: &RunId, what: &str) {
    let store = Store::open(folder).unwrap();
    for (way, read) in reads(&store, run).await {
        let error = read.err().unwrap_or_else(|| panic!("{what}: {way}"));
        assert_eq!(error.code, Code::DatabaseCorrupt, "{what}: {way}: {error}");
        assert!(
            error.to_string().contains(&run.0) && error.to_string().contains("galley recover"),
            "{way}: {error}"
        );
    }
    let found = store.inspect(|_, _| {}).await.unwrap();
    assert_eq!(found.damaged_runs, std::slice::from_ref(run), "{what}");
    let (_, damaged) = store.ledger(None).await.unwrap();
    assert_eq!(damaged, std::slice::from_ref(run), "{what}");
    assert!(store.search_runs("fifth", None, 9).await.unwrap().runs.is_empty(), "{what}: it is searched");
    assert_eq!(store.search_runs("title", None, 9).await.unwrap().runs.len(), 1, "{what}");
    store.close().await;
}

#[tokio::test]
async fn every_read_reports_a_changed_column_of_an_event() {
    let changes = [
        "at_ms = at_ms + 1",
        "at_ms = -at_ms",
        "v = v + 1",
        "v = v - 1",
        "n = n + 256",
        "surface = 1 - surface",
        "surface = 2",
        "changes_state = 1 - changes_state",
        "changes_state = 3",
        "ran_ms = ran_ms + 65536",
        "author = replace(author, '-of-', '-0f-')",
        "author = author || 's'",
        "author = ''",
        "path = replace(path, 'run', 'ruN')",
        "author = author || substr(path, 1, 1), path = substr(path, 2)",
        "fact = replace(fact, 'fifth', 'sixth')",
        "fact = replace(fact, '\"k\"', '\"l\"')",
        "fact = replace(fact, 'state_changed', 'state_chAnged')",
        "fact = fact || ' '",
        "fact = (SELECT fact FROM events WHERE id & 0xffffffff = 4)",
        "checksum = checksum + 1",
        "checksum = NULL",
        "id = id + 100",
        "id = id + (1 << 32)",
        "id = id - (1 << 32)",
    ];
    for change in changes {
        let folder = tempfile::tempdir().unwrap();
        let run = written(folder.path()).await;
        let database = Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
        let sql = format!("UPDATE events SET {change} WHERE id & 0xffffffff = {CHANGED}");
        assert_eq!(database.execute(&sql, []).unwrap(), 1);
        drop(database);
        assert_named(folder.path(), &run, change).await;
        let recovery = Store::recover(folder.path(), &Replacement::Readable).unwrap();
        assert_eq!((recovery.runs, recovery.shortened, recovery.lost), (1, 1, 0), "{change}");
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.load(&run).await.unwrap().events.len(), CHANGED as usize - 1, "{change}");
    }
}

#[tokio::test]
async fn swapped_and_surplus_events_are_reported_and_intact_ones_recovered() {
    for (change, readable) in [
        (
            "UPDATE events SET id = -id WHERE id & 0xffffffff = 4; \
             UPDATE events SET id = id - 1 WHERE id & 0xffffffff = 5; \
             UPDATE events SET id = -id + 1 WHERE id < 0",
            3,
        ),
        ("UPDATE runs SET last_seq = last_seq - 1", 7),
        ("UPDATE runs SET last_seq = last_seq - 4", 7),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let run = written(folder.path()).await;
        Connection::open(folder.path().join(DATABASE_FILE)).unwrap().execute_batch(change).unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (way, read) in reads(&store, &run).await {
            assert_eq!(read.expect_err(way).code, Code::DatabaseCorrupt, "{change}: {way}");
        }
        assert_eq!(
            store.inspect(|_, _| {}).await.unwrap().damaged_runs,
            std::slice::from_ref(&run),
            "{change}"
        );
        store.close().await;
        drop(store);
        Store::recover(folder.path(), &Replacement::Readable).unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(store.load(&run).await.unwrap().events.len(), readable, "{change}");
    }
}

#[tokio::test]
async fn a_changed_snapshot_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let start = start("run-1");
    let run = start.run.clone();
    let store = Store::open(folder.path()).unwrap();
    let events = (2..=620).map(|seq| set(seq, "k", json!(format!("value {seq}"))));
    store.create(&start, std::iter::once(started(&start)).chain(events).collect()).await.unwrap();
    let database = Connection::open(store.file()).unwrap();
    let count =
        || -> i64 { database.query_row("SELECT count(*) FROM snapshots", [], |row| row.get(0)).unwrap() };
    let made = async {
        while count() == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), made).await.unwrap();
    let of = async |seq| {
        let state = store.state_at(&run, seq).await.unwrap();
        let shown = store.shown_at(&run, seq).await.unwrap();
        (format!("{state:?}"), format!("{:?}", shown.fold.state), shown.fold.usage)
    };
    let before = (of(500).await, of(620).await);
    for change in [
        "state = replace(state, 'value 500', 'value 600')",
        "state = replace(state, '\"k\"', '\"l\"')",
        "checksum = checksum - 1",
        "checksum = NULL",
        "id = id + 70",
    ] {
        assert_eq!(database.execute(&format!("UPDATE snapshots SET {change}"), []).unwrap(), 1);
        assert_eq!((of(500).await, of(620).await), before, "{change}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Anywhere in the row of the file: its number, its lengths, its columns.
    #[test]
    fn a_changed_byte_in_an_event_row_is_harmless_or_reported(
        place in any::<prop::sample::Index>(),
        change in 1..=255_u8,
    ) {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let run = written(folder.path()).await;
            let file = folder.path().join(DATABASE_FILE);
            let store = Store::open(folder.path()).unwrap();
            let whole = reads(&store, &run).await;
            store.close().await;
            let mut bytes = std::fs::read(&file).unwrap();
            let find = |text: &str| bytes.windows(text.len()).position(|found| found == text.as_bytes()).unwrap();
            // The row begins with its length, its number and the lengths of its columns; two columns follow the fact.
            let (author, fact) = (find(&format!("author-of-{CHANGED}")), find(MARK));
            let (from, until) = (author - 26, fact + MARK.len() + 12);
            let at = from + place.index(until - from);
            bytes[at] ^= change;
            std::fs::write(&file, &bytes).unwrap();
            let store = Store::open(folder.path()).unwrap();
            for ((way, read), (_, whole)) in reads(&store, &run).await.into_iter().zip(whole) {
                match read {
                    Ok(text) => assert!(text == whole.unwrap(), "{at} of {from}..{until}: {way} is another"),
                    Err(error) => assert_eq!(error.code, Code::DatabaseCorrupt, "{way}: {error}"),
                }
            }
            if (author..until).contains(&at) {
                let found = store.inspect(|_, _| {}).await.unwrap();
                assert_eq!(found.damaged_runs, [run], "{at} of {from}..{until}");
            }
        });
    }
}
