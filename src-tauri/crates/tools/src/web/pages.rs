//! The page behind a hit, as a person would read it: for hits whose service tells too little, names no day, or only
//! gives a link that leads on.

use std::time::Duration;

use kernel::{Code, Error, Phrase, phrase};
use net::{Answer, Caps, Net, Request, Url};

use crate::readers::{Document, PageKind, PageReading, read_page};

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
    /// Whether there is more to read in a browser, which runs the scripts of the page.
    pub(crate) needs_browser: bool,
}

/// Follows a link and reads what is there. Whatever the page names is public, or it is refused.
///
/// # Errors
/// When the link cannot be followed at all.
pub(crate) async fn read(net: &Net, link: &str) -> Result<Page, Error> {
    let caps = Caps { most_bytes: MOST_BYTES, within: WITHIN, redirects: REDIRECTS };
    let answer = net.send(Request::get(address(link)?).header("accept", ACCEPT).caps(caps)).await?;
    Ok(page_of(answer, kind_of_article).await)
}

/// The address that a link is.
///
/// # Errors
/// `bad_input` when it is none.
pub(crate) fn address(link: &str) -> Result<Url, Error> {
    // Some services write blanks into their links.
    let url = Url::parse(&link.trim().replace(' ', "%20"));
    url.map_err(|_| Error::new(Code::BadInput, phrase!("`{link}` is not an address of the web", link)))
}

/// Articles are pages and plain texts.
fn kind_of_article(answer: &Answer) -> Option<PageKind> {
    let kind = answer.content_type();
    let is_html = kind.contains("html") || kind.is_empty();
    let is_text = kind == "text/plain";
    is_html.then_some(PageKind::Html).or(is_text.then_some(PageKind::Text))
}

/// What an answer says whose status is not the one that is wanted.
pub(crate) fn refused_status(answer: &Answer) -> Phrase {
    phrase!("answered with HTTP {status}", status = answer.status)
}

/// Reads what came, where it is of a kind that is read.
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
