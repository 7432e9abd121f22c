//! A local proxy for a browser that reads one page. The browser connects only to the proxy, so that the policy of this
//! crate applies to everything the page requests. It accepts `CONNECT` for encrypted targets, and requests with an
//! absolute `http` address. Not in here: the browser (`browser`).

mod byte_count;
mod connection;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Url;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use crate::NetError;
use crate::error::host_of;
use crate::lookup::Lookup;
use crate::rules::Rules;
use byte_count::ByteBudget;

/// The most errors that are recorded; a page may cause any number.
const MOST_ERRORS: usize = 32;

/// The limits of a page that is read through a proxy.
#[derive(Debug, Clone, Copy)]
pub struct ProxyCaps {
    /// The bytes between the browser and the proxy in both directions, compressed as they are sent.
    pub most_bytes: usize,
    /// The connections that the browser opens, in sequence or at once.
    pub most_connections: usize,
    /// The time from the start of the proxy until it blocks all traffic.
    pub within: Duration,
    /// The proxy blocks all traffic after this time without any, counted from the first byte on.
    pub quiet: Duration,
}

impl Default for ProxyCaps {
    fn default() -> ProxyCaps {
        ProxyCaps {
            most_bytes: 64 << 20,
            most_connections: 600,
            within: Duration::from_secs(20),
            quiet: Duration::from_secs(6),
        }
    }
}

/// A running proxy; dropping it closes all its connections.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// The shared state of all connections of a proxy.
struct Shared {
    page: Url,
    rules: Rules,
    lookup: Arc<dyn Lookup>,
    budget: ByteBudget,
    errors: Mutex<Vec<NetError>>,
}

impl Proxy {
    pub(crate) async fn start(
        page: Url,
        rules: Rules,
        lookup: Arc<dyn Lookup>,
        caps: ProxyCaps,
    ) -> Result<Proxy, NetError> {
        let broken =
            |error: std::io::Error| NetError::Broken { host: host_of(&page), cause: error.to_string() };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(broken)?;
        let address = listener.local_addr().map_err(broken)?;
        let budget = ByteBudget::new(caps.most_bytes);
        let shared = Arc::new(Shared { page, rules, lookup, budget, errors: Mutex::default() });
        let (serving, budget) =
            (accept(listener, shared.clone(), caps.most_connections), shared.budget.clone());
        let task = tokio::spawn(async move {
            tokio::select! {
                () = serving => {}
                () = tokio::time::sleep(caps.within) => {}
                () = is_quiet(&budget, caps.quiet) => {}
            }
        });
        Ok(Proxy { address, shared, task })
    }

    /// The address of the proxy for the browser.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The user agent of requests.
    pub fn agent(&self) -> &str {
        &self.shared.rules.agent
    }

    /// Whether the browser used the proxy: otherwise it found another way, or did not start.
    pub fn is_used(&self) -> bool {
        self.shared.budget.used() > 0
    }

    /// The targets that were refused or unreachable, without duplicates and in this order; the first 32.
    pub fn errors(&self) -> Vec<NetError> {
        let mut errors = self.shared.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(most) = self.shared.budget.exceeded() {
            errors.push(NetError::TooLarge { host: host_of(&self.shared.page), most });
        }
        errors
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Shared {
    fn remember(&self, error: NetError) {
        let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        if errors.len() < MOST_ERRORS && !errors.contains(&error) {
            errors.push(error);
        }
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("page", &host_of(&self.page)).finish_non_exhaustive()
    }
}

/// Serves new connections up to the limit, then only the open ones.
async fn accept(listener: TcpListener, shared: Arc<Shared>, most: usize) {
    let mut connections = JoinSet::new();
    let mut accepted = 0;
    while accepted < most {
        tokio::select! {
            Ok((stream, _)) = listener.accept() => {
                accepted += 1;
                connections.spawn(connection::serve(shared.clone(), stream));
            }
            Some(_) = connections.join_next() => {}
            else => break,
        }
    }
    let rest = async { while connections.join_next().await.is_some() {} };
    let one_more = async {
        // One connection beyond the limit means that something was not loaded.
        if listener.accept().await.is_ok() {
            shared.remember(NetError::TooManyConnections { host: host_of(&shared.page), most });
        }
        drop(listener);
    };
    tokio::join!(rest, one_more);
}

/// Waits for traffic, and then for this time without any.
async fn is_quiet(budget: &ByteBudget, quiet: Duration) {
    let mut before = 0;
    loop {
        tokio::time::sleep(quiet).await;
        let now = budget.used();
        if now == before && now > 0 {
            return;
        }
        before = now;
    }
}
