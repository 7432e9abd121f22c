//! A connection to a server, with the streams and stores of the queue.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{
    DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy, StorageType, Stream,
};
use async_nats::jetstream::{self, object_store, stream};
use async_nats::{Client, ConnectErrorKind, Event};
use kernel::Error;
use secrecy::SecretString;
use tokio::sync::watch;

use crate::{QueueAddress, errors, subjects};

/// The oldest supported server, as version parts.
const OLDEST: (i64, i64, i64) = (2, 9, 0);
/// Timeout for a connection.
const CONNECTING: Duration = Duration::from_secs(5);
/// The delays between attempts to reconnect, which grow.
const FIRST_DELAY: Duration = Duration::from_millis(100);
const LONGEST_DELAY: Duration = Duration::from_secs(2);
/// Timeout for an answer of the server.
const ANSWERING: Duration = Duration::from_secs(5);
/// How long sub-tasks, results and values are kept if they are not fetched.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// How long dead letters are kept.
const LIFETIME_OF_DEAD: Duration = Duration::from_secs(7 * 24 * 3600);
/// The window within which the server drops duplicates of a message.
const DUPLICATES: Duration = Duration::from_secs(600);
/// How long after its last heartbeat a worker counts as gone.
pub(crate) const PRESENCE: Duration = Duration::from_secs(30);

/// A connection to a queue. It reconnects by itself.
pub struct Connection {
    pub(crate) address: QueueAddress,
    pub(crate) client: Client,
    pub(crate) streams: jetstream::Context,
    link: watch::Receiver<Link>,
}

/// Whether the server is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// Connected, with the number of reconnections.
    Up(u64),
    /// Disconnected since then.
    Down(Instant),
}

/// Most pull requests that wait at the consumer of a role: one for each of its workers.
const MOST_WAITING: i64 = 8192;
/// Most sub-tasks of a role that are in progress at once.
const MOST_WORKED_ON: i64 = 65_536;

/// Connects to a queue and creates missing streams. Existing ones stay as they are: the operator of the server may have
/// given them other limits.
///
/// # Errors
/// The server cannot be reached (`network`), refuses the credentials (`key_refused`), is too old, or has no streams
/// (`request_refused`).
pub async fn connect(
    address: &QueueAddress,
    secret: Option<&SecretString>,
    root_certificates: Option<PathBuf>,
) -> Result<Arc<Connection>, Error> {
    let (up, link) = watch::channel(Link::Up(0));
    let on_event = move |event: Event| {
        up.send_modify(|link| match event {
            Event::Connected => *link = Link::Up(if let Link::Up(count) = *link { count + 1 } else { 1 }),
            Event::Disconnected if matches!(link, Link::Up(_)) => *link = Link::Down(Instant::now()),
            _ => {}
        });
        async {}
    };
    // Other servers that a server announces are ignored: the announcement is unencrypted, and they would get the key.
    let options = address.options(secret, root_certificates)?.ignore_discovered_servers();
    let options = options.require_tls(address.is_encrypted()).name("galley").connection_timeout(CONNECTING);
    let connecting = options.event_callback(on_event).reconnect_delay_callback(delay);
    let client = connecting.connect(address.server()).await.map_err(|error| match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => address.refused(),
        _ => errors::unreachable(address, &errors::innermost_reason(&error)),
    })?;
    let (major, minor, patch) = OLDEST;
    if !client.is_server_compatible(major, minor, patch) {
        let needed = format!("{major}.{minor}.{patch}");
        return Err(errors::too_old(address, &client.server_info().version, &needed));
    }
    let streams = ContextBuilder::new().timeout(ANSWERING).ack_timeout(ANSWERING).build(client.clone());
    let connection = Connection { address: address.clone(), streams, client, link };
    connection.make_streams().await?;
    Ok(Arc::new(connection))
}

/// The delay before this attempt to reconnect, counted from 1.
fn delay(attempt: usize) -> Duration {
    FIRST_DELAY.saturating_mul(u32::try_from(attempt).unwrap_or(u32::MAX)).min(LONGEST_DELAY)
}

impl Connection {
    /// The server's address.
    pub fn address(&self) -> &QueueAddress {
        &self.address
    }

    /// The version of the server, and whether the connection is encrypted.
    pub fn server(&self) -> (String, bool) {
        let info = self.client.server_info();
        (info.version, info.tls_required)
    }

