//! Whole runs as the engine records them, with what they fold to after every event. The page folds the same events and is
//! held to the same (`ui/src/run/recorded-runs.test.ts`), so that its fold and this one cannot drift apart.
//!
//! `UPDATE_RECORDED_RUNS=1 cargo nextest run -p tests recorded` writes the file anew.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use engine::{Continuation, Fork, UserAnswer, append_outside};
use kernel::{
    AgentChange, Code, Delta, Error, Event, Excerpt, Fact, LimitName, Limits, Note, Overrides, QuestionKind,
    RunFold, RunId,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::agents::Action;
use super::edits::edited_while_it_runs;
use super::edits::topic;
use super::log::{Death, MemoryLog};
use super::stage::{Stage, is_in_flight, on_one_thread};
use super::tree::{Tree, exiting, leaf};
use super::world::{Touched, usual_answer};

/// A run, and what of its fold changes with each event.
#[derive(Serialize, Deserialize)]
struct RecordedRun {
    name: String,
    events: Vec<Event>,
    changes: Vec<Map<String, Value>>,
}

impl RecordedRun {
    fn of(name: &str, events: Vec<Event>) -> RecordedRun {
        let changes = changes(&events);
        RecordedRun { name: name.to_owned(), events, changes }
    }
}

/// What the fold of the events has after each of them that it did not have before.
fn changes(events: &[Event]) -> Vec<Map<String, Value>> {
    let (mut fold, mut excerpt) = (RunFold::default(), Excerpt::default());
    let mut before = Map::new();
    let mut changes = Vec::new();
    for event in events {
        fold.apply(event);
        excerpt.apply(event);
        let now = json!({
            "state": fold.state.to_json(), "usage": fold.usage, "outcome": fold.outcome, "error": fold.error,
            "profiles": fold.profiles, "typed": excerpt.typed, "touched": excerpt.touched,
            "times": excerpt.times.iter().filter(|(_, times)| **times > 0).collect::<BTreeMap<_, _>>(),
        });
        let Value::Object(now) = now else { unreachable!("it is an object") };
        changes
            .push(now.clone().into_iter().filter(|(name, value)| before.get(name) != Some(value)).collect());
        before = now;
    }
    changes
}

/// What kinds of things happen in runs.
fn happenings(runs: &[RecordedRun]) -> BTreeSet<String> {
    let of = |event: &Event| {
        let fact = serde_json::to_value(&event.fact).unwrap();
        let word =
            |pointer: &str| fact.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let pointers = [
            "/kind",
            "/effect/effect",
            "/effect/question/kind/kind",
            "/answer/status",
            "/note/kind",
            "/ended",
            "/outcome",
        ];
        let words: Vec<String> =
            pointers.iter().map(|pointer| word(pointer)).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    };
    runs.iter().flat_map(|run| &run.events).map(of).collect()
}

fn attended(answer: &'static str) -> impl Fn(&mut Touched) {
    move |touched| {
        touched.person = Box::new(move |question| match &question.kind {
            QuestionKind::Limit { .. } => UserAnswer::Chosen(answer.into()),
            _ => UserAnswer::Chosen(usual_answer(question).into()),
        });
    }
}

async fn in_branches_and_rounds() -> Vec<Stage> {
    let tree = Tree::Sequential(vec![
        leaf(&[Action::Clock, Action::Model]),
        Tree::Parallel(vec![leaf(&[Action::Look, Action::Model]), leaf(&[Action::Id, Action::Gate])]),
        Tree::Loop(3, vec![leaf(&[Action::Model, Action::Act]), exiting(&[Action::AskFirst], 2)]),
        Tree::Twice(Box::new(leaf(&[Action::Model]))),
    ]);
    let stage = Stage::with(tree.build(), |touched| touched.price = Some(0.25));
    edited_while_it_runs(&stage, &[(3, 0), (7, 0), (20, 0)]).await;
    // After its end the person goes on typing, keeps a version, and types on.
    let run = RunId("run".into());
    let log = MemoryLog::open(stage.disk.clone(), None);
    let kept = Note::Kept { key: "topic".into() };
    let edit = |text: &str| Fact::StateChanged { delta: topic(text) };
    for fact in [edit("mine"), edit("mine, longer"), Fact::Noted { note: kept }, edit("mine, another")] {
        append_outside(log.as_ref(), &run, fact).await.unwrap();
    }
    let at = stage.events().iter().find(|event| event.author == "l5").unwrap().seq;
    let change = AgentChange { profile: Some("other".into()), ..AgentChange::default() };
    let overrides = Overrides { agents: [("a6".to_owned(), change)].into(), ..Overrides::default() };
    let delta = Delta::of("topic", json!("forked"));
    let fork = Fork { run: RunId("fork".into()), overrides, delta, ..super::forks::at(at) };
    let (forked, _) = stage.fork(fork, |_| {}).await;
    vec![stage, forked]
}

/// A model that is refused, asked again, and at last not to be had; then another profile, or the end.
async fn refused(answer: &'static str) -> Stage {
    let tree = Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]);
    let stage = Stage::with(tree.build(), |touched| {
        touched.script = Box::new(|request, times| {
            let later = Error {
                retry_after_ms: Some(5),
                ..Error::new(Code::RateLimited, kernel::Phrase::verbatim("later"))
            };
            match (times, request.profile.as_str()) {
                (1 | 2, _) => Some(Err(later)),
                (_, "counted") => {
                    Some(Err(Error::new(Code::KeyRefused, kernel::Phrase::verbatim("no such key"))))
                }
                _ => None,
            }
        });
        touched.person = Box::new(move |_| UserAnswer::Chosen(answer.into()));
    });
    stage.run().await;
    stage
}

