//! A configured tool server: its connection, and its cached tool list.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use kernel::{Code, Error, phrase};
use secrecy::SecretString;
use tokio::sync::{Notify, watch};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::authorization::Authorization;
use crate::config::{Given, ServerConfig};
use crate::connection::{Connection, Era, Reach};
use crate::keyring::Keyring;
use crate::listing::ListedTool;
use crate::listing_cache::{CachedListing, ListingCache, hash};

/// The least time between a report of changed tools and the next listing.
const LIST_INTERVAL: Duration = Duration::from_millis(500);

/// The parts that all servers use.
pub(crate) struct Shared {
    pub(crate) galley: Option<PathBuf>,
    pub(crate) cached: ListingCache,
    pub(crate) keyring: Arc<dyn Keyring>,
    pub(crate) changes: watch::Sender<()>,
}

/// A tool server.
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) config: ServerConfig,
    /// None for a local program.
    pub(crate) authorization: Option<Arc<Authorization>>,
    shared: Arc<Shared>,
    connection: tokio::sync::Mutex<Option<Arc<Connection>>>,
    cached: RwLock<CachedListing>,
    /// Cancelled when it was removed, changed or ended with the program: it must not be started again.
    pub(crate) gone: CancellationToken,
}

impl Server {
    pub(crate) fn new(
        name: String,
        config: ServerConfig,
        authorization: Option<Arc<Authorization>>,
        shared: Arc<Shared>,
        cached: CachedListing,
    ) -> Server {
        Server {
            name,
            config,
            authorization,
            shared,
            connection: tokio::sync::Mutex::default(),
            cached: RwLock::new(cached),
            gone: CancellationToken::new(),
        }
    }

    /// All tools in its current list, offered or not.
    pub(crate) fn listed(&self) -> Vec<ListedTool> {
        self.cached.read().unwrap_or_else(PoisonError::into_inner).listing.tools.clone()
    }

    /// The tools of its current list that are offered.
    pub(crate) fn offered(&self) -> Vec<ListedTool> {
        let mut tools = if self.config.is_off { Vec::new() } else { self.listed() };
        tools.retain(|tool| self.config.offers(&tool.name));
        tools
    }

    /// The offered tool of this name.
    pub(crate) fn offered_tool(&self, name: &str) -> Option<ListedTool> {
        let cached = self.cached.read().unwrap_or_else(PoisonError::into_inner);
        let listed = cached.listing.tools.iter().find(|tool| tool.name == name)?;
        (!self.config.is_off && self.config.offers(name)).then(|| listed.clone())
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
    pub(crate) async fn open(&self) -> Result<(Connection, CachedListing), Error> {
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

    pub(crate) fn take(&self, cached: CachedListing) {
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

    /// Requests the end of its process without waiting.
    pub(crate) async fn stop(&self) {
        self.gone.cancel();
        if let Some(connection) = self.connection.lock().await.take() {
            connection.stop();
        }
    }

    pub(crate) async fn close(&self) {
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
