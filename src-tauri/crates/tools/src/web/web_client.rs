//! Fetches an address that the input of a tool names: public, or of an origin that the person allowed, and led on only to
//! hosts that the run may reach. Not in here: how addresses are judged (`net`), what is done with the answer.

use engine::{Access, Asks, ToolContext, bad_input, refused_host};
use kernel::Error;
use net::{Answer, Caps, Net, NetError, Request, server_name};

use super::pages;

/// Fetches addresses for tools.
pub struct WebClient {
    net: Box<NetNow>,
}

/// The client of the network with the settings as they are now.
type NetNow = dyn Fn() -> Result<Net, Error> + Send + Sync;

impl WebClient {
    /// A client over that of the network, which is asked for anew each time: settings change.
    pub fn new(net: impl Fn() -> Result<Net, Error> + Send + Sync + 'static) -> WebClient {
        WebClient { net: Box::new(net) }
    }

    /// What fetching an address does to the world: it looks, at one host, and asks first where nobody named the address.
    pub(crate) fn access(url: &str) -> Access {
        let place = pages::address(url).ok().and_then(|url| server_name(&url));
        Access { place, asks: Asks::UnlessNamed(url.trim().to_owned()), ..Access::looks_at_web() }
    }

    /// The client of the network with the settings as they are now.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn net(&self) -> Result<Net, Error> {
        (self.net)()
    }

    /// Fetches the address at `/url` of the input of a tool. A status of refusal is an answer.
    ///
    /// # Errors
    /// `bad_input` where it is no address; `permission_needed` where it leads to a host that the run may not reach; else as
    /// `net` refuses or fails.
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

/// An address as the journal shows it.
pub(crate) fn shown(url: &str) -> String {
    url.trim().chars().take(200).filter(|c| !c.is_control()).collect()
}
