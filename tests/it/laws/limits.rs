//! A limit pauses the run and asks; what is used up is a fold of the log.

use std::collections::BTreeMap;

use engine::{Continuation, UserAnswer};
use kernel::{Code, Error, Fact, LimitName, Limits, Outcome, Overrides, QuestionKind, Usage};
use proptest::prelude::*;

use super::agents::Action;
use super::log::Death;
use super::stage::{Stage, cases, is_in_flight, on_one_thread};
use super::tree::{Tree, leaf, trees};
use super::world::{Touched, usual_answer};

fn attended_by(answer: &'static str) -> impl FnOnce(&mut Touched) {
    move |touched| {
        touched.person = Box::new(move |question| match (&question.kind, answer) {
            (QuestionKind::Limit { .. }, "") => UserAnswer::NobodyThere,
            (QuestionKind::Limit { .. }, answer) => UserAnswer::Chosen(answer.into()),
            _ => UserAnswer::Chosen(usual_answer(question).into()),
        });
    }
}

/// Four calls wanted, two allowed.
fn short_of_calls(answer: &'static str) -> Stage {
    let stage = Stage::with(Tree::Loop(4, vec![leaf(&[Action::Model])]).build(), attended_by(answer));
    Stage { limits: Limits { max_llm_calls: Some(2), ..Limits::default() }, ..stage }
}

fn raised(limit: LimitName, to: f64) -> Continuation {
    let overrides = Overrides { limits: BTreeMap::from([(limit, Some(to))]), ..Overrides::default() };
    Continuation { overrides, ..Continuation::default() }
}

async fn assert_replays(stage: &Stage) {
    stage.assert_sound().await;
    stage.assert_replays(stage.events()).await;
}

#[test]
fn who_adds_to_a_limit_goes_on_and_the_addition_outlives_a_crash() {
    on_one_thread(async {
        for (answer, questions, most) in [("add", 1, 4), ("1", 2, 4), ("40", 1, 42)] {
            let stage = short_of_calls(answer);
            let end = stage.run().await;
            assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 4));
            assert_eq!(stage.touched.questions().len(), questions, "{answer}");
            let now = kernel::RunFold::of(&stage.events()).limits_now(stage.limits.clone());
            assert_eq!(now.max_llm_calls, Some(most), "{answer}");
            assert_replays(&stage).await;
        }
        // It dies at each append behind the answer, and goes on with another instruction besides.
        for number in 6..13 {
            let stage = short_of_calls("add");
            stage.begin(Some(Death::Before(number))).await.unwrap().0.ended().await;
            let questions = stage.touched.questions().len();
            let change = kernel::AgentChange {
                instruction: Some(kernel::Value::text("Be new.")),
                ..Default::default()
            };
            let agents = BTreeMap::from([("a1".to_owned(), change)]);
            let overrides = Overrides { agents, ..Overrides::default() };
            let end = stage.go_on(Continuation { overrides, ..Continuation::default() }).await;
            assert_eq!(end.outcome, Outcome::Finished, "died at {number}: {:?}", end.error);
            let is_answered = number > 7;
            // A call that was in flight counts, so that the raised limit is reached once more.
            let is_in_flight = [9, 11].contains(&number);
            let is_asked = stage.touched.questions().len() > questions;
            assert_eq!(is_asked, !is_answered || is_in_flight, "died at {number}");
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn who_finishes_or_stops_or_is_not_there_ends_the_run_and_a_higher_limit_lets_it_go_on() {
    on_one_thread(async {
        for (answer, outcome) in
            [("finish", Outcome::Limited), ("", Outcome::Limited), ("stop", Outcome::Cancelled)]
        {
            let stage = short_of_calls(answer);
            let end = stage.run().await;
            assert_eq!((end.outcome, end.usage.calls), (outcome, 2), "{answer}");
            let question = stage.touched.questions().remove(0);
            assert_eq!(
                (question.kind, question.default.as_str()),
                (QuestionKind::Limit { limit: LimitName::MaxLlmCalls }, "finish")
            );
            if outcome == Outcome::Limited {
                let error = end.error.unwrap();
                assert_eq!(
                    (error.code, error.limit.unwrap().name),
                    (Code::LimitReached, LimitName::MaxLlmCalls)
                );
            }
            assert_replays(&stage).await;
            let end = stage.go_on(raised(LimitName::MaxLlmCalls, 10.0)).await;
            assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 4), "{answer}");
            assert!(
                stage.touched.asked().iter().all(|(spot, times)| *times == 1 || spot.contains("are used up"))
            );
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn a_limit_of_one_agent_a_tool_and_tokens_pause_the_run_too() {
    on_one_thread(async {
        let one_agent = |definition: &mut kernel::Definition| {
            definition.agents.get_mut("a1").unwrap().limits.max_llm_calls = Some(1);
        };
        type Change = fn(&mut kernel::Definition);
        let cases: [(Action, Limits, Change); 3] = [
            (Action::Model, Limits::default(), one_agent),
            (Action::Look, Limits { max_tool_calls: Some(1), ..Limits::default() }, |_| {}),
            (Action::Model, Limits { max_total_tokens: Some(15), ..Limits::default() }, |_| {}),
        ];
        for (action, limits, change) in cases {
            let tree = Tree::Loop(3, vec![leaf(&[action])]);
            let stage = Stage { limits, ..Stage::with(tree.build(), attended_by("add")) };
            let end = stage.run_changed(change).await;
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            assert_eq!(stage.touched.questions().len(), 1, "{action:?}");
            assert_eq!(stage.touched.asked().values().sum::<u32>(), 4);
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn time_excludes_what_a_provider_orders_to_wait() {
    on_one_thread(async {
        let stage = Stage::with(
            Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]).build(),
            |touched| {
                touched.script = Box::new(|_, times| {
                    let error = Error {
                        retry_after_ms: Some(1_100),
                        ..Error::new(Code::RateLimited, kernel::Phrase::verbatim("later"))
                    };
                    (times == 1).then_some(Err(error))
                });
                touched.person = Box::new(|_| UserAnswer::NobodyThere);
            },
        );
        let stage =
            Stage { limits: Limits { max_execution_time_s: Some(2.0), ..Limits::default() }, ..stage };
        let end = stage.run().await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?} {:?}", end.error, end.usage);
        assert!(end.usage.active_ms < 2_000, "{}", end.usage.active_ms);
        assert_replays(&stage).await;
    });
}

#[test]
fn a_call_in_flight_when_the_process_died_counts() {
    on_one_thread(async {
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]));
        *stage.touched.stalls_at.lock().unwrap() = Some("p/a2#1:0".into());
        let (handle, _) = stage.begin(Some(Death::Before(4))).await.unwrap();
        // The second request is stored, then the process dies with it in flight.
        stage.until(|events| is_in_flight(events) && stage.touched.requests().len() == 2).await;
        handle.cancel();
        handle.ended().await;
        assert!(matches!(stage.events().last().unwrap().fact, Fact::EffectAsked { .. }));
        *stage.touched.stalls_at.lock().unwrap() = None;
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 3));
        assert_eq!(stage.touched.requests().len(), 3);
        assert_eq!((end.usage.input_tokens, end.usage.output_tokens), (14, 6));
    });
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn the_fold_of_the_log_counts_what_the_model_counted(tree in trees(), limit in 1..6u32) {
        on_one_thread(async {
            let stage = Stage { limits: Limits { max_llm_calls: Some(limit), ..Limits::default() }, ..Stage::with(tree.build(), attended_by("2")) };
            let end = stage.run().await;
            assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            let requests = u32::try_from(stage.touched.requests().len()).unwrap();
            assert_eq!(end.usage.calls, requests);
            assert_eq!(end.usage.input_tokens, u64::from(requests) * 7);
            let by_agent: u32 = end.usage.agent_calls.values().sum();
            assert_eq!(by_agent, requests);
            assert_eq!(Usage::of(&stage.events()), end.usage);
            assert_replays(&stage).await;
        });
    }
}

