//! The side that takes sub-tasks of a role, does them and reports.

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
use crate::presence::{self, Present};
use crate::publish::publish;
use crate::sender::{Claim, ClaimAnswer};
use crate::{Connection, errors, subjects};

/// How long one request for sub-tasks stays at the server: it does not survive the server's restart.
const PULL: Duration = Duration::from_secs(3);
/// How long the answer of a sender is waited for.
const CLAIMING: Duration = Duration::from_secs(5);
/// So often a message is delivered whose value or whose sender does not answer, before it is laid aside.
const MOST_TRIES: i64 = 30;
/// How long the server may take to say that it knows of an end. What is not in its streams any more gets no answer.
const ACKNOWLEDGING: Duration = Duration::from_secs(2);
/// The wait before the next attempt at a server that does not answer.
const AGAIN: Duration = Duration::from_secs(1);

/// Who works, and at what.
#[derive(Debug, Clone)]
pub struct WorkerOptions {
    /// Whose sub-tasks it takes.
    pub role: String,
    /// Its name for people.
    pub name: String,
    /// So many sub-tasks it takes at once, one or more.
    pub at_once: u32,
    /// After so long without a sign of life its sub-tasks go to another worker.
    pub lease: Duration,
}

/// What happens to a worker.
#[derive(Debug, Clone, PartialEq)]
pub enum WorkerEvent {
    /// It begins a sub-task: its id, and its tool or model.
    Began(String, String),
    /// It reported a result: the sub-task's id, and whether it was done.
    Reported(String, bool),
    /// Nobody wants this sub-task any more, or another worker began it.
    LetGo(String),
    /// This message could not be done and was laid aside as a dead letter, for this reason.
    LaidAside(String, Error),
    /// The server does not answer; it is asked again.
    Waits(Error),
}

/// Who does sub-tasks.
#[async_trait]
pub trait Performer: Send + Sync + 'static {
    /// Does one. `cancel` ends when nobody wants it any more; so does the future.
    ///
    /// # Errors
    /// What is reported to the sender.
    async fn perform(&self, task: &SubTask, cancel: CancellationToken) -> Result<ToolResult, Error>;
    /// Is told what happens.
    fn told(&self, event: WorkerEvent);
}

