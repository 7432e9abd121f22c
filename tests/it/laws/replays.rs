//! Replay is proved by re-execution: from its effects alone a run comes out again, event by event.

use kernel::{Effect, Fact, Outcome, RunFold, Value};
use proptest::prelude::*;
use serde_json::json;

use super::agents::Action;
use super::edits::{edited_while_it_runs, edits, edits_beside_agents};
use super::stage::{Stage, by_place, cases, effects_alone, on_one_thread};
use super::tree::{Tree, leaf, trees, trees_in_sequence};

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn a_finished_run_replays_to_the_identical_events(tree in trees(), edits in edits(60, 0..4)) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            let end = edited_while_it_runs(&stage, &edits).await;
            stage.assert_sound().await;
            let again = stage.assert_replays(stage.events()).await.end.unwrap();
            let fold = RunFold::of(&stage.events());
            assert_eq!((again.outcome, again.state, again.usage), (end.outcome, fold.state, fold.usage));
        });
    }

    #[test]
    fn from_its_effects_alone_a_run_in_sequence_comes_out_in_every_field(
        tree in trees_in_sequence(), edits in edits(60, 0..4)
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            edited_while_it_runs(&stage, &edits).await;
            stage.assert_replays(effects_alone(&stage.events())).await;
            // The first two events follow from how the run began.
            let without_beginning =
                effects_alone(&stage.events()).into_iter().filter(|event| event.seq > 2).collect();
            stage.assert_replays(without_beginning).await;
        });
    }

    // Where siblings mix their numbers, no copy without them tells whether an edit came before or behind a write: the
    // person edits what no agent writes.
    #[test]
    fn from_its_effects_alone_a_run_with_branches_comes_out_place_by_place(
        tree in trees(), edits in edits_beside_agents(60, 0..3)
    ) {
        on_one_thread(async {
            let stage = Stage::of(&tree);
            edited_while_it_runs(&stage, &edits).await;
            for from in [0, 2] {
                let kept = effects_alone(&stage.events()).into_iter().filter(|event| event.seq > from).collect();
                let replayed = stage.replayed(kept).await;
                assert_eq!(replayed.divergence, None);
                assert_eq!(by_place(&replayed.events), by_place(&stage.events()));
                assert_eq!(replayed.events.len(), stage.events().len());
            }
        });
    }
}

#[test]
fn another_instruction_diverges_and_shows_both_sides() {
    on_one_thread(async {
        let tree = Tree::Loop(2, vec![leaf(&[Action::Look]), Tree::Parallel(vec![leaf(&[Action::Model])])]);
        let stage = Stage::of(&tree);
        assert_eq!(stage.run().await.outcome, Outcome::Finished);
        let mut definition = stage.definition();
        definition.agents.get_mut("a3").unwrap().instruction = Value::text("Be another.");
        let replayed = engine::replay(stage.root.clone(), stage.recorded(), definition).await;
        let divergence = replayed.divergence.unwrap();
        assert_eq!(divergence.path, "p[1]/b2#1|a3#1");
        let instruction = "/effect/request/instruction";
        assert_eq!(divergence.recorded.pointer(instruction).unwrap(), "Be a3.");
        assert_eq!(divergence.produced.pointer(instruction).unwrap(), "Be another.");
        let asked = &stage.events()[divergence.seq as usize - 1];
        assert!(matches!(asked.fact, Fact::EffectAsked { .. }));
        assert!(divergence.phrase().english().contains("does something else than recorded"));
    });
}

#[test]
fn a_tree_that_does_more_or_less_than_recorded_diverges() {
    on_one_thread(async {
        let recorded = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Look]), leaf(&[Action::Model])]));
        recorded.run().await;
        let less = Tree::Sequential(vec![leaf(&[Action::Look])]);
        let more =
            Tree::Sequential(vec![leaf(&[Action::Look]), leaf(&[Action::Model]), leaf(&[Action::Clock])]);
        for (changed, path, recorded_kind, produced_effect) in [
            (less, "p/a2#1", json!("agent_started"), json!(null)),
            (more, "p/a3#1", json!(null), json!("clock")),
        ] {
            let replayed = engine::replay(changed.build(), recorded.recorded(), recorded.definition()).await;
            let divergence = replayed.divergence.unwrap();
            assert_eq!(divergence.path, path);
            assert_eq!(
                (&divergence.recorded["kind"], &divergence.produced["effect"]),
                (&recorded_kind, &produced_effect)
            );
        }
    });
}

/// A start that a copy lacks is given a number that is free, which may lie behind what its siblings did meanwhile.
#[test]
fn in_a_branch_an_agent_sees_what_its_first_effect_tells_whatever_number_its_start_is_given() {
    let tolerated = Tree::Tolerant(Box::new(leaf(&[Action::Model, Action::Break])));
    let model = || leaf(&[Action::Model]);
    let asks = Tree::Parallel(vec![Tree::Sequential(vec![leaf(&[Action::Gate, Action::Model])])]);
    let tree = Tree::Sequential(vec![asks, Tree::Parallel(vec![model(), model(), tolerated])]);
    on_one_thread(async {
        for turns in 0..20 {
            let stage = Stage::of(&tree);
            edited_while_it_runs(&stage, &[(turns, 0)]).await;
            let replayed = stage.replayed(effects_alone(&stage.events())).await;
            assert_eq!(replayed.divergence, None, "{turns}");
            assert_eq!(by_place(&replayed.events), by_place(&stage.events()));
        }
    });
}

#[test]
fn waiting_for_the_person_is_nobody_s_time() {
    const DAY: i64 = 24 * 3_600_000;
    on_one_thread(async {
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model, Action::Gate, Action::Model])]));
        stage.run().await;
        let mut events = effects_alone(&stage.events());
        let question = events.iter().position(|event| {
            matches!(&event.fact, Fact::EffectAsked { effect: Effect::Question { .. }, .. })
        });
        // The person came back a day later.
        events[question.unwrap() + 1..].iter_mut().for_each(|event| {
            event.at_ms += DAY;
            event.ran_ms += DAY as u64;
        });
        let took = stage.replayed(events).await.events.into_iter().filter_map(|event| match event.fact {
            Fact::AgentEnded { took_ms, .. } => Some(took_ms),
            _ => None,
        });
        let took: Vec<u64> = took.collect();
        assert!(took.len() == 2 && took.iter().all(|took_ms| *took_ms < DAY as u64 / 2), "{took:?}");
    });
}
