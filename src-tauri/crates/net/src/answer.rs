//! A complete answer within its caps.

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

/// A received answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The final address, after redirects.
    pub url: Url,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, decompressed.
    pub body: Vec<u8>,
}

impl Answer {
    /// An answer with the HTML, in UTF-8, of a page that a browser read.
    pub fn of_html(url: Url, html: Vec<u8>) -> Answer {
        let kind = HeaderValue::from_static("text/html; charset=utf-8");
        Answer { status: 200, url, headers: HeaderMap::from_iter([(CONTENT_TYPE, kind)]), body: html }
    }

    /// Whether the status is a success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A header, if it is plain ASCII text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// Its media type in lower case, without parameters.
    pub fn content_type(&self) -> String {
        let header = self.header("content-type").unwrap_or_default();
        header.split(';').next().unwrap_or_default().trim().to_lowercase()
    }

    /// The character encoding that the server declares, in lower case.
    pub fn charset(&self) -> Option<String> {
        let header = self.header("content-type")?.to_lowercase();
        let label =
            header.split("charset=").nth(1)?.trim_matches(['"', '\'', ' ']).split([';', '"', '\'']).next()?;
        Some(label.trim().to_owned()).filter(|label| !label.is_empty())
    }

    /// Its body as text; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}