/// Takes sub-tasks until it is told to stop; then it takes no more, and ends when those in hand are reported. A server that
/// goes away is waited for.
pub async fn work(
    connection: Arc<Connection>,
    options: WorkerOptions,
    performer: Arc<dyn Performer>,
    stop: CancellationToken,
) {
    let about = Present {
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
    /// So many sub-tasks are in hand.
    working: AtomicU32,
    /// What is in hand, by the sub-task's id as part of a subject: ends what nobody wants any more.
    wanted: Mutex<HashMap<String, CancellationToken>>,
    /// The attempts that a sender was asked about and that were not begun, since its answer did not come.
    asked: Mutex<HashMap<String, String>>,
}

/// What became of a delivery.
enum End {
    /// It is reported or not wanted: the message goes.
    Settled,
    /// Somebody may do it later.
    Later(Option<Duration>),
    /// Nobody can do it.
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
                // A server that says nothing may have lost it.
                Ok(is_answered.then_some(consumer))
            };
            match pulled.await {
                Ok(consumer) => known = consumer,
                Err(error) => {
                    self.performer.told(WorkerEvent::Waits(error));
                    tokio::select! { () = sleep(AGAIN) => {}, () = stop.cancelled() => return }
                }
            }
        }
    }

    /// Asks the server once for as many sub-tasks as there are free slots, and begins each that comes. Gives whether the
    /// server ended the request.
    async fn pull(
        self: &Arc<Self>,
        consumer: &Consumer<pull::Config>,
        free: &mut OwnedSemaphorePermit,
        in_hand: &mut JoinSet<()>,
        stop: &CancellationToken,
    ) -> Result<bool, Error> {
        let batch = consumer.batch().max_messages(free.num_permits()).expires(PULL).messages().await;
        let mut batch = batch.map_err(|error| errors::of_streams(&self.connection.address, &error))?;
        // Each beat comes three times before the server gives the message to somebody else.
        let beat = consumer.cached_info().config.ack_wait / 3;
        while free.num_permits() > 0 {
            // The client's own end of the wait comes seconds later.
            let Ok(next) = timeout(PULL + AGAIN, batch.next()).await else { return Ok(false) };
            let Some(message) = next else { return Ok(true) };
            let message =
                message.map_err(|error| errors::unreachable(&self.connection.address, &error.to_string()))?;
            if stop.is_cancelled() {
                // It came while the worker ended: another one has it at once.
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
                // The next one does not wait for the server's word about this one.
                drop(slot);
                worker.acknowledge(&message, end).await;
            });
        }
        Ok(true)
    }

    /// Does what a message says, while the server is told that it is worked on.
    async fn handle(&self, message: &Message, beat: Duration) -> End {
        let id = subjects::last_token(&message.subject).to_owned();
        let wanted = CancellationToken::new();
        match self.wanted().entry(id.clone()) {
            // A server that lost the consumer delivers again what is in hand.
            Entry::Occupied(_) => return End::Later(Some(beat)),
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
        if !matches!(end, End::Later(_)) {
            self.asked().remove(&id);
        }
        end
    }

    async fn acknowledge(&self, message: &Message, end: End) {
        let acknowledged = match end {
            End::Settled => timeout(ACKNOWLEDGING, message.double_ack()).await,
            End::Later(wait) => Ok(message.ack_with(AckKind::Nak(wait)).await),
            End::Dead(error) => {
                let id = subjects::last_token(&message.subject).to_owned();
                let laid = self.lay_aside(message, &id, &error).await;
                self.performer.told(WorkerEvent::LaidAside(id, error));
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

    async fn settle(&self, message: &Message, id: &str, beat: Duration, wanted: CancellationToken) -> End {
        let headers = message.headers.as_ref();
        let Some(sender) = header(headers, SENDER) else {
            return End::Dead(errors::unreadable("it does not tell its sender"));
        };
        let delivered = message.info().map_or(1, |info| info.delivered);
        let task: SubTask = match unpacked(&self.connection, headers, &message.payload).await {
            Ok(task) => task,
            Err(error) if error.code == Code::Network && delivered <= MOST_TRIES => {
                return End::Later(Some(AGAIN));
            }
            Err(error) => return End::Dead(error),
        };
        if subjects::token(&task.sub_task_id) != id || task.assigned_agent_role != self.options.role {
            return End::Dead(errors::unreadable("it is for another role, or under another id"));
        }
        // A worker that died after its report left the message here.
        match self.connection.stored_result(&sender, &task.sub_task_id).await {
            Ok(Some(_)) => return End::Settled,
            Ok(None) => {}
            Err(_) => return End::Later(Some(AGAIN)),
        }
        if task.is_once() {
            match self.claims(&sender, &task, id).await {
                Some(true) => {}
                Some(false) => {
                    self.performer.told(WorkerEvent::LetGo(task.sub_task_id));
                    return End::Settled;
                }
                None if delivered > MOST_TRIES => {
                    return End::Dead(errors::unreadable("nobody waits for its result"));
                }
                None => return End::Later(Some(beat)),
            }
        } else if delivered > i64::from(MOST_DELIVERIES) {
            let count = u32::try_from(delivered - 1).unwrap_or(u32::MAX);
            let error = given_up(task.subject(), count);
            return match self.report(&sender, task.result(Err(error.clone()))).await {
                Ok(()) => End::Dead(error),
                Err(_) => End::Later(Some(AGAIN)),
            };
        }
        self.performer.told(WorkerEvent::Began(task.sub_task_id.clone(), task.subject().to_owned()));
        let done = async {
            let performed = self.performer.perform(&task, wanted.clone());
            // A tool that panics ends its sub-task, which is delivered again, and no worker.
            let Ok(result) = AssertUnwindSafe(performed).catch_unwind().await else {
                return End::Later(None);
            };
            self.report_until_stored(&sender, &task, result).await;
            End::Settled
        };
        tokio::select! {
            end = done => end,
            () = wanted.cancelled() => {
                self.performer.told(WorkerEvent::LetGo(task.sub_task_id.clone()));
                End::Settled
            }
        }
    }

    /// Reports what a sub-task came to. It is not done again because the server does not take the report: it waits.
    async fn report_until_stored(&self, sender: &str, task: &SubTask, result: Result<ToolResult, Error>) {
        let (id, is_done) = (task.sub_task_id.clone(), result.is_ok());
        let result = task.result(result);
        while let Err(error) = self.report(sender, result.clone()).await {
            self.performer.told(WorkerEvent::Waits(error));
            sleep(AGAIN).await;
        }
        self.performer.told(WorkerEvent::Reported(id, is_done));
    }

    /// Stores what a sub-task came to. What is too large to be stored is reported as failed.
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

    /// Asks the sender whether this attempt may begin; nothing where nobody answers. An attempt that was asked about and not
    /// begun is the same one when the message comes again: the sender may have granted it.
    async fn claims(&self, sender: &str, task: &SubTask, id: &str) -> Option<bool> {
        let attempt = self.asked().entry(id.to_owned()).or_insert_with(|| new_id().to_string()).clone();
        let sub_task_id = task.sub_task_id.clone();
        let asked = serde_json::to_vec(&Claim { sub_task_id, worker: self.id.clone(), attempt }).ok()?;
        let answer = self.connection.client.request(subjects::claim(sender), asked.into());
        let answer = timeout(CLAIMING, answer).await.ok()?.ok()?;
        let is_granted = serde_json::from_slice::<ClaimAnswer>(&answer.payload).ok()?.is_granted;
        // Another delivery is another attempt: how far this one came is not known then.
        self.asked().remove(id);
        Some(is_granted)
    }

    /// Keeps a message among the dead letters, with the reason.
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
