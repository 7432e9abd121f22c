//! Several processes on one folder: which holds a run, which may take it, what remains after a crash.
//!
//! Two stores in one process are two holders; for a real second process this test binary is started again for a single
//! test.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use engine::{Durability, Log};
use kernel::{Code, RunId};
use serde_json::json;
use store::Store;

use crate::samples::{ended, set, shared, start, started};

const FOLDER: &str = "STORE_TEST_CHILD_FOLDER";

/// Starts this binary again; it appends to `run-1` and prints a line for every acknowledged event.
fn child(folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::the_body_of_a_second_process", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn the_body_of_a_second_process() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = Store::open(Path::new(&folder)).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    for seq in 2..1_000_000 {
        let durability = if seq % 7 == 0 { Durability::Synced } else { Durability::Committed };
        let value = json!("z".repeat(seq as usize % 9_000));
        store.append(&start.run, shared(vec![set(seq, "k", value)]), durability).await.unwrap();
        println!("acknowledged {seq}");
    }
}

/// Reads the child's output until this many events are acknowledged; returns the last number.
fn acknowledged(lines: &mut impl BufRead, at_least: u32) -> u32 {
    let mut last = 0;
    while last < at_least {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the child ended early");
        // The test harness may have begun the line.
        if let Some((_, number)) = line.rsplit_once("acknowledged ") {
            last = number.trim().parse().unwrap();
        }
    }
    last
}

#[tokio::test]
async fn a_killed_process_leaves_all_acknowledged_events_and_a_free_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut process = child(folder.path());
    let mut lines = BufReader::new(process.stdout.take().unwrap());
    let mut last = acknowledged(&mut lines, 40);

    let store = Store::open(folder.path()).unwrap();
    let run = RunId("run-1".to_owned());
    let refused = store.hold(&run).await.unwrap_err();
    assert_eq!(refused.code, Code::Busy);
    assert!(refused.to_string().contains(&process.id().to_string()), "{refused}");
    assert_eq!(store.run_card(&run).await.unwrap().held_by, Some(process.id()));
    let busy = store.append(&run, shared(vec![set(last + 1, "k", json!(1))]), Durability::Committed).await;
    assert_eq!(busy.unwrap_err().code, Code::Busy);

    process.kill().unwrap();
    let mut rest = String::new();
    lines.read_to_string(&mut rest).unwrap();
    if let Some((_, number)) =
        rest.trim_end_matches(|c: char| !c.is_ascii_digit()).rsplit_once("acknowledged ")
    {
        last = number.parse().unwrap_or(last);
    }
    // The child is not reaped yet: as a zombie it holds nothing. It becomes one only after its end of the pipe closes.
    let mut tries = 0;
    while let Err(error) = store.hold(&run).await {
        tries += 1;
        assert!(error.code == Code::Busy && tries < 500, "{error}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    process.wait().unwrap();

    let events = store.load(&run).await.unwrap().events;
    assert!(events.len() as u32 >= last, "{} of {last} acknowledged", events.len());
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    let next = events.len() as u32 + 1;
    store.append(&run, shared(vec![set(next, "k", json!("after"))]), Durability::Committed).await.unwrap();
}

#[tokio::test]
async fn one_of_two_concurrent_holders_gets_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start)]).await.unwrap();
    for _ in 0..40 {
        store.release(&start.run).await.unwrap();
        let (one, other) = tokio::join!(store.hold(&start.run), store.hold(&start.run));
        assert_ne!(one.is_ok(), other.is_ok());
    }
}

#[tokio::test]
async fn a_run_has_one_holder_and_only_it_can_write() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let start = start("run-1");
    mine.create(&start, vec![started(&start)]).await.unwrap();
    for store in [&mine, &other] {
        assert_eq!(store.hold(&start.run).await.unwrap_err().code, Code::Busy);
    }
    let next = || vec![set(2, "k", json!(1))];
    assert_eq!(
        other.append(&start.run, shared(next()), Durability::Committed).await.unwrap_err().code,
        Code::Busy
    );
    other.release(&start.run).await.unwrap();
    assert!(mine.run_card(&start.run).await.unwrap().held_by.is_some(), "only the holder lets go");
    mine.release(&start.run).await.unwrap();
    assert_eq!(
        mine.append(&start.run, shared(next()), Durability::Committed).await.unwrap_err().code,
        Code::Busy
    );
    other.hold(&start.run).await.unwrap();
    other.append(&start.run, shared(next()), Durability::Committed).await.unwrap();
    drop(other);
    mine.hold(&start.run).await.unwrap();
    let missing = RunId("nobody".to_owned());
    assert_eq!(mine.hold(&missing).await.unwrap_err().code, Code::NotFound);
    assert_eq!(mine.load(&missing).await.unwrap_err().code, Code::NotFound);
    let append = mine.append(&missing, shared(next()), Durability::Committed).await;
    assert_eq!(append.unwrap_err().code, Code::NotFound);
}

#[tokio::test]
async fn the_event_that_ends_a_run_releases_it_in_the_same_commit() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let start = start("run-1");
    mine.create(&start, vec![started(&start)]).await.unwrap();
    mine.append(&start.run, shared(vec![ended(2), set(3, "k", json!(1))]), Durability::Committed)
        .await
        .unwrap();
    assert_eq!(other.run_card(&start.run).await.unwrap().held_by, None);
    let late = mine.append(&start.run, shared(vec![set(4, "k", json!(2))]), Durability::Committed).await;
    assert_eq!(late.unwrap_err().code, Code::Busy);
    other.hold(&start.run).await.unwrap();
    assert_eq!(other.load(&start.run).await.unwrap().events.len(), 3);
}

#[tokio::test]
async fn a_process_without_heartbeat_loses_its_run_and_cannot_write_it() {
    let folder = tempfile::tempdir().unwrap();
    let (mine, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let start = start("run-1");
    mine.create(&start, vec![started(&start)]).await.unwrap();
    let database = rusqlite::Connection::open(mine.file()).unwrap();
    database.execute("UPDATE processes SET heartbeat_at_ms = heartbeat_at_ms - 31000", []).unwrap();
    other.hold(&start.run).await.unwrap();
    let next = || vec![set(2, "k", json!(1))];
    assert_eq!(
        mine.append(&start.run, shared(next()), Durability::Committed).await.unwrap_err().code,
        Code::Busy
    );
    assert_eq!(other.load(&start.run).await.unwrap().events.len(), 1);
    other.append(&start.run, shared(next()), Durability::Committed).await.unwrap();
}
