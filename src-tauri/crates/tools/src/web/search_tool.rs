//! The search tool around every network source: it cleans the results, removes duplicates, ranks them if the service
//! did not, completes them from their pages when too little is known, and filters by the requested days.
//!
//! The recorded result contains everything that was fetched, so a replay needs no network. Not in here: the protocol of
//! any service.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Tool, ToolContext, ToolDescription, ToolExample};
use extractive::{Document, rank};
use futures::StreamExt as _;
use jiff::civil::Date;
use kernel::{AskedModel, Code, CredentialRoute, Error, Json, Phrase, ToolResult, phrase};
use net::{Net, Url};
use serde_json::Value;

use super::duplicates::deduplicated;
use super::json_fields::{harmless, host_of, shortened, title};
use super::pages;
use super::service_client::{Caller, ServiceClient};
use crate::offered_tool::{KeyNeed, OfferedTool, ToolParts};
use crate::readers::web_address;
use crate::search::{
    Attribution, Hit, Hits, SEARCH, SEARCH_TIMEOUT, SearchRequest, ServiceLink, hits_schema, request_schema,
    title_of,
};
use crate::service_settings::ServiceKey;

/// Shorter texts, in characters, are completed from their page.
const SHORT_TEXT: usize = 280;
/// The most pages that are fetched concurrently.
const CONCURRENT_PAGES: usize = 6;
/// The time limit of all pages of a search together.
const PAGES_WITHIN: Duration = Duration::from_secs(20);

/// A result of a source, before its page is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidate {
    pub(crate) hit: Hit,
    /// The link redirects to the page, whose title is not known yet either.
    pub(crate) is_redirect: bool,
    /// The date is that of a mention; the page's own date is better.
    pub(crate) is_mention: bool,
}

impl Candidate {
    /// Takes over better data from a duplicate.
    pub(crate) fn merge(&mut self, other: Candidate) {
        if other.hit.text.len() > self.hit.text.len() {
            self.hit.text = other.hit.text;
        }
        if self.hit.published.is_empty() {
            self.hit.published.clone_from(&other.hit.published);
        }
        // The date of the article itself is better than that of a mention.
        if self.is_mention && !other.is_mention && !other.hit.published.is_empty() {
            self.is_mention = false;
            self.hit.published = other.hit.published;
            self.hit.source = other.hit.source;
            self.hit.url = other.hit.url;
        }
    }
}

/// The results of a source.
#[derive(Debug, Default)]
pub(crate) struct SourceResults {
    pub(crate) candidates: Vec<Candidate>,
    /// Notes on what could not be reached.
    pub(crate) notes: Vec<Phrase>,
    pub(crate) attributions: Vec<Attribution>,
    /// Whether they are already in order of relevance; else they are ranked here.
    pub(crate) is_ranked: bool,
}

impl SourceResults {
    /// Creates the results from hits in the service's own order.
    pub(crate) fn ranked(hits: impl IntoIterator<Item = Hit>) -> SourceResults {
        let candidates = hits.into_iter().map(|hit| Candidate { hit, ..Candidate::default() }).collect();
        SourceResults { candidates, is_ranked: true, ..SourceResults::default() }
    }
}

/// The protocol of one service, or of several.
#[async_trait]
pub(crate) trait Source: Send + Sync + 'static {
    /// Finds results for the request. An empty result is not an error.
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error>;

    /// The model that it uses with these settings, if any.
    fn model(&self, of: &ServiceKey) -> Option<AskedModel> {
        let _ = of;
        None
    }
}

/// A source as a tool.
pub(crate) struct WebSearch<S> {
    about: OfferedTool,
    parts: ToolParts,
    source: S,
}

impl<S: Source> WebSearch<S> {
    pub(crate) fn new(about: OfferedTool, parts: &ToolParts, source: S) -> WebSearch<S> {
        WebSearch { about, parts: parts.clone(), source }
    }

