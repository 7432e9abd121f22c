//! Gates around agents: whoever goes on at each of them changes nothing; what is asked for or changed at one holds from there.

use std::sync::atomic::Ordering;

use engine::{Continuation, UserAnswer};
use kernel::{
    Delta, Effect, Event, Fact, Gate, GateAnswer, GateSide, ITEM, Outcome, QuestionKind, RunId, USER,
    USER_WORDS, Value,
};
use proptest::prelude::*;
use serde_json::json;

use super::agents::Action;
use super::log::MemoryLog;
use super::stage::{Stage, cases, on_one_thread};
use super::tree::{Tree, leaf, small_trees, trees};
use super::world::usual_answer;

fn at_gate(answer: &GateAnswer) -> Value {
    Value::new(json!(answer))
}

/// Two leaves after each other, the first with a gate.
fn two(gate: Gate, answers: Vec<GateAnswer>) -> Stage {
    let tree = Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]);
    gated(&tree, "a1", gate, answers)
}

/// A tree with a gate around one of its agents.
fn gated(tree: &Tree, agent: &str, gate: Gate, answers: Vec<GateAnswer>) -> Stage {
    let answers = std::sync::Mutex::new(answers);
    let stage = Stage::with(tree.build(), |touched| {
        touched.person = Box::new(move |question| match question.kind {
            QuestionKind::Gate { .. } => UserAnswer::Chosen(at_gate(&answers.lock().unwrap().remove(0))),
            _ => panic!("{question:?}"),
        });
    });
    Stage { gates: [(agent.to_owned(), gate)].into(), ..stage }
}

fn places(events: &[Event], is_wanted: impl Fn(&Fact) -> bool) -> Vec<String> {
    events.iter().filter(|event| is_wanted(&event.fact)).map(|event| event.path.to_string()).collect()
}

fn input_of(event: &Event) -> Option<serde_json::Value> {
    let Fact::AgentStarted { instance: Some(instance), .. } = &event.fact else { return None };
    Some(instance.input.json_or_null().clone())
}

fn starts(events: &[Event]) -> Vec<String> {
    places(events, |fact| matches!(fact, Fact::AgentStarted { .. }))
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn whoever_goes_on_at_every_gate_changes_nothing(tree in trees()) {
        on_one_thread(async {
            let expected = Stage::of(&tree).run().await;
            let stage = Stage::gated(&tree);
            let end = stage.run().await;
            prop_assert_eq!(end.outcome, Outcome::Finished);
            prop_assert_eq!(&end.state, &expected.state);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
            Ok(())
        })?;
    }

    #[test]
    fn where_nobody_is_there_a_run_waits_at_its_gate_and_goes_on_with_the_answer(tree in small_trees()) {
        on_one_thread(async {
            let expected = Stage::of(&tree).run().await;
            let stage = Stage::with(tree.build(), |touched| {
                touched.person = Box::new(|question| match question.kind {
                    QuestionKind::Gate { .. } => UserAnswer::NobodyThere,
                    _ => UserAnswer::Chosen(usual_answer(question).into()),
                });
            });
            let stage = Stage { gates: Stage::gated(&tree).gates, ..stage };
            let mut end = stage.run().await;
            for turn in 0..200 {
                if end.outcome != Outcome::Waiting {
                    break;
                }
                let answer = stage.reply("go_on", turn);
                prop_assert!(answer.is_some());
                end = stage.go_on(Continuation { answer, ..Continuation::default() }).await;
            }
            prop_assert_eq!(end.outcome, Outcome::Finished);
            prop_assert_eq!(&end.state, &expected.state);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
            Ok(())
        })?;
    }
}

#[test]
fn changes_that_are_asked_for_let_the_agent_work_again_and_the_first_result_stays_in_the_log() {
    on_one_thread(async {
        let again = GateAnswer::AskForChanges("shorter".into());
        let stage = two(Gate { before: false, after: true }, vec![again, GateAnswer::GoOn]);
        let end = stage.run().await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!(starts(&stage.events()), ["p", "p/a1#1", "p/a1#1/a1#2", "p/a2#1"]);
        assert_eq!(end.state.get("key_a1").unwrap().json_or_null()["count"], 2);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
        // A fork right behind the first question keeps the mark and asks again; one before it too.
        let asked = stage
            .events()
            .iter()
            .find(|event| matches!(event.fact, Fact::EffectAsked { effect: Effect::Question { .. }, .. }))
            .unwrap()
            .seq;
        for at in [asked - 1, asked] {
            let (forked, end) = stage.fork(super::forks::at(at), |_| {}).await;
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            assert_eq!(forked.touched.questions().len(), 1);
            assert_eq!(starts(&forked.events()), ["p", "p/a1#1", "p/a2#1"]);
        }
    });
}

