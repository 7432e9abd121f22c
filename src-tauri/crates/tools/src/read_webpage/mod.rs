//! Reads a web page: its article without navigation and other page furniture, or the text of a PDF file.
//!
//! Only public addresses are read, also after redirects, and only hosts that the run may contact. A page that shows
//! nothing without scripts is read again with a browser, at its final address; the browser loads only public addresses,
//! too. Not in here: the check of addresses (`net`).

#[cfg(test)]
mod tests;

use std::ops::Not;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool};
use kernel::{Error, Phrase, phrase};
use net::{Answer, Caps, Url};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::page_browser::PageBrowser;
use crate::readers::{PageKind, PageLink, page_links};
use crate::web::pages::{self, Page};
use crate::web::web_client::{WebClient, journal_text};

/// The name of the tool that reads a page.
pub const READ_WEBPAGE: &str = "read_webpage";

const CAPS: Caps = Caps { most_bytes: 16 << 20, within: Duration::from_secs(20), redirects: 6 };
const ACCEPT: &str = "text/html,application/xhtml+xml,application/pdf;q=0.9,text/plain;q=0.8,text/*;q=0.7";

/// The longest text in the output, in characters.
const LONGEST_TEXT: usize = 50_000;

/// The most links in the output.
const MOST_LINKS: usize = 50;

/// Reads a page of the web.
pub struct ReadWebpageTool {
    client: WebClient,
    browser: Arc<dyn PageBrowser>,
}

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
    /// Whether the page was read with a browser, because it shows nothing without scripts.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub through_browser: bool,
    /// Why text may be missing, or nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A page with the source of its links.
struct ReadPage {
    page: Page,
    /// The bytes, if it is HTML.
    html: Option<Vec<u8>>,
    charset: Option<String>,
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
    /// Creates the tool with the client that fetches pages and the browser for those that show nothing without scripts.
    pub fn new(client: WebClient, browser: Arc<dyn PageBrowser>) -> ReadWebpageTool {
        ReadWebpageTool { client, browser }
    }

    /// The page at this address after its scripts ran.
    ///
    /// # Errors
    /// When no browser may be used, or it returns no readable page.
    async fn render(&self, url: &Url) -> Result<ReadPage, Error> {
        let html = self.browser.open(&self.client.net()?, url).await?;
        let answer = Answer::of_html(url.clone(), html);
        let read = read_answer(answer).await;
        match &read.page.document {
            Ok(_) => Ok(read),
            Err(error) => Err(error.clone()),
        }
    }
}

#[async_trait]
impl TypedTool for ReadWebpageTool {
    type Input = ReadWebpageInput;
    type Output = ReadWebpageOutput;
    const NAME: &'static str = READ_WEBPAGE;
    const DESCRIPTION: &'static str = "Reads a public page of the web or a PDF file at an address: its title, its text, the day of \
         publication and its links. Pages that show nothing without scripts are read with a browser where one is installed; pages that need an account cannot be read.";

    fn access(&self, input: &ReadWebpageInput) -> Access {
        WebClient::access(&input.url)
    }

    fn title(&self, input: &ReadWebpageInput) -> Phrase {
        phrase!("read the page {url}", url = journal_text(&input.url))
    }

    fn intent(&self, input: &ReadWebpageInput) -> Phrase {
        phrase!("Reads the page {url}", url = journal_text(&input.url))
    }

    fn timeout(&self) -> Duration {
        // The PDF reader, the slowest, has a limit of 30 s; a page opened in a browser is read twice by a faster
        // reader.
        CAPS.within + self.browser.longest() + Duration::from_secs(50)
    }

    /// No examples of results: web content changes.
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(
        &self,
        input: ReadWebpageInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<ReadWebpageOutput>, Error> {
        let headers = [("accept", ACCEPT)];
        let answer = self.client.fetch(READ_WEBPAGE, &input.url, &headers, CAPS, context).await?;
        let mut read = read_answer(answer).await;
        let (mut through_browser, mut note) = (false, None);
        if read.page.needs_browser {
            match self.render(&read.page.url).await {
                Ok(rendered) if length_of(&rendered.page) > length_of(&read.page) => {
                    (read, through_browser) = (rendered, true);
                }
                Ok(_) => {}
                Err(why) => note = Some(phrase!("it shows little or nothing without a browser: {why}", why)),
            }
        }
        let ReadPage { page, html, charset } = read;
        let host = page.url.host_str().unwrap_or_default().to_owned();
        let document = page.document.map_err(|error| match &note {
            Some(note) => Error::new(error.code, phrase!("{host} gave no text; {note}", host = &*host, note)),
            None => {
                Error::new(error.code, phrase!("{why}; check the address or read another page", why = error))
            }
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
        let characters = text.chars().count();
        let output = ReadWebpageOutput {
            url: page.url.to_string(),
            title: document.title,
            text,
            is_cut: end.is_some(),
            published: document.published.unwrap_or_default(),
            links,
            through_browser,
            note: note.as_ref().map(Phrase::english).unwrap_or_default(),
        };
        let summary = match note {
            Some(note) => phrase!("read {characters} characters of {host}; {note}", characters, host, note),
            None if through_browser => {
                phrase!("read {characters} characters of {host} with a browser", characters, host)
            }
            None => phrase!("read {characters} characters of {host}", characters, host),
        };
        Ok(ToolOutput::new(output, summary))
    }
}

/// Reads the answer and keeps the HTML for its links.
async fn read_answer(answer: Answer) -> ReadPage {
    let html = (kind_of(&answer) == Some(PageKind::Html)).then(|| answer.body.clone());
    let charset = answer.charset();
    ReadPage { page: pages::page_of(answer, kind_of).await, html, charset }
}

/// The length of a page's text in bytes.
fn length_of(page: &Page) -> usize {
    page.document.as_ref().map_or(0, |document| document.text.len())
}

/// The kind of page to read: HTML, PDF, or plain text of any kind.
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

/// The links of a page: those in the article before those around it, because readers follow them sooner.
async fn links(html: Vec<u8>, charset: Option<String>, address: Url, text: String) -> Vec<WebpageLink> {
    let find = move || {
        let links = page_links(&html, charset.as_deref(), &address);
        let (inside, beside): (Vec<PageLink>, Vec<PageLink>) =
            links.into_iter().partition(|link| text.contains(&link.text));
        let chosen = inside.into_iter().chain(beside).take(MOST_LINKS);
        chosen.map(|link| WebpageLink { text: link.text, url: link.url }).collect()
    };
    // A page whose links cannot be extracted has none.
    tokio::task::spawn_blocking(find).await.unwrap_or_default()
}
