//! A fork reuses what came before its place and does anew what comes after, anywhere in the tree.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Fork, UserAnswer};
use kernel::{
    AgentChange, Delta, Effect, Event, Fact, LimitName, Outcome, Overrides, QuestionKind, RunId, Seq, Value,
};
use proptest::prelude::*;

use super::agents::Action;
use super::edits::topic;
use super::edits::{edited_while_it_runs, edits};
use super::stage::{Stage, assert_edits_seen, assert_views, cases, done_spots, on_one_thread};
use super::tree::{Tree, exiting, leaf, small_trees};
use super::world::{spot_of, usual_answer};

/// A fork that changes nothing.
pub(super) fn at(seq: Seq) -> Fork {
    Fork {
        run: RunId(format!("fork {seq}")),
        at: seq,
        overrides: Overrides::default(),
        delta: Delta::default(),
        result: None,
    }
}

/// What was asked in a fork, the engine's own questions left out.
fn spots_asked(stage: &Stage) -> BTreeSet<String> {
    let is_of_engine = |spot: &str| spot.starts_with('`') || spot.starts_with("Th");
    stage.touched.asked().into_keys().filter(|spot| !is_of_engine(spot)).collect()
}

async fn assert_replays(stage: &Stage) {
    stage.assert_sound().await;
    stage.assert_replays(stage.events()).await;
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn a_fork_at_any_event_asks_again_only_what_came_after(tree in small_trees(), edits in edits(40, 0..3)) {
        on_one_thread(async {
            let parent = Stage::of(&tree).in_memory();
            let expected = edited_while_it_runs(&parent, &edits).await;
            let is_edited = !edits.is_empty();
            let events = parent.events();
            for seq in 1..=u32::try_from(events.len()).unwrap() {
                let (stage, end) = parent.fork(at(seq), |_| {}).await;
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
                if !is_edited {
                    assert_eq!(end.state, expected.state);
                    let done = done_spots(&events).into_iter();
                    let (before, after): (Vec<_>, Vec<_>) = done.partition(|(_, answered)| *answered <= seq);
                    let asked = spots_asked(&stage);
                    for (spot, _) in before {
                        assert!(!asked.contains(&spot) , "{spot} came before event {seq}");
                    }
                    for (spot, _) in after {
                        assert!(asked.contains(&spot) || spot.starts_with('`'), "{spot} came after event {seq}");
                    }
                    assert!(stage.touched.asked().values().all(|times| *times == 1));
                }
                assert_views(&stage.events());
                assert_replays(&stage).await;
            }
        });
    }

    #[test]
    fn a_changed_topic_and_instruction_hold_behind_the_fork_and_not_before(tree in small_trees()) {
        on_one_thread(async {
            let parent = Stage::of(&tree);
            parent.run().await;
            let agents: BTreeMap<String, AgentChange> = parent.definition().agents.into_keys().map(|name| {
                (name, AgentChange { instruction: Some(Value::text("Be new.")), ..AgentChange::default() })
            }).collect();
            for seq in (1..=parent.events().len() as u32).step_by(3) {
                let overrides = Overrides { agents: agents.clone(), ..Overrides::default() };
                let (stage, end) = parent.fork(Fork { overrides, delta: topic("forked topic"), ..at(seq) }, |_| {}).await;
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
                assert_edits_seen(&stage.events());
                let holding = super::stage::holding(&stage.events());
                for event in holding {
                    let Fact::EffectAsked { effect: Effect::Model { request }, .. } = event.fact else { continue };
                    assert_eq!(request.instruction.as_str() == Some("Be new."), event.seq > seq, "{}", spot_of(&request));
                }
                assert_replays(&stage).await;
            }
        });
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn a_result_replaced_by_hand_stands_in_its_place_and_what_follows_is_done_anew(tree in small_trees()) {
        on_one_thread(async {
            let parent = Stage::of(&tree).in_memory();
            parent.run().await;
            let events = parent.events();
            for (spot, seq) in done_spots(&events) {
                let answered = &events[seq as usize - 1];
                let is_asked = |event: &&Event| {
                    event.path == answered.path && matches!(&answered.fact, Fact::EffectAnswered { asked, .. } if *asked == event.n)
                };
                let asked = events.iter().find(is_asked).unwrap();
                // What the program itself asked was decided for that moment.
                if matches!(&asked.fact, Fact::EffectAsked { effect: Effect::Question { question }, .. }
                    if question.kind != kernel::QuestionKind::Agent)
                {
                    continue;
                }
                let result = match &asked.fact {
                    Fact::EffectAsked { effect: Effect::Tool { .. }, .. } => serde_json::json!({ "found": "by hand" }),
                    _ => serde_json::json!("by hand"),
                };
                let (stage, end) = parent.fork(Fork { result: Some(result), ..at(seq) }, |_| {}).await;
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
                let own = stage.events();
                let by_hand = own.iter().find(|event| event.author == kernel::USER && matches!(&event.fact,
                    Fact::EffectAnswered { answer: kernel::Answer::Done { result }, .. } if result.written().contains("by hand")));
                assert!(by_hand.is_some(), "{spot}");
                let asked = spots_asked(&stage);
                for (other, answered) in done_spots(&events) {
                    assert_eq!(asked.contains(&other), answered > seq && !other.starts_with('`'), "{spot}: {other}");
                }
                assert_views(&own);
                assert_replays(&stage).await;
            }
        });
    }
}

/// A loop whose second round holds a loop with branches.
fn nested() -> Tree {
    let inner = Tree::Loop(
        2,
        vec![
            leaf(&[Action::Model]),
            Tree::Parallel(vec![leaf(&[Action::Model, Action::Look]), leaf(&[Action::Act])]),
        ],
    );
    Tree::Loop(2, vec![leaf(&[Action::Model]), inner, exiting(&[Action::Look], 3)])
}

fn answered(events: &[Event], spot: &str) -> Seq {
    done_spots(events).into_iter().find(|(done, _)| done == spot).map(|(_, seq)| seq).unwrap()
}

#[test]
fn a_fork_inside_the_second_round_of_a_nested_loop_and_inside_a_branch() {
    on_one_thread(async {
        let parent = Stage::of(&nested());
        parent.run().await;
        let spot = "p[2]/l2#1[2]/b4#1|a5#1:0";
        let (stage, end) = parent.fork(at(answered(&parent.events(), spot)), |_| {}).await;
        assert_eq!(end.outcome, Outcome::Finished);
        let asked = spots_asked(&stage);
        assert!(asked.contains("p[2]/l2#1[2]/b4#1|a5#1:1") && asked.contains("p[2]/a7#1:0"), "{asked:?}");
        assert!(!asked.contains(spot) && !asked.contains("p[2]/l2#1[2]/a3#1:0"), "{asked:?}");
        assert!(asked.iter().all(|spot| spot.starts_with("p[2]")), "{asked:?}");
        let origin = &stage.events()[0];
        assert!(matches!(&origin.fact, Fact::RunStarted { run, origin: Some(from), .. }
            if run.0.starts_with("fork") && from.run.0 == "run"));
    });
}

#[test]
fn a_fork_asks_before_it_does_again_what_its_parent_did_also_a_fork_of_a_fork() {
    on_one_thread(async {
        for (choice, times) in [("reuse", 0), ("repeat", 1)] {
            let tree = Tree::Sequential(vec![
                leaf(&[Action::Model]),
                leaf(&[Action::AskFirst]),
                leaf(&[Action::Model]),
            ]);
            let parent = Stage::of(&tree);
            let expected = parent.run().await;
            let spot = "p/a2#1:0";
            let answered = answered(&parent.events(), spot);
            // Before the permission, behind it, and while the act was in flight.
            for seq in 3..answered {
                let person = move |question: &kernel::Question| match question.kind {
                    QuestionKind::Repeat => UserAnswer::Chosen(choice.into()),
                    _ => UserAnswer::Chosen(usual_answer(question).into()),
                };
                let (stage, end) = parent.fork(at(seq), |touched| touched.person = Box::new(person)).await;
                assert_eq!(
                    (end.outcome, end.state),
                    (Outcome::Finished, expected.state.clone()),
                    "{:?}",
                    end.error
                );
                let asks = |stage: &Stage| {
                    stage
                        .touched
                        .questions()
                        .iter()
                        .filter(|question| question.kind == QuestionKind::Repeat)
                        .count()
                };
                assert_eq!(
                    (asks(&stage), stage.touched.asked().get(spot).copied().unwrap_or(0)),
                    (1, times),
                    "event {seq}"
                );
                assert_replays(&stage).await;
                // Its own fork from before knows it too, whoever did it.
                let (grandchild, _) = stage.fork(at(2), |touched| touched.person = Box::new(person)).await;
                assert_eq!(asks(&grandchild), 1);
            }
        }
    });
}

#[test]
fn a_fork_with_a_lower_limit_meets_it_behind_the_fork() {
    on_one_thread(async {
        let parent = Stage::of(&Tree::Loop(3, vec![leaf(&[Action::Model])]));
        parent.run().await;
        let overrides = Overrides {
            limits: BTreeMap::from([(LimitName::MaxLlmCalls, Some(2.0))]),
            ..Overrides::default()
        };
        let how = Fork { overrides, ..at(answered(&parent.events(), "p[1]/a1#1:0")) };
        let (stage, end) =
            parent.fork(how, |touched| touched.person = Box::new(|_| UserAnswer::NobodyThere)).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Limited, 2));
        assert_eq!(spots_asked(&stage).into_iter().collect::<Vec<_>>(), ["p[2]/a1#1:0"]);
        assert_replays(&stage).await;
    });
}

