//! The page behind a hit, as a person would read it: for hits whose service tells too little, names no day, or only
//! gives a link that leads on.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use net::{Caps, Net, Request, Url};

use crate::readers::{Document, read_page};

/// A page that takes longer is not waited for: the search has others.
const WITHIN: Duration = Duration::from_secs(9);
const MOST_BYTES: usize = 3 << 20;
const REDIRECTS: usize = 6;
const ACCEPT: &str = "text/html,application/xhtml+xml,text/plain;q=0.8";

/// What was found behind a link.
pub(crate) struct Page {
    /// Where the link led in the end, also when there was nothing to read.
    pub(crate) url: Url,
    /// What a person would read there.
    pub(crate) document: Result<Document, Error>,
}

/// Follows a link and reads what is there. Whatever the page names is public, or it is refused.
///
/// # Errors
/// When the link cannot be followed at all.
pub(crate) async fn read(net: &Net, link: &str) -> Result<Page, Error> {
    // Some services write blanks into their links.
    let url = Url::parse(&link.trim().replace(' ', "%20"));
    let url =
        url.map_err(|_| Error::new(Code::BadInput, phrase!("`{link}` is not an address of the web", link)))?;
    let caps = Caps { most_bytes: MOST_BYTES, within: WITHIN, redirects: REDIRECTS };
    let answer = net.send(Request::get(url).header("accept", ACCEPT).caps(caps)).await?;
    let url = answer.url.clone();
    let host = url.host_str().unwrap_or_default().to_owned();
    let kind = answer.content_type();
    let refuse = |reason: Phrase| Err(Error::new(Code::ToolFailed, phrase!("{host} {reason}", host, reason)));
    if !answer.is_success() {
        return Ok(Page {
            url,
            document: refuse(phrase!("answered with HTTP {status}", status = answer.status)),
        });
    }
    let is_html = kind.contains("html") || kind.is_empty();
    if !is_html && kind != "text/plain" {
        return Ok(Page { url, document: refuse(phrase!("gave no page but `{kind}`", kind)) });
    }
    let charset = answer.charset();
    let address = url.to_string();
    let read =
        tokio::task::spawn_blocking(move || read_page(&address, answer.body, is_html, charset.as_deref()));
    let document = match read.await {
        Ok(Ok(document)) => Ok(document),
        Ok(Err(error)) => refuse(phrase!("gave a page that cannot be read: {why}", why = error.phrase())),
        Err(_) => refuse(phrase!("gave a page that cannot be read")),
    };
    Ok(Page { url, document })
}
