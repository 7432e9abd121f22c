//! Small runs to write.

use std::collections::BTreeMap;

use kernel::{
    AgentKind, CallRange, Contract, Definition, Delta, Event, Fact, Hash, Limits, Outcome, Outline, Path,
    RunId, Seq, SessionId, Start, USER, Value,
};

pub fn start(run: &str) -> Start {
    Start {
        run: RunId(run.to_owned()),
        session: SessionId("session".to_owned()),
        at_ms: 1_000,
        definition: Definition {
            pipeline: "ai-news".to_owned(),
            title: format!("A title of {run}"),
            outline: Outline {
                name: "writer".to_owned(),
                title: "Writer".to_owned(),
                agent: AgentKind::Llm,
                contract: Contract::default(),
                stream: None,
                calls: CallRange::default(),
                children: Vec::new(),
            },
            agents: BTreeMap::new(),
            limits: Limits::default(),
            source: None,
            as_of: None,
            allowed_tools: Vec::new(),
        },
        inputs: BTreeMap::from([("user_topic".to_owned(), Value::text("agents"))]),
        origin: None,
    }
}

pub fn event(seq: Seq, fact: Fact) -> Event {
    Event {
        v: kernel::EVENT_VERSION,
        seq,
        at_ms: 1_000 + i64::from(seq),
        author: USER.to_owned(),
        path: Path::root("run"),
        n: seq,
        surface: false,
        fact,
    }
}

pub fn started(start: &Start) -> Event {
    event(
        1,
        Fact::RunStarted {
            run: start.run.clone(),
            session: start.session.clone(),
            pipeline: start.definition.pipeline.clone(),
            definition: Hash::of(b"definition"),
            origin: None,
        },
    )
}

pub fn set(seq: Seq, key: &str, value: impl Into<Value>) -> Event {
    event(seq, Fact::StateChanged { delta: Delta::of(key, value) })
}

pub fn ended(seq: Seq) -> Event {
    event(seq, Fact::RunEnded { outcome: Outcome::Finished, fault: None })
}
