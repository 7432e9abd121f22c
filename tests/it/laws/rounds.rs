//! Every loop records each end of a round once: what was measured, why it goes on or ended, which round is the best.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{
    Acted, Agent, AnswerForm, Continuation, Flow, FlowStep, Fork, LlmAgent, LlmAgentParts, LoopAgent,
    RoundLimit, SequentialAgent, UserAnswer, dropped,
};
use kernel::{
    Contract, Delta, Effect, Event, Fact, KeyDeclaration, Limits, LoopExit, Outcome, Overrides, Path, Role,
    Round, Seq, State, ToolRequest, Value,
};
use proptest::prelude::*;
use serde_json::json;

use super::agents::Action;
use super::edits::{edited_while_it_runs, edits};
use super::log::Death;
use super::stage::{Stage, apply_within, cases, effects_alone, on_one_thread};
use super::tree::{Tree, exiting, leaf, trees};

/// The declarations of the keys that the leaves write: by turns drafts and reviews.
pub(crate) fn roles(agents: &[Arc<dyn Agent>]) -> Vec<KeyDeclaration> {
    let outlines = agents.iter().flat_map(|agent| agent.outline().walk());
    let keys = outlines.flat_map(|agent| agent.contract.writes.iter());
    let declared = keys.enumerate().map(|(index, key)| KeyDeclaration {
        name: key.clone(),
        title: key.clone(),
        role: match index % 2 {
            0 => Role::Draft { edit: "topic".into(), words: "count".into(), word_limit: 0 },
            _ => Role::Review { notes: "topic".into(), issues: "got".into(), ready: "ready".into() },
        },
        schema: json!({}).into(),
    });
    declared.collect()
}

/// The end of a round: its event, what was measured, why the loop went on or ended, the best round so far.
type Ended<'a> = (&'a Event, &'a Round, &'a LoopExit, Option<u32>);

/// The ends of rounds of each loop, in order, of those that hold.
pub(crate) fn rounds_of(events: &[Event]) -> BTreeMap<String, Vec<Ended<'_>>> {
    let gone = dropped(events);
    let mut loops: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for event in events.iter().filter(|event| !gone.contains(&event.seq)) {
        if let Fact::RoundEnded { round, exit, best } = &event.fact {
            let place = event.path.as_str();
            let place = &place[..place.rfind('[').unwrap_or(place.len())];
            loops.entry(place.to_owned()).or_default().push((event, round, exit, *best));
        }
    }
    loops
}

/// What holds of the rounds of every log: they are told in order, each as the last of its round, with what the answers
/// in it cost; and a loop that ended tells why in its last round.
pub(crate) fn assert_rounds(events: &[Event]) {
    let gone = dropped(events);
    let live: Vec<&Event> =
        events.iter().filter(|event| !gone.contains(&event.seq) && !event.is_outside()).collect();
    let told = rounds_of(events);
    for (place, rounds) in &told {
        let mut best: Option<Round> = None;
        for (index, (event, round, exit, is_best)) in rounds.iter().enumerate() {
            assert_eq!(round.number as usize, index + 1, "rounds of {place} in order");
            assert_eq!(event.path.innermost_round(), Some(round.number));
            let within = |other: &&&Event| other.path == event.path || other.path.is_below(&event.path);
            let last = live.iter().filter(within).map(|other| other.seq).max();
            assert_eq!(last, Some(event.seq), "the end of {} is its last event", event.path);
            let is_last = index + 1 == rounds.len();
            assert!(is_last || **exit == LoopExit::WentOn, "{place} goes on after {exit:?}");
            let asked = |path: &Path, n: u32| {
                let asked = live.iter().find(|other| other.path == *path && other.n == n).unwrap();
                matches!(&asked.fact, Fact::EffectAsked { effect, .. } if Effect::asks(effect).is_some())
            };
            let costs = live.iter().filter(within).filter_map(|other| match &other.fact {
                Fact::EffectAnswered { asked: n, summary, .. } if asked(&other.path, *n) => summary.cost,
                _ => None,
            });
            let sum = costs.fold(None, |sum: Option<f64>, cost| Some(sum.unwrap_or(0.0) + cost));
            assert!((sum.unwrap_or(0.0) - round.cost.unwrap_or(0.0)).abs() < 1e-8, "the cost of {place}");
            best = round.best(best.as_ref()).cloned();
            assert_eq!(*is_best, best.as_ref().map(|round| round.number));
        }
    }
    for event in &live {
        let Fact::AgentEnded { outcome: kernel::AgentOutcome::Done { .. }, .. } = &event.fact else {
            continue;
        };
        let is_loop = live.iter().any(|other| {
            let rest = other.path.as_str().strip_prefix(event.path.as_str());
            rest.is_some_and(|rest| rest.starts_with('['))
        });
        if is_loop {
            let (.., exit, _) = told[event.path.as_str()].last().unwrap();
            assert!(**exit != LoopExit::WentOn, "{} ended and does not tell why", event.path);
        }
    }
}

