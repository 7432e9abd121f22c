//! Resolves names. For addresses that pages name, every resolved address must be public, and the connection goes to
//! exactly the checked addresses, so that DNS rebinding has no effect.

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

/// Resolves names; tests replace the system's resolver.
pub trait Lookup: Send + Sync + 'static {
    /// All addresses of this name.
    fn addresses(&self, name: &str) -> Addresses;
}

/// The system's resolver: hosts file, DNS, and other configured sources.
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

/// The error that a name resolves to a forbidden address. It passes through reqwest to the client.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NotPublic(pub(crate) Phrase);

/// Returns only checked addresses, to reqwest and to the proxy.
pub(crate) struct CheckedResolver {
    pub(crate) lookup: Arc<dyn Lookup>,
    /// Whether the addresses must be public.
    pub(crate) is_guarded: bool,
}

/// Why a name has no usable address.
pub(crate) enum LookupError {
    /// One of its addresses is forbidden.
    NotPublic(Phrase),
    /// It has no address, or the resolver failed.
    Failed(io::Error),
}

impl CheckedResolver {
    /// All addresses of this name, each of which may be connected to.
    pub(crate) fn look_up(
        &self,
        name: &str,
    ) -> impl Future<Output = Result<Vec<IpAddr>, LookupError>> + Send + use<> {
        let found = self.lookup.addresses(name);
        let is_guarded = self.is_guarded;
        async move {
            let addresses = found.await.map_err(LookupError::Failed)?;
            // A private address among public ones indicates rebinding, so all are refused.
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

/// Resolves only names of public servers, for HTTP clients other than [`Net`](crate::Net).
pub fn public_names(lookup: Arc<dyn Lookup>) -> Arc<dyn Resolve> {
    Arc::new(CheckedResolver { lookup, is_guarded: true })
}

impl Resolve for CheckedResolver {
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
