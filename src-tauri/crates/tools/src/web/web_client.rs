//! Fetches an address from a tool's input: public, or at an allowed origin; redirects may lead only to hosts that the
//! run may contact. Not in here: the check of addresses (`net`), the use of the answer.

use engine::{Access, Asks, ToolContext, bad_input, refused_host};
use kernel::Error;
use net::{Answer, Caps, Net, NetError, Request, server_name};

use super::pages;

/// Fetches addresses for tools.
pub struct WebClient {
    net: Box<NetNow>,
}

/// Returns the network client for the current settings.
type NetNow = dyn Fn() -> Result<Net, Error> + Send + Sync;

impl WebClient {
    /// Creates a client; `net` is called for each request because settings change.
    pub fn new(net: impl Fn() -> Result<Net, Error> + Send + Sync + 'static) -> WebClient {
        WebClient { net: Box::new(net) }
    }

    /// The access of a fetch: it reads from one host, and asks for permission when the user did not name the address.
    pub(crate) fn access(url: &str) -> Access {
        let place = pages::address(url).ok().and_then(|url| server_name(&url));
        Access { place, asks: Asks::UnlessNamed(url.trim().to_owned()), ..Access::looks_at_web() }
    }

    /// The network client for the current settings.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn net(&self) -> Result<Net, Error> {
        (self.net)()
    }

    /// Fetches the address at `/url` of a tool's input. An error status is returned as an answer.
    ///
    /// # Errors
    /// `bad_input` when it is no address; `permission_needed` when it leads to a host that the run may not contact;
    /// else the errors of `net`.
    pub(crate) async fn fetch(
        &self,
        tool: &str,
        url: &str,
        headers: &[(&'static str, &'static str)],
        caps: Caps,
        context: &ToolContext,
    ) -> Result<Answer, Error> {
        let url = pages::address(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let no_address = "it is not an address of the web; it looks like https://example.org/page";
        let url = url.ok_or_else(|| bad_input(tool, "/url", no_address))?;
        let request = Request::get(url).caps(caps);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        let hosts = context.hosts.clone();
        let answer = self.net()?.send(request.redirects_only_to(move |host| hosts.allow(host))).await;
        answer.map_err(|error| match error {
            NetError::NotAllowed { host } => refused_host(tool, &host),
            error => error.into(),
        })
    }
}

/// An address for the journal.
pub(crate) fn journal_text(url: &str) -> String {
    url.trim().chars().take(200).filter(|c| !c.is_control()).collect()
}
