//! Small runs for the tests.

use std::collections::BTreeMap;
use std::sync::Arc;

use kernel::{Delta, Event, Fact, Hash, Outcome, Path, RunId, Seq, SessionId, Start, USER, Value};
use serde_json::json;

pub(crate) fn start(run: &str) -> Start {
    Start {
        run: RunId(run.to_owned()),
        session: SessionId("session".to_owned()),
        at_ms: 1_000,
        definition: serde_json::from_value(json!({
            "pipeline": "ai-news",
            "title": format!("A title of {run}"),
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
            "replies": ["other", "final"],
            "as_of": null,
            "allowed_tools": [],
        }))
        .unwrap(),
        inputs: BTreeMap::from([("user_topic".to_owned(), Value::text("agents"))]),
        origin: None,
    }
}

/// Events in the form that the log takes.
pub(crate) fn shared(events: Vec<Event>) -> Vec<Arc<Event>> {
    events.into_iter().map(Arc::new).collect()
}

pub(crate) fn event(seq: Seq, fact: Fact) -> Event {
    Event {
        v: kernel::EVENT_VERSION,
        seq,
        at_ms: 1_000 + i64::from(seq),
        ran_ms: u64::from(seq),
        author: USER.to_owned(),
        path: Path::root("run"),
        n: seq,
        surface: false,
        fact,
    }
}

pub(crate) fn started(start: &Start) -> Event {
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

pub(crate) fn set(seq: Seq, key: &str, value: impl Into<Value>) -> Event {
    event(seq, Fact::StateChanged { delta: Delta::of(key, value) })
}

pub(crate) fn ended(seq: Seq) -> Event {
    event(seq, Fact::RunEnded { outcome: Outcome::Finished, error: None })
}
