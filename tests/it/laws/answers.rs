//! Retries and repairs: what a model's failure or a malformed answer leads to.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::{Agent, AnswerForm, Continuation, LlmAgent, LlmAgentParts};
use kernel::{Answer, Code, Contract, Error, Event, Fact, Outcome};
use serde_json::json;

use super::agents::Action;
use super::stage::{Stage, effects_alone, on_one_thread};
use super::tree::{Tree, leaf};

fn transient(after_ms: Option<u64>) -> Error {
    Error {
        retry_after_ms: after_ms,
        ..Error::new(Code::RateLimited, kernel::Phrase::verbatim("Too many requests"))
    }
}

/// The notes of a kind, as they are written.
fn notes(events: &[Event], kind: &str) -> Vec<serde_json::Value> {
    let note = |event: &Event| match &event.fact {
        Fact::Noted { note } => Some(json!(note)),
        _ => None,
    };
    events.iter().filter_map(note).filter(|note| note["kind"] == kind).collect()
}

/// The facts of a kind, as they are written.
fn facts(events: &[Event], kind: &str) -> Vec<serde_json::Value> {
    events.iter().map(|event| json!(event.fact)).filter(|fact| fact["kind"] == kind).collect()
}

async fn assert_replays(stage: &Stage) {
    stage.assert_sound().await;
    for events in [stage.events(), effects_alone(&stage.events())] {
        stage.assert_replays(events).await;
    }
}

#[test]
fn a_provider_s_delay_is_obeyed_and_its_retries_are_no_calls() {
    on_one_thread(async {
        let stage = Stage::with(leaf(&[Action::Model]).build(), |touched| {
            touched.script = Box::new(|_, times| (times <= 4).then(|| Err(transient(Some(30)))));
        });
        let began = Instant::now();
        let end = stage.run().await;
        assert!(began.elapsed() >= Duration::from_millis(120), "{:?}", began.elapsed());
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 1));
        assert_eq!((stage.touched.requests().len(), facts(&stage.events(), "request_failed").len()), (5, 4));
        assert_eq!(facts(&stage.events(), "request_failed")[0]["error"]["retry_after_ms"], 30);
        let answered = stage.events().into_iter().find_map(|event| match event.fact {
            Fact::EffectAnswered { retries, waited_ms, .. } => Some((retries.len(), waited_ms)),
            _ => None,
        });
        assert!(answered.is_some_and(|(retries, waited)| retries == 4 && waited >= 120), "{answered:?}");
        assert_replays(&stage).await;
    });
}

#[test]
fn after_four_retries_a_transient_failure_is_final() {
    on_one_thread(async {
        let stage = Stage::with(leaf(&[Action::Model]).build(), |touched| {
            touched.script = Box::new(|_, _| Some(Err(transient(Some(1)))));
        });
        let end = stage.run().await;
        assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, Code::RateLimited));
        assert_eq!((stage.touched.requests().len(), end.usage.calls), (5, 1));
        assert_replays(&stage).await;
    });
}

#[test]
fn what_waiting_does_not_help_is_not_asked_again() {
    on_one_thread(async {
        let hours = transient(Some(7_200_000));
        let final_errors =
            [Code::QuotaExhausted, Code::KeyRefused, Code::ContentRefused, Code::RequestRefused]
                .map(|code| Error::new(code, kernel::Phrase::verbatim("no")));
        for error in final_errors.into_iter().chain([hours]) {
            let code = error.code;
            let stage = Stage::with(leaf(&[Action::Model]).build(), |touched| {
                touched.script = Box::new(move |_, _| Some(Err(error.clone())));
            });
            let end = stage.run().await;
            assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, code));
            assert_eq!(stage.touched.requests().len(), 1, "{code:?}");
        }
    });
}

#[test]
fn a_stop_during_the_wait_of_a_retry_holds_at_once() {
    on_one_thread(async {
        let stage = Stage::with(leaf(&[Action::Model]).build(), |touched| {
            touched.script = Box::new(|_, times| (times == 1).then(|| Err(transient(Some(60_000)))));
        });
        let (handle, _) = stage.begin(None).await.unwrap();
        stage.until(|events| facts(events, "request_failed").len() == 1).await;
        let began = Instant::now();
        handle.cancel();
        assert_eq!(handle.ended().await.outcome, Outcome::Cancelled);
        assert!(began.elapsed() < Duration::from_secs(30));
        assert_replays_in_full(&stage).await;
        assert_eq!(stage.go_on(Continuation::default()).await.outcome, Outcome::Finished);
        assert_eq!(stage.touched.requests().len(), 2);
        assert_replays_in_full(&stage).await;
    });
}

