//! A log that takes nothing for a while, or for good: nothing that was answered is asked again, and nothing is shown that
//! is not stored.

use std::sync::Arc;
use std::time::Duration;

use engine::{Continuation, RunHandle};
use kernel::{Code, Fact, Outcome, QuestionKind, RunFold};
use proptest::prelude::*;

use super::agents::Action;
use super::edits::topic;
use super::edits::{editing, edits};
use super::log::MemoryLog;
use super::stage::{Stage, assert_views, cases, on_one_thread};
use super::tree::{Tree, leaf, small_trees, trees};

async fn begun(stage: &Stage, log: Arc<MemoryLog>) -> RunHandle {
    stage.begin_in(stage.definition(), log).await.unwrap().0
}

/// What is shown is what is stored, whatever is in hand.
fn assert_shows_what_is_stored(stage: &Stage, handle: &RunHandle) {
    assert_eq!(handle.fold(), RunFold::of(&stage.events()));
}

/// The spots of agents, the engine's own questions left out.
fn assert_asked_once(stage: &Stage) {
    for (spot, times) in stage.touched.asked() {
        assert!(times == 1 || spot.starts_with('`'), "{spot} was asked {times} times");
    }
    assert!(stage.touched.questions().iter().all(|question| question.kind != QuestionKind::Repeat));
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_run_whose_log_refuses_now_and_then_comes_to_the_same_end(
        tree in small_trees(), refused in prop::collection::btree_set(1..14u32, 1..4)
    ) {
        on_one_thread(async {
            let expected = Stage::of(&tree).run().await;
            let stage = Stage::of(&tree);
            let log = MemoryLog::refusing(stage.disk.clone(), None, move |number| refused.contains(&number));
            let handle = begun(&stage, log).await;
            let end = handle.ended().await;
            assert_eq!((end.outcome, &end.state), (Outcome::Finished, &expected.state), "{:?}", end.error);
            assert_shows_what_is_stored(&stage, &handle);
            assert_asked_once(&stage);
            assert_eq!(stage.disk.set_aside(), []);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        });
    }

    #[test]
    fn a_run_that_its_full_disk_ends_goes_on_with_all_it_had_in_hand(tree in trees(), from in 1..20u32, edits in edits(20, 0..3)) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let log = MemoryLog::refusing(stage.disk.clone(), Some(Duration::ZERO), move |number| number >= from);
            let handle = begun(&stage, log).await;
            let editing = editing(&stage, &handle, &edits);
            let end = handle.ended().await;
            editing.await.unwrap();
            assert_shows_what_is_stored(&stage, &handle);
            if end.outcome != Outcome::Finished {
                assert_eq!(end.error.map(|error| error.code), Some(Code::DiskFull));
                assert_eq!(end.state, RunFold::of(&stage.events()).state);
            }
            let is_open = !stage.events().iter().any(|event| matches!(event.fact, Fact::RunEnded { .. }));
            if is_open {
                let end = stage.go_on(Continuation::default()).await;
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
                assert_eq!(end.usage.calls as usize, stage.touched.requests().len());
            }
            assert_asked_once(&stage);
            assert_views(&stage.events());
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        });
    }
}

#[test]
fn an_edit_that_the_disk_refuses_is_neither_shown_nor_lost() {
    on_one_thread(async {
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]));
        *stage.touched.stalls_at.lock().unwrap() = Some("p/a1#1:0".into());
        let log = MemoryLog::refusing(stage.disk.clone(), None, |number| number >= 2);
        let handle = begun(&stage, log).await;
        stage.until(super::stage::is_in_flight).await;
        let editor = handle.clone();
        let edit = tokio::spawn(async move {
            editor.outside(Fact::StateChanged { delta: topic("refused topic") }).await
        });
        handle.refused().wait_for(Option::is_some).await.unwrap();
        assert_shows_what_is_stored(&stage, &handle);
        assert_eq!(handle.fold().state.get("topic").unwrap().as_str(), Some("first topic"));
        handle.cancel();
        let told = edit.await.unwrap().unwrap_err();
        assert_eq!(told.code, Code::DiskFull);
        assert!(told.message.contains("kept in a file"), "{}", told.message);
        handle.ended().await;
        *stage.touched.stalls_at.lock().unwrap() = None;
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!(end.state.get("topic").unwrap().as_str(), Some("refused topic"));
        assert_views(&stage.events());
        stage.assert_sound().await;
    });
}
