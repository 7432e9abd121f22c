//! One call of a tool at its server, through the questions that the server asks meanwhile and the task that it may make of
//! the call.
//!
//! A server of the older protocol asks while the call is under way: the call is put aside with the question and taken up
//! again with the answer. One of the newer protocol answers with its questions, and is called once more. What tells which of
//! them it is, and which call, goes through the log as the state of the question.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::{GivenInput, NeededInput, Phrase, ServerAnswer, ServerQuestion, phrase};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ElicitRequestParams,
    ElicitResult, GetTaskParams, InputRequests, Task, TaskPayload, UpdateTaskParams,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use crate::questions::{needed, question, responses, result};

/// So many calls of one server may wait for an answer; the one that has waited longest is given up for another.
const MOST_PARKED: usize = 32;
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
enum GoesOn {
    /// It is made again, with what the server gave.
    Again(Option<String>),
    /// It was put aside under this number.
    Parked(u64),
    /// It is a task of this name.
    Task(String),
}

type UnderWay = Pin<Box<dyn Future<Output = Result<CallToolResponse, ServiceError>> + Send>>;

/// A call that is under way while its question is open.
struct Parked {
    call: UnderWay,
    reply: oneshot::Sender<ServerAnswer>,
    /// It still counts as one that can be asked about.
    in_call: InCall,
}

/// A question that came while a call was under way.
struct Asked {
    question: ServerQuestion,
    reply: oneshot::Sender<ServerAnswer>,
}

/// Where the questions of a server of the older protocol go.
#[derive(Clone)]
pub(crate) struct Asking {
    sender: mpsc::Sender<Asked>,
    in_calls: Arc<AtomicUsize>,
}

impl Asking {
    /// Asks the person through the call that has been under way the longest; without one nobody is asked.
    pub(crate) async fn ask(&self, asked: ElicitRequestParams) -> ElicitResult {
        let declined = || result(ServerAnswer::Decline);
        if self.in_calls.load(Ordering::SeqCst) == 0 {
            return declined();
        }
        let Ok(question) = question(asked) else { return declined() };
        let (reply, answer) = oneshot::channel();
        if self.sender.try_send(Asked { question, reply }).is_err() {
            return declined();
        }
        answer.await.map_or_else(|_| declined(), result)
    }
}

/// The calls of one connection.
pub(crate) struct Calls {
    asked: tokio::sync::Mutex<mpsc::Receiver<Asked>>,
    parked: Mutex<BTreeMap<u64, Parked>>,
    last: AtomicU64,
    in_calls: Arc<AtomicUsize>,
}

/// That a call is under way.
struct InCall(Arc<AtomicUsize>);

impl Drop for InCall {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Calls {
    pub(crate) fn new() -> (Calls, Asking) {
        let (sender, asked) = mpsc::channel(MOST_PARKED);
        let in_calls = Arc::new(AtomicUsize::new(0));
        let calls = Calls {
            asked: tokio::sync::Mutex::new(asked),
            parked: Mutex::default(),
            last: AtomicU64::new(0),
            in_calls: in_calls.clone(),
        };
        (calls, Asking { sender, in_calls })
    }

    /// Makes a call, or goes on with one that asked; dropping the future cancels the call at the server.
    pub(crate) async fn call(
        &self,
        peer: &Peer<RoleClient>,
        tool: &str,
        input: Map<String, Value>,
        given: Option<&GivenInput>,
    ) -> Result<Called, Failure> {
        let mut request = CallToolRequestParams::new(tool.to_owned()).with_arguments(input);
        let goes_on = given.map(|given| {
            let state = given.state.as_deref().and_then(|state| serde_json::from_str(state).ok());
            (given, state.unwrap_or(GoesOn::Again(None)))
        });
        match goes_on {
            None => {}
            Some((given, GoesOn::Parked(number))) => {
                let gone = || Failure::Other(phrase!("its server ended while the question was open"));
                let parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
                let Parked { call, reply, in_call } = parked.ok_or_else(gone)?;
                let answer = given.answers.get(ASKED).cloned().unwrap_or(ServerAnswer::Decline);
                reply.send(answer).map_err(|_| gone())?;
                return self.under_way(peer, call, in_call).await;
            }
            Some((given, GoesOn::Task(name))) => {
                peer.update_task(UpdateTaskParams::new(&name, responses(given))).await?;
                return follow(peer, name, None).await;
            }
            Some((given, GoesOn::Again(state))) => {
                request = request.with_input_responses(responses(given));
                if let Some(state) = state {
                    request = request.with_request_state(state);
                }
            }
        }
        let caller = peer.clone();
        let call: UnderWay = Box::pin(async move { caller.call_tool_once(request).await });
        self.in_calls.fetch_add(1, Ordering::SeqCst);
        self.under_way(peer, call, InCall(self.in_calls.clone())).await
    }

