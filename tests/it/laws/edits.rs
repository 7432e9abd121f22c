//! What the person changes while a run runs lands at one place, each time the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Continuation, RunEnd};
use kernel::{Fact, Outcome};
use proptest::prelude::*;

use super::log::Death;
use super::stage::{Stage, assert_topics_seen, cases, on_one_thread, topic, topics};
use super::tree::{Deed, Tree, leaf, trees};

/// Runs to the end while a person edits the topic, each time after so many turns of the program.
pub(crate) async fn edited_while_it_runs(stage: &Stage, turns: &[u32]) -> RunEnd {
    let (handle, _) = stage.begin(None).await.unwrap();
    let (editor, turns) = (handle.clone(), turns.to_vec());
    let editing = tokio::spawn(async move {
        for (index, turns) in turns.into_iter().enumerate() {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
            // After its end a run is edited in other ways.
            if !editor.has_ended() {
                editor.outside(Fact::StateChanged { delta: topic(&format!("topic {index}")) }).await.unwrap();
            }
        }
    });
    let end = handle.ended().await;
    editing.await.unwrap();
    end
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_next_agent_to_start_sees_an_edit_and_none_before(
        tree in trees(), edits in prop::collection::vec(0..40u32, 1..5)
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let end = edited_while_it_runs(&stage, &edits).await;
            stage.assert_sound();
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.fault);
            let events = stage.events();
            assert_topics_seen(&events);
            let last = topics(&events).into_iter().last().unwrap().1;
            let fold = kernel::fold_state(&events);
            assert_eq!(fold.get("topic"), Some(&last));
        });
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn an_edit_that_was_acknowledged_outlives_a_crash(
        tree in trees(), edits in prop::collection::vec(0..20u32, 1..5), number in 1..20u32, is_stored in any::<bool>(),
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let death = if is_stored { Death::After(number) } else { Death::Before(number) };
            let (handle, _) = stage.begin(Some(death)).await.unwrap();
            let editor = handle.clone();
            let editing = tokio::spawn(async move {
                let mut acknowledged = Vec::new();
                for (index, turns) in edits.into_iter().enumerate() {
                    for _ in 0..turns {
                        tokio::task::yield_now().await;
                    }
                    acknowledged.extend(editor.outside(Fact::StateChanged { delta: topic(&format!("topic {index}")) }).await.ok());
                }
                acknowledged
            });
            handle.ended().await;
            let acknowledged = editing.await.unwrap();
            stage.assert_sound();
            let events = stage.events();
            for edit in acknowledged {
                prop_assert_eq!(events.get(edit.seq as usize - 1), Some(&edit));
            }
            let end = stage.go_on(Continuation::default()).await;
            prop_assert_eq!(end.outcome, Outcome::Finished);
            stage.assert_sound();
            assert_topics_seen(&stage.events());
            stage.assert_replays(stage.events()).await;
            Ok(())
        })?;
    }
}

#[test]
fn edits_from_another_thread_leave_no_gap_between_what_is_seen_and_what_is_told() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    runtime.block_on(async {
        let leaves = || vec![leaf(&[Deed::Look]), leaf(&[Deed::Model]), leaf(&[Deed::Clock])];
        let stage = Stage::of(&Tree::Loop(8, vec![Tree::Sequential(leaves()), Tree::Parallel(leaves())]));
        let (handle, _) = stage.begin(None).await.unwrap();
        let (editor, has_ended) = (handle.clone(), Arc::new(AtomicBool::new(false)));
        let stop = has_ended.clone();
        let editing = tokio::spawn(async move {
            let mut count = 0;
            while !stop.load(Ordering::SeqCst) && count < 200 {
                count += 1;
                editor.outside(Fact::StateChanged { delta: topic(&format!("topic {count}")) }).await.unwrap();
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(handle.ended().await.outcome, Outcome::Finished);
        has_ended.store(true, Ordering::SeqCst);
        editing.await.unwrap();
        stage.assert_sound();
        assert_topics_seen(&stage.events());
        stage.assert_replays(stage.events()).await;
    });
}