    pub(crate) fn tool(about: OfferedTool, parts: &ToolParts, source: S) -> Arc<dyn Tool> {
        Arc::new(WebSearch::new(about, parts, source))
    }

    /// Searches, and completes the results.
    ///
    /// # Errors
    /// When the source could not be searched.
    pub(crate) async fn search(&self, request: &SearchRequest, context: &ToolContext) -> Result<Hits, Error> {
        let (from, until) = (day_of(&request.from)?, day_of(&request.until)?);
        let caller = Caller { parts: &self.parts, context };
        let asked = ServiceClient { request, from, until, caller };
        let mut found = self.source.find(&asked).await?;
        if context.is_trial {
            return Ok(Hits::default());
        }
        let candidates = deduplicated(found.candidates.into_iter().filter_map(cleaned).collect());
        let candidates = if found.is_ranked { candidates } else { in_order(&request.query, candidates) };
        let is_asked_for = |day: &str| (request.from.as_str()..=request.until.as_str()).contains(&day);
        let most = request.max_results as usize;
        let candidates: Vec<Candidate> = candidates
            .into_iter()
            .filter(|candidate| candidate.hit.published.is_empty() || is_asked_for(&candidate.hit.published))
            .take((2 * most).max(most + 4))
            .collect();
        let net = self.parts.web()?;
        let (candidates, unread) = completed(&net, candidates).await;
        complete_links(&mut found.attributions, &candidates);
        // Redirects may lead to the same page.
        let candidates = deduplicated(candidates.into_iter().map(|(_, candidate)| candidate).collect());
        let total = candidates.len();
        let mut hits: Vec<Hit> = candidates.into_iter().map(|candidate| candidate.hit).collect();
        hits.retain(|hit| is_asked_for(&hit.published));
        let undated = total - hits.len();
        hits.truncate(most);
        let mut notes = found.notes;
        if undated > 0 {
            notes.push(phrase!("{undated} results were left out: they are older or name no day", undated));
        }
        if unread > 0 {
            notes.push(phrase!(
                "{unread} pages could not be read; what the service says of them is all there is",
                unread
            ));
        }
        Ok(Hits { hits, notes, attributions: found.attributions, ..Hits::default() })
    }
}

#[async_trait]
impl<S: Source> Tool for WebSearch<S> {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: self.about.tool.into(),
            description: self.about.purpose.0.into(),
            input: Json(request_schema()),
            output: Json(hits_schema()),
        }
    }

    fn slots(&self) -> Vec<String> {
        vec![SEARCH.to_owned()]
    }

    fn access(&self, _: &Value) -> Access {
        Access::looks_at_web()
    }

    fn title(&self, input: &Value) -> Phrase {
        title_of(self.about.title, input)
    }

    fn timeout(&self) -> Duration {
        SEARCH_TIMEOUT
    }

    /// No examples: web content changes; the recorded exchanges are the examples.
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    fn credential_route(&self, profile: Option<&str>) -> Option<CredentialRoute> {
        let service = self.about.services.first().filter(|_| self.about.key != KeyNeed::None)?;
        let key = self.parts.services.key_of(service.name, profile)?;
        let model = self.source.model(&key);
        Some(CredentialRoute { profile: key.profile, fallback: key.fallback, model })
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error> {
        let hits = self.search(&SearchRequest::read(self.about.tool, input)?, context).await?;
        let summary = hits.summary();
        Ok(ToolResult {
            output: Json(serde_json::to_value(hits).unwrap_or_default()),
            summary,
            files: Vec::new(),
        })
    }
}

fn day_of(text: &str) -> Result<Date, Error> {
    let day: Option<Date> = text.parse().ok().filter(|day: &Date| day.to_string() == text);
    day.ok_or_else(|| {
        Error::new(
            Code::BadInput,
            phrase!("`{text}` is not a day; write it as YYYY-MM-DD, for example 2026-07-01", text),
        )
    })
}