#[test]
fn what_is_changed_at_a_gate_is_the_persons_and_what_follows_sees_it() {
    on_one_thread(async {
        let changed = json!({"topic": "first topic", "count": 9, "got": []});
        let with = GateAnswer::GoOnWith(Delta::of("key_a1", changed.clone()));
        let stage = two(Gate { before: false, after: true }, vec![with]);
        let end = stage.run().await;
        assert_eq!(end.state.get("key_a1").unwrap().json_or_null(), &changed);
        let events = stage.events();
        let change = events.iter().rfind(|event| event.concerns("key_a1")).unwrap();
        assert_eq!((change.author.as_str(), GateSide::of(&change.path)), (USER, Some(GateSide::After)));
        stage.assert_sound().await;
        super::stage::assert_views(&events);
        stage.assert_replays(events).await;
    });
}

#[test]
fn the_item_of_an_instance_stands_at_the_gate_before_it_and_is_what_the_person_made_of_it() {
    on_one_thread(async {
        let tree = Tree::Each(2, Box::new(leaf(&[Action::Model])));
        let changed = json!(7);
        let with = GateAnswer::GoOnWith(Delta::of(ITEM, changed.clone()));
        let stage = gated(&tree, "pi", Gate { before: true, after: false }, vec![with, GateAnswer::GoOn]);
        assert_eq!(stage.run().await.outcome, Outcome::Finished);
        let questions = stage.touched.questions();
        let asked: Vec<_> = questions.iter().map(|asked| asked.at_gate().unwrap()).collect();
        assert!(asked.iter().all(|gate| gate.keys == [ITEM]), "{asked:?}");
        let items: Vec<_> = asked.iter().map(|gate| gate.item.as_ref().unwrap().json_or_null()).collect();
        let began: Vec<_> = stage.events().iter().filter_map(input_of).collect();
        assert_eq!(began, [&changed, items[1]].map(Clone::clone));
        stage.assert_sound().await;
        super::stage::assert_views(&stage.events());
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn a_run_that_was_stopped_at_a_gate_asks_there_again() {
    on_one_thread(async {
        let stage = two(Gate { before: true, after: false }, vec![GateAnswer::Stop, GateAnswer::GoOn]);
        assert_eq!(stage.run().await.outcome, Outcome::Cancelled);
        assert_eq!(starts(&stage.events()), ["p"]);
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn a_gate_that_is_set_within_a_round_of_a_loop_holds_from_the_next_round_on() {
    on_one_thread(async {
        let tree = Tree::Loop(3, vec![leaf(&[Action::Gate, Action::Model])]);
        let is_away = std::sync::atomic::AtomicBool::new(true);
        let stage = Stage::with(tree.build(), |touched| {
            touched.person = Box::new(move |question| match is_away.swap(false, Ordering::Relaxed) {
                true => UserAnswer::NobodyThere,
                false => UserAnswer::Chosen(usual_answer(question).into()),
            });
        });
        assert_eq!(stage.run().await.outcome, Outcome::Waiting);
        let gates = [("a1".to_owned(), Gate { before: true, after: false })].into();
        said(&stage, Fact::GatesSet { gates }).await;
        let answer = stage.reply("yes", 0);
        let end = stage.go_on(Continuation { answer, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        let asked = places(&stage.events(), |fact| {
            matches!(fact, Fact::EffectAsked { effect: Effect::Question { question }, .. }
                if matches!(question.kind, QuestionKind::Gate { .. }))
        });
        assert_eq!(asked, ["p[2]/a1#1/stop-before#1", "p[3]/a1#1/stop-before#1"]);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

/// The person does something while the run waits.
async fn said(stage: &Stage, fact: Fact) {
    let log = MemoryLog::open(stage.disk.clone(), None);
    engine::append_outside(log.as_ref(), &RunId("run".into()), fact).await.unwrap();
}

#[test]
fn a_word_to_a_running_run_reaches_the_agents_that_start_after_it() {
    on_one_thread(async {
        let tree = Tree::Sequential(vec![leaf(&[Action::Gate]), leaf(&[Action::Model])]);
        let stage = Stage::with(tree.build(), |touched| {
            touched.person = Box::new(|_| UserAnswer::NobodyThere);
        });
        assert_eq!(stage.run().await.outcome, Outcome::Waiting);
        let words = Delta::of(USER_WORDS, json!(["in verse"]));
        said(&stage, Fact::StateChanged { delta: words }).await;
        let answer = stage.reply("yes", 0);
        let end = stage.go_on(Continuation { answer, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        let heard = |agent: &str| end.state.get(agent).unwrap().json_or_null()[USER_WORDS].clone();
        assert_eq!((heard("key_a1"), heard("key_a2")), (json!(null), json!(["in verse"])));
        stage.assert_replays(stage.events()).await;
    });
}
