//! Reads a page of the web as a person would: its article without the frame around it, or the text of a PDF file.
//!
//! Only public addresses are read, also where the page leads on to others, and only hosts that the run may reach. Not in
//! here: pages that show nothing without a browser, and how addresses are judged (`net`).

#[cfg(test)]
mod tests;

use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool};
use kernel::{Error, Phrase, phrase};
use net::{Answer, Caps, Url};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::readers::{PageKind, PageLink, page_links};
use crate::web::pages;
use crate::web::web_client::{WebClient, shown};

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
    client: WebClient,
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
    /// The tool, with what fetches the pages.
    pub fn new(client: WebClient) -> ReadWebpageTool {
        ReadWebpageTool { client }
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
        WebClient::access(&input.url)
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
        let headers = [("accept", ACCEPT)];
        let answer = self.client.fetch(READ_WEBPAGE, &input.url, &headers, CAPS, context).await?;
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
