//! Failures stay where they belong: siblings finish, loops end alone, resume repeats only what failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Continuation, append_outside};
use kernel::{AgentOutcome, Code, Error, Fact, Outcome, RunId, Value};

use super::agents::Action;
use super::edits::topic;
use super::log::{Death, MemoryLog};
use super::stage::{Stage, on_one_thread};
use super::tree::{Tree, exiting, leaf};
use super::world::spot_of;

/// A stage whose model refuses these spots until it is told otherwise.
fn refusing(tree: &Tree, spots: &'static [&'static str]) -> (Stage, Arc<AtomicBool>) {
    let refuses = Arc::new(AtomicBool::new(true));
    let still = refuses.clone();
    let stage = Stage::with(tree.build(), |touched| {
        touched.script = Box::new(move |request, _| {
            let is_refused = still.load(Ordering::SeqCst) && spots.contains(&spot_of(request).as_str());
            is_refused.then(|| {
                Err(Error::new(
                    Code::KeyRefused,
                    kernel::Phrase::verbatim(format!("{} was refused", spot_of(request))),
                ))
            })
        });
    });
    (stage, refuses)
}

async fn assert_replays(stage: &Stage) {
    stage.assert_sound().await;
    stage.assert_replays(stage.events()).await;
}

#[test]
fn siblings_of_a_failure_finish_every_failure_is_named_and_resume_asks_only_the_failed() {
    on_one_thread(async {
        let branches = vec![
            leaf(&[Action::Model]),
            Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model, Action::Look])]),
            leaf(&[Action::Look, Action::Act, Action::Model]),
            leaf(&[Action::Model]),
        ];
        let tree =
            Tree::Sequential(vec![leaf(&[Action::Model]), Tree::Parallel(branches), leaf(&[Action::Model])]);
        let failing = &["p/b2#1|a3#1:0", "p/b2#1|a8#1:0"];
        let (stage, refuses) = refusing(&tree, failing);
        let end = stage.run().await;
        let error = end.error.unwrap();
        assert_eq!((end.outcome, error.code), (Outcome::Failed, Code::KeyRefused));
        for part in ["a3: p/b2#1|a3#1:0 was refused", "a8: p/b2#1|a8#1:0 was refused"] {
            assert!(error.message.contains(part), "{}", error.message);
        }
        let asked = stage.touched.asked();
        assert_eq!(
            (asked["p/b2#1|s4#1/a6#1:1"], asked["p/b2#1|a7#1:2"], asked.get("p/a9#1:0")),
            (1, 1, None)
        );
        assert_replays(&stage).await;
        refuses.store(false, Ordering::SeqCst);
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        for (spot, times) in stage.touched.asked() {
            assert_eq!(times, if failing.contains(&spot.as_str()) { 2 } else { 1 }, "{spot}");
        }
        assert_replays(&stage).await;
    });
}

#[test]
fn a_failure_that_an_agent_above_took_for_what_it_was_is_not_undone_by_a_later_crash() {
    on_one_thread(async {
        let broken = Tree::Tolerant(Box::new(leaf(&[Action::Model, Action::Break])));
        let tree =
            Tree::Sequential(vec![broken, leaf(&[Action::Model, Action::Model]), leaf(&[Action::Model])]);
        let stage = Stage::of(&tree);
        stage.begin(Some(Death::Before(8))).await.unwrap().0.ended().await;
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!(end.outcome, Outcome::Finished);
        let asked = stage.touched.asked();
        assert_eq!((asked["p/t1#1/a2#1:1"], asked["p/a3#1:0"], asked["p/a3#1:1"]), (1, 1, 1));
        assert_replays(&stage).await;
    });
}

#[test]
fn an_agent_that_failed_without_asking_anything_sees_what_changed_when_it_tries_again() {
    on_one_thread(async {
        let stage = Stage::with(super::contracts::needs("missing"), |_| {});
        let end = stage.run().await;
        assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, Code::BadInput));
        let log = MemoryLog::open(stage.disk.clone(), None);
        let delta = kernel::Delta::of("missing", Value::text("here"));
        append_outside(log.as_ref(), &RunId("run".into()), Fact::StateChanged { delta }).await.unwrap();
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        assert_replays(&stage).await;
    });
}

#[test]
fn an_edit_behind_the_end_is_kept_and_replayed() {
    on_one_thread(async {
        let stage = Stage::of(&leaf(&[Action::Model]));
        stage.run().await;
        let log = MemoryLog::open(stage.disk.clone(), None);
        let edit = Fact::StateChanged { delta: topic("afterwards") };
        let event = append_outside(log.as_ref(), &RunId("run".into()), edit).await.unwrap();
        assert_eq!((event.seq as usize, event.n), (stage.events().len(), 3));
        assert_replays(&stage).await;
    });
}

#[test]
fn an_edit_that_comes_while_the_run_is_being_put_away_is_kept_and_nobody_holds_the_run_afterwards() {
    on_one_thread(async {
        let stage = Stage::of(&leaf(&[Action::Model]));
        let (handle, log) = stage.begin(None).await.unwrap();
        handle.ended().await;
        assert!(!log.is_held(), "the end lets go");
        let edit = Fact::StateChanged { delta: topic("afterwards") };
        let event = handle.outside(edit).await.unwrap();
        assert_eq!(event.seq as usize, stage.events().len());
        assert!(!log.is_held());
        assert_replays(&stage).await;
    });
}

#[test]
fn exit_loop_ends_only_the_innermost_loop() {
    on_one_thread(async {
        let inner = Tree::Loop(5, vec![exiting(&[Action::Look], 2), leaf(&[Action::Look])]);
        let stage = Stage::of(&Tree::Loop(3, vec![inner, leaf(&[Action::Look])]));
        assert_eq!(stage.run().await.outcome, Outcome::Finished);
        let asked: Vec<String> = stage.touched.asked().into_keys().collect();
        let mut expected = Vec::new();
        for round in 1..=3 {
            for spot in ["l1#1[1]/a2#1", "l1#1[1]/a3#1", "l1#1[2]/a2#1", "a4#1"] {
                expected.push(format!("p[{round}]/{spot}:0"));
            }
        }
        expected.sort();
        assert_eq!(asked, expected);
        assert_replays(&stage).await;
    });
}

#[test]
fn exit_loop_in_a_branch_holds_after_its_siblings_have_finished() {
    on_one_thread(async {
        let branches = vec![
            exiting(&[Action::Look], 2),
            Tree::Sequential(vec![leaf(&[Action::Model, Action::Model]), leaf(&[Action::Act])]),
        ];
        let stage = Stage::of(&Tree::Loop(4, vec![Tree::Parallel(branches), leaf(&[Action::Look])]));
        let end = stage.run().await;
        assert_eq!(end.outcome, Outcome::Finished);
        let asked = stage.touched.asked();
        assert!(asked.contains_key("p[2]/b1#1|s3#1/a5#1:0"), "the sibling finished");
        assert!(!asked.contains_key("p[2]/a6#1:0") && !asked.keys().any(|spot| spot.starts_with("p[3]")));
        let exits = |event: &kernel::Event| match &event.fact {
            Fact::AgentEnded { outcome: AgentOutcome::Done { exits_loop }, .. } => {
                Some((event.author.clone(), *exits_loop))
            }
            _ => None,
        };
        let told: Vec<_> = stage.events().iter().filter_map(exits).filter(|(_, exits)| *exits).collect();
        assert_eq!(told, [("a2".to_owned(), true), ("b1".to_owned(), true)]);
        assert_replays(&stage).await;
    });
}
