//! The configured tool servers, their connections, and their cached tool lists.
//!
//! A server is started on first use and ended with the program. Its tool list is cached in a file, so that its tools
//! are known before it runs: drawing a pipeline starts nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use engine::Tool;
use kernel::{Code, Error, Phrase, phrase};
use secrecy::SecretString;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::authorization::{Authorization, TokenWork};
use crate::config::{Given, ServerConfig};
use crate::connection::{Connection, Era, Reach};
use crate::keyring::Keyring;
use crate::listing::ListedTool;
use crate::listing_cache::{CachedListing, ListingCache, hash};
use crate::server_tool::ServerTool;

/// The least time between a report of changed tools and the next listing.
const LIST_INTERVAL: Duration = Duration::from_millis(500);

/// The name that means all tools of a server.
const ALL: &str = "*";

/// Tool servers. Clones share them.
#[derive(Clone)]
pub struct ToolServers {
    inner: Arc<Inner>,
}

struct Inner {
    galley: Option<PathBuf>,
    folder: PathBuf,
    cached: ListingCache,
    keyring: Arc<dyn Keyring>,
    servers: RwLock<BTreeMap<String, Arc<Server>>>,
    changes: watch::Sender<()>,
    token_work: TokenWork,
}

/// A tool server.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) config: ServerConfig,
    /// None for a local program.
    pub(crate) authorization: Option<Arc<Authorization>>,
    shared: Arc<Inner>,
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    cached: RwLock<CachedListing>,
    /// Cancelled when it was removed, changed or ended with the program: it must not be started again.
    gone: CancellationToken,
}

/// The result of testing a server.
#[derive(Debug, Clone)]
pub struct ServerReport {
    /// The server's own name and version.
    pub title: String,
    /// Its protocol.
    pub era: Era,
    /// The tools that cannot be offered, with reasons.
    pub refused: Vec<(String, Phrase)>,
    /// The end of its standard error.
    pub standard_error: String,
}

impl ToolServers {
    /// Creates an empty set of servers. `galley` is the program to start as the guard of a server; `folder` is the data
    /// folder.
    pub fn new(galley: Option<PathBuf>, folder: &Path, keyring: Arc<dyn Keyring>) -> ToolServers {
        let changes = watch::Sender::new(());
        let (cached, servers, token_work) =
            (ListingCache::of(folder), RwLock::default(), TokenWork::default());
        let folder = folder.to_owned();
        let inner = Inner { galley, folder, cached, keyring, servers, changes, token_work };
        ToolServers { inner: Arc::new(inner) }
    }

    /// Replaces the configured servers. Unchanged ones keep running; the others are ended.
    pub fn set(&self, configs: BTreeMap<String, ServerConfig>) {
        let cached = self.inner.cached.read();
        let mut servers = self.inner.servers.write().unwrap_or_else(PoisonError::into_inner);
        let mut old = std::mem::take(&mut *servers);
        let mut has_changed = false;
        for (name, config) in configs {
            if old.get(&name).is_some_and(|server| server.config == config) {
                servers.extend(old.remove_entry(&name));
                continue;
            }
            has_changed = true;
            let cached = cached.get(&name).filter(|cached| cached.config == Some(hash(&config)));
            // A sign-in belongs to a name and an address, and survives other changes.
            let former = old.get(&name).filter(|server| server.config.url == config.url);
            let authorization = former.and_then(|server| server.authorization.clone());
            let authorization = authorization.filter(|authorization| !authorization.gone.is_cancelled());
            let server = Server {
                name: name.clone(),
                authorization: authorization.or_else(|| {
                    let Inner { folder, keyring, token_work, .. } = &*self.inner;
                    Authorization::of(&name, &config, folder, keyring, token_work)
                }),
                config,
                shared: self.inner.clone(),
                connection: tokio::sync::Mutex::default(),
                cached: RwLock::new(cached.cloned().unwrap_or_default()),
                gone: CancellationToken::new(),
            };
            servers.insert(name, Arc::new(server));
        }
        for server in old.into_values() {
            has_changed = true;
            server.gone.cancel();
            let goes_on = servers.get(&server.name).is_some_and(|new| new.config.url == server.config.url);
            if let Some(authorization) = server.authorization.as_ref().filter(|_| !goes_on) {
                authorization.gone.cancel();
            }
            tokio::spawn(async move { server.close().await });
        }
        drop(servers);
        if has_changed {
            let _ = self.inner.changes.send(());
        }
    }