#[test]
fn a_fork_at_an_event_that_does_not_exist_is_refused_in_words() {
    on_one_thread(async {
        let parent = Stage::of(&leaf(&[Action::Look]));
        parent.run().await;
        for seq in [0, 99] {
            let log = super::log::MemoryLog::open(std::sync::Arc::default(), None);
            let world = super::world::world(&parent.touched, log);
            let refused = engine::fork(world, parent.root.clone(), parent.recorded(), at(seq)).await;
            let message = refused.err().unwrap().message;
            assert!(message.contains(&format!("Event {seq} does not exist")), "{message}");
        }
    });
}

#[test]
fn agents_of_a_fork_take_no_time_of_what_lay_between_its_parent_and_it() {
    const DAY: i64 = 24 * 3_600_000;
    on_one_thread(async {
        let parent =
            Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model, Action::Model])]));
        parent.run().await;
        let mut recorded = parent.recorded();
        // The parent ran yesterday.
        recorded.events.iter_mut().for_each(|event| event.at_ms -= DAY);
        for seq in 1..recorded.events.len() as u32 {
            let stage = Stage::with(parent.root.clone(), |_| {});
            let log = super::log::MemoryLog::open(stage.disk.clone(), None);
            let world = super::world::world(&stage.touched, log);
            engine::fork(world, parent.root.clone(), recorded.clone(), at(seq)).await.unwrap().ended().await;
            let events = stage.events();
            let began = events.iter().find(|event| matches!(event.fact, Fact::RunResumed { .. })).unwrap();
            for event in events.iter().filter(|event| event.seq > began.seq) {
                let took_ms = match &event.fact {
                    Fact::AgentStarted { .. } => (began.at_ms - event.at_ms).max(0) as u64,
                    Fact::AgentEnded { took_ms, .. } => *took_ms,
                    _ => 0,
                };
                assert!(took_ms < DAY as u64 / 2, "after event {seq}: {event:?}");
            }
            assert_replays(&stage).await;
        }
    });
}
