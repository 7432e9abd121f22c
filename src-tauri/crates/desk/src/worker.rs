//! The worker: takes sub-tasks of a role from a queue and performs them, with the profiles and rules of this data
//! folder.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{CancellationToken, ToolDescription, WorkerRules, World, perform_sent};
use kernel::{Code, Rule, SubTask, SubTaskWork, ToolResult, phrase};
use queue_nats::{Performer, WorkerEvent, WorkerOptions, connect, work};

use crate::ApiError;
use crate::accounts::profile_card::find;
use crate::accounts::saved_tool_servers::SavedToolServers;
use crate::accounts::task_queue::{SettingsQueue, key_of};
use crate::settings::Settings;

/// Most sub-tasks that a worker takes at once.
const MOST_AT_ONCE: u32 = 1000;
/// Longest role, in bytes: it is part of a name at the server.
const LONGEST_ROLE: usize = 64;

/// The options of a worker.
#[derive(Debug, Clone, Default)]
pub struct WorkerSetup {
    /// The role whose sub-tasks it takes.
    pub role: String,
    /// The queue's address; empty for the one in the settings.
    pub queue: String,
    /// The environment variable with the key of the queue, if not the one in the settings.
    pub key_env: Option<String>,
    /// Its display name; empty for its host and process.
    pub name: String,
    /// Most sub-tasks at once.
    pub at_once: u32,
    /// The calls that it makes for others beside reading the web: `TOOL` or `TOOL@HOST`.
    pub allow: Vec<String>,
    /// The profiles for models that it asks for others.
    pub profiles: Vec<String>,
}

/// Performs sub-tasks with the models and tools of this data folder.
struct SubTaskPerformer {
    world: World,
    tool_servers: Arc<SavedToolServers>,
    rules: WorkerRules,
    report: Box<dyn Fn(WorkerEvent) + Send + Sync>,
}

#[async_trait]
impl Performer for SubTaskPerformer {
    async fn perform(&self, task: &SubTask, cancel: CancellationToken) -> Result<ToolResult, ApiError> {
        if let SubTaskWork::Call(call) = &task.work {
            self.prepare(&call.tool).await?;
        }
        perform_sent(task, &self.world, &self.rules, cancel).await
    }

    fn notify(&self, event: WorkerEvent) {
        (self.report)(event);
    }
}

impl SubTaskPerformer {
    /// Starts the server of a tool, if the tool may be called for others.
    async fn prepare(&self, tool: &str) -> Result<(), ApiError> {
        let standing = self.world.permissions.rules();
        let mut rules = self.rules.allowed.iter().chain(&standing.always);
        if ToolDescription::is_foreign(tool) && rules.any(|rule| rule.covers(tool, None)) {
            self.tool_servers.reload()?;
            self.tool_servers.loaded.prepare(tool).await?;
        }
        Ok(())
    }
}

/// Takes sub-tasks from queues.
pub struct WorkerService {
    pub(crate) settings: Arc<Settings>,
    pub(crate) queue: Arc<SettingsQueue>,
    pub(crate) world: World,
    pub(crate) tool_servers: Arc<SavedToolServers>,
}

impl WorkerService {
    /// Takes sub-tasks from a queue until `stop` is cancelled, then ends when the started ones are reported. Calls
    /// `began` with the address once the server is reached, and `report` with each event.
    ///
    /// # Errors
    /// The role or the queue is missing, or the queue cannot be used when the worker starts. A server that goes away
    /// later is waited for.
    pub async fn work(
        &self,
        setup: WorkerSetup,
        stop: CancellationToken,
        began: impl FnOnce(&str),
        report: impl Fn(WorkerEvent) + Send + Sync + 'static,
    ) -> Result<(), ApiError> {
        let refused = |message| Err(ApiError::new(Code::BadInput, message));
        if setup.role.trim().is_empty() {
            return refused(phrase!("A worker needs a role: `--role ResearchAgent`"));
        }
        if setup.role.trim().len() > LONGEST_ROLE {
            return refused(phrase!("The name of a role has {most} bytes at the most", most = LONGEST_ROLE));
        }
        if setup.at_once == 0 || setup.at_once > MOST_AT_ONCE {
            return refused(phrase!(
                "A worker takes from 1 to {most} sub-tasks at once, not {count}",
                most = MOST_AT_ONCE,
                count = setup.at_once
            ));
        }
        let url = match setup.queue.trim() {
            "" => self.queue.url()?,
            url => url.to_owned(),
        };
        if url.is_empty() {
            return refused(phrase!(
                "A worker needs a queue: `--queue nats://HOST:PORT`, or the setting `queue.url`"
            ));
        }
        let allowed = setup.allow.iter().map(|rule| rule.parse()).collect::<Result<Vec<Rule>, ApiError>>()?;
        for profile in &setup.profiles {
            find(&self.settings, profile)?;
        }
        let rules = WorkerRules { allowed, profiles: setup.profiles.clone() };
        let lease = self.queue.lease()?;
        let connection = match &setup.key_env {
            Some(variable) => {
                connect(&url.parse()?, Some(&key_of(variable)?), self.queue.certificates()?).await?
            }
            None => self.queue.connection(&url).await?,
        };
        began(&url);
        let name = if setup.name.trim().is_empty() { own_name() } else { setup.name.trim().to_owned() };
        let options =
            WorkerOptions { role: setup.role.trim().to_owned(), name, at_once: setup.at_once, lease };
        let (world, tool_servers) = (self.world.clone(), self.tool_servers.clone());
        let performer = SubTaskPerformer { world, tool_servers, rules, report: Box::new(report) };
        work(connection, options, Arc::new(performer), stop).await;
        Ok(())
    }
}

/// The host name and the process id.
fn own_name() -> String {
    let host = gethostname::gethostname().to_string_lossy().into_owned();
    format!("{host}-{}", std::process::id())
}
