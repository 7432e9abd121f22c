//! Schedules: one process claims an instant, and an instant is handled once.

use rusqlite::Connection;
use store::{
    Claim, DATABASE_FILE, FailureCount, FiringEnd, NewFiring, ScheduleState, ScheduleTimes, Store,
    StoredSchedule,
};

fn times(handled_until_ms: i64, next_at_ms: i64) -> ScheduleTimes {
    ScheduleTimes { handled_until_ms, next_at_ms: Some(next_at_ms) }
}

fn firing(at_ms: i64) -> Option<NewFiring> {
    let (outcome, details) = ("running".to_owned(), "{}".to_owned());
    Some(NewFiring { at_ms, now_ms: at_ms + 5, outcome, details, is_over: false })
}

async fn saved(store: &Store) -> StoredSchedule {
    store.schedule("daily").await.unwrap().unwrap()
}

#[tokio::test]
async fn of_two_processes_one_claims_an_instant_and_it_never_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(Store::schedule_times(folder.path()).unwrap(), [], "nothing is created to look");
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    let (one, other) = (Store::open(folder.path()).unwrap(), Store::open(folder.path()).unwrap());
    let save = |name: &str| one.save_schedule(None, name.to_owned(), "{}".to_owned(), times(0, 100), 1);
    assert!(save("Daily").await.unwrap());
    assert!(!save("DAILY").await.unwrap(), "the name is taken");
    assert_eq!(Store::schedule_times(folder.path()).unwrap(), [times(0, 100)]);

    let seen = saved(&one).await;
    let claims = tokio::join!(
        one.claim_firing(&seen, times(100, 200), firing(100)),
        other.claim_firing(&seen, times(100, 200), firing(100)),
    );
    let claims = [claims.0.unwrap(), claims.1.unwrap()];
    let claimed = claims.iter().filter(|claim| matches!(claim, Claim::Claimed(_))).count();
    assert!(claimed == 1 && claims.contains(&Claim::Outdated), "{claims:?}");
    // Also where the mark was set back.
    let seen = saved(&other).await;
    assert_eq!(other.claim_firing(&seen, times(50, 100), None).await.unwrap(), Claim::Handled);
    let seen = saved(&other).await;
    assert_eq!(other.claim_firing(&seen, times(100, 200), firing(100)).await.unwrap(), Claim::Handled);
    assert_eq!(one.firings(seen.id, 9).await.unwrap().len(), 1);
}

#[tokio::test]
async fn three_failures_in_a_row_stop_a_schedule_and_an_end_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.save_schedule(None, "daily".to_owned(), "{}".to_owned(), times(0, 1), 1).await.unwrap();
    let end = |failures| FiringEnd {
        ended_at_ms: 9,
        outcome: "failed".to_owned(),
        details: "{}".to_owned(),
        failures,
    };
    let failed = FailureCount::OneMore { stops_at: 3 };
    for (at, failures, wanted) in [
        (1, failed, 1),
        (2, failed, 2),
        (3, FailureCount::None, 0),
        (4, failed, 1),
        (5, FailureCount::Unchanged, 1),
        (6, failed, 2),
        (7, failed, 3),
    ] {
        let seen = saved(&store).await;
        let claim = store.claim_firing(&seen, times(at, at + 1), firing(at)).await.unwrap();
        let Claim::Claimed(row) = claim else { panic!("{claim:?}") };
        store.end_firing(row, end(failures)).await.unwrap();
        store.end_firing(row, end(failed)).await.unwrap();
        assert_eq!(saved(&store).await.failures, wanted, "after {at}");
    }
    let stopped = saved(&store).await;
    assert_eq!(stopped.state, ScheduleState::Stopped);
    assert_eq!(Store::schedule_times(folder.path()).unwrap(), [], "it does not fire");
    let claim = store.claim_firing(&stopped, times(8, 9), firing(8)).await.unwrap();
    assert_eq!(claim, Claim::Outdated);
    store.set_schedule_state(stopped.id, ScheduleState::Active, Some(times(20, 30))).await.unwrap();
    assert_eq!((saved(&store).await.failures, saved(&store).await.handled_until_ms), (0, 20));
    store.remove_schedule(stopped.id).await.unwrap();
    assert!(store.firings(stopped.id, 9).await.unwrap().is_empty());
}

#[test]
fn a_database_from_before_schedules_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let database = Connection::open(folder.path().join(DATABASE_FILE)).unwrap();
    database.execute_batch("PRAGMA journal_mode = wal; CREATE TABLE runs (id INTEGER)").unwrap();
    drop(database);
    assert_eq!(Store::schedule_times(folder.path()).unwrap(), []);
}