    /// All offered tools from the cached lists.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.servers().iter().flat_map(Server::tools).collect()
    }

    /// The tool with this name, `SERVER/TOOL`.
    pub fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let (server, tool) = name.split_once('/')?;
        self.server(server).ok()?.tool(tool)
    }

    /// The names of the offered tools of a server from its cached list, in order.
    pub fn offered(&self, server: &str) -> Vec<String> {
        let Ok(server) = self.server(server) else { return Vec::new() };
        server.tools().map(|tool| tool.describe().name).collect()
    }

    /// All tools in a server's cached list, offered or not: name, description, and the bytes that a model gets for it.
    pub fn listed(&self, server: &str) -> Vec<(String, String, usize)> {
        let Ok(server) = self.server(server) else { return Vec::new() };
        let cached = server.cached.read().unwrap_or_else(PoisonError::into_inner);
        let tools = cached.listing.tools.iter();
        tools.map(|tool| (tool.name.clone(), tool.description.clone(), tool.bytes())).collect()
    }

    /// Changes whenever a tool is added, removed or modified.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.inner.changes.subscribe()
    }

    /// Starts the server of a tool, so that its tool list is current; `SERVER/*` means all tools of a server.
    ///
    /// # Errors
    /// `not_found` when there is no such server or tool; `bad_input` when the server is disabled; else the error of its
    /// start.
    pub async fn prepare(&self, tool: &str) -> Result<(), Error> {
        let (name, own) = tool.split_once('/').unwrap_or((tool, ""));
        let server = self.server(name)?;
        server.connection().await?;
        if own == ALL || server.tool(own).is_some() {
            return Ok(());
        }
        let known: Vec<String> = server.tools().map(|tool| tool.describe().name).collect();
        let message = phrase!(
            "The tool server `{name}` has no tool `{tool}`; it offers {known}",
            name,
            tool = own,
            known
        );
        Err(Error::new(Code::NotFound, message))
    }

    /// Starts a new instance of a server and lists its tools.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`].
    pub async fn test(&self, name: &str) -> Result<ServerReport, Error> {
        // A separate connection, because runs may be using the other one.
        let server = self.server(name)?;
        let (connection, cached) = server.open().await?;
        let report = ServerReport {
            title: connection.title(),
            era: connection.era,
            refused: cached.listing.refused.clone(),
            standard_error: connection.standard_error(),
        };
        connection.close().await;
        server.take(cached);
        Ok(report)
    }

    /// Requests the end of all servers, and starts none any more. Their guards end the processes. Then does the same as
    /// [`ToolServers::finish_tokens`].
    pub async fn close(&self) {
        for server in self.servers() {
            server.gone.cancel();
            if let Some(connection) = server.connection.lock().await.take() {
                connection.stop();
            }
        }
        self.finish_tokens().await;
    }

    /// Waits until tokens are renewed, stored or revoked, for at most ten seconds; none is renewed after that.
    pub async fn finish_tokens(&self) {
        self.inner.token_work.close().await;
    }

    fn servers(&self) -> Vec<Arc<Server>> {
        self.inner.servers.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    pub(crate) fn server(&self, name: &str) -> Result<Arc<Server>, Error> {
        let servers = self.inner.servers.read().unwrap_or_else(PoisonError::into_inner);
        let Some(server) = servers.get(name) else {
            let known: Vec<&String> = servers.keys().collect();
            let message = match known.is_empty() {
                true => phrase!(
                    "There is no tool server `{name}`; add it with `galley tool-server add {name}`",
                    name
                ),
                false => phrase!("There is no tool server `{name}`; there is {known}", name, known),
            };
            return Err(Error::new(Code::NotFound, message));
        };
        Ok(server.clone())
    }
}

impl Server {
    fn tools(self: &Arc<Server>) -> impl Iterator<Item = Arc<dyn Tool>> {
        let listed = match self.config.is_off {
            true => Vec::new(),
            false => self.cached.read().unwrap_or_else(PoisonError::into_inner).listing.tools.clone(),
        };
        let server = self.clone();
        let offered = listed.into_iter().filter(move |tool| server.config.offers(&tool.name));
        let server = self.clone();
        offered.map(move |listed| Arc::new(ServerTool { server: server.clone(), listed }) as Arc<dyn Tool>)
    }

    fn tool(self: &Arc<Server>, name: &str) -> Option<Arc<dyn Tool>> {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        let listed = cached.listing.tools.iter().find(|tool| tool.name == name)?;
        let is_offered = !self.config.is_off && self.config.offers(name);
        is_offered
            .then(|| Arc::new(ServerTool { server: self.clone(), listed: listed.clone() }) as Arc<dyn Tool>)
    }

