//! The sender's side: sends sub-tasks and waits for their results.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::{HeaderMap, Message, Subscriber};
use async_trait::async_trait;
use engine::{MOST_DELIVERIES, TaskQueue, ToolContext, new_id, unknown_outcome};
use futures::StreamExt;
use kernel::{Code, Error, SubTask, SubTaskResult};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval_at};

use crate::connection::Link;
use crate::messages::{REASON, SENDER, header, packed, remove_stored, unpacked};
use crate::publish::publish;
use crate::{Connection, WorkerHeard, errors, subjects};

/// The timeouts of a sender.
#[derive(Debug, Clone, Copy)]
pub struct SenderOptions {
    /// How long the server, or all workers of a role, may be silent before a sub-task is given up.
    pub patience: Duration,
    /// Interval of the check for workers and for stored results that were missed.
    pub look_every: Duration,
}

impl Default for SenderOptions {
    fn default() -> SenderOptions {
        SenderOptions { patience: Duration::from_secs(120), look_every: Duration::from_secs(10) }
    }
}

/// The queues of a server, for runs of this process.
pub struct NatsQueue {
    shared: Arc<Shared>,
    /// The tasks that receive results and claims; they end with the queue.
    _listening: JoinSet<()>,
}

struct Shared {
    connection: Arc<Connection>,
    /// The id under which results arrive here.
    id: String,
    options: SenderOptions,
    /// By the sub-task's id as part of a subject.
    waiting: Mutex<HashMap<String, Waiting>>,
    /// The last list of workers, shared by all that wait.
    listed: tokio::sync::Mutex<Option<(Instant, Vec<WorkerHeard>)>>,
}

/// A sub-task whose result is awaited.
struct Waiting {
    task: Arc<SubTask>,
    /// Which worker began a call that may be made only once.
    claim: Option<Claim>,
    result: oneshot::Sender<SubTaskResult>,
}

/// The state of a sub-task whose result is awaited.
enum SubTaskState {
    /// In the queue, and a worker is present.
    Here,
    /// In the queue or begun, and no worker is present.
    NoWorker,
    /// Its result is stored.
    Answered,
    /// A dead letter, for this reason.
    LaidAside(Error),
    /// Not found.
    Lost,
    /// The server does not answer.
    Unanswered,
}

/// A worker's question whether it may start a call that may be made only once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    pub(crate) sub_task_id: String,
    /// The worker's id.
    pub(crate) worker: String,
    /// Unique for each attempt: a worker may get a sub-task again that it has begun.
    pub(crate) attempt: String,
}

/// The answer to a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClaimAnswer {
    pub(crate) is_granted: bool,
}

impl NatsQueue {
    /// Opens the queues over a connection.
    ///
    /// # Errors
    /// The connection is closed.
    pub async fn new(connection: Arc<Connection>, options: SenderOptions) -> Result<NatsQueue, Error> {
        let id = new_id().to_string();
        let listen = async |subject: String| {
            let heard = connection.client.subscribe(subject).await;
            heard.map_err(|error| errors::unreachable(&connection.address, &error.to_string()))
        };
        let results = listen(subjects::results(&id)).await?;
        let claims = listen(subjects::claim(&id)).await?;
        let shared = Arc::new(Shared {
            connection: connection.clone(),
            id,
            options,
            waiting: Mutex::default(),
            listed: tokio::sync::Mutex::default(),
        });
        let mut listening = JoinSet::new();
        listening.spawn(shared.clone().take_results(results));
        listening.spawn(shared.clone().answer_claims(claims));
        Ok(NatsQueue { shared, _listening: listening })
    }

    /// The connection to the server.
    pub fn connection(&self) -> &Connection {
        &self.shared.connection
    }
}