/// What was measured follows from the state that the log folds to at that event, where nobody edits it.
fn assert_measured(events: &[Event]) {
    let gone = dropped(events);
    for (event, round, ..) in rounds_of(events).into_values().flatten() {
        let Some(draft) = &round.draft else { continue };
        let mut state = State::default();
        for past in events.iter().filter(|past| past.seq < event.seq && !gone.contains(&past.seq)) {
            if !past.path.is_concurrent_with(&event.path) {
                apply_within(&mut state, past, &event.path);
            }
        }
        let counted = state.get(draft).unwrap().json_or_null()["count"].as_u64();
        assert_eq!(round.words.map(u64::from), counted, "words at event {}", event.seq);
    }
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn each_round_of_each_loop_is_told_with_what_stood_at_its_end(tree in trees(), price in prop::option::of(0.0..0.01f64)) {
        on_one_thread(async {
            let stage = Stage::with(tree.build(), |touched| touched.price = price);
            assert_eq!(stage.run().await.outcome, Outcome::Finished);
            assert_measured(&stage.events());
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        });
    }

    #[test]
    fn a_crash_at_any_moment_loses_no_round_and_tells_none_twice(tree in trees(), commit in 1..12u32, edits in edits(40, 0..2)) {
        on_one_thread(async {
            let whole = Stage::of(&tree);
            edited_while_it_runs(&whole, &[]).await;
            let stage = Stage::of(&tree);
            if let Ok((handle, _)) = stage.begin(Some(Death::Before(commit))).await {
                super::edits::editing(&stage, &handle, &edits).await.unwrap();
                handle.ended().await;
                stage.assert_sound().await;
                let end = stage.go_on(Continuation::default()).await;
                assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
            }
            stage.assert_sound().await;
            if edits.is_empty() && !stage.events().is_empty() {
                let told = |stage: &Stage| -> BTreeMap<String, Vec<(Round, LoopExit)>> {
                    let events = stage.events();
                    let rounds = rounds_of(&events).into_iter();
                    rounds.map(|(place, rounds)| {
                        (place, rounds.into_iter().map(|(_, round, exit, _)| (round.clone(), exit.clone())).collect())
                    }).collect()
                };
                assert_eq!(told(&stage), told(&whole));
            }
        });
    }
}

fn exits(stage: &Stage) -> Vec<LoopExit> {
    let events = stage.events();
    rounds_of(&events)["p"].iter().map(|(_, _, exit, _)| (*exit).clone()).collect()
}

fn loop_of(steps: Vec<FlowStep>, until: Option<&str>) -> Arc<dyn Agent> {
    let contract = Contract::new(&[], &["topic", "key_a1"], &[]);
    let until = until.map(|until| until.parse().unwrap());
    Arc::new(LoopAgent::of_steps("p", "p", contract, steps, RoundLimit::Number(3), until))
}

fn agent(name: &str, actions: &[Action]) -> FlowStep {
    FlowStep::Agent(super::tree::agent(name, actions))
}

