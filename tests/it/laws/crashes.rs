//! A process may die before or after any append; the run goes on as if it had not.

use engine::{AgentError, Continuation, UserAnswer};
use kernel::{Code, Effect, EffectClass, Fact, Outcome, QuestionKind, State};
use proptest::prelude::*;

use super::agents::Action;
use super::log::Death;
use super::stage::{Stage, assert_same, cases, done_spots, effects_alone, holding, on_one_thread};
use super::tree::{Tree, leaf, small_trees};

/// Runs in process after process, each dying where it is told, the last one living to the end.
/// No process asks again what an earlier one had answered and stored.
async fn run_with_deaths(stage: Stage, deaths: &[Death]) -> (Stage, State) {
    let mut answered = Vec::new();
    let mut lives = deaths.iter().copied().map(Some).chain([None, None]);
    let state = loop {
        let death = lives.next().unwrap();
        let asked_before = stage.touched.asked();
        let begun = match stage.disk.recorded() {
            None => stage.begin(death).await,
            Some(_) => stage.resume(Continuation::default(), death).await,
        };
        let end = match &begun {
            Ok((handle, _)) => Some(handle.ended().await),
            Err(_) => None,
        };
        let asked = stage.touched.asked();
        for spot in &answered {
            assert_eq!(asked.get(spot), asked_before.get(spot), "{spot} was answered and is not asked again");
        }
        stage.assert_sound().await;
        // What the person repeats may die in flight once more: that question comes again.
        let is_about_flight = |spot: &String| spot.starts_with("This was in flight");
        answered = done_spots(&stage.events()).into_iter().map(|(spot, _)| spot).collect();
        // At a gate the same words are asked in every round and for every item.
        let is_at_gate = |spot: &String| spot.starts_with("The run stops");
        answered.retain(|spot| !is_about_flight(spot) && !is_at_gate(spot));
        match (begun, end) {
            (Ok((_, log)), Some(end)) if !log.is_dead() => {
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
                break end.state;
            }
            _ => {}
        }
    };
    (stage, state)
}

/// A spot where something is done only once is asked no more often than the person said so.
fn assert_nothing_repeated_unasked(stage: &Stage) {
    let asked = stage.touched.asked();
    let questions = stage.touched.questions();
    for event in stage.events() {
        let Fact::EffectAsked { effect: Effect::Tool { call }, .. } = &event.fact else { continue };
        if call.class != EffectClass::Once {
            continue;
        }
        let spot = call.input.json_or_null()["spot"].as_str().unwrap();
        let is_repeat = |question: &&kernel::Question| {
            question.kind == QuestionKind::Repeat && question.text.english().contains(&call.title.english())
        };
        let allowed = 1 + questions.iter().filter(is_repeat).count();
        assert!(asked.get(spot).copied().unwrap_or(0) as usize <= allowed, "{spot} was done again unasked");
    }
}

/// Any death.
fn deaths() -> impl Strategy<Value = Death> {
    let death = |(number, is_stored)| if is_stored { Death::After(number) } else { Death::Before(number) };
    (0..12u32, any::<bool>()).prop_map(death)
}

async fn assert_replays(stage: &Stage, tree: &Tree) {
    stage.assert_replays(stage.events()).await;
    if !tree.has_branches() {
        let replayed = stage.replayed(effects_alone(&stage.events())).await;
        assert_eq!(replayed.divergence, None);
        assert_same(&holding(&replayed.events), &holding(&stage.events()));
    }
}