    async fn under_way(
        &self,
        peer: &Peer<RoleClient>,
        mut call: UnderWay,
        in_call: InCall,
    ) -> Result<Called, Failure> {
        let next_question = async { self.asked.lock().await.recv().await };
        let response = tokio::select! {
            biased;
            response = &mut call => response?,
            Some(Asked { question, reply }) = next_question => {
                let number = self.park(Parked { call, reply, in_call });
                let state = serde_json::to_string(&GoesOn::Parked(number)).ok();
                return Ok(Called::Asks(NeededInput { questions: [(ASKED.to_owned(), question)].into(), state }));
            }
        };
        match response {
            CallToolResponse::Complete(result) => Ok(Called::Complete(result)),
            CallToolResponse::InputRequired(asks) => {
                let requests = asks.input_requests.unwrap_or_default();
                asked(requests, &GoesOn::Again(asks.request_state))
            }
            CallToolResponse::Task(created) => {
                let Task { task_id, poll_interval_ms, .. } = created.task;
                follow(peer, task_id, poll_interval_ms).await
            }
            _ => Err(ServiceError::UnexpectedResponse.into()),
        }
    }

    fn park(&self, call: Parked) -> u64 {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        if parked.len() >= MOST_PARKED {
            parked.pop_first();
        }
        parked.insert(number, call);
        number
    }
}

fn asked(requests: InputRequests, goes_on: &GoesOn) -> Result<Called, Failure> {
    let state = serde_json::to_string(goes_on).ok();
    needed(requests, state).map(Called::Asks).map_err(Failure::Other)
}

/// A task that is cancelled at the server where nobody waits for it any more.
struct Waited {
    peer: Peer<RoleClient>,
    name: Option<String>,
}

impl Drop for Waited {
    fn drop(&mut self) {
        let Some(name) = self.name.take() else { return };
        let peer = self.peer.clone();
        tokio::spawn(async move { peer.cancel_task(CancelTaskParams::new(name)).await });
    }
}

/// Looks at a task until it is done or asks something.
async fn follow(peer: &Peer<RoleClient>, name: String, poll_ms: Option<u64>) -> Result<Called, Failure> {
    let mut waited = Waited { peer: peer.clone(), name: Some(name.clone()) };
    let mut poll_ms = poll_ms;
    loop {
        let poll = poll_ms.map_or(USUAL_POLL, Duration::from_millis);
        sleep(poll.clamp(POLLS.0, POLLS.1)).await;
        let seen = peer.get_task(GetTaskParams::new(&name)).await?.task;
        poll_ms = seen.task.poll_interval_ms.or(poll_ms);
        let ended = match seen.payload {
            TaskPayload::Working => continue,
            TaskPayload::InputRequired { input_requests } => {
                asked(input_requests, &GoesOn::Task(name.clone()))
            }
            TaskPayload::Completed { result } => match serde_json::from_value(Value::Object(result)) {
                Ok(result) => Ok(Called::Complete(result)),
                Err(_) => Err(ServiceError::UnexpectedResponse.into()),
            },
            TaskPayload::Failed { error } => match serde_json::from_value(Value::Object(error)) {
                Ok(error) => Err(ServiceError::McpError(error).into()),
                Err(_) => Err(ServiceError::UnexpectedResponse.into()),
            },
            TaskPayload::Cancelled => Err(Failure::Other(phrase!("its server cancelled it"))),
            _ => Err(ServiceError::UnexpectedResponse.into()),
        };
        // A task that asks goes on; one that ended needs no cancelling. What cannot be asked is cancelled.
        if !matches!(&ended, Err(Failure::Other(_))) {
            waited.name = None;
        }
        return ended;
    }
}
