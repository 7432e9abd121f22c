//! Routes sub-tasks by the present settings: to the workers of this process, or over a queue to those of other
//! machines.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use engine::{TaskQueue, ToolContext, ToolDirectory};
use kernel::{Code, SubTask, SubTaskResult, phrase};
use orchestrator::Workers;
use queue_nats::{Connection, NatsQueue, QueueAddress, SenderOptions, WorkerHeard, connect};
use secrecy::SecretString;
use tokio::sync::Mutex;
use vault::Vault;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::keys::key_in;
use crate::api::{Nothing, QueueCard, QueueServer, SaveQueue, Setting, WorkerCard};
use crate::settings::{QUEUE_CERTIFICATES, QUEUE_KEEPS_KEY, QUEUE_KEY_ENV, QUEUE_LEASE, QUEUE_URL, Settings};

/// The name of the session's key.
const OF_SESSION: &str = "queue";
/// Longest token, password or credentials file, in bytes.
const LONGEST_KEY: usize = 16 << 10;

/// The queue that the settings choose.
pub(crate) struct SettingsQueue {
    settings: Arc<Settings>,
    vault: Arc<Vault>,
    here: Workers,
    there: Mutex<There>,
}

/// The cached state of the remote queue.
#[derive(Default)]
struct There {
    /// The last used queue, with its address.
    queue: Option<(String, Arc<NatsQueue>)>,
    /// The time and error of the last failed connection.
    failed: Option<(Instant, ApiError)>,
}

impl SettingsQueue {
    pub(crate) fn new(
        settings: Arc<Settings>,
        vault: Arc<Vault>,
        tools: Arc<dyn ToolDirectory>,
    ) -> SettingsQueue {
        SettingsQueue { settings, vault, here: Workers::new(tools), there: Mutex::default() }
    }

    /// The remote queue of the settings; `None` where calls are made in this process.
    async fn there(&self) -> Result<Option<Arc<NatsQueue>>, ApiError> {
        let url = self.url()?;
        if url.is_empty() {
            return Ok(None);
        }
        let asked = Instant::now();
        let mut there = self.there.lock().await;
        let known = there.queue.as_ref().filter(|(of, _)| *of == url).map(|(_, queue)| queue.clone());
        if let Some(queue) = &known
            && queue.connection().is_up()
        {
            return Ok(known);
        }
        let failed = match &there.failed {
            // Another call failed to connect while this one waited for the lock.
            Some((at, error)) if *at > asked => error.clone(),
            // Also reconnects a lost connection, because its key may have changed.
            _ => match self.connect(&url).await {
                Ok(queue) => {
                    there.queue = Some((url, queue.clone()));
                    return Ok(Some(queue));
                }
                Err(error) => error,
            },
        };
        there.failed = Some((Instant::now(), failed.clone()));
        // A server that is gone may come back: the known queue waits for it, within its limits.
        known.filter(|_| failed.code == Code::Network).map_or(Err(failed), |queue| Ok(Some(queue)))
    }

    async fn connect(&self, url: &str) -> Result<Arc<NatsQueue>, ApiError> {
        let connection = self.connection(url).await?;
        Ok(Arc::new(NatsQueue::new(connection, SenderOptions::default()).await?))
    }

    /// The address in the settings; empty where calls are made in this process.
    pub(crate) fn url(&self) -> Result<String, ApiError> {
        self.settings.get(QUEUE_URL)
    }

    /// The file with additional root certificates for an encrypted server.
    pub(crate) fn certificates(&self) -> Result<Option<PathBuf>, ApiError> {
        let file = PathBuf::from(self.settings.get(QUEUE_CERTIFICATES)?);
        Ok(Some(file).filter(|file| !file.as_os_str().is_empty()))
    }

    /// Connects to a queue with its stored or named key.
    pub(crate) async fn connection(&self, url: &str) -> Result<Arc<Connection>, ApiError> {
        let address: QueueAddress = url.parse()?;
        let key = self.key(&address).await?;
        connect(&address, key.as_ref(), self.certificates()?).await
    }

    /// The time without a heartbeat after which the sub-tasks of a worker go to another one.
    pub(crate) fn lease(&self) -> Result<Duration, ApiError> {
        let value = self.settings.get(QUEUE_LEASE)?;
        let seconds = value.parse().ok().filter(|seconds: &u64| (1..=3600).contains(seconds));
        seconds.map(Duration::from_secs).ok_or_else(|| {
            let message = phrase!(
                "The setting `{key}` is `{value}`; it is a number of seconds from 1 to 3600",
                key = QUEUE_LEASE,
                value
            );
            ApiError::new(Code::BadInput, message)
        })
    }