    /// Whether its current list contains exactly this tool.
    pub(crate) fn lists(&self, tool: &ListedTool) -> bool {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        self.config.offers(&tool.name) && cached.listing.tools.contains(tool)
    }

    /// The connection, opened if there is none.
    pub(crate) async fn connection(self: &Arc<Server>) -> Result<Arc<Connection>, Error> {
        if self.config.is_off {
            let message = phrase!("The tool server `{name}` is switched off", name = self.name);
            return Err(Error::new(Code::BadInput, message));
        }
        if self.gone.is_cancelled() {
            let message = phrase!("The tool server `{name}` was removed, changed or ended", name = self.name);
            return Err(Error::new(Code::NotFound, message));
        }
        let mut open = self.connection.lock().await;
        if let Some(connection) = open.as_ref().filter(|connection| connection.is_open()) {
            return Ok(connection.clone());
        }
        if let Some(broken) = open.take() {
            broken.close().await;
        }
        let (connection, cached) = self.open().await?;
        let connection = Arc::new(connection);
        self.take(cached);
        tokio::spawn(follow(Arc::downgrade(self), Arc::downgrade(&connection), connection.stale.clone()));
        *open = Some(connection.clone());
        Ok(connection)
    }

    /// Opens a connection and lists the tools.
    async fn open(&self) -> Result<(Connection, CachedListing), Error> {
        let opened = async {
            let era = self.cached.read().unwrap_or_else(PoisonError::into_inner).era;
            self.opened(era).await
        };
        tokio::select! {
            biased;
            () = self.gone.cancelled() => {
                let message = phrase!("The tool server `{name}` was removed, changed or ended", name = self.name);
                Err(Error::new(Code::NotFound, message))
            }
            opened = opened => opened,
        }
    }

    async fn opened(&self, era: Option<Era>) -> Result<(Connection, CachedListing), Error> {
        let reach = Reach {
            galley: self.shared.galley.clone(),
            name: &self.name,
            config: &self.config,
            given: self.given().await?,
            authorization: self.authorization.clone().filter(|_| !self.config.sets_authorization()),
        };
        let connection = Connection::open(&reach, era).await?;
        connection.renew();
        let listing = match connection.list(&self.name).await {
            Ok(listing) => listing,
            Err(error) => {
                connection.close().await;
                return Err(error);
            }
        };
        let cached = CachedListing { config: Some(hash(&self.config)), era: Some(connection.era), listing };
        Ok((connection, cached))
    }

    /// The values of the server's variables or headers.
    async fn given(&self) -> Result<BTreeMap<String, SecretString>, Error> {
        let given = if self.config.url.is_some() { &self.config.headers } else { &self.config.env };
        let mut values = BTreeMap::new();
        for (name, from) in given {
            let value = match from {
                Given::Text(text) => text.as_str().into(),
                Given::Variable { env } => match std::env::var(env) {
                    Ok(value) => value.into(),
                    Err(_) => {
                        let message = phrase!(
                            "The tool server `{server}` needs the environment variable `{env}`, which is not set",
                            server = self.name,
                            env
                        );
                        return Err(Error::new(Code::KeyUnavailable, message));
                    }
                },
                Given::Kept { .. } => self.shared.keyring.value(&self.name, &self.config, name).await?,
            };
            values.insert(name.clone(), value);
        }
        Ok(values)
    }

    fn take(&self, cached: CachedListing) {
        let is_new = {
            let mut known = self.cached.write().unwrap_or_else(PoisonError::into_inner);
            let is_new = known.listing.tools != cached.listing.tools
                || known.era != cached.era
                || known.config != cached.config;
            *known = cached.clone();
            is_new
        };
        if is_new {
            self.shared.cached.keep(&self.name, cached);
            let _ = self.shared.changes.send(());
        }
    }

    async fn close(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            connection.close().await;
        }
    }
}

/// Lists the tools of a server again when it reports changes, with a minimum interval.
async fn follow(server: Weak<Server>, connection: Weak<Connection>, stale: Arc<Notify>) {
    loop {
        stale.notified().await;
        sleep(LIST_INTERVAL).await;
        let (Some(server), Some(connection)) = (server.upgrade(), connection.upgrade()) else { return };
        if !connection.is_open() {
            return;
        }
        match connection.list(&server.name).await {
            Ok(listing) => {
                server.take(CachedListing {
                    config: Some(hash(&server.config)),
                    era: Some(connection.era),
                    listing,
                });
            }
            Err(error) => tracing::warn!(server = server.name, %error, "changed tools are not listed"),
        }
    }
}
