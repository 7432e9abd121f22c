//! A run that is stopped, or that waits for the person, goes on from where it stood.

use engine::{Continuation, UserAnswer};
use kernel::{Answer, Code, Effect, Error, Event, Fact, Interruption, Outcome, QuestionKind};
use proptest::prelude::*;

use super::agents::Action;
use super::stage::{Stage, cases, done_spots, is_in_flight, on_one_thread};
use super::tree::{Tree, leaf, trees};
use super::world::usual_answer;

#[test]
fn a_stop_in_a_stalled_stream_keeps_what_was_received_and_resume_asks_only_that_anew() {
    on_one_thread(async {
        let branches = vec![leaf(&[Action::Look, Action::Model]), leaf(&[Action::Model])];
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model]), Tree::Parallel(branches)]));
        let stalled = "p/b2#1|a3#1:1";
        *stage.touched.stalls_at.lock().unwrap() = Some(stalled.into());
        let (handle, _) = stage.begin(None).await.unwrap();
        // The request is stored although nothing answers, and so is what the sibling did meanwhile.
        let has = |events: &[Event], what: fn(&Fact) -> bool, place: &str| {
            events.iter().any(|event| event.path.as_str() == place && what(&event.fact))
        };
        stage
            .until(|events| {
                has(
                    events,
                    |fact| matches!(fact, Fact::EffectAsked { effect: Effect::Model { .. }, .. }),
                    "p/b2#1|a3#1",
                ) && has(events, |fact| matches!(fact, Fact::AgentEnded { .. }), "p/b2#1|a4#1")
            })
            .await;
        handle.cancel();
        let end = handle.ended().await;
        assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Cancelled, Code::Cancelled));
        assert!(stage.events().iter().any(|event| matches!(
            &event.fact,
            Fact::EffectAnswered { answer: Answer::Interrupted { reason: Interruption::Cancelled, partial }, .. }
                if partial == "first words"
        )));
        stage.assert_replays(stage.events()).await;

        *stage.touched.stalls_at.lock().unwrap() = None;
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        for (spot, times) in stage.touched.asked() {
            assert_eq!(times, if spot == stalled { 2 } else { 1 }, "{spot}");
        }
        stage.assert_sound().await;
    });
}

#[test]
fn what_may_be_done_only_once_and_was_stopped_in_flight_is_asked_about() {
    on_one_thread(async {
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Act])]));
        *stage.touched.stalls_at.lock().unwrap() = Some("p/a1#1:0".into());
        let (handle, _) = stage.begin(None).await.unwrap();
        stage.until(is_in_flight).await;
        handle.cancel();
        assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);
        *stage.touched.stalls_at.lock().unwrap() = None;
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        let kinds: Vec<_> = stage.touched.questions().into_iter().map(|question| question.kind).collect();
        assert_eq!(kinds, [QuestionKind::Repeat]);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn a_sibling_that_failed_while_another_waits_is_asked_anew_when_the_answer_comes() {
    on_one_thread(async {
        let tree = Tree::Parallel(vec![
            leaf(&[Action::Gate]),
            leaf(&[Action::Look, Action::Model]),
            leaf(&[Action::Gate]),
        ]);
        let stage = Stage::with(tree.build(), |touched| {
            touched.person = Box::new(|_| UserAnswer::NobodyThere);
            touched.script = Box::new(|_, times| {
                (times == 1).then(|| Err(Error::new(Code::KeyRefused, kernel::Phrase::verbatim("no"))))
            });
        });
        assert_eq!(stage.run().await.outcome, Outcome::Waiting);
        for outcome in [Outcome::Waiting, Outcome::Finished] {
            let answer = stage.reply("yes", 0);
            assert_eq!(
                stage.go_on(Continuation { answer, ..Continuation::default() }).await.outcome,
                outcome
            );
            assert_eq!((stage.touched.asked()["p|a2#1:1"], stage.touched.asked()["p|a2#1:0"]), (2, 1));
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        }
    });
}

#[test]
fn an_answer_that_is_no_choice_is_refused_and_so_is_one_that_nobody_waits_for() {
    on_one_thread(async {
        let stage = Stage::of(&leaf(&[Action::Look]));
        stage.run().await;
        let answer = Continuation {
            answer: Some(engine::Reply { question: None, value: "yes".into() }),
            ..Continuation::default()
        };
        let error = stage.resume(answer, None).await.err().unwrap();
        assert!(error.message.starts_with("This run waits for no answer"), "{}", error.message);
    });
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn a_run_that_nobody_attends_waits_at_each_gate_and_ends_as_if_attended(tree in trees()) {
        on_one_thread(async {
            let attended = Stage::of(&tree).run().await;
            let stage = Stage::with(tree.build(), |touched| {
                touched.person = Box::new(|question| match question.kind {
                    QuestionKind::Agent => UserAnswer::NobodyThere,
                    _ => UserAnswer::Chosen(usual_answer(question).into()),
                });
            });
            let mut end = stage.run().await;
            let mut waits = 0;
            while end.outcome == Outcome::Waiting {
                waits += 1;
                assert!(waits < 400);
                stage.assert_sound().await;
                let before = stage.touched.asked();
                let answered = done_spots(&stage.events());
                // Every other time the run goes on without an answer first, and waits again. Of several questions now the
                // first is answered, now the last.
                let answer = if waits % 2 == 0 { stage.reply("yes", waits / 2) } else { None };
                end = stage.go_on(Continuation { answer, ..Continuation::default() }).await;
                let asked = stage.touched.asked();
                for (spot, _) in answered {
                    assert_eq!(asked.get(&spot), before.get(&spot), "{spot}");
                }
            }
            assert_eq!((end.outcome, end.state), (attended.outcome, attended.state), "{:?}", end.error);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        });
    }

    #[test]
    fn a_stop_at_any_moment_changes_nothing_in_the_end(tree in trees(), turns in 0..80u32) {
        on_one_thread(async {
            let expected = Stage::of(&tree).run().await;
            let stage = Stage::of(&tree);
            let (handle, _) = stage.begin(None).await.unwrap();
            for _ in 0..turns {
                tokio::task::yield_now().await;
            }
            handle.cancel();
            let end = handle.ended().await;
            assert!(matches!(end.outcome, Outcome::Cancelled | Outcome::Finished), "{:?}", end.error);
            stage.assert_sound().await;
            let (before, answered) = (stage.touched.asked(), done_spots(&stage.events()));
            let end = stage.go_on(Continuation::default()).await;
            assert_eq!((end.outcome, end.state), (Outcome::Finished, expected.state), "{:?}", end.error);
            let asked = stage.touched.asked();
            for (spot, _) in answered {
                assert_eq!(asked.get(&spot), before.get(&spot), "{spot}");
            }
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        });
    }
}