    /// The number of sub-tasks that wait or are in progress, and of dead letters.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn counts(&self) -> Result<(u32, u32), Error> {
        let count = async |stream| {
            let info = self.stream(stream).await?.get_info().await;
            let info = info.map_err(|error| errors::of_streams(&self.address, &error))?;
            Ok::<_, Error>(u32::try_from(info.state.messages).unwrap_or(u32::MAX))
        };
        Ok((count(subjects::SUB_TASKS).await?, count(subjects::DEAD_LETTERS).await?))
    }

    /// Whether the server is connected now.
    pub fn is_up(&self) -> bool {
        matches!(*self.link.borrow(), Link::Up(_))
    }

    /// Changes whenever the connection is established or lost.
    pub(crate) fn link(&self) -> watch::Receiver<Link> {
        self.link.clone()
    }

    /// Creates missing streams and stores: a server may also have lost them.
    pub(crate) async fn make_streams(&self) -> Result<(), Error> {
        let failed = |error: &(dyn std::error::Error + 'static)| errors::of_streams(&self.address, error);
        let made = [
            stream::Config {
                name: subjects::SUB_TASKS.to_owned(),
                subjects: vec![subjects::ALL_SUB_TASKS.to_owned()],
                retention: RetentionPolicy::WorkQueue,
                // A full stream rejects new messages instead of discarding old ones.
                discard: DiscardPolicy::New,
                max_age: LIFETIME,
                duplicate_window: DUPLICATES,
                ..stream::Config::default()
            },
            stream::Config {
                name: subjects::RESULTS.to_owned(),
                subjects: vec![subjects::ALL_RESULTS.to_owned()],
                max_age: LIFETIME,
                duplicate_window: DUPLICATES,
                ..stream::Config::default()
            },
            stream::Config {
                name: subjects::DEAD_LETTERS.to_owned(),
                subjects: vec![subjects::ALL_DEAD_LETTERS.to_owned()],
                max_age: LIFETIME_OF_DEAD,
                duplicate_window: DUPLICATES,
                ..stream::Config::default()
            },
            // A key-value store would fit, but the client cannot create one on a 2.9 server.
            stream::Config {
                name: subjects::WORKERS.to_owned(),
                subjects: vec![subjects::ALL_WORKERS.to_owned()],
                storage: StorageType::Memory,
                max_age: PRESENCE,
                max_messages_per_subject: 1,
                ..stream::Config::default()
            },
        ];
        for config in made {
            self.streams.get_or_create_stream(config).await.map_err(|error| match error.kind() {
                CreateStreamErrorKind::JetStreamUnavailable => errors::without_streams(&self.address),
                _ => failed(&error),
            })?;
        }
        if self.streams.get_object_store(subjects::VALUES).await.is_err() {
            let bucket = subjects::VALUES.to_owned();
            let config =
                object_store::Config { bucket, max_age: LIFETIME, ..object_store::Config::default() };
            self.streams.create_object_store(config).await.map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// A stream of the queue.
    pub(crate) async fn stream(&self, name: &str) -> Result<Stream<()>, Error> {
        let stream = self.streams.get_stream_no_info(name).await;
        stream.map_err(|error| errors::of_streams(&self.address, &error))
    }

    /// The store of values that are too large for a message.
    pub(crate) async fn values(&self) -> Result<object_store::ObjectStore, Error> {
        let values = self.streams.get_object_store(subjects::VALUES).await;
        values.map_err(|error| errors::of_streams(&self.address, &error))
    }

    /// The consumer that the workers of a role share, created if it is missing. A message without a sign of life from
    /// its worker for `lease` is delivered again; an existing consumer keeps its own lease.
    pub(crate) async fn consumer(
        &self,
        role: &str,
        lease: Duration,
    ) -> Result<Consumer<pull::Config>, Error> {
        let failed = |error: &(dyn std::error::Error + 'static)| errors::of_streams(&self.address, error);
        let config = pull::Config {
            durable_name: Some(subjects::consumer(role)),
            filter_subject: subjects::of_role(role),
            ack_policy: AckPolicy::Explicit,
            ack_wait: lease,
            max_waiting: MOST_WAITING,
            max_ack_pending: MOST_WORKED_ON,
            ..pull::Config::default()
        };
        let stream = self.stream(subjects::SUB_TASKS).await?;
        let name = subjects::consumer(role);
        stream.get_or_create_consumer(&name, config).await.map_err(|error| failed(&error))
    }

    /// The result of a sub-task, if it is stored.
    pub(crate) async fn stored_result(&self, sender: &str, id: &str) -> Result<Option<StreamMessage>, Error> {
        self.stored(subjects::RESULTS, &subjects::result(sender, id)).await
    }

    /// The last message of a subject in a stream.
    pub(crate) async fn stored(&self, stream: &str, subject: &str) -> Result<Option<StreamMessage>, Error> {
        let stream = self.stream(stream).await?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(errors::of_streams(&self.address, &error)),
        }
    }

    /// Removes the messages of a subject from a stream. Those that cannot be removed expire.
    pub(crate) async fn remove(&self, stream: &str, subject: &str) {
        let Ok(found) = self.stream(stream).await else { return };
        if let Err(error) = found.purge().filter(subject).await {
            tracing::debug!(%error, subject, "a message of the queue stays until its lifetime ends");
        }
    }
}
