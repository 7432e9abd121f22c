//! Workers and senders for the tests, and their inputs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::nats_server::{NatsServer, nats_programs};
use async_trait::async_trait;
use engine::CancellationToken;
use futures::future::join_all;
use kernel::{
    EffectClass, Error, Instance, Phrase, RunId, SubTask, SubTaskOutcome, SubTaskResult, SubTaskWork,
    ToolCall, ToolFailure, ToolResult, Value,
};
use queue_nats::{
    Connection, NatsQueue, Performer, QueueAddress, SenderOptions, WorkerEvent, WorkerOptions, connect, work,
};
use serde_json::json;
use tokio::sync::mpsc;

pub(crate) const ROLE: &str = "ResearchAgent";
pub(crate) const LEASE: Duration = Duration::from_secs(2);

/// Returns the input, counts calls by number, and forwards events.
pub(crate) struct Counting {
    finished: Arc<Mutex<BTreeMap<u64, u32>>>,
    events: mpsc::UnboundedSender<WorkerEvent>,
}

#[async_trait]
impl Performer for Counting {
    async fn perform(&self, task: &SubTask, _: CancellationToken) -> Result<ToolResult, Error> {
        let input = &task.sub_task_input.0;
        let number = input["n"].as_u64().unwrap_or_default();
        assert!(input["panics"].is_null(), "it panics");
        tokio::time::sleep(Duration::from_millis(input["ms"].as_u64().unwrap_or(5))).await;
        *self.finished.lock().unwrap().entry(number).or_default() += 1;
        let output = match input["bytes"].as_u64() {
            Some(bytes) => json!("x".repeat(usize::try_from(bytes).unwrap())),
            None => json!(number),
        };
        Ok(ToolResult { output: output.into(), ..ToolResult::default() })
    }

    fn notify(&self, event: WorkerEvent) {
        let _ = self.events.send(event);
    }
}

/// A worker of this process, which `kill` ends as if its machine had failed.
pub(crate) struct Worker {
    pub(crate) finished: Arc<Mutex<BTreeMap<u64, u32>>>,
    pub(crate) events: mpsc::UnboundedReceiver<WorkerEvent>,
    pub(crate) stop: CancellationToken,
    pub(crate) working: tokio::task::JoinHandle<()>,
}

impl Worker {
    pub(crate) async fn start(url: &str, at_once: u32) -> Worker {
        let finished = Arc::default();
        Worker::counting(url, at_once, finished).await
    }

    pub(crate) async fn counting(
        url: &str,
        at_once: u32,
        finished: Arc<Mutex<BTreeMap<u64, u32>>>,
    ) -> Worker {
        let connection = to(url).await.unwrap();
        let (sender, events) = mpsc::unbounded_channel();
        let performer = Arc::new(Counting { finished: finished.clone(), events: sender });
        let options = WorkerOptions { role: ROLE.into(), name: "here".into(), at_once, lease: LEASE };
        let stop = CancellationToken::new();
        let working = tokio::spawn(work(connection, options, performer, stop.clone()));
        Worker { finished, events, stop, working }
    }

    pub(crate) async fn began(&mut self) -> String {
        loop {
            if let Some(WorkerEvent::Began(id, _)) = self.events.recv().await {
                return id;
            }
        }
    }
}

pub(crate) async fn to(url: &str) -> Result<Arc<Connection>, Error> {
    connect(&url.parse::<QueueAddress>()?, None, None).await
}

pub(crate) async fn queue(url: &str) -> Arc<NatsQueue> {
    let options = SenderOptions { patience: Duration::from_secs(30), look_every: Duration::from_millis(500) };
    Arc::new(NatsQueue::new(to(url).await.unwrap(), options).await.unwrap())
}

pub(crate) fn sub_task(id: &str, input: serde_json::Value, class: EffectClass) -> SubTask {
    let call = ToolCall {
        tool: "count".into(),
        input: Value::new(input.clone()),
        class,
        title: Phrase::default(),
        place: None,
        is_of_web: false,
        version: None,
        decision: None,
        credential_route: None,
        given: None,
    };
    let instance = Instance { agent: "CountTool".into(), input: Value::new(json!({ "input": input })) };
    SubTask::new(id.into(), &RunId("r".into()), ROLE, &instance, SubTaskWork::Call(call.into()))
}

pub(crate) fn output(result: &SubTaskResult) -> &serde_json::Value {
    match &result.outcome {
        SubTaskOutcome::Completed { result_data, .. } => &result_data.0,
        SubTaskOutcome::Failed { error_details } => panic!("{error_details}"),
    }
}

pub(crate) fn error(result: &SubTaskResult) -> &Error {
    match &result.outcome {
        SubTaskOutcome::Failed { error_details } => error_details,
        SubTaskOutcome::Completed { result_data, .. } => panic!("{result_data:?}"),
    }
}

pub(crate) fn is_unknown(result: &SubTaskResult) -> bool {
    error(result).tool_failure.as_deref() == Some(&ToolFailure::OutcomeUnknown)
}

/// Runs a test with each server.
pub(crate) async fn with_each(test: impl AsyncFn(&Path)) {
    let programs = nats_programs();
    join_all(programs.iter().map(|program| test(program))).await;
}

pub(crate) async fn streams(server: &NatsServer) -> async_nats::jetstream::Context {
    async_nats::jetstream::new(async_nats::connect(server.url()).await.unwrap())
}

/// Sends a message to the workers like a sender.
pub(crate) async fn send(server: &NatsServer, sender: &str, id: &str, payload: Vec<u8>) {
    let mut headers = async_nats::HeaderMap::new();
    headers.insert("Galley-Sender", sender);
    let subject = format!("galley.sub_task.{ROLE}.{id}");
    streams(server)
        .await
        .publish_with_headers(subject, headers, payload.into())
        .await
        .unwrap()
        .await
        .unwrap();
}

/// Waits until this many sub-tasks are in the queue.
pub(crate) async fn stored(server: &NatsServer, count: u64) {
    let streams = streams(server).await;
    let stream = streams.get_stream("GALLEY_SUB_TASKS").await.unwrap();
    until(async || stream.get_info().await.unwrap().state.messages == count).await;
}

pub(crate) async fn until(is_so: impl AsyncFn() -> bool) {
    while !is_so().await {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
