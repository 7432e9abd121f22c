//! The configured tool servers and their tools.
//!
//! A server is started on first use and ended with the program. Its tool list is cached in a file, so that its tools
//! are known before it runs: drawing a pipeline starts nothing.

mod sign_in;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use engine::Tool;
use kernel::{Code, Error, Phrase, phrase};
use tokio::sync::watch;

use crate::authorization::{Authorization, TokenWork};
use crate::config::ServerConfig;
use crate::connection::Era;
use crate::keyring::Keyring;
use crate::listing::ListedTool;
use crate::listing_cache::{ListingCache, hash};
use crate::server::{Server, Shared};
use crate::server_tool::ServerTool;

/// The name that means all tools of a server.
const ALL: &str = "*";

/// Tool servers. Clones share them.
#[derive(Clone)]
pub struct ToolServers {
    inner: Arc<Inner>,
}

struct Inner {
    folder: PathBuf,
    servers: RwLock<BTreeMap<String, Arc<Server>>>,
    shared: Arc<Shared>,
    token_work: TokenWork,
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
        let (cached, changes) = (ListingCache::of(folder), watch::Sender::new(()));
        let inner = Inner {
            folder: folder.to_owned(),
            servers: RwLock::default(),
            shared: Arc::new(Shared { galley, cached, keyring, changes }),
            token_work: TokenWork::default(),
        };
        ToolServers { inner: Arc::new(inner) }
    }

    /// Replaces the configured servers. Unchanged ones keep running; the others are ended.
    pub fn set(&self, configs: BTreeMap<String, ServerConfig>) {
        let cached = self.inner.shared.cached.read();
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
            let authorization = authorization.or_else(|| {
                let Inner { folder, shared, token_work, .. } = &*self.inner;
                Authorization::of(&name, &config, folder, &shared.keyring, token_work)
            });
            let (shared, cached) = (self.inner.shared.clone(), cached.cloned().unwrap_or_default());
            let server = Server::new(name.clone(), config, authorization, shared, cached);
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
            let _ = self.inner.shared.changes.send(());
        }
    }

    /// All offered tools from the cached lists.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.servers()
            .iter()
            .flat_map(|server| server.offered().into_iter().map(|tool| tool_of(server, tool)))
            .collect()
    }

    /// The tool with this name, `SERVER/TOOL`.
    pub fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let (server, tool) = name.split_once('/')?;
        let server = self.server(server).ok()?;
        server.offered_tool(tool).map(|listed| tool_of(&server, listed))
    }

    /// The names of the offered tools of a server from its cached list, in order.
    pub fn offered(&self, server: &str) -> Vec<String> {
        let Ok(server) = self.server(server) else { return Vec::new() };
        names(&server)
    }

    /// All tools in a server's cached list, offered or not: name, description, and the bytes that a model gets for it.
    pub fn listed(&self, server: &str) -> Vec<(String, String, usize)> {
        let Ok(server) = self.server(server) else { return Vec::new() };
        let tools = server.listed().into_iter();
        tools.map(|tool| (tool.name.clone(), tool.description.clone(), tool.bytes())).collect()
    }

    /// Changes whenever a tool is added, removed or modified.
    pub fn changes(&self) -> watch::Receiver<()> {
        self.inner.shared.changes.subscribe()
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
        if own == ALL || server.offered_tool(own).is_some() {
            return Ok(());
        }
        let known = names(&server);
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
            server.stop().await;
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

fn tool_of(server: &Arc<Server>, listed: ListedTool) -> Arc<dyn Tool> {
    Arc::new(ServerTool { server: server.clone(), listed })
}

/// The full names of the offered tools of a server.
fn names(server: &Server) -> Vec<String> {
    server.offered().iter().map(|tool| tool.full_name(&server.name)).collect()
}