/// The hit with plain title and text; `None` without an address that a person can open and recognize.
fn cleaned(mut candidate: Candidate) -> Option<Candidate> {
    let hit = &mut candidate.hit;
    hit.url = web_address(&hit.url.trim().replace(' ', "%20"))?;
    let url = Url::parse(&hit.url).ok().filter(Url::has_host)?;
    if !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    if hit.source.is_empty() {
        hit.source = host_of(&hit.url);
    }
    plain_words(hit);
    (!hit.title.is_empty()).then_some(candidate)
}

/// Removes markup from a hit, and cuts it to the limits.
fn plain_words(hit: &mut Hit) {
    hit.title = title(&harmless(&hit.title));
    hit.source = title(&harmless(&hit.source));
    hit.text = shortened(&harmless(&hit.text));
}

/// The candidates that match the query, best first.
fn in_order(query: &str, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let documents: Vec<Document<'_>> = candidates
        .iter()
        .map(|candidate| Document { title: &candidate.hit.title, body: &candidate.hit.text })
        .collect();
    let order: Vec<usize> = rank(query, &documents).into_iter().map(|(index, _)| index).collect();
    let mut candidates: Vec<Option<Candidate>> = candidates.into_iter().map(Some).collect();
    order.into_iter().filter_map(|index| candidates.get_mut(index)?.take()).collect()
}

/// The candidates with their original links, completed from their pages; and the number of pages that could not be
/// read.
async fn completed(net: &Net, candidates: Vec<Candidate>) -> (Vec<(String, Candidate)>, usize) {
    let ends = tokio::time::Instant::now() + PAGES_WITHIN;
    let results: Vec<(String, Candidate, bool)> = futures::stream::iter(candidates)
        .map(|mut candidate| async move {
            let link = candidate.hit.url.clone();
            let is_thin = candidate.hit.text.chars().count() < SHORT_TEXT;
            if !(is_thin || candidate.is_redirect || candidate.hit.published.is_empty()) {
                return (link, candidate, true);
            }
            let page = tokio::time::timeout_at(ends, pages::read(net, &link)).await;
            let is_read = match page {
                Ok(Ok(page)) => complete(&mut candidate, page),
                Ok(Err(_)) | Err(_) => false,
            };
            (link, candidate, is_read)
        })
        .buffered(CONCURRENT_PAGES)
        .collect()
        .await;
    let unread = results.iter().filter(|(.., is_read)| !is_read).count();
    (results.into_iter().map(|(link, candidate, _)| (link, candidate)).collect(), unread)
}

/// Adds the data of a page; false when it could not be read.
fn complete(candidate: &mut Candidate, page: pages::Page) -> bool {
    let hit = &mut candidate.hit;
    if candidate.is_redirect {
        hit.url = page.url.to_string();
        hit.source = host_of(&hit.url);
    }
    let Ok(document) = page.document else { return false };
    // A publisher's name on the page is better than its host.
    if hit.source == host_of(&hit.url) && document.source != document.origin {
        hit.source = document.source;
    }
    if candidate.is_redirect {
        hit.title = document.title;
    }
    if document.text.chars().count() > hit.text.chars().count() || candidate.is_redirect {
        hit.text = document.text;
    }
    plain_words(hit);
    if let Some(day) = document.published
        && (hit.published.is_empty() || candidate.is_mention)
    {
        hit.published = day;
    }
    true
}

/// Sets the targets of the services' links, which were followed meanwhile.
fn complete_links(attributions: &mut [Attribution], candidates: &[(String, Candidate)]) {
    for ServiceLink { link, url } in attributions.iter_mut().flat_map(|attribution| &mut attribution.links) {
        let followed = candidates.iter().find(|(given, _)| given == link);
        if let Some((_, candidate)) = followed.filter(|(given, candidate)| *given != candidate.hit.url) {
            candidate.hit.url.clone_into(url);
        }
    }
}
