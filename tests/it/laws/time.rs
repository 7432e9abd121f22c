//! The time limit: it asks before it ends what somebody waits for, and a local server gets what its speed needs.

use std::collections::BTreeMap;
use std::time::Duration;

use engine::{Continuation, UserAnswer};
use kernel::{Answer, Fact, Interruption, LimitName, Limits, Outcome, Overrides, QuestionKind, RunFold};

use super::agents::Action;
use super::log::Death;
use super::stage::{Stage, effects_alone, is_in_flight, on_one_thread};
use super::tree::{Tree, leaf};
use super::world::{Touched, usual_answer};

const LIMIT_S: f64 = 0.4;
const SLOW: Duration = Duration::from_millis(900);

/// One agent asks a model that is slower than the time limit; the person answers the question about it so.
fn slow(answer: &'static str, arrange: impl FnOnce(&mut Touched)) -> Stage {
    let stage = Stage::with(Tree::Sequential(vec![leaf(&[Action::Model])]).build(), |touched| {
        touched.answers_after = SLOW;
        touched.person = Box::new(move |question| match (&question.kind, answer) {
            (QuestionKind::Limit { .. }, "") => UserAnswer::NobodyThere,
            (QuestionKind::Limit { .. }, answer) => UserAnswer::Chosen(answer.into()),
            _ => UserAnswer::Chosen(usual_answer(question).into()),
        });
        arrange(touched);
    });
    timed(stage)
}

fn timed(stage: Stage) -> Stage {
    Stage { limits: Limits { max_execution_time_s: Some(LIMIT_S), ..Limits::default() }, ..stage }
}

fn times_asked(stage: &Stage) -> u32 {
    stage.touched.asked().iter().filter(|(spot, _)| spot.starts_with("p/")).map(|(_, times)| times).sum()
}

fn time_now(stage: &Stage) -> Option<f64> {
    RunFold::of(&stage.events()).limits_now(stage.limits.clone()).max_execution_time_s
}

async fn assert_replays(stage: &Stage) {
    stage.assert_sound().await;
    stage.assert_replays(stage.events()).await;
}

#[test]
fn an_answer_in_flight_is_not_ended_but_the_person_is_asked_and_the_answer_is_used() {
    on_one_thread(async {
        let stage = slow("100", |_| {});
        let end = stage.run().await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!((stage.touched.questions().len(), times_asked(&stage), end.usage.calls), (1, 1, 1));
        assert_eq!(time_now(&stage), Some(LIMIT_S + 100.0));
        assert_eq!((end.usage.input_tokens, end.usage.output_tokens), (7, 3));
        assert_replays(&stage).await;
        stage.assert_replays(effects_alone(&stage.events())).await;
    });
}

#[test]
fn an_answer_that_comes_while_the_person_is_asked_withdraws_the_question() {
    on_one_thread(async {
        let stage = slow("finish", |touched| touched.thinks_for = Duration::from_secs(600));
        let end = stage.run().await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!((stage.touched.questions().len(), times_asked(&stage)), (1, 1));
        assert!(end.usage.active_ms >= 900, "nobody was waited for: {}", end.usage.active_ms);
        let open =
            stage.events().iter().filter(|event| matches!(event.fact, Fact::EffectAsked { .. })).count();
        let answered =
            stage.events().iter().filter(|event| matches!(event.fact, Fact::EffectAnswered { .. })).count();
        assert_eq!(open, answered, "no question stays open");
        assert_replays(&stage).await;
        stage.assert_replays(effects_alone(&stage.events())).await;
    });
}

