//! One call of a tool at its server, through the questions that the server asks meanwhile and the task that it may make of
//! the call.
//!
//! A server of the older protocol asks while the call is under way: the call is put aside with the question and taken up
//! again with the answer. One of the newer protocol answers with its questions, and is called once more. What tells which of
//! them it is, and which call, goes through the log as the state of the question.

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

/// So many calls of one server may wait for an answer; the one that has waited longest is given up for another.
const MOST_PARKED: usize = 32;
/// So much of what a server says of a failure is told, in characters.
const LONGEST_REASON: usize = 2000;
/// The name of a question that a server asks while its call is under way.
const ASKED: &str = "asked";
/// How often a task is looked at where its server does not say, and the limits of what it may say.
const USUAL_POLL: Duration = Duration::from_secs(1);
const POLLS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(30));

/// What a call came to.
pub(crate) enum Called {
    Complete(CallToolResult),
    /// It asks something first.
    Asks(NeededInput),
}

/// Why a call came to nothing.
pub(crate) enum Failure {
    Service(ServiceError),
    Other(Phrase),
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Failure {
        Failure::Service(error)
    }
}

/// How a call that asked goes on.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Continuation {
    /// It is made again, with what the server gave.
    Again(Option<String>),
    /// It was put aside under this name.
    Parked(String),
    /// It is a task of this name, put aside under the other one.
    Task { task: String, parked: String },
}

type UnderWay = Pin<Box<dyn Future<Output = Result<CallToolResponse, ServiceError>> + Send>>;

/// A call that is not over while its question is open; dropping it cancels it at the server.
struct Parked {
    tool: String,
    work: ParkedWork,
    /// Ends the watch over the run, which lets go of the call where it stops.
    _watch: DropGuard,
}

enum ParkedWork {
    /// It is under way, and its server waits for the answer.
    Call(UnderWay, oneshot::Sender<ServerAnswer>),
    Task(FollowedTask),
}

/// A question that came while a call was under way.
struct Asked {
    question: ServerQuestion,
    reply: oneshot::Sender<ServerAnswer>,
}

/// What is under way on a connection, and what its server asks meanwhile.
#[derive(Default)]
struct State {
    under_way: usize,
    asked: VecDeque<Asked>,
}

struct Shared {
    state: Mutex<State>,
    /// Told of each change of it.
    changed: watch::Sender<()>,
    parked: Mutex<BTreeMap<String, Parked>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn parked(&self) -> MutexGuard<'_, BTreeMap<String, Parked>> {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The question of the one call that is under way. A server does not say which call it asks about; but the call that it
    /// asks about is not over before it has its answer, so that it is the one that is left. A question that was taken back
    /// is none any more.
    fn question_of_only_call(&self) -> Option<Asked> {
        let mut state = self.state();
        state.asked.retain(|asked| !asked.reply.is_closed());
        if state.under_way == 1 { state.asked.pop_front() } else { None }
    }
}

/// Where the questions of a server of the older protocol go.
#[derive(Clone)]
pub(crate) struct Asking(Arc<Shared>);

impl Asking {
    /// Asks the person through the call that it is about; without a call nobody is asked.
    pub(crate) async fn ask(&self, asked: ElicitRequestParams) -> ElicitResult {
        let declined = || result(ServerAnswer::Decline);
        let Ok(question) = question(asked) else { return declined() };
        let (reply, answer) = oneshot::channel();
        {
            let mut state = self.0.state();
            if state.under_way == 0 || state.asked.len() >= MOST_PARKED {
                return declined();
            }
            state.asked.push_back(Asked { question, reply });
        }
        self.0.changed.send_replace(());
        answer.await.map_or_else(|_| declined(), result)
    }
}

/// The calls of one connection.
pub(crate) struct Calls {
    shared: Arc<Shared>,
    /// Tells the calls of this connection from those of another one, in what the log keeps.
    connection: String,
    last: AtomicU64,
}

/// That a call is under way.
struct InCall<'a>(&'a Shared);

impl Drop for InCall<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way -= 1;
        if state.under_way == 0 {
            // What is asked about no call is asked of nobody.
            state.asked.clear();
        }
        drop(state);
        self.0.changed.send_replace(());
    }
}

/// One call as it is made or goes on.
pub(crate) struct Calling<'a> {
    pub(crate) peer: &'a Peer<RoleClient>,
    pub(crate) allowance: &'a Allowance,
    pub(crate) tool: &'a str,
    pub(crate) input: Map<String, Value>,
    /// What was asked before, with the answers.
    pub(crate) given: Option<&'a GivenInput>,
    /// Ends where the run is stopped.
    pub(crate) cancel: &'a CancellationToken,
}

impl Calls {
    pub(crate) fn new() -> (Calls, Asking) {
        let (state, parked) = Default::default();
        let shared = Arc::new(Shared { state, changed: watch::Sender::new(()), parked });
        let connection = engine::new_id().to_string();
        let calls = Calls { shared: shared.clone(), connection, last: AtomicU64::new(0) };
        (calls, Asking(shared))
    }

