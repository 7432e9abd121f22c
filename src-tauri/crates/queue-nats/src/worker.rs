//! The worker's side: takes sub-tasks of a role, performs them and reports.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use async_trait::async_trait;
use engine::{CancellationToken, MOST_DELIVERIES, given_up, new_id};
use futures::{FutureExt, StreamExt};
use kernel::{Code, Error, SubTask, SubTaskOutcome, SubTaskResult, ToolResult};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::messages::{REASON, SENDER, header, packed, packed_bytes, unpacked};
use crate::presence::{self, Heartbeat};
use crate::publish::publish;
use crate::sender::{Claim, ClaimAnswer};
use crate::{Connection, errors, subjects};

/// How long one pull request stays at the server: it does not survive the server's restart.
const PULL: Duration = Duration::from_secs(3);
/// Timeout for a sender's answer to a claim.
const CLAIMING: Duration = Duration::from_secs(5);
/// Most deliveries of a message whose value or sender is unavailable; then it becomes a dead letter.
const MOST_TRIES: i64 = 30;
/// Timeout for the server's confirmation of an acknowledgement. A message that is no longer in its streams gets none.
const ACKNOWLEDGING: Duration = Duration::from_secs(2);
/// The delay before the next attempt if the server does not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// The options of a worker.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// The role whose sub-tasks it takes.
    pub role: String,
    /// Its name for people.
    pub name: String,
    /// Most sub-tasks that it takes at once, at least one.
    pub at_once: u32,
    /// How long without a sign of life its sub-tasks are delivered to another worker.
    pub lease: Duration,
}

/// An event of a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerEvent {
    /// It started a sub-task: its id, and its tool or model.
    Began(String, String),
    /// It reported a result: the sub-task's id, and whether it succeeded.
    Reported(String, bool),
    /// It released a sub-task that is no longer wanted or that another worker began.
    LetGo(String),
    /// It moved a message that cannot be performed to the dead letters, for this reason.
    LaidAside(String, Error),
    /// The server does not answer; the worker tries again.
    Waits(Error),
}

/// Performs sub-tasks.
#[async_trait]
pub trait Performer: Send + Sync + 'static {
    /// Performs one. When it is no longer wanted, `cancel` is cancelled and the future dropped.
    ///
    /// # Errors
    /// The error that is reported to the sender.
    async fn perform(&self, task: &SubTask, cancel: CancellationToken) -> Result<ToolResult, Error>;
    /// Is called with each event.
    fn notify(&self, event: WorkerEvent);
}

/// Takes sub-tasks until `stop` is cancelled, and then ends when those in progress are reported. If the server is
/// unreachable, it waits.
pub async fn work(
    connection: Arc<Connection>,
    options: WorkerOptions,
    performer: Arc<dyn Performer>,
    stop: CancellationToken,
) {
    let about = Heartbeat {
        name: options.name.clone(),
        role: options.role.clone(),
        at_once: options.at_once,
        working: 0,
    };
    let worker = Arc::new(Worker {
        id: new_id().to_string(),
        connection,
        options,
        performer,
        working: AtomicU32::new(0),
        wanted: Mutex::default(),
        asked: Mutex::default(),
    });
    {
        let present = presence::be_present(&worker.connection, &worker.id, &about, &worker.working);
        let stops = worker.hear_stops();
        let takes = async {
            let mut in_hand = JoinSet::new();
            worker.take(&mut in_hand, &stop).await;
            while in_hand.join_next().await.is_some() {}
        };
        tokio::select! { () = takes => {}, () = present => {}, () = stops => {} }
    }
    presence::leave(&worker.connection, &worker.id).await;
    let _ = worker.connection.client.flush().await;
}