/// The process dies with a call in flight, and the run goes on.
async fn crashed() -> Stage {
    let tree = Tree::Sequential(vec![leaf(&[Action::Model, Action::Act]), leaf(&[Action::Model])]);
    let stage = Stage::of(&tree);
    for number in [3, 2] {
        match stage.events().is_empty() {
            true => stage.begin(Some(Death::Before(number))).await.unwrap().0.ended().await,
            false => {
                stage
                    .resume(Continuation::default(), Some(Death::After(number)))
                    .await
                    .unwrap()
                    .0
                    .ended()
                    .await
            }
        };
    }
    stage.go_on(Continuation::default()).await;
    stage
}

/// The person stops a call in flight, and lets the run go on.
async fn stopped() -> Stage {
    let stage = Stage::of(&Tree::Sequential(vec![leaf(&[Action::Model]), leaf(&[Action::Model])]));
    *stage.touched.stalls_at.lock().unwrap() = Some("p/a2#1:0".into());
    let (handle, _) = stage.begin(None).await.unwrap();
    stage.until(|events| is_in_flight(events) && stage.touched.asked().contains_key("p/a2#1:0")).await;
    handle.cancel();
    handle.ended().await;
    *stage.touched.stalls_at.lock().unwrap() = None;
    stage.go_on(Continuation::default()).await;
    stage
}

async fn limited(answer: &'static str) -> Stage {
    let stage = Stage::with(Tree::Loop(4, vec![leaf(&[Action::Model])]).build(), attended(answer));
    let stage = Stage { limits: Limits { max_llm_calls: Some(2), ..Limits::default() }, ..stage };
    stage.run().await;
    let limits = BTreeMap::from([(LimitName::MaxLlmCalls, Some(9.0))]);
    let overrides = Overrides { limits, ..Overrides::default() };
    stage.go_on(Continuation { overrides, ..Continuation::default() }).await;
    stage
}