    /// Makes a call, or goes on with one that asked; dropping the future cancels the call at the server.
    pub(crate) async fn call(&self, calling: Calling<'_>) -> Result<Called, Failure> {
        let mut request =
            CallToolRequestParams::new(calling.tool.to_owned()).with_arguments(calling.input.clone());
        if let Some(given) = calling.given {
            let state = given.state.as_deref().and_then(|state| serde_json::from_str(state).ok());
            let is_ended = given.answers.values().any(|answer| *answer == ServerAnswer::Cancel);
            let ended = || Failure::Other(phrase!("you ended it at its question"));
            match state.unwrap_or(Continuation::Again(None)) {
                Continuation::Parked(name) => {
                    let work = self.taken(&name, calling.tool);
                    let Some(ParkedWork::Call(call, reply)) = work else {
                        let is_of_this = name.starts_with(&self.connection);
                        return Err(Failure::Other(match is_of_this {
                            true => {
                                phrase!("it was given up, because too many questions of its server were open")
                            }
                            false => phrase!("its server ended while the question was open"),
                        }));
                    };
                    let answer = given.answers.get(ASKED).cloned().unwrap_or(ServerAnswer::Decline);
                    // A server that does not wait for it any more has gone on with the call.
                    let _ = reply.send(answer);
                    if is_ended {
                        // It hears the answer before it hears that the call is cancelled.
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
                    calling.peer.update_task(answered).await.map_err(unheard)?;
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
        // A question that waits for the other calls to end is not held up by new ones.
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

    async fn under_way(&self, calling: &Calling<'_>, mut call: UnderWay) -> Result<Called, Failure> {
        self.shared.state().under_way += 1;
        let in_call = InCall(&self.shared);
        let mut changed = self.shared.changed.subscribe();
        let response = loop {
            if let Some(Asked { question, reply }) = self.shared.question_of_only_call() {
                let name = self.park(calling, ParkedWork::Call(call, reply));
                let state = serde_json::to_string(&Continuation::Parked(name)).ok();
                return Ok(Called::Asks(NeededInput {
                    questions: [(ASKED.to_owned(), question)].into(),
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
            CallToolResponse::Complete(result) => Ok(Called::Complete(result)),
            CallToolResponse::InputRequired(asks) => {
                let requests = asks.input_requests.unwrap_or_default();
                if requests.is_empty() {
                    // It only wants to be called again later.
                    sleep(USUAL_POLL).await;
                }
                asked(requests, &Continuation::Again(asks.request_state))
            }
            CallToolResponse::Task(created) => {
                let Task { task_id, poll_interval_ms, .. } = created.task;
                let waited = FollowedTask::of(calling.peer, &task_id);
                self.follow(calling, waited, poll_interval_ms).await
            }
            _ => Err(ServiceError::UnexpectedResponse.into()),
        }
    }

    /// Puts a call aside until its question is answered, its run stops, or too many others wait. Gives its name.
    fn park(&self, calling: &Calling<'_>, work: ParkedWork) -> String {
        let name = format!("{}-{}", self.connection, self.last.fetch_add(1, Ordering::Relaxed) + 1);
        let watch = CancellationToken::new();
        let parked = Parked { tool: calling.tool.to_owned(), work, _watch: watch.clone().drop_guard() };
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

    /// Looks at a task until it is done or asks something.
    async fn follow(
        &self,
        calling: &Calling<'_>,
        mut waited: FollowedTask,
        mut poll_ms: Option<u64>,
    ) -> Result<Called, Failure> {
        let Some(name) = waited.name.clone() else { return Err(ServiceError::UnexpectedResponse.into()) };
        loop {
            let poll = poll_ms.map_or(USUAL_POLL, Duration::from_millis);
            sleep(poll.clamp(POLLS.0, POLLS.1)).await;
            calling.allowance.renew();
            let seen = calling.peer.get_task(GetTaskParams::new(&name)).await.map_err(unheard)?.task;
            poll_ms = seen.task.poll_interval_ms.or(poll_ms);
            let ended = match seen.payload {
                TaskPayload::Working => continue,
                TaskPayload::InputRequired { input_requests } => {
                    let state = |parked| Continuation::Task { task: name.clone(), parked };
                    // What cannot be asked ends here, and with it the task.
                    asked(input_requests.clone(), &state(String::new()))?;
                    let parked = self.park(calling, ParkedWork::Task(waited));
                    return asked(input_requests, &state(parked));
                }
                TaskPayload::Completed { result } => match serde_json::from_value(Value::Object(result)) {
                    Ok(result) => Ok(Called::Complete(result)),
                    Err(_) => Err(ServiceError::UnexpectedResponse.into()),
                },
                TaskPayload::Failed { error } => match serde_json::from_value(Value::Object(error)) {
                    Ok(error) => Err(unheard(ServiceError::McpError(error))),
                    Err(_) => Err(ServiceError::UnexpectedResponse.into()),
                },
                TaskPayload::Cancelled => Err(Failure::Other(phrase!("its server cancelled it"))),
                _ => Err(ServiceError::UnexpectedResponse.into()),
            };
            waited.name = None;
            return ended;
        }
    }
}

/// What a server refuses of a call that has begun says nothing of whether it was done.
fn unheard(error: ServiceError) -> Failure {
    match error {
        ServiceError::McpError(error) => {
            Failure::Other(Phrase::verbatim(plain(&error.message, LONGEST_REASON)))
        }
        // Whether the server ended is looked into where its process is known.
        ServiceError::TransportClosed => Failure::Service(ServiceError::TransportClosed),
        error => Failure::Other(why(&error)),
    }
}

fn asked(requests: InputRequests, goes_on: &Continuation) -> Result<Called, Failure> {
    let state = serde_json::to_string(goes_on).ok();
    needed(requests, state).map(Called::Asks).map_err(Failure::Other)
}

/// A task that is cancelled at the server where nobody waits for it any more.
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