struct Worker {
    id: String,
    connection: Arc<Connection>,
    options: WorkerOptions,
    performer: Arc<dyn Performer>,
    /// The number of sub-tasks in progress.
    working: AtomicU32,
    /// The sub-tasks in progress, by id as part of a subject; each token cancels one that is no longer wanted.
    wanted: Mutex<HashMap<String, CancellationToken>>,
    /// The attempts with a claim that was not answered and that were not started.
    asked: Mutex<HashMap<String, String>>,
}

/// The outcome of a delivery.
enum DeliveryOutcome {
    /// It is reported or not wanted: the message is removed.
    Settled,
    /// It is delivered again later.
    Later(Option<Duration>),
    /// It can never be performed.
    Dead(Error),
}

impl Worker {
    async fn take(self: &Arc<Self>, in_hand: &mut JoinSet<()>, stop: &CancellationToken) {
        let slots = Arc::new(Semaphore::new(self.options.at_once.max(1) as usize));
        let mut known = None;
        while !stop.is_cancelled() {
            let first = tokio::select! {
                first = slots.clone().acquire_owned() => first,
                () = stop.cancelled() => return,
            };
            let Ok(mut free) = first else { return };
            let more = u32::try_from(slots.available_permits()).unwrap_or_default();
            if let Ok(more) = slots.clone().try_acquire_many_owned(more) {
                free.merge(more);
            }
            let pulled = async {
                let consumer = match known.take() {
                    Some(consumer) => consumer,
                    None => self.connection.consumer(&self.options.role, self.options.lease).await?,
                };
                let is_answered = self.pull(&consumer, &mut free, in_hand, stop).await?;
                // A server that does not answer may have lost the consumer.
                Ok(is_answered.then_some(consumer))
            };
            match pulled.await {
                Ok(consumer) => known = consumer,
                Err(error) => {
                    self.performer.notify(WorkerEvent::Waits(error));
                    tokio::select! { () = sleep(AGAIN) => {}, () = stop.cancelled() => return }
                }
            }
        }
    }

    /// Requests as many sub-tasks as there are free slots, and starts each that arrives. Returns whether the server
    /// ended the request.
    async fn pull(
        self: &Arc<Self>,
        consumer: &Consumer<pull::Config>,
        free: &mut OwnedSemaphorePermit,
        in_hand: &mut JoinSet<()>,
        stop: &CancellationToken,
    ) -> Result<bool, Error> {
        let batch = consumer.batch().max_messages(free.num_permits()).expires(PULL).messages().await;
        let mut batch = batch.map_err(|error| errors::of_streams(&self.connection.address, &error))?;
        // Three heartbeats fit into the time after which the server delivers the message to another worker.
        let beat = consumer.cached_info().config.ack_wait / 3;
        while free.num_permits() > 0 {
            // The client's own timeout comes seconds later.
            let Ok(next) = timeout(PULL + AGAIN, batch.next()).await else { return Ok(false) };
            let Some(message) = next else { return Ok(true) };
            let message =
                message.map_err(|error| errors::unreachable(&self.connection.address, &error.to_string()))?;
            if stop.is_cancelled() {
                // It arrived while the worker was ending: another one gets it immediately.
                let _ = message.ack_with(AckKind::Nak(None)).await;
                continue;
            }
            let Some(slot) = free.split(1) else { return Ok(true) };
            let worker = self.clone();
            while in_hand.try_join_next().is_some() {}
            in_hand.spawn(async move {
                worker.working.fetch_add(1, Ordering::Relaxed);
                let end = worker.handle(&message, beat).await;
                worker.working.fetch_sub(1, Ordering::Relaxed);
                // The next one does not wait for the confirmation of this one.
                drop(slot);
                worker.acknowledge(&message, end).await;
            });
        }
        Ok(true)
    }