/// A run whose effects alone do not tell that it was stopped, or what of it was dropped.
async fn assert_replays_in_full(stage: &Stage) {
    stage.assert_sound().await;
    stage.assert_replays(stage.events()).await;
}

/// An agent that wants `{"text": …}` under `post`.
fn writer() -> Arc<dyn Agent> {
    let writer = LlmAgent::new(LlmAgentParts {
        name: "p".into(),
        title: "Writer".into(),
        instruction: "Write.".into(),
        contract: Contract::new(&["topic"], &[], &["post"]),
        key: "post".into(),
        streams: Some("text".into()),
        form: AnswerForm::Json(json!({
            "type": "object", "required": ["text"], "additionalProperties": false,
            "properties": { "text": { "type": "string" } }
        })),
        prompt: Box::new(|_| Ok("p:0".into())),
        titles: None,
        finish: Box::new(|_, answer| match answer["text"].as_str() {
            Some("bad") => Err(vec!["it is bad".into()]),
            _ => Ok(answer),
        }),
        derive: None,
        verify: None,
        built_in: None,
        exit_field: None,
        offers_exit: false,
        tools: Vec::new(),
    });
    Arc::new(writer.unwrap())
}

fn answering(answers: &'static [&'static str]) -> Stage {
    Stage::with(writer(), |touched| {
        touched.script =
            Box::new(|_, times| answers.get(times as usize - 1).map(|answer| Ok((*answer).to_owned())));
    })
}

