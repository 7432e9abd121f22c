//! Appending and reading back.

use engine::{Durability, Log};
use kernel::{Code, Effect, EffectClass, Fact, Outcome, RunFold, Seq, ToolCall, Value, fold_state};
use proptest::prelude::*;
use serde_json::json;
use store::{DATABASE_FILE, Store};

use crate::samples::{ended, event, set, shared, start, started};

#[tokio::test]
async fn a_run_round_trips_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let mut start = start("run-1");
    let long = "聖".repeat(5_000);
    start.inputs.insert("template".to_owned(), Value::text(long.clone()));
    let deep: Value = serde_json::from_str(&format!("{}{}", "[".repeat(127), "]".repeat(127))).unwrap();
    let events = vec![
        started(&start),
        set(2, "template", Value::text(long.clone())),
        set(3, "score", json!(0.1 + 0.2)),
        set(4, "looks_stored", json!({"$stored": "x", "bytes": 3})),
        set(5, "deep", deep),
        ended(6),
    ];
    {
        let store = Store::open(folder.path()).unwrap();
        store.create(&start, events[..2].to_vec()).await.unwrap();
        store.append(&start.run, shared(events[2..].to_vec()), Durability::Synced).await.unwrap();
        store.append(&start.run, shared(Vec::new()), Durability::Committed).await.unwrap();
    }
    let store = Store::open(folder.path()).unwrap();
    let recorded = store.load(&start.run).await.unwrap();
    assert_eq!(recorded.start, start);
    assert_eq!(recorded.events, events);
    assert!(recorded.events[1].delta().unwrap().set["template"].as_str() == Some(&long));
    let card = store.run_card(&start.run).await.unwrap();
    assert_eq!((card.last_seq, card.last_at_ms, card.outcome), (6, 1_006, Some(Outcome::Finished)));
    assert_eq!((card.title.as_str(), card.held_by), ("A title of run-1", None));
    let window = store.events(&start.run, 2, 2).await.unwrap();
    assert_eq!(window.iter().map(|event| event.seq).collect::<Vec<_>>(), [2, 3]);
    let stored = &window[0].delta().unwrap().set["template"];
    assert!(stored.is_stored());
    assert_eq!(store.value(&stored.hash()).await.unwrap().as_str(), Some(long.as_str()));
}

#[tokio::test]
async fn a_resumed_run_is_open_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start), ended(2)]).await.unwrap();
    let resumed = Fact::RunResumed {
        drops: Vec::new(),
        delta: kernel::Delta::of("k", json!(1)),
        overrides: kernel::Overrides::default(),
    };
    store.append(&start.run, shared(vec![event(3, resumed)]), Durability::Committed).await.unwrap();
    assert_eq!(store.run_card(&start.run).await.unwrap().outcome, None);
    assert_eq!(store.state_at(&start.run, 3).await.unwrap().get("k").unwrap().json(), Some(&json!(1)));
}

#[tokio::test]
async fn a_gap_in_the_numbers_is_refused_and_stores_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    assert!(store.create(&start, vec![event(2, ended(2).fact)]).await.is_err());
    store.create(&start, vec![started(&start)]).await.unwrap();
    for events in [
        vec![set(3, "k", json!(1))],
        vec![set(2, "k", json!(1)), set(4, "k", json!(1))],
        vec![set(1, "k", json!(1))],
    ] {
        let error = store.append(&start.run, shared(events), Durability::Committed).await.unwrap_err();
        assert_eq!(error.code, Code::Internal);
    }
    assert_eq!(store.create(&start, vec![started(&start)]).await.unwrap_err().code, Code::BadInput);
    assert_eq!(store.load(&start.run).await.unwrap().events.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_runs_write_concurrently_and_a_failure_affects_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let tasks: Vec<_> = (0..100)
        .map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                let start = start(&format!("run-{n}"));
                store.create(&start, vec![started(&start)]).await.unwrap();
                for seq in 2..10 {
                    let gap = vec![set(seq + 1, "k", json!(0))];
                    assert!(store.append(&start.run, shared(gap), Durability::Committed).await.is_err());
                    let next = vec![set(seq, "k", json!(seq))];
                    store.append(&start.run, shared(next), Durability::Committed).await.unwrap();
                }
                store.release(&start.run).await.unwrap();
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let cards = store.list_runs(None, 1_000).await.unwrap();
    assert_eq!(cards.len(), 100);
    assert!(cards.iter().all(|card| card.last_seq == 9 && card.held_by.is_none()));
}

