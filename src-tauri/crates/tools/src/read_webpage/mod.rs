//! Reads a page of the web as a person would: its article without the frame around it, or the text of a PDF file.
//!
//! Only public addresses are read, also where the page leads on to others, and only hosts that the run may reach. Not in
//! here: pages that show nothing without a browser, and how addresses are judged (`net`).

#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Asks, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input, refused_host};
use kernel::{Error, Phrase, phrase};
use net::{Answer, Caps, Net, NetError, Request, Url, server_name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::readers::{PageKind, PageLink, page_links};
use crate::web::pages;

/// The name of the tool that reads a page.
pub const READ_WEBPAGE: &str = "read_webpage";

const CAPS: Caps = Caps { most_bytes: 16 << 20, within: Duration::from_secs(20), redirects: 6 };
const ACCEPT: &str = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,text/*;q=0.7";

/// The longest text that is given, in characters.
const LONGEST_TEXT: usize = 50_000;

/// The most links that are given.
const MOST_LINKS: usize = 50;

/// Reads a page of the web.
pub struct ReadWebpageTool {
    net: Net,
    /// Base URLs that may be read although they are not public, as the settings are now.
    allowed: Box<Allowed>,
}

type Allowed = dyn Fn() -> Result<Vec<String>, Error> + Send + Sync;

/// Which page to read.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReadWebpageInput {
    /// The whole address, beginning with `https://` or `http://`.
    pub url: String,
}

/// What stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadWebpageOutput {
    /// Where the address led in the end.
    pub url: String,
    /// The title of the page.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether the end of the text was left out.
    pub is_cut: bool,
    /// The day of publication, `YYYY-MM-DD`, or nothing where the page names none.
    pub published: String,
    /// Links of the page, those in its text first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<WebpageLink>,
}

/// A link of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WebpageLink {
    /// Its words.
    pub text: String,
    /// Where it leads.
    pub url: String,
}

impl ReadWebpageTool {
    /// The tool, with this network client, and what tells the base URLs that may be read although they are not public.
    pub fn new(
        net: Net,
        allowed: impl Fn() -> Result<Vec<String>, Error> + Send + Sync + 'static,
    ) -> ReadWebpageTool {
        ReadWebpageTool { net, allowed: Box::new(allowed) }
    }
}

#[async_trait]
impl TypedTool for ReadWebpageTool {
    type Input = ReadWebpageInput;
    type Output = ReadWebpageOutput;
    const NAME: &'static str = READ_WEBPAGE;
    const DESCRIPTION: &'static str = "Reads a public page of the web or a PDF file at an address: its title, its text, the day of \
         publication and its links. Pages that need a browser or an account cannot be read.";

    fn access(&self, input: &ReadWebpageInput) -> Access {
        let place = pages::address(&input.url).ok().and_then(|url| server_name(&url));
        Access { place, asks: Asks::UnlessNamed(input.url.trim().to_owned()), ..Access::looks_at_web() }
    }

    fn title(&self, input: &ReadWebpageInput) -> Phrase {
        phrase!("read the page {url}", url = shown(&input.url))
    }

    fn intent(&self, input: &ReadWebpageInput) -> Phrase {
        phrase!("Reads the page {url}", url = shown(&input.url))
    }

    fn timeout(&self) -> Duration {
        // The slowest reader, of PDF files, has 30 s of its own.
        CAPS.within + Duration::from_secs(40)
    }

    /// What the web answers is another thing tomorrow.
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(
        &self,
        input: ReadWebpageInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<ReadWebpageOutput>, Error> {
        let url = pages::address(&input.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let no_address = "it is not an address of the web; it looks like https://example.org/page";
        let url = url.ok_or_else(|| bad_input(READ_WEBPAGE, "/url", no_address))?;
        let hosts = context.hosts.clone();
        let request = Request::get(url).header("accept", ACCEPT).caps(CAPS);
        let allowed = (self.allowed)()?;
        let net = self.net.allowing(allowed.iter().map(String::as_str));
        let answer = net.send(request.redirects_only_to(move |host| hosts.allow(host))).await;
        let answer = answer.map_err(|error| match error {
            NetError::NotAllowed { host } => refused_host(READ_WEBPAGE, &host),
            error => error.into(),
        })?;
        let html = (kind_of(&answer) == Some(PageKind::Html)).then(|| answer.body.clone());
        let charset = answer.charset();
        let page = pages::page_of(answer, kind_of).await;
        let document = page.document.map_err(|error| {
            Error::new(error.code, phrase!("{why}; check the address or read another page", why = error))
        })?;
        let mut text = document.text;
        let end = text.char_indices().nth(LONGEST_TEXT).map(|(end, _)| end);
        if let Some(end) = end {
            text.truncate(end);
        }
        let links = match html {
            Some(html) => links(html, charset, page.url.clone(), text.clone()).await,
            None => Vec::new(),
        };
        let host = page.url.host_str().unwrap_or_default().to_owned();
        let characters = text.chars().count();
        let output = ReadWebpageOutput {
            url: page.url.to_string(),
            title: document.title,
            text,
            is_cut: end.is_some(),
            published: document.published.unwrap_or_default(),
            links,
        };
        Ok(ToolOutput::new(output, phrase!("read {characters} characters of {host}", characters, host)))
    }
}

/// What is read: pages, PDF files, and texts of any kind.
fn kind_of(answer: &Answer) -> Option<PageKind> {
    let kind = answer.content_type();
    if answer.body.trim_ascii_start().starts_with(b"%PDF-") {
        Some(PageKind::Pdf)
    } else if kind.contains("html") || kind.is_empty() {
        Some(PageKind::Html)
    } else if kind.starts_with("text/") || kind == "application/json" {
        Some(PageKind::Text)
    } else {
        None
    }
}

/// The links of a page: a reader of the text follows those in it sooner than those of the page's frame.
async fn links(html: Vec<u8>, charset: Option<String>, address: Url, text: String) -> Vec<WebpageLink> {
    let find = move || {
        let links = page_links(&html, charset.as_deref(), &address);
        let (inside, beside): (Vec<PageLink>, Vec<PageLink>) =
            links.into_iter().partition(|link| text.contains(&link.text));
        let chosen = inside.into_iter().chain(beside).take(MOST_LINKS);
        chosen.map(|link| WebpageLink { text: link.text, url: link.url }).collect()
    };
    // A page whose links cannot be told has none.
    tokio::task::spawn_blocking(find).await.unwrap_or_default()
}

/// An address as the journal shows it.
fn shown(url: &str) -> String {
    url.trim().chars().take(200).filter(|c| !c.is_control()).collect()
}