proptest! {
    #![proptest_config(cases(16))]

    #[test]
    fn a_crash_before_or_after_any_append_changes_nothing_in_the_end(tree in small_trees()) {
        on_one_thread(async {
            let whole = Stage::gated(&tree);
            let (handle, log) = whole.begin(None).await.unwrap();
            let expected = handle.ended().await;
            prop_assert_eq!(expected.outcome, Outcome::Finished);
            for number in 0..log.appends() {
                for death in [Death::Before(number), Death::After(number)] {
                    let (stage, state) = run_with_deaths(Stage::gated(&tree).in_memory(), &[death]).await;
                    prop_assert_eq!(&state, &expected.state);
                    assert_nothing_repeated_unasked(&stage);
                    assert_replays(&stage, &tree).await;
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn crash_after_crash_changes_nothing_in_the_end(
        tree in small_trees(),
        deaths in prop::collection::vec(deaths(), 2..8),
    ) {
        on_one_thread(async {
            let expected = Stage::gated(&tree).run().await;
            let (stage, state) = run_with_deaths(Stage::gated(&tree), &deaths).await;
            prop_assert_eq!(&state, &expected.state);
            assert_nothing_repeated_unasked(&stage);
            assert_replays(&stage, &tree).await;
            Ok(())
        })?;
    }
}

/// A run whose only action was in flight when its process died.
async fn dead_in_mid_act(answer: &'static str) -> Stage {
    let tree = Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Act, Action::Model])]);
    let stage = Stage::with(tree.build(), |touched| {
        touched.person = Box::new(move |_| match answer {
            "" => UserAnswer::NobodyThere,
            answer => UserAnswer::Chosen(answer.into()),
        });
    });
    // The appends: the beginning, the first request, its answer, the intent.
    let (handle, log) = stage.begin(Some(Death::After(3))).await.unwrap();
    handle.ended().await;
    assert!(log.is_dead());
    assert!(matches!(
        &stage.events().last().unwrap().fact,
        Fact::EffectAsked { effect: Effect::Tool { call }, .. } if call.class == EffectClass::Once
    ));
    stage
}

const ACT: &str = "p/a2#1:0";

#[test]
fn what_may_be_done_only_once_and_was_in_flight_waits_for_the_person() {
    on_one_thread(async {
        let stage = dead_in_mid_act("").await;
        let end = stage.go_on(Continuation::default()).await;
        assert_eq!((end.outcome, end.error.map(|error| error.code)), (Outcome::Waiting, Some(Code::Waiting)));
        assert_eq!(stage.touched.questions()[0].kind, QuestionKind::Repeat);
        // It waits however often the run goes on without an answer.
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Waiting);
        assert_eq!(stage.touched.asked().get(ACT), None);
        let answer = stage.reply("repeat", 0);
        let end = stage.go_on(Continuation { answer, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!((stage.touched.asked()[ACT], stage.touched.asked()["p/a1#1:0"]), (1, 1));
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn what_the_person_does_not_repeat_fails_and_is_asked_about_anew_by_resume() {
    on_one_thread(async {
        let stage = dead_in_mid_act("skip").await;
        for resumed in 1..=2 {
            let end = stage.go_on(Continuation::default()).await;
            assert_eq!(
                (end.outcome, end.error.map(|error| error.code)),
                (Outcome::Failed, Some(Code::ToolFailed))
            );
            assert_eq!(stage.touched.questions().len(), resumed);
            assert_eq!(stage.touched.asked().get(ACT), None);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        }
    });
}

#[test]
fn a_repetition_that_died_in_flight_is_asked_about_once_more() {
    on_one_thread(async {
        let stage = dead_in_mid_act("repeat").await;
        // The resumption, the question, its answer; then the tool acts and its answer is lost.
        let (handle, log) = stage.resume(Continuation::default(), Some(Death::Before(3))).await.unwrap();
        handle.ended().await;
        assert!(log.is_dead());
        assert_eq!((stage.touched.asked()[ACT], stage.touched.questions().len()), (1, 1));
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        assert_eq!((stage.touched.asked()[ACT], stage.touched.questions().len()), (2, 2));
        stage.assert_sound().await;
    });
}

#[test]
fn an_append_that_fails_ends_the_process_without_a_word_in_the_log() {
    on_one_thread(async {
        let stage = Stage::of(&leaf(&[Action::Model]));
        let (handle, _) = stage.begin(Some(Death::Before(1))).await.unwrap();
        let end = handle.ended().await;
        assert_eq!(end.outcome, Outcome::Failed);
        assert_eq!(
            end.error.unwrap().message,
            AgentError::Log(engine::LogError::new(
                Code::Internal,
                kernel::Phrase::verbatim("the process is dead")
            ))
            .to_string()
        );
        assert_eq!(stage.events().len(), 2);
    });
}