#[test]
fn an_agents_own_limit_is_counted_anew_in_each_instance_and_one_that_reaches_it_holds_up_no_other() {
    on_one_thread(async {
        let tree = Tree::Each(3, Box::new(leaf(&[Action::Model, Action::Model])));
        let own = |most| {
            move |definition: &mut kernel::Definition| {
                definition.agents.get_mut("a1").unwrap().limits.max_llm_calls = Some(most);
            }
        };
        let stage = Stage::with(tree.build(), |touched| {
            touched.person = Box::new(|question| panic!("{question:?}"));
        });
        let end = stage.run_changed(own(2)).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 6), "{:?}", end.error);
        assert_replays(&stage).await;

        // What one of them is given holds for those that come to the limit after it.
        let stage = Stage::with(tree.build(), attended_by("add"));
        let end = stage.run_changed(own(1)).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 6), "{:?}", end.error);
        assert!((1..=3).contains(&stage.touched.questions().len()), "{:?}", stage.touched.questions());
        stage.assert_sound().await;

        // Nobody adds anything: every other instance goes on as far as it may, and the run tells of the limit.
        let stage = Stage::with(tree.build(), attended_by(""));
        let end = stage.run_changed(own(1)).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Limited, 3), "{:?}", end.error);
        stage.assert_sound().await;
    });
}

/// Whose limits were asked about.
fn asked_about(stage: &Stage) -> Vec<Option<String>> {
    let questions = stage.touched.questions();
    questions.iter().map(|question| question.limit_reached().unwrap().agent).collect()
}

#[test]
fn limits_of_a_composed_agent_count_all_that_runs_below_it_and_nothing_else() {
    on_one_thread(async {
        let twice = || leaf(&[Action::Model, Action::Model]);
        let tree = Tree::Sequential(vec![twice(), Tree::Parallel(vec![twice(), twice()]), twice()]);
        for (most, asked) in [(4, vec![]), (3, vec![Some("b2".to_owned())])] {
            let stage = Stage::with(tree.build(), attended_by("add"));
            let below = |definition: &mut kernel::Definition| {
                let limits = Limits { max_llm_calls: Some(most), ..Limits::default() };
                definition.stage_limits.insert("b2".to_owned(), limits);
            };
            let end = stage.run_changed(below).await;
            assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 8), "{:?}", end.error);
            assert_eq!(asked_about(&stage), asked);
            assert_eq!(end.usage.agents["b2"].calls, 4);
            assert_replays(&stage).await;
            stage.assert_sound().await;
        }
    });
}

#[test]
fn one_instance_with_limits_of_its_own_asks_and_the_others_go_on() {
    on_one_thread(async {
        let tree = Tree::Each(3, Box::new(leaf(&[Action::Model, Action::Model])));
        let stage = Stage::with(tree.build(), attended_by("add"));
        let one = |definition: &mut kernel::Definition| {
            let limits = Limits { max_llm_calls: Some(1), ..Limits::default() };
            definition.stage_limits.insert("p/pe#1*pi#2".to_owned(), limits);
        };
        let end = stage.run_changed(one).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 6), "{:?}", end.error);
        assert_eq!(asked_about(&stage), [Some("p/pe#1*pi#2".to_owned())]);
        assert_replays(&stage).await;
        stage.assert_sound().await;
    });
}