#[tokio::test]
async fn a_large_value_is_stored_once_across_all_runs() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let large = Value::text("x".repeat(1 << 20));
    for run in 0..4 {
        let mut start = start(&format!("run-{run}"));
        start.inputs.insert("large".to_owned(), large.clone());
        store.create(&start, vec![started(&start)]).await.unwrap();
        for seq in 2..6 {
            store
                .append(&start.run, shared(vec![set(seq, "large", large.clone())]), Durability::Committed)
                .await
                .unwrap();
        }
        assert_eq!(store.load(&start.run).await.unwrap().events[4].delta().unwrap().set["large"], large);
    }
    store.close().await;
    let size = std::fs::metadata(folder.path().join(DATABASE_FILE)).unwrap().len();
    assert!(size < 2 << 20, "{size} bytes for one value of a megabyte");
}

#[tokio::test]
async fn after_closing_nothing_is_written_and_acknowledged_events_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    store.close().await;
    assert!(store.append(&start.run, shared(vec![ended(2)]), Durability::Committed).await.is_err());
    assert_eq!(Store::open(folder.path()).unwrap().load(&start.run).await.unwrap().events.len(), 1);
}

#[tokio::test]
async fn changes_notify_this_and_other_processes() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let (mut here, mut there) = (mine.watch_changes(), other.watch_changes());
    let start = start("run-1");
    mine.create(&start, vec![started(&start)]).await.unwrap();
    let soon = std::time::Duration::from_secs(10);
    tokio::time::timeout(soon, here.changed()).await.unwrap().unwrap();
    tokio::time::timeout(soon, there.changed()).await.unwrap().unwrap();
}

fn looked() -> Effect {
    let input = json!({}).into();
    Effect::Tool {
        call: ToolCall {
            tool: "look".into(),
            input,
            class: EffectClass::Pure,
            title: kernel::Phrase::verbatim("look"),
            place: None,
            is_of_web: false,
            version: None,
            decision: None,
            credential_route: None,
            given: None,
        },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    #[test]
    fn the_state_at_any_moment_is_the_fold_of_the_events_until_then(
        changes in proptest::collection::vec((0_u8..6, proptest::option::of(0_usize..3)), 600..1_400),
        batch in 30_usize..700,
        moments in proptest::collection::vec(1_u32..1_400, 4),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async move {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path()).unwrap();
            let start = start("run-1");
            let sizes = [1, 100, 6_000];
            let events: Vec<_> = std::iter::once(started(&start))
                .chain(changes.iter().zip(2..).map(|(&(key, size), seq)| {
                    let key = format!("key-{key}");
                    match size {
                        // Started and never answered: a fold from a snapshot must contain effects in flight.
                        Some(0) if key == "key-5" => event(seq, Fact::EffectAsked { effect: looked(), reads: Vec::new() }),
                        Some(size) => set(seq, &key, json!(format!("{seq}{}", "y".repeat(sizes[size])))),
                        None => event(seq, Fact::StateChanged {
                            delta: kernel::Delta { removed: vec![key], ..kernel::Delta::default() },
                        }),
                    }
                }))
                .collect();
            store.create(&start, events[..1].to_vec()).await.unwrap();
            for part in events[1..].chunks(batch) {
                store.append(&start.run, shared(part.to_vec()), Durability::Committed).await.unwrap();
            }
            for moment in moments {
                let until = (moment as usize).min(events.len());
                let state = store.state_at(&start.run, until as Seq).await.unwrap();
                assert_eq!(state, fold_state(&events[..until]));
            }
            let last = store.state_at(&start.run, Seq::MAX).await.unwrap();
            assert_eq!(last, RunFold::of(&events).state);
            let (begun, stands) = store.standing(&start.run).await.unwrap();
            assert_eq!(begun.inputs, start.inputs);
            assert_eq!(stands, RunFold::of(&events));
        });
    }
}