fn ending(flow: Flow) -> FlowStep {
    FlowStep::Act(Arc::new(move |_| Ok(Acted { flow, ..Acted::default() })))
}

#[test]
fn a_loop_tells_in_one_word_of_a_closed_list_why_it_ended() {
    on_one_thread(async {
        let work = || agent("a1", &[Action::Look]);
        let by = |agent: &str| agent.to_owned();
        let in_sequence = FlowStep::Agent(Arc::new(SequentialAgent::of_steps(
            "s2",
            "s2",
            Contract::default(),
            vec![ending(Flow::ExitLoop)],
        )));
        let went_on = LoopExit::WentOn;
        let cases: Vec<(Arc<dyn Agent>, Vec<LoopExit>)> = vec![
            (loop_of(vec![work()], None), vec![went_on.clone(), went_on.clone(), LoopExit::RoundsUsedUp]),
            (
                loop_of(vec![work()], Some("key_a1.count equals 2")),
                vec![went_on.clone(), LoopExit::ConditionHeld],
            ),
            (loop_of(vec![work(), ending(Flow::ExitLoop)], None), vec![LoopExit::ExitStep]),
            (loop_of(vec![work(), in_sequence], None), vec![LoopExit::ExitStep]),
            (loop_of(vec![work(), ending(Flow::End)], None), vec![LoopExit::RunEnded]),
            (
                Tree::Loop(3, vec![Tree::Parallel(vec![exiting(&[Action::Look], 2), leaf(&[Action::Look])])])
                    .build(),
                vec![went_on, LoopExit::ExitAgent { agent: by("a2") }],
            ),
            (loop_of(vec![agent("a1", &[Action::Break])], None), vec![LoopExit::Failed]),
        ];
        for (root, expected) in cases {
            let stage = Stage::with(root, |_| {});
            stage.run().await;
            assert_eq!(exits(&stage), expected);
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
            stage.assert_replays(effects_alone(&stage.events())).await;
        }
    });
}

