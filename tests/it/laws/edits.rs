//! What the person changes while a run runs lands at one place, each time the same.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Continuation, RunEnd, RunHandle};
use kernel::{Delta, Event, Fact, Outcome, RESULT, USER_WORDS, Value};
use proptest::prelude::*;
use serde_json::json;
use tokio::task::JoinHandle;

use super::agents::Action;
use super::log::Death;
use super::stage::{Stage, assert_edits_seen, assert_views, cases, edits_of, on_one_thread};
use super::tree::{Tree, leaf, trees};

/// When an edit is made, in turns of the program since the last one, and of which key: 0 is the topic, 1 what is said to the
/// run, others are written by the agents.
pub(crate) type Edit = (u32, usize);

/// Edits of any key, at any moment.
pub(crate) fn edits(turns: u32, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..turns, 0..7usize), count)
}

/// Edits of the topic and words to the run: what no agent writes.
pub(crate) fn edits_beside_agents(
    turns: u32,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..turns, 0..2usize), count)
}

/// Makes these edits; gives those that were acknowledged.
pub(crate) fn editing(stage: &Stage, handle: &RunHandle, edits: &[Edit]) -> JoinHandle<Vec<Event>> {
    let outline = stage.root.outline();
    let written: Vec<String> = outline
        .walk()
        .iter()
        .flat_map(|agent| agent.contract.writes.clone())
        .filter(|key| key != RESULT)
        .collect();
    let (editor, edits) = (handle.clone(), edits.to_vec());
    tokio::spawn(async move {
        let mut acknowledged = Vec::new();
        for (index, (turns, key)) in edits.into_iter().enumerate() {
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
            let delta = match key.checked_sub(2).map(|place| &written[place % written.len()]) {
                // What instances are started for stays a list.
                Some(key) if key.starts_with("items_") => Delta::of(key, json!([index, 7])),
                Some(key) => Delta::of(key, json!({ "edited": index, "count": 7 })),
                None if key == 1 => Delta::of(USER_WORDS, json!([format!("word {index}")])),
                None => topic(&format!("topic {index}")),
            };
            // After its end a run is edited in other ways.
            if !editor.has_ended() {
                acknowledged.extend(editor.outside(Fact::StateChanged { delta }).await.ok());
            }
        }
        acknowledged
    })
}

/// Runs to the end while a person edits.
pub(crate) async fn edited_while_it_runs(stage: &Stage, edits: &[Edit]) -> RunEnd {
    let (handle, _) = stage.begin(None).await.unwrap();
    let editing = editing(stage, &handle, edits);
    let end = handle.ended().await;
    editing.await.unwrap();
    end
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_next_agent_to_start_sees_an_edit_and_none_before(
        tree in trees(), edits in edits(40, 1..6)
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let end = edited_while_it_runs(&stage, &edits).await;
            stage.assert_sound().await;
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            let events = stage.events();
            assert_edits_seen(&events);
            assert_views(&events);
            let last = edits_of(&events, "topic").into_iter().last().unwrap().1;
            let fold = kernel::fold_state(&events);
            assert_eq!(fold.get("topic"), Some(&last));
        });
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn an_edit_that_was_acknowledged_outlives_a_crash(
        tree in trees(), edits in edits(20, 1..6), number in 1..20u32, is_stored in any::<bool>(),
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let death = if is_stored { Death::After(number) } else { Death::Before(number) };
            let (handle, _) = stage.begin(Some(death)).await.unwrap();
            let editing = editing(&stage, &handle, &edits);
            handle.ended().await;
            let acknowledged = editing.await.unwrap();
            stage.assert_sound().await;
            let events = stage.events();
            for edit in acknowledged {
                prop_assert_eq!(events.get(edit.seq as usize - 1), Some(&edit));
            }
            // The person goes on editing while it goes on.
            let (handle, _) = stage.resume(Continuation::default(), None).await.unwrap();
            let editing = self::editing(&stage, &handle, &edits);
            let end = handle.ended().await;
            editing.await.unwrap();
            prop_assert_eq!(end.outcome, Outcome::Finished);
            stage.assert_sound().await;
            assert_edits_seen(&stage.events());
            assert_views(&stage.events());
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
        let leaves = || vec![leaf(&[Action::Look]), leaf(&[Action::Model]), leaf(&[Action::Clock])];
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
        stage.assert_sound().await;
        assert_edits_seen(&stage.events());
        stage.assert_replays(stage.events()).await;
    });
}

/// An edit of the topic.
pub(crate) fn topic(text: &str) -> Delta {
    Delta::of("topic", Value::text(text))
}