#[test]
fn a_malformed_answer_is_asked_for_once_more_with_its_error_named() {
    on_one_thread(async {
        for first in ["{ no JSON at all", r#"{"text": "bad"}"#, r#"{"texts": "x"}"#, ""] {
            let stage = Stage::with(writer(), |touched| {
                touched.script = Box::new(move |_, times| {
                    Some(Ok(if times == 1 { first.to_owned() } else { r#"{"text": "good"}"#.to_owned() }))
                });
            });
            let end = stage.run().await;
            assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 2), "{first}");
            assert_eq!(end.state.get("post").unwrap().json_or_null(), &json!({"text": "good"}));
            assert_eq!(notes(&stage.events(), "asked_again").len(), 1);
            let second = &stage.touched.requests()[1];
            assert_eq!(second.messages.len(), 3);
            assert!(
                second.messages[2].content.as_str().unwrap().starts_with("Your last answer cannot be used")
            );
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn each_rung_of_a_repair_without_a_call_is_journalled() {
    on_one_thread(async {
        let stage = answering(&["<think>hm</think>```json\n{\"text\": \"good\",}\n```"]);
        let end = stage.run().await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 1));
        let events = stage.events();
        let rungs = notes(&events, "repair")[0]["rungs"].clone();
        let ids: Vec<&str> =
            rungs.as_array().unwrap().iter().map(|rung| rung["id"].as_str().unwrap()).collect();
        assert_eq!(ids, ["rung.thinking", "rung.fence", "rung.lenient"]);
        assert_replays(&stage).await;
    });
}

#[test]
fn an_answer_malformed_twice_fails_keeps_its_text_and_can_be_corrected_by_hand() {
    on_one_thread(async {
        let stage = answering(&["{first nonsense", "{second nonsense"]);
        let end = stage.run().await;
        assert_eq!((end.outcome, end.error.unwrap().code), (Outcome::Failed, Code::MalformedAnswer));
        let events = stage.events();
        assert_eq!(notes(&events, "malformed")[0]["raw"], "{second nonsense");
        assert_replays(&stage).await;
        // To go on without a correction asks nobody and ends the same.
        assert_eq!(stage.go_on(Continuation::default()).await.error.unwrap().code, Code::MalformedAnswer);
        assert_eq!(stage.touched.requests().len(), 2);

        let is_answer = |event: &&Event| matches!(&event.fact, Fact::EffectAnswered { answer: Answer::Done { result }, .. } if result.json_or_null().get("text").is_some());
        let wrong = stage.events().iter().rev().find(is_answer).unwrap().seq;
        let correction = Some((wrong, r#"{"text": "by hand"}"#.to_owned()));
        let end = stage.go_on(Continuation { correction, ..Continuation::default() }).await;
        assert_eq!((end.outcome, end.usage.calls), (Outcome::Finished, 2), "{:?}", end.error);
        assert_eq!(end.state.get("post").unwrap().json_or_null()["text"], "by hand");
        assert_eq!(stage.touched.requests().len(), 2);
        assert_replays_in_full(&stage).await;
    });
}

/// An agent that wants a list of names under `names`, each of which means something alone.
fn namer() -> Arc<dyn Agent> {
    let namer = LlmAgent::new(LlmAgentParts {
        name: "p".into(),
        title: "Namer".into(),
        instruction: "Name.".into(),
        contract: Contract::new(&["topic"], &[], &["names"]),
        key: "names".into(),
        streams: None,
        form: AnswerForm::Json(json!({
            "type": "object", "required": ["names"], "additionalProperties": false,
            "properties": { "names": { "type": "array", "x-partial": true, "items": {
                "type": "object", "required": ["name"], "additionalProperties": false,
                "properties": { "name": { "type": "string" } }
            } } }
        })),
        prompt: Box::new(|_| Ok("p:0".into())),
        titles: None,
        finish: Box::new(|_, answer| Ok(answer)),
        derive: None,
        verify: None,
        built_in: None,
        exit_field: None,
        offers_exit: false,
        tools: Vec::new(),
    });
    Arc::new(namer.unwrap())
}

#[test]
fn of_a_list_that_is_cut_off_each_time_the_whole_items_are_taken_and_only_then() {
    on_one_thread(async {
        let cut = r#"{"names": [{"name": "Ada"}, {"name": "Grace", "text": "and so on and so"#;
        let named = json!({"names": [{"name": "Ada"}, {"name": "Grace"}]});
        let whole = r#"{"names": [{"name": "Mary"}]}"#;
        let cases = [
            ([cut, "I am sorry."], Some(named.clone())),
            ([cut, cut], Some(named)),
            ([cut, whole], Some(json!({"names": [{"name": "Mary"}]}))),
            ([r#"{"names": [{"name": "Ad"#, "I am sorry."], None),
        ];
        for (answers, expected) in cases {
            let stage = Stage::with(namer(), |touched| {
                touched.script = Box::new(move |_, times| {
                    answers.get(times as usize - 1).map(|answer| Ok((*answer).to_owned()))
                });
            });
            let end = stage.run().await;
            assert_eq!(end.usage.calls, 2, "{answers:?}");
            assert_eq!(
                end.state.get("names").map(kernel::Value::json_or_null),
                expected.as_ref(),
                "{answers:?}"
            );
            assert_eq!(end.outcome == Outcome::Finished, expected.is_some(), "{answers:?}");
            let is_partial = |note: &serde_json::Value| note["rungs"][0]["id"] == "rung.partial";
            let was_told = notes(&stage.events(), "repair").into_iter().filter(is_partial).count();
            assert_eq!(was_told, usize::from(expected.is_some() && answers[1] != whole), "{answers:?}");
            assert_replays(&stage).await;
        }
    });
}

#[test]
fn a_correction_of_an_answer_that_came_after_retries_replays() {
    on_one_thread(async {
        let stage = Stage::with(writer(), |touched| {
            touched.script = Box::new(|_, times| {
                Some(if times % 2 == 1 { Err(transient(Some(1))) } else { Ok("{nonsense".into()) })
            });
        });
        assert_eq!(stage.run().await.outcome, Outcome::Failed);
        let is_answer = |event: &&Event| matches!(event.fact, Fact::EffectAnswered { .. });
        let first_wrong = stage.events().iter().find(is_answer).unwrap().seq;
        let correction = Some((first_wrong, r#"{"text": "by hand"}"#.to_owned()));
        let end = stage.go_on(Continuation { correction, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_replays_in_full(&stage).await;
    });
}

#[test]
fn what_is_not_an_answer_cannot_be_corrected() {
    on_one_thread(async {
        let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Look])]));
        stage.run().await;
        for seq in [1, 99] {
            let correction = Some((seq, "{}".to_owned()));
            let error = stage
                .resume(Continuation { correction, ..Continuation::default() }, None)
                .await
                .err()
                .unwrap();
            assert_eq!(error.code, Code::BadInput);
        }
    });
}
