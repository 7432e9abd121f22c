//! L2: reads pages that show nothing without scripts, with the installed Chromium.
//!
//! The browser is started headless for one page, with a temporary profile. All its requests go through a proxy of
//! `net`, so that the address policy applies to everything the page requests; protocols that bypass proxies (QUIC,
//! WebRTC, DNS) are disabled. Its sandbox stays enabled. It prints the page itself (`--dump-dom`): a client library for
//! its debugging protocol would add minutes to every build without further benefit. Not in here: which pages need a
//! browser, and how their text is extracted (`tools`).

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

/// The time limit of reading one page, from the start of the browser to its last byte.
pub const WITHIN: Duration = Duration::from_secs(30);

/// The largest page after its scripts ran, in bytes.
const LARGEST_PAGE: usize = 16 << 20;

/// An installed browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    program: PathBuf,
    /// The user that the browser runs as, if different from this program's.
    user: Option<u32>,
    /// The folder for the temporary profile.
    folder: PathBuf,
    caps: Caps,
}

/// The limits of one page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Caps {
    /// From the start of the browser to the last byte of the page; loading gets two thirds of it.
    within: Duration,
    /// Loading ends after this time without traffic.
    quiet: Duration,
    /// The size of the page after its scripts ran.
    most_bytes: usize,
    /// The size of everything it loads.
    most_traffic: usize,
    most_connections: usize,
}

impl Default for Caps {
    fn default() -> Caps {
        let ProxyCaps { most_bytes, most_connections, quiet, .. } = ProxyCaps::default();
        Caps { within: WITHIN, quiet, most_bytes: LARGEST_PAGE, most_traffic: most_bytes, most_connections }
    }
}

/// A page after its scripts ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedPage {
    /// HTML in UTF-8.
    pub html: Vec<u8>,
    /// Requests of the page that the policy refused or that failed; the first 32.
    pub errors: Vec<NetError>,
}

impl Browser {
    /// Finds the installed browser.
    ///
    /// # Errors
    /// `tool_failed` when none is installed, or when this program runs as root, because Chromium has no sandbox there.
    pub fn find() -> Result<Browser, Error> {
        Browser::usable(programs::installed(), is_root(), None)
    }

    /// Finds the installed browser, to run as this user when this program runs as root.
    ///
    /// # Errors
    /// `tool_failed` when none is installed.
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

    /// Opens a page, runs its scripts, and returns its HTML. Dropping the future ends the browser.
    ///
    /// # Errors
    /// The error of `net` when it refuses the page; `tool_failed` when the browser does not start, did not use the
    /// proxy, or returned too large a page; `network` when the page could not be opened; `timeout` when it took too
    /// long.
    pub async fn read(&self, net: &Net, page: &Url) -> Result<RenderedPage, Error> {
        let Caps { within, quiet, most_bytes, most_traffic, most_connections } = self.caps;
        // A page that still waits for an answer then continues without it, and is printed as it is.
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

/// Whether this is the browser's own error page: a script led to an address that the proxy refuses, or to an
/// unreachable server. It is recognized by its markup; a page that imitates it is merely not read.
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
