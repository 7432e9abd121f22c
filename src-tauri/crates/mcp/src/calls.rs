//! A tool call at its server, with the questions that the server asks meanwhile and the task that it may create for the
//! call.
//!
//! A server of the older protocol asks during the call: the call is parked with the question, and resumed with the
//! answer. A server of the newer protocol returns its questions, and is called again. The state of the question, which
//! is stored in the log, identifies the protocol and the call.

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kernel::{GivenInput, NeededInput, Phrase, ServerAnswer, ServerQuestion, phrase};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ElicitRequestParams,
    ElicitResult, GetTaskParams, InputRequests, Task, TaskPayload, UpdateTaskParams,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{oneshot, watch};
use tokio::time::sleep;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::flood::Allowance;
use crate::listing::plain;
use crate::questions::{needed, question, responses, result};
use crate::service_errors::why;

/// The most parked calls of a server; the oldest one is dropped for a further one.
const MOST_PARKED: usize = 32;
/// The longest error text of a server in a message, in characters.
const LONGEST_REASON: usize = 2000;
/// The name of a question during a call.
const QUESTION_NAME: &str = "asked";
/// The default poll interval of a task, and the bounds of the interval that a server may choose.
const DEFAULT_POLL: Duration = Duration::from_secs(1);
const POLL_BOUNDS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(30));

/// The outcome of a call.
pub(crate) enum CallOutcome {
    Complete(CallToolResult),
    /// The server needs input first.
    Asks(NeededInput),
}

/// Why a call failed.
pub(crate) enum CallError {
    Service(ServiceError),
    Other(Phrase),
}

impl From<ServiceError> for CallError {
    fn from(error: ServiceError) -> CallError {
        CallError::Service(error)
    }
}

/// How a call continues after its question.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Continuation {
    /// It is repeated with the server's state.
    Again(Option<String>),
    /// It is parked under this name.
    Parked(String),
    /// It is a task with this name, parked under the other one.
    Task { task: String, parked: String },
}

type UnderWay = Pin<Box<dyn Future<Output = Result<CallToolResponse, ServiceError>> + Send>>;

/// A call that waits for the answer to its question; dropping it cancels it at the server.
struct ParkedCall {
    tool: String,
    work: ParkedWork,
    /// Ends the watcher that drops the call when its run is cancelled.
    _watch: DropGuard,
}

enum ParkedWork {
    /// It is running, and its server waits for the answer.
    Call(UnderWay, oneshot::Sender<ServerAnswer>),
    Task(FollowedTask),
}

/// A question that arrived during a call.
struct PendingQuestion {
    question: ServerQuestion,
    reply: oneshot::Sender<ServerAnswer>,
}

/// The running calls of a connection, and the pending questions of its server.
#[derive(Default)]
struct State {
    under_way: usize,
    asked: VecDeque<PendingQuestion>,
}

struct Shared {
    state: Mutex<State>,
    /// Notified of each change of the state.
    changed: watch::Sender<()>,
    parked: Mutex<BTreeMap<String, ParkedCall>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn parked(&self) -> MutexGuard<'_, BTreeMap<String, ParkedCall>> {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The question of the only running call. A server does not say which call a question belongs to; but that call
    /// does not end before the answer, so it is the one that remains. Withdrawn questions are dropped.
    fn question_of_only_call(&self) -> Option<PendingQuestion> {
        let mut state = self.state();
        state.asked.retain(|asked| !asked.reply.is_closed());
        if state.under_way == 1 { state.asked.pop_front() } else { None }
    }
}

/// Receives the questions of a server of the older protocol.
#[derive(Clone)]
pub(crate) struct QuestionReceiver(Arc<Shared>);

impl QuestionReceiver {
    /// Asks the user through the running call; without one the question is declined.
    pub(crate) async fn ask(&self, asked: ElicitRequestParams) -> ElicitResult {
        let declined = || result(ServerAnswer::Decline);
        let Ok(question) = question(asked) else { return declined() };
        let (reply, answer) = oneshot::channel();
        {
            let mut state = self.0.state();
            if state.under_way == 0 || state.asked.len() >= MOST_PARKED {
                return declined();
            }
            state.asked.push_back(PendingQuestion { question, reply });
        }
        self.0.changed.send_replace(());
        answer.await.map_or_else(|_| declined(), result)
    }
}

/// The calls of one connection.
pub(crate) struct Calls {
    shared: Arc<Shared>,
    /// Identifies this connection in the stored state of questions.
    connection: String,
    last: AtomicU64,
}

/// Counts a running call.
struct RunningCall<'a>(&'a Shared);

impl Drop for RunningCall<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way -= 1;
        if state.under_way == 0 {
            // Without a running call no question can be answered.
            state.asked.clear();
        }
        drop(state);
        self.0.changed.send_replace(());
    }
}

