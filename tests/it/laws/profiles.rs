//! A profile that fails and for which nobody stands in: the run pauses, and each answer does what it says.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::{Continuation, UserAnswer};
use kernel::{Code, Error, Outcome, QuestionKind};

use super::agents::Action;
use super::log::Death;
use super::stage::{Stage, on_one_thread};
use super::tree::{Tree, leaf};
use super::world::usual_answer;

/// Three agents of which the second and the third find the profile's key refused, until it is mended: when the person
/// answers, if they answer at all.
fn refused(answer: &'static str) -> (Stage, Arc<AtomicBool>) {
    let tree = Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model]), leaf(&[Action::Model])]);
    let mended = Arc::new(AtomicBool::new(false));
    let (seen, mends) = (mended.clone(), mended.clone());
    let stage = Stage::with(tree.build(), |touched| {
        touched.script = Box::new(move |request, _| {
            let is_refused =
                request.agent != "a1" && request.profile == "counted" && !seen.load(Ordering::SeqCst);
            is_refused.then(|| {
                Err(Error::new(
                    Code::KeyRefused,
                    kernel::Phrase::verbatim("The key of `counted` was refused"),
                ))
            })
        });
        touched.person = Box::new(move |question| match (&question.kind, answer) {
            (QuestionKind::Profile { profile, code }, _) => {
                assert_eq!((profile.as_str(), *code), ("counted", Code::KeyRefused));
                mends.store(answer == "retry", Ordering::SeqCst);
                if answer.is_empty() { UserAnswer::NobodyThere } else { UserAnswer::Chosen(answer.into()) }
            }
            _ => UserAnswer::Chosen(usual_answer(question).into()),
        });
    });
    (stage, mended)
}

#[test]
fn who_mends_a_profile_or_names_another_goes_on_and_that_outlives_a_crash() {
    on_one_thread(async {
        for (answer, asks) in [("retry", ["counted", "counted"]), ("profile:other", ["other", "other"])] {
            for death in [None].into_iter().chain((3..9).map(|number| Some(Death::Before(number)))) {
                let (stage, _) = refused(answer);
                let mut end = stage.begin(death).await.unwrap().0.ended().await;
                let has_died = end.outcome != Outcome::Finished;
                if has_died {
                    end = stage.go_on(Continuation::default()).await;
                }
                assert_eq!(end.outcome, Outcome::Finished, "{answer}: {:?}", end.error);
                let requests = stage.touched.requests();
                let asked: Vec<&str> = requests.iter().map(|request| request.profile.as_str()).collect();
                assert!(asked.ends_with(&asks), "{answer} {death:?}: {asked:?}");
                if !has_died {
                    assert_eq!((asked.len(), stage.touched.questions().len()), (4, 1));
                }
                stage.assert_sound().await;
                stage.assert_replays(stage.events()).await;
            }
        }
    });
}

#[test]
fn who_stops_or_is_not_there_lets_the_run_fail_and_a_mended_key_lets_it_go_on() {
    on_one_thread(async {
        for answer in ["stop", ""] {
            let (stage, mended) = refused(answer);
            let end = stage.run().await;
            assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, Code::KeyRefused));
            assert_eq!(stage.touched.questions().remove(0).default, "stop");
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
            mended.store(true, Ordering::SeqCst);
            assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
            let asked = stage.touched.asked();
            assert_eq!((asked["p/a1#1:0"], asked["p/a2#1:0"], asked["p/a3#1:0"]), (1, 2, 1));
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        }
    });
}
