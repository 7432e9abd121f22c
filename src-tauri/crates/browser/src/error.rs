//! Why a page could not be read with a browser. Each message names the page, the reason and the next step.

use std::io;
use std::path::Path;
use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use net::{NetError, Url};

/// Chromium's messages when no sandbox is available; they depend on what is missing.
const NO_SANDBOX: [&str; 3] = ["No usable sandbox", "without --no-sandbox", "SUID sandbox"];

pub(crate) fn not_installed() -> Error {
    failed(phrase!(
        "No Chromium, Google Chrome or Microsoft Edge is installed; install one and read the page again"
    ))
}

pub(crate) fn is_root() -> Error {
    failed(phrase!(
        "As root no browser is started, because Chromium has no sandbox then; start Galley as an ordinary user and read the page again"
    ))
}

pub(crate) fn not_started(program: &Path, cause: &io::Error) -> Error {
    let (program, cause) = (program.display().to_string(), cause.to_string());
    failed(phrase!("The browser `{program}` cannot be started ({cause}); install it anew", program, cause))
}

pub(crate) fn unreadable(cause: &io::Error) -> Error {
    failed(phrase!("The browser cannot be read ({cause}); try again", cause = cause.to_string()))
}

pub(crate) fn too_slow(page: &Url, within: Duration) -> Error {
    let (host, seconds) = (host_of(page), within.as_secs());
    Error::new(
        Code::Timeout,
        phrase!(
            "The browser was not done with the page of {host} within {seconds} s; try again later or read another page",
            host,
            seconds
        ),
    )
}

pub(crate) fn too_large(page: &Url, most: usize) -> Error {
    failed(phrase!(
        "The page of {host} is larger than {most} bytes after its scripts ran; read another page",
        host = host_of(page),
        most
    ))
}

/// The browser printed no page: it did not start, or it could not open the page.
pub(crate) fn no_page(page: &Url, messages: &str, errors: &[NetError]) -> Error {
    if NO_SANDBOX.iter().any(|words| messages.contains(words)) {
        return failed(phrase!(
            "The browser cannot start its sandbox here, and without one it opens no page; allow user namespaces on this machine or switch the browser off: `galley config set net.browser false`"
        ));
    }
    let host = host_of(page);
    let of_page = errors.iter().find(|error| error.phrase().english().contains(&host));
    // After a redirect by script the last error is that of the wanted page.
    match of_page.or(errors.last()) {
        Some(why) => Error::new(
            Code::Network,
            phrase!("The browser could not open the page of {host}: {why}", host, why = why.phrase()),
        ),
        None => Error::new(
            Code::Network,
            phrase!("The browser could not open the page of {host}; try again or read another page", host),
        ),
    }
}

/// A policy of the machine overrides the browser's arguments.
pub(crate) fn not_through_proxy(page: &Url) -> Error {
    failed(phrase!(
        "The browser loaded the page of {host} past Galley, so it is not used; remove the proxy that a policy of this machine sets for the browser, or switch the browser off: `galley config set net.browser false`",
        host = host_of(page)
    ))
}

fn failed(message: Phrase) -> Error {
    Error::new(Code::ToolFailed, message)
}

fn host_of(page: &Url) -> String {
    net::server_name(page).unwrap_or_default()
}