#[test]
fn who_finishes_or_stops_or_is_not_there_ends_the_answer_once_and_its_words_are_kept() {
    on_one_thread(async {
        for (answer, outcome) in
            [("finish", Outcome::Limited), ("", Outcome::Limited), ("stop", Outcome::Cancelled)]
        {
            let stage = slow(answer, |_| {});
            let end = stage.run().await;
            assert_eq!(end.outcome, outcome, "{answer}");
            assert_eq!(stage.touched.questions().len(), 1, "{answer}: one decision is asked for once");
            let partial = stage.events().iter().find_map(|event| match &event.fact {
                Fact::EffectAnswered {
                    answer: Answer::Interrupted { partial, reason: Interruption::TimeUsedUp { .. } },
                    ..
                } => Some(partial.clone()),
                _ => None,
            });
            assert_eq!(partial.as_deref(), Some("first words"), "{answer}");
            assert_replays(&stage).await;
            let overrides = Overrides {
                limits: BTreeMap::from([(LimitName::MaxExecutionTimeS, Some(60.0))]),
                ..Overrides::default()
            };
            let end = stage.go_on(Continuation { overrides, ..Continuation::default() }).await;
            assert_eq!(end.outcome, Outcome::Finished, "{answer}: {:?}", end.error);
            assert_eq!((stage.touched.questions().len(), times_asked(&stage)), (1, 2), "{answer}");
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn time_that_was_given_outlives_a_crash_at_any_moment() {
    on_one_thread(async {
        let deaths = (1..9).flat_map(|number| [Death::Before(number), Death::After(number)]);
        let given = futures::future::join_all(deaths.map(|death| async move {
            let stage = slow("100", |_| {});
            stage.begin(Some(death)).await.unwrap().0.ended().await;
            if RunFold::of(&stage.events()).outcome.is_some() {
                return 0;
            }
            let was_given = time_now(&stage) != Some(LIMIT_S);
            let asked = stage.touched.questions().len();
            let end = stage.go_on(Continuation::default()).await;
            assert_eq!(end.outcome, Outcome::Finished, "{death:?}: {:?}", end.error);
            if was_given {
                assert_eq!(stage.touched.questions().len(), asked, "{death:?}: it is given once");
            }
            assert!(time_now(&stage) >= Some(100.0), "{death:?}");
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
            u32::from(was_given)
        }));
        assert!(
            given.await.into_iter().sum::<u32>() > 0,
            "it died with the time given and the answer in flight"
        );
    });
}

#[test]
fn a_once_only_deed_in_flight_is_not_ended_either_and_after_a_crash_the_person_decides() {
    on_one_thread(async {
        let tree = || Tree::Sequential(vec![leaf(&[Action::Act])]).build();
        let stage = timed(Stage::with(tree(), |touched| {
            touched.person = Box::new(|question| match question.kind {
                QuestionKind::Limit { .. } => UserAnswer::Chosen("100".into()),
                _ => UserAnswer::Chosen(usual_answer(question).into()),
            });
        }));
        *stage.touched.stalls_at.lock().unwrap() = Some("p/a1#1:0".into());
        let (handle, log) = stage.begin(None).await.unwrap();
        stage.until(|_| !stage.touched.questions().is_empty()).await;
        stage.until(|events| !is_in_flight(events)).await;
        assert_eq!(stage.touched.questions().len(), 1, "asked about time, not whether it was done");
        // The process dies with the action in flight.
        log.die();
        handle.cancel();
        handle.ended().await;
        *stage.touched.stalls_at.lock().unwrap() = None;
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        let kinds: Vec<_> = stage.touched.questions().into_iter().map(|question| question.kind).collect();
        assert_eq!(kinds.last(), Some(&QuestionKind::Repeat));
        assert_eq!(time_now(&stage), Some(LIMIT_S + 100.0));
        assert_replays(&stage).await;
    });
}

#[test]
fn the_first_answers_of_a_local_server_correct_how_much_time_its_run_gets() {
    on_one_thread(async {
        for (tokens, questions) in [(None, 1), (Some(1_000), 0)] {
            let tree = Tree::Sequential((0..4).map(|_| leaf(&[Action::Model])).collect()).build();
            let stage = timed(Stage::with(tree, |touched| {
                touched.answers_after = Duration::from_millis(150);
                touched.person = Box::new(|_| UserAnswer::Chosen("100".into()));
            }));
            let local = tokens.map(|tokens| ("counted".to_owned(), tokens)).into_iter().collect();
            let end = stage.run_changed(|definition| definition.local_tokens = local).await;
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            assert_eq!(stage.touched.questions().len(), questions, "{tokens:?}");
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn a_limit_that_was_set_holds_as_set_however_slow_the_server_is() {
    on_one_thread(async {
        let tree = Tree::Sequential((0..4).map(|_| leaf(&[Action::Model])).collect()).build();
        let stage = timed(Stage::with(tree, |touched| {
            touched.answers_after = Duration::from_millis(150);
            touched.person = Box::new(|_| UserAnswer::NobodyThere);
        }));
        let change = |definition: &mut kernel::Definition| {
            definition.local_tokens = BTreeMap::from([("counted".to_owned(), 1_000)]);
            let limits = BTreeMap::from([(LimitName::MaxExecutionTimeS, Some(LIMIT_S))]);
            definition.apply(&Overrides { limits, ..Overrides::default() });
        };
        assert_eq!(stage.run_changed(change).await.outcome, Outcome::Limited);
    });
}
