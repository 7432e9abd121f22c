//! A model that calls tools, several in one turn, and a person who decides about each: whenever a process dies, the same is
//! decided, and nothing that can be done only once is done twice unasked.

use std::sync::Arc;

use engine::{Agent, AnswerForm, Continuation, LlmAgent, LlmAgentParts, UserAnswer};
use kernel::{
    Contract, Effect, Event, Fact, Json, LimitName, Limits, Outcome, Overrides, Question, QuestionKind,
    ToolOffer, ToolRequest, Value,
};
use serde_json::json;

use super::log::Death;
use super::stage::{Stage, on_one_thread};
use super::world::usual_answer;

/// Answers about a permission, with what is done of the three calls that ask for one.
const ANSWERS: [(&str, usize); 4] =
    [("once", 3), ("run", 3), ("refuse", 0), ("{\"change\":{\"spot\":\"changed\"}}", 3)];

/// Asks a model that calls `ask_first`, `look` and `ask_first` in one turn, then `ask_first`, then says something.
fn clerk() -> Arc<dyn Agent> {
    let offer = |name: &str| ToolOffer {
        name: name.into(),
        description: String::new(),
        schema: Value::new(json!({"type": "object"})),
    };
    let clerk = LlmAgent::new(LlmAgentParts {
        name: "p".into(),
        title: "Clerk".into(),
        instruction: "Do it.".into(),
        contract: Contract::new(&["topic"], &[], &["report"]),
        key: "report".into(),
        streams: None,
        form: AnswerForm::Text { field: "text".into() },
        prompt: Box::new(|_| Ok("p:0".into())),
        titles: None,
        finish: Box::new(|_, answer| Ok(answer)),
        derive: None,
        verify: None,
        built_in: None,
        exit_field: None,
        offers_exit: false,
        tools: vec![offer("ask_first"), offer("look")],
    });
    Arc::new(clerk.unwrap())
}

fn call(tool: &str, spot: &str) -> ToolRequest {
    ToolRequest {
        id: format!("id-{spot}"),
        tool: tool.into(),
        input: Json(json!({ "spot": spot })),
        opaque: None,
    }
}

fn given(answer: &str) -> Value {
    serde_json::from_str::<serde_json::Value>(answer).map_or_else(|_| Value::text(answer), Value::new)
}

fn stage(answer: &'static str) -> Stage {
    asking(move |question| match question.kind {
        QuestionKind::Permission { .. } => UserAnswer::Chosen(given(answer)),
        _ => UserAnswer::Chosen(usual_answer(question).into()),
    })
}

fn asking(person: impl Fn(&Question) -> UserAnswer + Send + Sync + 'static) -> Stage {
    Stage::with(clerk(), |touched| {
        touched.turns = [
            (0, vec![call("ask_first", "one"), call("look", "two"), call("ask_first", "three")]),
            (3, vec![call("ask_first", "four")]),
        ]
        .into();
        touched.person = Box::new(person);
    })
}

/// What was decided about each call, in the order of the places.
fn decisions(events: &[Event]) -> Vec<String> {
    let gone = engine::dropped(events);
    let mut decided: Vec<String> = events
        .iter()
        .filter(|event| !gone.contains(&event.seq))
        .filter_map(|event| match &event.fact {
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } => {
                // A grant that was given in the meantime decides what the person was asked before.
                let decision =
                    call.decision.as_ref().map(|decision| (decision.is_allowed, decision.is_changed));
                Some(format!("{} {} {decision:?}", event.path, call.input.written()))
            }
            _ => None,
        })
        .collect();
    decided.sort();
    decided
}

/// So often something was done that can be done only once.
fn acts(stage: &Stage) -> usize {
    let asked = stage.touched.asked();
    ["one", "three", "four", "changed"].iter().filter_map(|spot| asked.get(*spot)).map(|n| *n as usize).sum()
}

#[test]
fn whenever_the_process_dies_the_same_is_decided_and_nothing_is_done_twice() {
    on_one_thread(async {
        for (answer, done) in ANSWERS {
            let whole = stage(answer);
            let (handle, log) = whole.begin(None).await.unwrap();
            let expected = handle.ended().await;
            assert_eq!(expected.outcome, Outcome::Finished, "{answer}: {:?}", expected.error);
            assert_eq!(acts(&whole), done, "{answer}");
            whole.assert_sound().await;
            whole.assert_replays(whole.events()).await;
            for number in 0..log.appends() {
                for death in [Death::Before(number), Death::After(number)] {
                    let stage = stage(answer);
                    let mut death = Some(death);
                    let end = loop {
                        let begun = match stage.disk.recorded() {
                            None => stage.begin(death.take()).await,
                            Some(_) => stage.resume(Continuation::default(), death.take()).await,
                        };
                        let Ok((handle, log)) = begun else { continue };
                        let end = handle.ended().await;
                        if !log.is_dead() {
                            break end;
                        }
                    };
                    stage.assert_sound().await;
                    assert_eq!(
                        (end.outcome, &end.state),
                        (Outcome::Finished, &expected.state),
                        "{answer} {number}"
                    );
                    let is_repeat = |question: &&Question| question.kind == QuestionKind::Repeat;
                    let repeats = stage.touched.questions().iter().filter(is_repeat).count();
                    assert!(acts(&stage) <= done + repeats, "{answer} {number}");
                    if repeats == 0 {
                        assert_eq!(
                            decisions(&stage.events()),
                            decisions(&whole.events()),
                            "{answer} {number}"
                        );
                    }
                    stage.assert_replays(stage.events()).await;
                }
            }
        }
    });
}

#[test]
fn a_grant_in_this_run_is_not_asked_again_and_a_fork_behind_it_has_it() {
    on_one_thread(async {
        let stage = stage("run");
        stage.run().await;
        // Both calls of the first turn ask beside each other; the later one has the grant.
        assert_eq!(stage.touched.questions().len(), 2);
        let events = stage.events();
        let last_look = events.iter().rfind(|event| {
            matches!(&event.fact, Fact::EffectAsked { effect: Effect::Model { request }, .. } if request.messages.len() == 5)
        });
        let fork = super::forks::at(last_look.unwrap().seq - 1);
        let (forked, end) = stage
            .fork(fork, |touched| {
                touched.turns = [(3, vec![call("ask_first", "five")])].into();
                touched.person = Box::new(|question| panic!("{question:?}"));
            })
            .await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!(forked.touched.asked().get("five"), Some(&1));
    });
}

#[test]
fn a_run_that_a_limit_ended_within_a_turn_goes_on_with_a_higher_one() {
    on_one_thread(async {
        let stage = asking(|question| match question.kind {
            QuestionKind::Permission { .. } => UserAnswer::Chosen("once".into()),
            QuestionKind::Limit { .. } => UserAnswer::NobodyThere,
            _ => UserAnswer::Chosen(usual_answer(question).into()),
        });
        let limits = Limits { max_tool_calls: Some(1), ..Limits::default() };
        let stage = Stage { limits, ..stage };
        assert_eq!(stage.run().await.outcome, Outcome::Limited);
        let overrides =
            Overrides { limits: [(LimitName::MaxToolCalls, Some(9.0))].into(), ..Overrides::default() };
        let end = stage.go_on(Continuation { overrides, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!(acts(&stage), 3);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}