    /// Performs a message, and meanwhile tells the server that it is in progress.
    async fn handle(&self, message: &Message, beat: Duration) -> DeliveryOutcome {
        let id = subjects::last_token(&message.subject).to_owned();
        let wanted = CancellationToken::new();
        match self.wanted().entry(id.clone()) {
            // A server that lost the consumer delivers messages in progress again.
            Entry::Occupied(_) => return DeliveryOutcome::Later(Some(beat)),
            Entry::Vacant(entry) => entry.insert(wanted.clone()),
        };
        let end = {
            let work = self.settle(message, &id, beat, wanted);
            tokio::pin!(work);
            let mut beats = interval(beat);
            beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    end = &mut work => break end,
                    _ = beats.tick() => { let _ = message.ack_with(AckKind::Progress).await; }
                }
            }
        };
        self.wanted().remove(&id);
        if !matches!(end, DeliveryOutcome::Later(_)) {
            self.asked().remove(&id);
        }
        end
    }

    async fn acknowledge(&self, message: &Message, end: DeliveryOutcome) {
        let acknowledged = match end {
            DeliveryOutcome::Settled => timeout(ACKNOWLEDGING, message.double_ack()).await,
            DeliveryOutcome::Later(wait) => Ok(message.ack_with(AckKind::Nak(wait)).await),
            DeliveryOutcome::Dead(error) => {
                let id = subjects::last_token(&message.subject).to_owned();
                let laid = self.lay_aside(message, &id, &error).await;
                self.performer.notify(WorkerEvent::LaidAside(id, error));
                match laid {
                    Ok(()) => timeout(ACKNOWLEDGING, message.double_ack_with(AckKind::Term)).await,
                    Err(_) => Ok(Ok(())),
                }
            }
        };
        if !matches!(acknowledged, Ok(Ok(()))) {
            tracing::debug!("the server may deliver a message again that is settled");
        }
    }

    async fn settle(
        &self,
        message: &Message,
        id: &str,
        beat: Duration,
        wanted: CancellationToken,
    ) -> DeliveryOutcome {
        let headers = message.headers.as_ref();
        let Some(sender) = header(headers, SENDER) else {
            return DeliveryOutcome::Dead(errors::unreadable("it does not tell its sender"));
        };
        let delivered = message.info().map_or(1, |info| info.delivered);
        let task: SubTask = match unpacked(&self.connection, headers, &message.payload).await {
            Ok(task) => task,
            Err(error) if error.code == Code::Network && delivered <= MOST_TRIES => {
                return DeliveryOutcome::Later(Some(AGAIN));
            }
            Err(error) => return DeliveryOutcome::Dead(error),
        };
        if subjects::token(&task.sub_task_id) != id || task.assigned_agent_role != self.options.role {
            return DeliveryOutcome::Dead(errors::unreadable("it is for another role, or under another id"));
        }
        // A worker that died after its report left the message here.
        match self.connection.stored_result(&sender, &task.sub_task_id).await {
            Ok(Some(_)) => return DeliveryOutcome::Settled,
            Ok(None) => {}
            Err(_) => return DeliveryOutcome::Later(Some(AGAIN)),
        }
        if task.is_once() {
            match self.claims(&sender, &task, id).await {
                Some(true) => {}
                Some(false) => {
                    self.performer.notify(WorkerEvent::LetGo(task.sub_task_id));
                    return DeliveryOutcome::Settled;
                }
                None if delivered > MOST_TRIES => {
                    return DeliveryOutcome::Dead(errors::unreadable("nobody waits for its result"));
                }
                None => return DeliveryOutcome::Later(Some(beat)),
            }
        } else if delivered > i64::from(MOST_DELIVERIES) {
            let count = u32::try_from(delivered - 1).unwrap_or(u32::MAX);
            let error = given_up(task.subject(), count);
            return match self.report(&sender, task.result(Err(error.clone()))).await {
                Ok(()) => DeliveryOutcome::Dead(error),
                Err(_) => DeliveryOutcome::Later(Some(AGAIN)),
            };
        }
        self.performer.notify(WorkerEvent::Began(task.sub_task_id.clone(), task.subject().to_owned()));
        let done = async {
            let performed = self.performer.perform(&task, wanted.clone());
            // A tool that panics ends its sub-task, which is delivered again, but not the worker.
            let Ok(result) = AssertUnwindSafe(performed).catch_unwind().await else {
                return DeliveryOutcome::Later(None);
            };
            self.report_until_stored(&sender, &task, result).await;
            DeliveryOutcome::Settled
        };
        tokio::select! {
            end = done => end,
            () = wanted.cancelled() => {
                self.performer.notify(WorkerEvent::LetGo(task.sub_task_id.clone()));
                DeliveryOutcome::Settled
            }
        }
    }

    /// Reports the result of a sub-task. If the server does not accept the report, this waits instead of repeating the
    /// work.
    async fn report_until_stored(&self, sender: &str, task: &SubTask, result: Result<ToolResult, Error>) {
        let (id, is_done) = (task.sub_task_id.clone(), result.is_ok());
        let result = task.result(result);
        while let Err(error) = self.report(sender, result.clone()).await {
            self.performer.notify(WorkerEvent::Waits(error));
            sleep(AGAIN).await;
        }
        self.performer.notify(WorkerEvent::Reported(id, is_done));
    }

    /// Stores the result of a sub-task. A result that is too large is reported as failed.
    async fn report(&self, sender: &str, result: SubTaskResult) -> Result<(), Error> {
        let id = result.sub_task_id.clone();
        let name = format!("{id}.result");
        let message = match packed(&self.connection, &name, &result).await {
            Ok(message) => message,
            Err(error) if error.code == Code::BadInput => {
                let outcome = SubTaskOutcome::Failed { error_details: error };
                packed(&self.connection, &name, &SubTaskResult { outcome, ..result }).await?
            }
            Err(error) => return Err(error),
        };
        publish(&self.connection, &subjects::result(sender, &id), &format!("{id}.result"), &message).await
    }

    /// Asks the sender whether this attempt may start; `None` without an answer. If the message is delivered again, an
    /// attempt that was not started keeps its id, because the sender may have granted it.
    async fn claims(&self, sender: &str, task: &SubTask, id: &str) -> Option<bool> {
        let attempt = self.asked().entry(id.to_owned()).or_insert_with(|| new_id().to_string()).clone();
        let sub_task_id = task.sub_task_id.clone();
        let asked = serde_json::to_vec(&Claim { sub_task_id, worker: self.id.clone(), attempt }).ok()?;
        let answer = self.connection.client.request(subjects::claim(sender), asked.into());
        let answer = timeout(CLAIMING, answer).await.ok()?.ok()?;
        let is_granted = serde_json::from_slice::<ClaimAnswer>(&answer.payload).ok()?.is_granted;
        // Another delivery is another attempt: the progress of this one would be unknown.
        self.asked().remove(id);
        Some(is_granted)
    }

    /// Stores a message as a dead letter, with the reason.
    async fn lay_aside(&self, message: &Message, id: &str, error: &Error) -> Result<(), Error> {
        let mut headers = message.headers.clone().unwrap_or_default();
        let reason = error.to_string().replace(['\r', '\n'], " ");
        headers.insert(REASON, reason.as_str());
        // With the reason it may be too large for a message.
        let name = format!("{id}.dead_letter");
        let kept = packed_bytes(&self.connection, headers, &name, message.payload.to_vec()).await?;
        publish(&self.connection, &subjects::dead_letter(&self.options.role, id), &name, &kept).await
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self) -> MutexGuard<'_, HashMap<String, CancellationToken>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn hear_stops(&self) {
        let Ok(mut stops) = self.connection.client.subscribe(subjects::ALL_STOPS).await else {
            return std::future::pending().await;
        };
        while let Some(stop) = stops.next().await {
            if let Some(wanted) = self.wanted().get(subjects::last_token(&stop.subject)) {
                wanted.cancel();
            }
        }
    }
}