/// A call that is made or resumed.
pub(crate) struct CallRequest<'a> {
    pub(crate) peer: &'a Peer<RoleClient>,
    pub(crate) allowance: &'a Allowance,
    pub(crate) tool: &'a str,
    pub(crate) input: Map<String, Value>,
    /// The earlier questions with their answers.
    pub(crate) given: Option<&'a GivenInput>,
    /// Cancelled when the run is stopped.
    pub(crate) cancel: &'a CancellationToken,
}

impl Calls {
    pub(crate) fn new() -> (Calls, QuestionReceiver) {
        let (state, parked) = Default::default();
        let shared = Arc::new(Shared { state, changed: watch::Sender::new(()), parked });
        let connection = engine::new_id().to_string();
        let calls = Calls { shared: shared.clone(), connection, last: AtomicU64::new(0) };
        (calls, QuestionReceiver(shared))
    }

    /// Makes a call, or resumes one after its question; dropping the future cancels the call at the server.
    pub(crate) async fn call(&self, calling: CallRequest<'_>) -> Result<CallOutcome, CallError> {
        let mut request =
            CallToolRequestParams::new(calling.tool.to_owned()).with_arguments(calling.input.clone());
        if let Some(given) = calling.given {
            let state = given.state.as_deref().and_then(|state| serde_json::from_str(state).ok());
            let is_ended = given.answers.values().any(|answer| *answer == ServerAnswer::Cancel);
            let ended = || CallError::Other(phrase!("you ended it at its question"));
            match state.unwrap_or(Continuation::Again(None)) {
                Continuation::Parked(name) => {
                    let work = self.taken(&name, calling.tool);
                    let Some(ParkedWork::Call(call, reply)) = work else {
                        let is_of_this = name.starts_with(&self.connection);
                        return Err(CallError::Other(match is_of_this {
                            true => {
                                phrase!("it was given up, because too many questions of its server were open")
                            }
                            false => phrase!("its server ended while the question was open"),
                        }));
                    };
                    let answer = given.answers.get(QUESTION_NAME).cloned().unwrap_or(ServerAnswer::Decline);
                    // A server that stopped waiting for the answer has continued the call.
                    let _ = reply.send(answer);
                    if is_ended {
                        // The server must receive the answer before a cancellation of the call.
                        tokio::task::yield_now().await;
                        return Err(ended());
                    }
                    return self.under_way(&calling, call).await;
                }
                Continuation::Task { task, parked } => {
                    let waited = match self.taken(&parked, calling.tool) {
                        Some(ParkedWork::Task(waited)) => waited,
                        _ => FollowedTask::of(calling.peer, &task),
                    };
                    if is_ended {
                        return Err(ended());
                    }
                    let answered = UpdateTaskParams::new(&task, responses(given));
                    calling.peer.update_task(answered).await.map_err(outcome_unknown)?;
                    return self.follow(&calling, waited, None).await;
                }
                Continuation::Again(_) if is_ended => return Err(ended()),
                Continuation::Again(state) => {
                    request = request.with_input_responses(responses(given));
                    if let Some(state) = state {
                        request = request.with_request_state(state);
                    }
                }
            }
        }
        // New calls must not delay a question that waits for the other calls to end.
        let mut changed = self.shared.changed.subscribe();
        while !self.shared.state().asked.is_empty() {
            let _ = changed.changed().await;
        }
        let caller = calling.peer.clone();
        let call: UnderWay = Box::pin(async move { caller.call_tool_once(request).await });
        self.under_way(&calling, call).await
    }

    fn taken(&self, name: &str, tool: &str) -> Option<ParkedWork> {
        let mut parked = self.shared.parked();
        let is_it = parked.get(name).is_some_and(|parked| parked.tool == tool);
        is_it.then(|| parked.remove(name)).flatten().map(|parked| parked.work)
    }

    async fn under_way(
        &self,
        calling: &CallRequest<'_>,
        mut call: UnderWay,
    ) -> Result<CallOutcome, CallError> {
        self.shared.state().under_way += 1;
        let in_call = RunningCall(&self.shared);
        let mut changed = self.shared.changed.subscribe();
        let response = loop {
            if let Some(PendingQuestion { question, reply }) = self.shared.question_of_only_call() {
                let name = self.park(calling, ParkedWork::Call(call, reply));
                let state = serde_json::to_string(&Continuation::Parked(name)).ok();
                return Ok(CallOutcome::Asks(NeededInput {
                    questions: [(QUESTION_NAME.to_owned(), question)].into(),
                    state,
                }));
            }
            tokio::select! {
                biased;
                response = &mut call => break response?,
                _ = changed.changed() => {}
            }
        };
        drop(in_call);
        match response {
            CallToolResponse::Complete(result) => Ok(CallOutcome::Complete(result)),
            CallToolResponse::InputRequired(asks) => {
                let requests = asks.input_requests.unwrap_or_default();
                if requests.is_empty() {
                    // Without questions the server wants to be called again later.
                    sleep(DEFAULT_POLL).await;
                }
                input_needed(requests, &Continuation::Again(asks.request_state))
            }
            CallToolResponse::Task(created) => {
                let Task { task_id, poll_interval_ms, .. } = created.task;
                let waited = FollowedTask::of(calling.peer, &task_id);
                self.follow(calling, waited, poll_interval_ms).await
            }
            _ => Err(ServiceError::UnexpectedResponse.into()),
        }
    }

