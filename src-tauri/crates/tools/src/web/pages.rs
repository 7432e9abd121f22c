//! Reads the page of a hit, when its service returned too little text, no date, or a redirect link.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use net::{Answer, Caps, Net, Request, Url};

use crate::readers::{Document, PageKind, PageReading, read_page};

/// The time limit of a page; the search has other hits.
const WITHIN: Duration = Duration::from_secs(9);
const MOST_BYTES: usize = 3 << 20;
const REDIRECTS: usize = 6;
const ACCEPT: &str = "text/html,application/xhtml+xml,text/plain;q=0.8";

/// The page behind a link.
pub(crate) struct Page {
    /// The final address, also when there was nothing to read.
    pub(crate) url: Url,
    /// The article of the page.
    pub(crate) document: Result<Document, Error>,
    /// Whether a browser, which runs the page's scripts, would show more.
    pub(crate) needs_browser: bool,
}

/// Follows a link and reads its page. Non-public addresses are refused.
///
/// # Errors
/// When the link cannot be followed.
pub(crate) async fn read(net: &Net, link: &str) -> Result<Page, Error> {
    let caps = Caps { most_bytes: MOST_BYTES, within: WITHIN, redirects: REDIRECTS };
    let answer = net.send(Request::get(address(link)?).header("accept", ACCEPT).caps(caps)).await?;
    Ok(page_of(answer, kind_of_article).await)
}

/// Parses a link as an address.
///
/// # Errors
/// `bad_input` when it is none.
pub(crate) fn address(link: &str) -> Result<Url, Error> {
    // Some services write spaces into their links.
    let url = Url::parse(&link.trim().replace(' ', "%20"));
    url.map_err(|_| Error::new(Code::BadInput, phrase!("`{link}` is not an address of the web", link)))
}

/// The kind of an article: HTML or plain text.
fn kind_of_article(answer: &Answer) -> Option<PageKind> {
    let kind = answer.content_type();
    let is_html = kind.contains("html") || kind.is_empty();
    let is_text = kind == "text/plain";
    is_html.then_some(PageKind::Html).or(is_text.then_some(PageKind::Text))
}

/// The message for an answer with an unexpected status.
pub(crate) fn refused_status(answer: &Answer) -> Phrase {
    phrase!("answered with HTTP {status}", status = answer.status)
}

/// Reads the answer if its kind is supported.
pub(crate) async fn page_of(answer: Answer, kind_of: fn(&Answer) -> Option<PageKind>) -> Page {
    let url = answer.url.clone();
    let host = url.host_str().unwrap_or_default().to_owned();
    let refuse = |reason: Phrase| Err(Error::new(Code::ToolFailed, phrase!("{host} {reason}", host, reason)));
    if !answer.is_success() {
        return Page { url, document: refuse(refused_status(&answer)), needs_browser: false };
    }
    let Some(kind) = kind_of(&answer) else {
        let kind = answer.content_type();
        let document = refuse(phrase!("gave no page but `{kind}`", kind));
        return Page { url, document, needs_browser: false };
    };
    let charset = answer.charset();
    let address = url.to_string();
    let read =
        tokio::task::spawn_blocking(move || read_page(&address, answer.body, kind, charset.as_deref()));
    let (document, needs_browser) = match read.await {
        Ok(PageReading { document, needs_browser }) => (document, needs_browser),
        Err(_) => {
            return Page {
                url,
                document: refuse(phrase!("gave a page that cannot be read")),
                needs_browser: false,
            };
        }
    };
    let document = document
        .or_else(|error| refuse(phrase!("gave a page that cannot be read: {why}", why = error.phrase())));
    Page { url, document, needs_browser }
}
