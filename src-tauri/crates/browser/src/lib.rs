//! L2: reads pages that show nothing without scripts, with the Chromium that is installed on this machine.
//!
//! It is started for one page, without a window, with a profile of its own that is removed afterwards. All it asks for
//! goes through a proxy of `net`, so that the policy for addresses holds for whatever the page makes it ask for; what
//! goes past proxies (QUIC, WebRTC, look-ups of names) is switched off. Its sandbox stays on. It prints the page itself
//! (`--dump-dom`): a client library of its protocol for debugging would add minutes to every build and serve nothing else.
//! Not in here: which pages need it, and what is read from them (`tools`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod arguments;
mod error;
mod process;
mod profile;
mod programs;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use kernel::Error;
use net::{Net, NetError, ProxyCaps, Url};

use process::BrowserProcess;
use profile::Profile;

/// The longest that reading one page may take, from the start of the browser to its last byte.
pub const WITHIN: Duration = Duration::from_secs(30);

/// The largest page that is taken, in bytes, as it is after its scripts ran.
const LARGEST_PAGE: usize = 16 << 20;

/// An installed browser that may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    program: PathBuf,
    /// The user it is started as, in place of the one who runs this program.
    user: Option<u32>,
    /// Where the folder of its profile is made.
    folder: PathBuf,
    caps: Caps,
}

/// What one page may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Caps {
    /// From the start of the browser to the last byte of the page; what it loads gets two thirds of it.
    within: Duration,
    /// What is still loading is given up when nothing came for so long.
    quiet: Duration,
    /// Of the page after its scripts ran.
    most_bytes: usize,
    /// Of all that it loads.
    most_traffic: usize,
    most_connections: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        let ProxyCaps { most_bytes, most_connections, quiet, .. } = ProxyCaps::default();
        Caps { within: WITHIN, quiet, most_bytes: LARGEST_PAGE, most_traffic: most_bytes, most_connections }
    }
}

/// A page as it is after its scripts ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedPage {
    /// HTML in UTF-8.
    pub html: Vec<u8>,
    /// What the page asked for and did not get, because the policy forbids it or it could not be reached; the first 32.
    pub errors: Vec<NetError>,
}

impl Browser {
    /// The browser of this machine.
    ///
    /// # Errors
    /// `tool_failed` where none is installed, or where this program runs as root: Chromium has no sandbox there.
    pub fn find() -> Result<Browser, Error> {
        Browser::usable(programs::installed(), is_root(), None)
    }

    /// The browser of this machine, started as this user by a program that runs as root.
    ///
    /// # Errors
    /// `tool_failed` where none is installed.
    pub fn find_as(user: u32) -> Result<Browser, Error> {
        Browser::usable(programs::installed(), is_root(), Some(user))
    }

    fn usable(program: Option<PathBuf>, is_root: bool, user: Option<u32>) -> Result<Browser, Error> {
        let program = program.ok_or_else(error::not_installed)?;
        if user.map_or(is_root, |user| user == 0) {
            return Err(error::is_root());
        }
        Ok(Browser { program, user, folder: std::env::temp_dir(), caps: Caps::default() })
    }

    /// Opens a page, lets its scripts run, and gives its HTML. Dropping the future ends the browser.
    ///
    /// # Errors
    /// As `net` refuses the page; `tool_failed` where the browser does not start, did not use the proxy, or gave too large
    /// a page; `network` where it could not be opened; `timeout` where it was not done in time.
    pub async fn read(&self, net: &Net, page: &Url) -> Result<RenderedPage, Error> {
        let Caps { within, quiet, most_bytes, most_traffic, most_connections } = self.caps;
        // A page that still waits for an answer then goes on without it, and is printed as it is.
        let caps = ProxyCaps { most_bytes: most_traffic, most_connections, within: within * 2 / 3, quiet };
        let proxy = net.proxy_for(page, caps).await?;
        let arguments = arguments::of(page, &proxy);
        let profile = Profile::new(&self.folder, self.user)
            .map_err(|cause| error::not_started(&self.program, &cause))?;
        let mut process = BrowserProcess::start(&self.program, &arguments, self.user, profile)?;
        let output = tokio::time::timeout(within, process.output(most_bytes)).await;
        process.end().await;
        let output = output.map_err(|_| error::too_slow(page, within))??;
        let errors = proxy.errors();
        if output.html.len() > most_bytes {
            return Err(error::too_large(page, most_bytes));
        }
        if output.html.iter().all(u8::is_ascii_whitespace) {
            return Err(error::no_page(page, &output.messages, &errors));
        }
        if is_error_page(&output.html) {
            return Err(error::no_page(page, "", &errors));
        }
        if !proxy.is_used() {
            return Err(error::not_through_proxy(page));
        }
        Ok(RenderedPage { html: output.html, errors })
    }
}

/// Whether the browser shows a page of its own in place of one that it could not open: where a script led on to what the proxy
/// refuses, or to a server that does not answer. Its markup says so; a page that imitates it is not read, that is all.
fn is_error_page(html: &[u8]) -> bool {
    let has = |mark: &[u8]| html.windows(mark.len()).any(|part| part == mark);
    has(b"<body class=\"neterror\"") && has(b"id=\"main-frame-error\"")
}

/// Whether this program runs as root.
fn is_root() -> bool {
    #[cfg(unix)]
    let is_root = rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    let is_root = false;
    is_root
}