#[async_trait]
impl TaskQueue for NatsQueue {
    async fn perform(&self, task: SubTask, _: &ToolContext) -> SubTaskResult {
        let task = Arc::new(task);
        let result = self.shared.clone().send_and_wait(task.clone()).await;
        result.unwrap_or_else(|error| task.result(Err(error)))
    }
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, HashMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send_and_wait(self: Arc<Self>, task: Arc<SubTask>) -> Result<SubTaskResult, Error> {
        let id = &task.sub_task_id;
        let mut message = packed(&self.connection, &format!("{id}.sub_task"), task.as_ref()).await?;
        message.headers.insert(SENDER, self.id.as_str());
        let (result, mut coming) = oneshot::channel();
        self.waiting().insert(subjects::token(id), Waiting { task: task.clone(), claim: None, result });
        // However the wait ends, dropping this cancels the sub-task.
        let mut sent =
            SentTask { shared: self.clone(), task: task.clone(), headers: message.headers.clone(), times: 1 };
        let subject = subjects::sub_task(&task.assigned_agent_role, id);
        // A worker may finish before the server has confirmed that it stored the sub-task.
        let sending = publish(&self.connection, &subject, id, &message);
        tokio::select! {
            sent = sending => sent?,
            Ok(result) = &mut coming => return Ok(result),
        }
        let look_every = self.options.look_every;
        let mut looks = interval_at(tokio::time::Instant::now() + look_every, look_every);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut link = self.connection.link();
        let mut last_heard = Instant::now();
        loop {
            tokio::select! {
                biased;
                result = &mut coming => return Ok(result.unwrap_or_else(|_| task.result(Err(unknown_outcome(task.subject()))))),
                changed = link.changed() => if changed.is_err() {
                    return Err(errors::unreachable(&self.connection.address, "closed"));
                },
                _ = looks.tick() => {}
            }
            let state = *link.borrow_and_update();
            if let Link::Down(since) = state {
                if since.elapsed() > self.options.patience {
                    return Err(
                        self.given_up(&task, errors::unreachable(&self.connection.address, "disconnected"))
                    );
                }
                continue;
            }
            match self.look(&task).await {
                SubTaskState::Here | SubTaskState::Unanswered => last_heard = Instant::now(),
                SubTaskState::NoWorker if last_heard.elapsed() > self.options.patience => {
                    let role = &task.assigned_agent_role;
                    let no_worker = errors::no_worker(&self.connection.address, role, self.options.patience);
                    return Err(self.given_up(&task, no_worker));
                }
                SubTaskState::NoWorker | SubTaskState::Answered => {}
                SubTaskState::LaidAside(reason) => return Err(self.given_up(&task, reason)),
                SubTaskState::Lost if sent.times >= MOST_DELIVERIES => {
                    return Err(self.given_up(&task, errors::lost(&self.connection.address)));
                }
                SubTaskState::Lost => {
                    let again = format!("{id}.{}", sent.times);
                    sent.times += 1;
                    tracing::warn!(sub_task = id, "the queue has lost a sub-task; it is sent again");
                    publish(&self.connection, &subject, &again, &message).await?;
                }
            }
        }
    }

    /// Looks up the state of a sub-task.
    async fn look(&self, task: &SubTask) -> SubTaskState {
        let id = &task.sub_task_id;
        let subject = subjects::sub_task(&task.assigned_agent_role, id);
        match self.connection.stored(subjects::SUB_TASKS, &subject).await {
            Ok(None) => {}
            // If the server does not answer, the workers are unknown.
            Err(_) => return SubTaskState::Unanswered,
            Ok(Some(_)) if self.has_worker(task).await => return SubTaskState::Here,
            Ok(Some(_)) => return SubTaskState::NoWorker,
        }
        // A worker removes a sub-task once its result is stored.
        match self.connection.stored_result(&self.id, id).await {
            Ok(Some(stored)) => {
                self.take(&subjects::token(id), Some(&stored.headers), &stored.payload).await;
                return SubTaskState::Answered;
            }
            Ok(None) => {}
            Err(_) => return SubTaskState::Unanswered,
        }
        let letter = subjects::dead_letter(&task.assigned_agent_role, id);
        match self.connection.stored(subjects::DEAD_LETTERS, &letter).await {
            Ok(Some(letter)) => {
                let reason = header(Some(&letter.headers), REASON).unwrap_or_default();
                return SubTaskState::LaidAside(errors::laid_aside(&task.assigned_agent_role, &reason));
            }
            Ok(None) => {}
            Err(_) => return SubTaskState::Unanswered,
        }
        match self.waiting().get(&subjects::token(id)) {
            // The result arrived in the meantime.
            None => SubTaskState::Answered,
            Some(Waiting { claim: None, .. }) => SubTaskState::Lost,
            // The worker that began it may still report.
            Some(_) => SubTaskState::NoWorker,
        }
    }

    /// The error of a sub-task that is given up. For a call that was begun and may be made only once, the outcome is
    /// unknown.
    fn given_up(&self, task: &SubTask, error: Error) -> Error {
        let waiting = self.waiting();
        let is_begun =
            waiting.get(&subjects::token(&task.sub_task_id)).is_some_and(|waiting| waiting.claim.is_some());
        if is_begun { unknown_outcome(task.subject()) } else { error }
    }