#[test]
fn a_limit_ends_the_loop_and_with_more_of_it_the_round_is_told_anew() {
    on_one_thread(async {
        let root = Tree::Loop(3, vec![leaf(&[Action::Model])]).build();
        let stage = Stage::with(root, |touched| {
            touched.price = Some(0.1);
            touched.person = Box::new(|_| UserAnswer::Chosen("finish".into()));
        });
        let stage = Stage { limits: Limits { max_llm_calls: Some(2), ..Limits::default() }, ..stage };
        assert_eq!(stage.run().await.outcome, Outcome::Limited);
        assert_eq!(exits(&stage), [LoopExit::WentOn, LoopExit::WentOn, LoopExit::LimitReached]);
        stage.assert_sound().await;
        let overrides = Overrides {
            limits: [(kernel::LimitName::MaxLlmCalls, Some(9.0))].into(),
            ..Overrides::default()
        };
        let end = stage.go_on(Continuation { overrides, ..Continuation::default() }).await;
        assert_eq!(end.outcome, Outcome::Finished, "{:?}", end.error);
        assert_eq!(exits(&stage), [LoopExit::WentOn, LoopExit::WentOn, LoopExit::RoundsUsedUp]);
        let events = stage.events();
        let costs: Vec<_> = rounds_of(&events)["p"].iter().map(|(_, round, ..)| round.cost).collect();
        assert_eq!(costs, [Some(0.1), Some(0.1), Some(0.1)]);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn a_fork_in_round_two_keeps_the_first_round_and_tells_the_others_anew() {
    on_one_thread(async {
        let inner = Tree::Loop(2, vec![Tree::Parallel(vec![leaf(&[Action::Model]), leaf(&[Action::Look])])]);
        let parent = Stage::of(&Tree::Loop(3, vec![leaf(&[Action::Model]), inner]));
        parent.run().await;
        let events = parent.events();
        let in_second = events.iter().find(|event| event.path.as_str().starts_with("p[2]/")).unwrap().seq;
        let at: Seq = in_second + 1;
        let fork = Fork { delta: super::edits::topic("other"), ..super::forks::at(at) };
        let (stage, end) = parent.fork(fork, |_| {}).await;
        assert_eq!(end.outcome, Outcome::Finished);
        stage.assert_sound().await;
        let forked = stage.events();
        let told = rounds_of(&forked);
        assert_eq!(
            told.iter().map(|(place, rounds)| (place.as_str(), rounds.len())).collect::<Vec<_>>(),
            [("p", 3), ("p[1]/l2#1", 2), ("p[2]/l2#1", 2), ("p[3]/l2#1", 2)]
        );
        let first = told["p"][0].0;
        assert!(first.seq < at && events.contains(first), "the first round is the parent's own event");
        stage.assert_replays(stage.events()).await;
    });
}

/// A loop of an agent whose field `ready` ends it; `accept` has the last word on that.
fn judging(
    offers_exit: bool,
    accept: impl Fn(serde_json::Value) -> serde_json::Value + Send + Sync + 'static,
) -> Arc<dyn Agent> {
    let writer = LlmAgent::new(LlmAgentParts {
        name: "w".into(),
        title: "Writer".into(),
        instruction: "Write.".into(),
        contract: Contract::new(&["topic"], &[], &["post"]),
        key: "post".into(),
        streams: None,
        form: AnswerForm::Json(json!({
            "type": "object", "required": ["ready"], "additionalProperties": false,
            "properties": { "ready": { "type": "boolean" } }
        })),
        prompt: Box::new(|cx| Ok(format!("{}:0", cx.path()))),
        titles: None,
        finish: Box::new(move |_, answer| Ok(accept(answer))),
        derive: Some(Box::new(|_, answer| Delta {
            set: [("post".to_owned(), Value::new(answer.clone()))].into(),
            removed: Vec::new(),
        })),
        verify: None,
        built_in: None,
        exit_field: Some("ready".into()),
        offers_exit,
        tools: Vec::new(),
    });
    loop_of(vec![FlowStep::Agent(Arc::new(writer.unwrap()))], None)
}

#[test]
fn an_answer_that_says_so_in_its_exit_field_is_named_with_its_agent() {
    on_one_thread(async {
        let stage = Stage::with(judging(false, |answer| answer), |touched| {
            touched.script = Box::new(|request, _| {
                let is_second = super::world::spot_of(request).starts_with("p[2]");
                Some(Ok(json!({ "ready": is_second }).to_string()))
            });
        });
        assert_eq!(stage.run().await.outcome, Outcome::Finished);
        assert_eq!(exits(&stage), [LoopExit::WentOn, LoopExit::ExitField { agent: "w".into() }]);
        stage.assert_sound().await;
        stage.assert_replays(stage.events()).await;
    });
}

#[test]
fn a_call_of_exit_loop_says_that_the_field_is_true_unless_what_accepts_the_answer_takes_it_back() {
    on_one_thread(async {
        let ends = LoopExit::ExitTool { agent: "w".into() };
        for (takes_back, first, ready) in [(false, ends, true), (true, LoopExit::WentOn, false)] {
            let accept = move |answer| if takes_back { json!({ "ready": false }) } else { answer };
            let stage = Stage::with(judging(true, accept), |touched| {
                touched.script = Box::new(|_, _| Some(Ok(json!({ "ready": false }).to_string())));
                touched.calls = vec![ToolRequest {
                    id: "call_1".into(),
                    tool: "exit_loop".into(),
                    input: json!({}).into(),
                    opaque: None,
                }];
            });
            let end = stage.run().await;
            assert_eq!((end.outcome, &exits(&stage)[0]), (Outcome::Finished, &first));
            assert_eq!(end.state.get("post").and_then(Value::json), Some(&json!({ "ready": ready })));
            stage.assert_sound().await;
            stage.assert_replays(stage.events()).await;
        }
    });
}