    /// Parks a call until its question is answered, its run is cancelled, or too many others wait. Returns its name.
    fn park(&self, calling: &CallRequest<'_>, work: ParkedWork) -> String {
        let name = format!("{}-{}", self.connection, self.last.fetch_add(1, Ordering::Relaxed) + 1);
        let watch = CancellationToken::new();
        let parked = ParkedCall { tool: calling.tool.to_owned(), work, _watch: watch.clone().drop_guard() };
        let (shared, of_run, key) = (self.shared.clone(), calling.cancel.clone(), name.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = of_run.cancelled() => drop(shared.parked().remove(&key)),
                () = watch.cancelled() => {}
            }
        });
        let mut all = self.shared.parked();
        let oldest = (all.len() >= MOST_PARKED).then(|| all.pop_first()).flatten();
        all.insert(name.clone(), parked);
        drop(all);
        drop(oldest);
        name
    }

    /// Polls a task until it is done or asks a question.
    async fn follow(
        &self,
        calling: &CallRequest<'_>,
        mut waited: FollowedTask,
        mut poll_ms: Option<u64>,
    ) -> Result<CallOutcome, CallError> {
        let Some(name) = waited.name.clone() else { return Err(ServiceError::UnexpectedResponse.into()) };
        loop {
            let poll = poll_ms.map_or(DEFAULT_POLL, Duration::from_millis);
            sleep(poll.clamp(POLL_BOUNDS.0, POLL_BOUNDS.1)).await;
            calling.allowance.renew();
            let seen = calling.peer.get_task(GetTaskParams::new(&name)).await.map_err(outcome_unknown)?.task;
            poll_ms = seen.task.poll_interval_ms.or(poll_ms);
            let ended = match seen.payload {
                TaskPayload::Working => continue,
                TaskPayload::InputRequired { input_requests } => {
                    let state = |parked| Continuation::Task { task: name.clone(), parked };
                    // An invalid question ends the call and its task.
                    input_needed(input_requests.clone(), &state(String::new()))?;
                    let parked = self.park(calling, ParkedWork::Task(waited));
                    return input_needed(input_requests, &state(parked));
                }
                TaskPayload::Completed { result } => match serde_json::from_value(Value::Object(result)) {
                    Ok(result) => Ok(CallOutcome::Complete(result)),
                    Err(_) => Err(ServiceError::UnexpectedResponse.into()),
                },
                TaskPayload::Failed { error } => match serde_json::from_value(Value::Object(error)) {
                    Ok(error) => Err(outcome_unknown(ServiceError::McpError(error))),
                    Err(_) => Err(ServiceError::UnexpectedResponse.into()),
                },
                TaskPayload::Cancelled => Err(CallError::Other(phrase!("its server cancelled it"))),
                _ => Err(ServiceError::UnexpectedResponse.into()),
            };
            waited.name = None;
            return ended;
        }
    }
}

/// An error of a call that has begun does not say whether it was executed.
fn outcome_unknown(error: ServiceError) -> CallError {
    match error {
        ServiceError::McpError(error) => {
            CallError::Other(Phrase::verbatim(plain(&error.message, LONGEST_REASON)))
        }
        // The caller, which knows the process, checks whether the server ended.
        ServiceError::TransportClosed => CallError::Service(ServiceError::TransportClosed),
        error => CallError::Other(why(&error)),
    }
}

fn input_needed(requests: InputRequests, goes_on: &Continuation) -> Result<CallOutcome, CallError> {
    let state = serde_json::to_string(goes_on).ok();
    needed(requests, state).map(CallOutcome::Asks).map_err(CallError::Other)
}

/// A task that is cancelled at the server when it is dropped unfinished.
struct FollowedTask {
    peer: Peer<RoleClient>,
    name: Option<String>,
}

impl FollowedTask {
    fn of(peer: &Peer<RoleClient>, name: &str) -> FollowedTask {
        FollowedTask { peer: peer.clone(), name: Some(name.to_owned()) }
    }
}

impl Drop for FollowedTask {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        let peer = self.peer.clone();
        tokio::spawn(async move { peer.cancel_task(CancelTaskParams::new(name)).await });
    }
}
