//! Benchmarks of the log: a typical append, a fold of a thousand events, opening a run of a hundred thousand.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot run has nothing to say")]

use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use engine::{Durability, Log};
use kernel::{
    Answer, Delta, Effect, Event, Fact, Hash, Message, ModelRequest, Path, RunFold, RunId, Seq, SessionId,
    Speaker, Start, Value,
};
use serde_json::json;
use store::Store;
use tokio::runtime::Runtime;

fn start(run: &str) -> Start {
    Start {
        run: RunId(run.to_owned()),
        session: SessionId(run.to_owned()),
        at_ms: 0,
        definition: serde_json::from_value(json!({
            "pipeline": "ai-news",
            "title": "AI News",
            "outline": {
                "name": "writer",
                "title": "Writer",
                "agent": {"kind": "llm"},
                "contract": {"reads": [], "may_read": [], "writes": ["draft_post"]},
                "stream": null,
                "calls": {"least": 1, "most": 2},
                "children": [],
            },
            "agents": {},
            "limits": {},
            "source": null,
            "as_of": null,
            "allowed_tools": [],
        }))
        .unwrap(),
        inputs: BTreeMap::from([("user_topic".to_owned(), Value::text("agents"))]),
        origin: None,
    }
}

fn event(seq: Seq, fact: Fact) -> Event {
    Event {
        v: kernel::EVENT_VERSION,
        seq,
        at_ms: i64::from(seq),
        ran_ms: u64::from(seq),
        author: "ai_news_writer".to_owned(),
        path: Path::root("AiNewsPipelineManager").child("ai_news_writer", 1),
        n: seq,
        surface: false,
        fact,
    }
}

fn started(start: &Start) -> Event {
    let fact = Fact::RunStarted {
        run: start.run.clone(),
        session: start.session.clone(),
        pipeline: start.definition.pipeline.clone(),
        definition: Hash::of(b"definition"),
        origin: None,
    };
    event(1, fact)
}

/// The events of one model call: the answer, the state change, the agent's end and start, and the next request with its
/// instruction and articles.
fn stage(seq: Seq) -> Vec<Event> {
    let reply = json!({"text": "w ".repeat(600), "tool_requests": [], "usage": {"input_tokens": 900, "output_tokens": 300},
                       "stop": "stop", "model": "a-model"});
    let request = ModelRequest {
        agent: "ai_news_reviewer".to_owned(),
        profile: "p".to_owned(),
        model: "a-model".to_owned(),
        instruction: Value::text("You review news. ".repeat(80)),
        messages: vec![Message::new(Speaker::User, "An article and its summary. ".repeat(120))],
        shape: None,
        tools: Vec::new(),
        temperature: 0.2,
        max_output_tokens: 2048,
    };
    let answer = Answer::Done { result: Value::new(reply) };
    let draft = json!({"post_markdown": "w ".repeat(600), "sources_used": [0, 1, 2], "word_count": 190});
    let done = kernel::AgentOutcome::Done { exits_loop: false };
    vec![
        event(
            seq,
            Fact::EffectAnswered {
                asked: 1,
                summary: kernel::AnswerSummary::of(&answer),
                answer,
                took_ms: 5,
                waited_ms: 0,
                retries: Vec::new(),
            },
        ),
        event(seq + 1, Fact::StateChanged { delta: Delta::of("draft_post", draft) }),
        event(
            seq + 2,
            Fact::AgentEnded {
                outcome: done,
                reads: vec!["draft_post".to_owned()],
                took_ms: 5,
                output: None,
            },
        ),
        event(seq + 3, Fact::AgentStarted { sees: seq, instance: None }),
        event(seq + 4, Fact::EffectAsked { effect: Effect::Model { request }, reads: Vec::new() }),
    ]
}

fn shared(events: Vec<Event>) -> Vec<Arc<Event>> {
    events.into_iter().map(Arc::new).collect()
}

fn append(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("append");
    runtime.block_on(store.create(&start, vec![started(&start)])).unwrap();
    let mut seq = 2;
    criterion.bench_function("append a stage of five events", |bencher| {
        bencher.iter_batched(
            || {
                let events = stage(seq);
                seq += 5;
                events
            },
            |events| {
                runtime.block_on(store.append(&start.run, shared(events), Durability::Committed)).unwrap()
            },
            BatchSize::PerIteration,
        );
    });
    let mut runs = 0;
    criterion.bench_function("a whole run of eight commits", |bencher| {
        bencher.iter_batched(
            || {
                runs += 1;
                let start = self::start(&format!("whole-{runs}"));
                (started(&start), (0..7).map(|n| stage(2 + n * 5)).collect::<Vec<_>>(), start)
            },
            |(first, stages, start)| {
                runtime.block_on(async {
                    store.create(&start, vec![first]).await.unwrap();
                    for events in stages {
                        store.append(&start.run, shared(events), Durability::Committed).await.unwrap();
                    }
                    store.release(&start.run).await.unwrap();
                });
            },
            BatchSize::PerIteration,
        );
    });
}

fn read(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("read");
    let thousand: Vec<Event> = (0..200).flat_map(|n| stage(1 + n * 5)).collect();
    criterion.bench_function("fold a thousand events", |bencher| {
        bencher.iter(|| RunFold::of(black_box(&thousand)))
    });

    runtime.block_on(async {
        store.create(&start, vec![started(&start)]).await.unwrap();
        for n in 0..200 {
            let events = (0..100).flat_map(|m| stage(2 + (n * 100 + m) * 5)).collect();
            store.append(&start.run, shared(events), Durability::Committed).await.unwrap();
        }
    });
    criterion.bench_function(
        "open a run of 100 000 events: card, how it stands, a window of 500",
        |bencher| {
            bencher.iter(|| {
                runtime.block_on(async {
                    let card = store.run_card(&start.run).await.unwrap();
                    let standing = store.standing(&start.run).await.unwrap();
                    let window = store.events(&start.run, card.last_seq - 499, 500).await.unwrap();
                    assert_eq!(window.len(), 500);
                    (standing, window)
                })
            });
        },
    );
    criterion.bench_function("the state at a moment of a run of 100 000 events", |bencher| {
        bencher.iter(|| runtime.block_on(store.state_at(&start.run, 51_000)).unwrap());
    });
    let mut slow = criterion.benchmark_group("slow");
    slow.sample_size(10);
    slow.bench_function("load a run of 100 000 events whole", |bencher| {
        bencher.iter(|| runtime.block_on(store.load(&start.run)).unwrap().events.len());
    });
    slow.finish();
}

criterion_group!(benches, append, read);
criterion_main!(benches);
