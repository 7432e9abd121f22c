//! Who works: each worker says every few seconds that it is there; one that says nothing for a while counts as gone.

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

/// How often a worker says that it is there.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long the server may take to list them.
const LISTING: Duration = Duration::from_secs(2);

/// What a worker says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Present {
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) at_once: u32,
    pub(crate) working: u32,
}

/// A worker that was heard of in the last half minute.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerHeard {
    /// Another one for each start of a worker.
    pub id: String,
    /// Its name for people: its host and process, unless it was given one.
    pub name: String,
    /// Whose sub-tasks it takes.
    pub role: String,
    /// So many sub-tasks it takes at once.
    pub at_once: u32,
    /// So many it had in hand when it was heard.
    pub working: u32,
    /// When it was last heard, in milliseconds since 1970.
    pub heard_at_ms: i64,
}

impl Connection {
    /// Who works, by role and name.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn workers(&self) -> Result<Vec<WorkerHeard>, Error> {
        // A list that is being read when the server ends would not come to its end.
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
            // Anybody who may write there can write anything; who left wrote nothing.
            let Ok(present) = serde_json::from_slice::<Present>(&message.payload) else { continue };
            let heard = message.info().map(|info| info.published.unix_timestamp_nanos() / 1_000_000);
            let Present { name, role, at_once, working } = present;
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

/// Says that a worker is there, until this future is dropped.
pub(crate) async fn be_present(connection: &Connection, id: &str, about: &Present, working: &AtomicU32) {
    let mut beats = tokio::time::interval(HEARTBEAT.min(PRESENCE / 3));
    beats.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
    loop {
        beats.tick().await;
        let present = Present { working: working.load(Ordering::Relaxed), ..about.clone() };
        let said = async {
            let json =
                serde_json::to_vec(&present).map_err(|error| errors::unreadable(&error.to_string()))?;
            say(connection, id, json).await
        };
        if let Err(error) = said.await {
            tracing::debug!(%error, "nobody is told that this worker is there");
        }
    }
}

/// Says that a worker is gone.
pub(crate) async fn leave(connection: &Connection, id: &str) {
    if let Err(error) = say(connection, id, Vec::new()).await {
        tracing::debug!(%error, "the worker is listed until it counts as gone");
    }
}

async fn say(connection: &Connection, id: &str, what: Vec<u8>) -> Result<(), Error> {
    let said = connection.streams.publish(subjects::worker(id), what.into()).await;
    let failed = match said {
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
