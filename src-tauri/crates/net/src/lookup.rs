//! What a name stands for. For addresses that pages name, every answer must be public, and the connection is made to
//! exactly the addresses that were checked: a name that answers differently a second time gains nothing.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use kernel::{Phrase, phrase};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::address::refused_kind;

/// The addresses of a name.
pub type Addresses = BoxFuture<'static, io::Result<Vec<IpAddr>>>;

/// Finds the addresses of names; the system does, unless a test stands in for it.
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of this name.
    fn addresses(&self, name: &str) -> Addresses;
}

/// The system's own way: hosts file, DNS, what else is configured.
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn addresses(&self, name: &str) -> Addresses {
        let name = name.to_owned();
        async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        }
        .boxed()
    }
}

/// A name stands for an address that may not be reached. Travels through reqwest to the client.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotPublic(pub(crate) Phrase);

/// Hands out only checked addresses, to reqwest and to the proxy.
pub(crate) struct Checked {
    pub(crate) lookup: Arc<dyn Lookup>,
    /// Whether they must be public.
    pub(crate) is_guarded: bool,
}

/// Why a name has no address that may be connected to.
pub(crate) enum LookupError {
    /// One of its addresses may not be reached.
    NotPublic(Phrase),
    /// It has none, or nobody could be asked.
    Failed(io::Error),
}

impl Checked {
    /// Every address of this name, each of which may be connected to.
    pub(crate) fn look_up(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Vec<IpAddr>, LookupError>> + Send + use<> {
        let found = self.lookup.addresses(name);
        let is_guarded = self.is_guarded;
        async move {
            let addresses = found.await.map_err(LookupError::Failed)?;
            // One private answer among public ones is how rebinding begins: all are refused.
            let refused = addresses.iter().find_map(|address| Some((*address, refused_kind(*address)?)));
            if let Some((address, kind)) = refused.filter(|_| is_guarded) {
                let why = phrase!("its name stands for {address}, {kind}", address, kind);
                return Err(LookupError::NotPublic(why));
            }
            if addresses.is_empty() {
                let none = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
                return Err(LookupError::Failed(none));
            }
            Ok(addresses)
        }
    }
}

/// The names of public servers alone, for a client that is not [`Net`](crate::Net): every other is an error.
pub fn public_names(lookup: Arc<dyn Lookup>) -> Arc<dyn Resolve> {
    Arc::new(Checked { lookup, is_guarded: true })
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.look_up(name.as_str());
        Box::pin(async move {
            match found.await {
                Ok(addresses) => {
                    Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs)
                }
                Err(LookupError::NotPublic(why)) => Err(NotPublic(why).into()),
                Err(LookupError::Failed(error)) => Err(error.into()),
            }
        })
    }
}