    /// Whether a worker that could perform it, or has begun it, sent a heartbeat lately.
    async fn has_worker(&self, task: &SubTask) -> bool {
        let token = subjects::token(&task.sub_task_id);
        let begun = self.waiting().get(&token).and_then(|waiting| waiting.claim.clone());
        let mut listed = self.listed.lock().await;
        if listed.as_ref().is_none_or(|(at, _)| at.elapsed() > self.options.look_every / 2) {
            let Ok(workers) = self.connection.workers().await else { return true };
            *listed = Some((Instant::now(), workers));
        }
        listed.iter().flat_map(|(_, workers)| workers).any(|worker| match &begun {
            Some(claim) => worker.id == claim.worker,
            None => worker.role == task.assigned_agent_role,
        })
    }

    /// Delivers a result to the waiter with this id. An unreadable result also ends its sub-task.
    async fn take(&self, token: &str, headers: Option<&HeaderMap>, payload: &[u8]) {
        let read = unpacked::<SubTaskResult>(&self.connection, headers, payload).await;
        if let Err(Error { code: Code::Network, .. }) = read {
            // Its value cannot be fetched now; the next check tries again.
            return;
        }
        let Some(Waiting { task, result, .. }) = self.waiting().remove(token) else { return };
        remove_stored(&self.connection, headers).await;
        let read = match read {
            Ok(read) if read.sub_task_id == task.sub_task_id => read,
            _ => {
                // The writer may not be the worker, which removes the sub-tasks that it has completed.
                let subject = subjects::sub_task(&task.assigned_agent_role, &task.sub_task_id);
                self.connection.remove(subjects::SUB_TASKS, &subject).await;
                let other = || errors::unreadable("it is the result of another sub-task");
                task.result(Err(read.err().unwrap_or_else(other)))
            }
        };
        let _ = result.send(read);
    }

    async fn take_results(self: Arc<Self>, mut results: Subscriber) {
        while let Some(message) = results.next().await {
            let token = subjects::last_token(&message.subject);
            self.take(token, message.headers.as_ref(), &message.payload).await;
        }
    }

    async fn answer_claims(self: Arc<Self>, mut claims: Subscriber) {
        while let Some(Message { payload, reply: Some(reply), .. }) = claims.next().await {
            let is_granted = serde_json::from_slice(&payload).is_ok_and(|claim| self.grants(claim));
            let answer = serde_json::to_vec(&ClaimAnswer { is_granted }).unwrap_or_default();
            // A worker without an answer asks again.
            let _ = self.connection.client.publish(reply, answer.into()).await;
        }
    }

    /// Whether this attempt may start a call that may be made only once: the first that asks, however often. If another
    /// one asks, the first is no longer heard of, and its progress is unknown.
    fn grants(&self, claim: Claim) -> bool {
        let mut all = self.waiting();
        let token = subjects::token(&claim.sub_task_id);
        let Some(waiting) = all.get_mut(&token) else { return false };
        if waiting.claim.as_ref().is_none_or(|first| *first == claim) {
            waiting.claim = Some(claim);
            return true;
        }
        if let Some(Waiting { task, result, .. }) = all.remove(&token) {
            let _ = result.send(task.result(Err(unknown_outcome(task.subject()))));
        }
        false
    }
}

/// A sub-task that was sent. Dropping it removes it from the queue and tells its worker to stop.
struct SentTask {
    shared: Arc<Shared>,
    task: Arc<SubTask>,
    headers: HeaderMap,
    /// How often it was sent.
    times: u32,
}

impl Drop for SentTask {
    fn drop(&mut self) {
        let is_open = self.shared.waiting().remove(&subjects::token(&self.task.sub_task_id)).is_some();
        // If it was sent again, a second message may exist.
        let stays = is_open || self.times > 1;
        let (shared, task, headers) =
            (self.shared.clone(), self.task.clone(), std::mem::take(&mut self.headers));
        // Without a runtime the program is ending, and the run with it: the sender is asked before calls that may be
        // made once, the others are pure.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let (connection, id) = (&shared.connection, &task.sub_task_id);
            if stays {
                connection
                    .remove(subjects::SUB_TASKS, &subjects::sub_task(&task.assigned_agent_role, id))
                    .await;
                let _ = connection.client.publish(subjects::stop(id), Vec::new().into()).await;
            }
            connection.remove(subjects::RESULTS, &subjects::result(&shared.id, id)).await;
            remove_stored(connection, Some(&headers)).await;
        });
    }
}