    async fn key(&self, address: &QueueAddress) -> Result<Option<SecretString>, ApiError> {
        let url = address.to_string();
        if let Some(key) = self.vault.session_key(OF_SESSION, &url) {
            return Ok(Some(key));
        }
        // The stored key belongs to the queue of the settings only.
        if self.settings.get(QUEUE_URL)? != url {
            return Ok(None);
        }
        let variable = self.settings.get(QUEUE_KEY_ENV)?;
        if !variable.is_empty() {
            return key_of(&variable).map(Some);
        }
        if self.settings.get(QUEUE_KEEPS_KEY)? != "true" {
            return Ok(None);
        }
        self.vault.read(&entry(&url)).await
    }

    /// Drops the connection: the next sub-task reconnects.
    async fn disconnect(&self) {
        *self.there.lock().await = There::default();
    }
}

#[async_trait]
impl TaskQueue for SettingsQueue {
    async fn perform(&self, task: SubTask, context: &ToolContext) -> SubTaskResult {
        match self.there().await {
            Ok(None) => self.here.perform(task, context).await,
            Ok(Some(there)) => there.perform(task, context).await,
            Err(error) => task.result(Err(error)),
        }
    }

    async fn takes_requests(&self) -> bool {
        self.url().is_ok_and(|url| !url.is_empty())
    }
}

/// The key in an environment variable.
pub(crate) fn key_of(variable: &str) -> Result<SecretString, ApiError> {
    key_in(variable).ok_or_else(|| {
        let message = phrase!(
            "The environment variable `{variable}`, which holds the key of the queue, is not set",
            variable
        );
        ApiError::new(Code::KeyUnavailable, message)
    })
}

/// The keyring entry of a queue. It contains the address, so that a changed address does not get the key.
fn entry(url: &str) -> String {
    format!("queue for {url}")
}

fn card_of(worker: WorkerHeard) -> WorkerCard {
    let WorkerHeard { name, role, at_once, working, heard_at_ms, .. } = worker;
    WorkerCard { name, role, working, at_once, heard_at_ms }
}

impl AccountService {
    pub(crate) async fn describe_queue(&self, _: Nothing) -> Result<QueueCard, ApiError> {
        let settings = &self.settings;
        let url = settings.get(QUEUE_URL)?;
        let card = QueueCard {
            has_session_key: self.vault.session_key(OF_SESSION, &url).is_some(),
            url,
            key_env: settings.get(QUEUE_KEY_ENV)?,
            keeps_key: settings.get(QUEUE_KEEPS_KEY)? == "true",
            ..QueueCard::default()
        };
        Ok(match self.queue_server().await {
            Ok(server) => QueueCard { server, ..card },
            Err(error) => QueueCard { error: Some(*error.phrase), ..card },
        })
    }

    /// The state of the queue's server; `None` where none is set.
    async fn queue_server(&self) -> Result<Option<QueueServer>, ApiError> {
        let Some(queue) = self.queue.there().await? else { return Ok(None) };
        let connection = queue.connection();
        let workers = connection.workers().await?;
        let (sub_tasks, dead_letters) = connection.counts().await?;
        let (version, is_encrypted) = connection.server();
        let workers = workers.into_iter().map(card_of).collect();
        Ok(Some(QueueServer { version, is_encrypted, sub_tasks, dead_letters, workers }))
    }

    pub(crate) async fn save_queue(&self, asked: SaveQueue) -> Result<QueueCard, ApiError> {
        let SaveQueue { url, key_env, key, for_session } = asked;
        let (settings, vault) = (&self.settings, &self.vault);
        let url = match url.trim() {
            "" => String::new(),
            url => url.parse::<QueueAddress>()?.to_string(),
        };
        let key = key.map(|key| key.trim().to_owned());
        if key.as_ref().is_some_and(|key| key.len() > LONGEST_KEY) {
            let message = phrase!("The key of a queue has {most} bytes at the most", most = LONGEST_KEY);
            return Err(ApiError::new(Code::BadInput, message));
        }
        let former = settings.get(QUEUE_URL)?;
        let kept_former = settings.get(QUEUE_KEEPS_KEY)? == "true";
        let mut keeps = kept_former && former == url;
        if url.is_empty() {
            vault.remove_session_key(OF_SESSION);
        } else if let Some(key) = key {
            vault.remove_session_key(OF_SESSION);
            keeps = !key.is_empty() && !for_session;
            let secret = SecretString::from(key.clone());
            if keeps {
                vault.keep(&entry(&url), secret).await?;
            } else if !key.is_empty() {
                vault.set_session_key(OF_SESSION, &url, secret);
            }
        }
        let set = |key: &str, value: String| settings.set(&Setting { key: key.to_owned(), value });
        set(QUEUE_URL, url.clone())?;
        set(QUEUE_KEY_ENV, if url.is_empty() { String::new() } else { key_env.trim().to_owned() })?;
        set(QUEUE_KEEPS_KEY, if keeps { "true".to_owned() } else { String::new() })?;
        if kept_former && (former != url || !keeps) {
            vault.forget(&entry(&former)).await?;
        }
        self.queue.disconnect().await;
        self.describe_queue(Nothing {}).await
    }
}