/// More time is asked for while an answer comes; the person answers at once, or later than the model.
async fn out_of_time(answer: &'static str, thinks_for: Duration) -> Stage {
    let stage = Stage::with(Tree::Sequential(vec![leaf(&[Action::Model])]).build(), |touched| {
        attended(answer)(touched);
        (touched.answers_after, touched.thinks_for) = (Duration::from_millis(600), thinks_for);
    });
    let stage = Stage { limits: Limits { max_execution_time_s: Some(0.3), ..Limits::default() }, ..stage };
    stage.run().await;
    stage
}

/// A run that ends in failure, is repaired by chance, and fails again.
async fn failed() -> Stage {
    let tree = Tree::Sequential(vec![
        Tree::Tolerant(Box::new(leaf(&[Action::Break]))),
        leaf(&[Action::Model]),
        leaf(&[Action::Model, Action::Break]),
    ]);
    let stage = Stage::of(&tree);
    stage.run().await;
    stage.go_on(Continuation::default()).await;
    stage
}

/// Nobody is there for a question; its answer comes later.
async fn waiting() -> Stage {
    let stage = Stage::with(
        Tree::Sequential(vec![leaf(&[Action::Gate]), leaf(&[Action::Model])]).build(),
        |touched| {
            touched.person = Box::new(|_| UserAnswer::NobodyThere);
        },
    );
    stage.run().await;
    stage.go_on(Continuation { answer: stage.reply("later", 0), ..Continuation::default() }).await;
    stage
}

async fn record() -> Vec<RecordedRun> {
    let named = |name: &str, stage: &Stage| RecordedRun::of(name, stage.events());
    let whole = in_branches_and_rounds().await;
    vec![
        named("branches, rounds, gates and edits", &whole[0]),
        named("a fork with another profile", &whole[1]),
        named("refused, asked again, another profile", &refused("profile:other").await),
        named("refused for good", &refused("stop").await),
        named("crashed in flight, twice", &crashed().await),
        named("stopped in flight", &stopped().await),
        named("a limit that was added to", &limited("add").await),
        named("a limit that ended the run", &limited("finish").await),
        named("more time while an answer comes", &out_of_time("100", Duration::ZERO).await),
        named("an answer before the person's", &out_of_time("finish", Duration::from_secs(600)).await),
        named("out of time", &out_of_time("finish", Duration::ZERO).await),
        named("failed, twice", &failed().await),
        named("waiting for an answer", &waiting().await),
    ]
}

#[test]
fn recorded_runs_still_fold_to_what_the_page_is_held_to_and_still_show_all_that_happens() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/fixtures/recorded-runs.json");
    let fresh = on_one_thread(record());
    if std::env::var_os("UPDATE_RECORDED_RUNS").is_some() {
        let lines: Vec<String> = fresh.iter().map(|run| serde_json::to_string(run).unwrap()).collect();
        std::fs::write(&path, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    let kept: Vec<RecordedRun> = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for run in &kept {
        for (at, (kept, now)) in run.changes.iter().zip(changes(&run.events)).enumerate() {
            assert_eq!(*kept, now, "{} after event {}", run.name, at + 1);
        }
        assert_eq!(run.changes.len(), run.events.len(), "{}", run.name);
    }
    assert_eq!(happenings(&kept), happenings(&fresh), "write the file anew with UPDATE_RECORDED_RUNS=1");
    for wanted in [
        "run_started",
        "run_resumed",
        "agent_started",
        "agent_ended done",
        "agent_ended failed",
        "state_changed",
        "effect_asked model",
        "effect_asked tool",
        "effect_asked clock",
        "effect_asked id",
        "effect_asked question agent",
        "effect_asked question limit",
        "effect_asked question profile",
        "effect_asked question permission",
        "effect_answered done",
        "effect_answered failed",
        "effect_answered interrupted",
        "request_failed",
        "request_sent",
        "noted kept",
        "run_ended finished",
        "run_ended failed",
        "run_ended limited",
        "run_ended waiting",
        "run_ended cancelled",
    ] {
        assert!(happenings(&kept).contains(wanted), "no recorded run shows: {wanted}");
    }
}
