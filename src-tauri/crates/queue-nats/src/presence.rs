//! Heartbeats of workers: each sends one every few seconds; one without heartbeats for a while counts as gone.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use futures::StreamExt;
use kernel::Error;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::connection::PRESENCE;
use crate::{Connection, errors, subjects};

/// Interval between heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Timeout for a list of workers.
const LISTING: Duration = Duration::from_secs(2);

/// The content of a heartbeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Heartbeat {
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) at_once: u32,
    pub(crate) working: u32,
}

/// A worker with a heartbeat in the last half minute.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerHeard {
    /// Unique for each start of a worker.
    pub id: String,
    /// Its name for people: its host and process, unless it was given one.
    pub name: String,
    /// The role whose sub-tasks it takes.
    pub role: String,
    /// Most sub-tasks that it takes at once.
    pub at_once: u32,
    /// Sub-tasks in progress at its last heartbeat.
    pub working: u32,
    /// Time of its last heartbeat, in milliseconds since 1970 UTC.
    pub heard_at_ms: i64,
}

impl Connection {
    /// The workers, by role and name.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn workers(&self) -> Result<Vec<WorkerHeard>, Error> {
        // Reading a list may never end if the server stops.
        let listed = timeout(LISTING * 2, self.listed_workers()).await;
        listed.unwrap_or_else(|_| Err(errors::unreachable(&self.address, "it gives no list of workers")))
    }

    async fn listed_workers(&self) -> Result<Vec<WorkerHeard>, Error> {
        let failed = |error: &(dyn std::error::Error + 'static)| errors::of_streams(&self.address, error);
        let stream = self.stream(subjects::WORKERS).await?;
        let config = pull::Config {
            deliver_policy: DeliverPolicy::LastPerSubject,
            filter_subject: subjects::ALL_WORKERS.to_owned(),
            ack_policy: AckPolicy::None,
            inactive_threshold: HEARTBEAT,
            ..pull::Config::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(|error| failed(&error))?;
        let count = usize::try_from(consumer.cached_info().num_pending).unwrap_or_default();
        if count == 0 {
            return Ok(Vec::new());
        }
        let found = consumer.batch().max_messages(count).expires(LISTING).messages().await;
        let mut found = found.map_err(|error| failed(&error))?;
        let mut workers = Vec::new();
        while let Some(message) = found.next().await {
            let message = message.map_err(|error| errors::unreachable(&self.address, &error.to_string()))?;
            // Anyone with access may write anything here; a worker that left wrote an empty message.
            let Ok(present) = serde_json::from_slice::<Heartbeat>(&message.payload) else { continue };
            let heard = message.info().map(|info| info.published.unix_timestamp_nanos() / 1_000_000);
            let Heartbeat { name, role, at_once, working } = present;
            workers.push(WorkerHeard {
                id: subjects::last_token(&message.subject).to_owned(),
                name,
                role,
                at_once,
                working,
                heard_at_ms: heard.ok().and_then(|at| i64::try_from(at).ok()).unwrap_or_default(),
            });
        }
        workers.sort_by(|one, other| {
            (&one.role, &one.name, &one.id).cmp(&(&other.role, &other.name, &other.id))
        });
        Ok(workers)
    }
}

/// Sends heartbeats until this future is dropped.
pub(crate) async fn be_present(connection: &Connection, id: &str, about: &Heartbeat, working: &AtomicU32) {
    let mut beats = tokio::time::interval(HEARTBEAT.min(PRESENCE / 3));
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        beats.tick().await;
        let present = Heartbeat { working: working.load(Ordering::Relaxed), ..about.clone() };
        let sent = async {
            let json =
                serde_json::to_vec(&present).map_err(|error| errors::unreadable(&error.to_string()))?;
            say(connection, id, json).await
        };
        if let Err(error) = sent.await {
            tracing::debug!(%error, "nobody is told that this worker is there");
        }
    }
}

/// Reports that a worker has left.
pub(crate) async fn leave(connection: &Connection, id: &str) {
    if let Err(error) = say(connection, id, Vec::new()).await {
        tracing::debug!(%error, "the worker is listed until it counts as gone");
    }
}

async fn say(connection: &Connection, id: &str, what: Vec<u8>) -> Result<(), Error> {
    let published = connection.streams.publish(subjects::worker(id), what.into()).await;
    let failed = match published {
        Ok(stored) => match stored.await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        },
        Err(error) => error,
    };
    if failed.kind() == PublishErrorKind::StreamNotFound {
        connection.make_streams().await?;
    }
    Err(errors::of_streams(&connection.address, &failed))
}
