//! Every search source: one file each, and one line in each of the two lists of this file. A source knows the wire
//! of its service and nothing else; what all have in common is in `web`.

mod arxiv;
mod auto;
mod brave;
mod feeds;
mod gemini;
mod google_cse;
mod hacker_news;
mod open_news;
mod searxng;
mod tavily;
#[cfg(test)]
mod tests;
mod wikipedia;

use kernel::{Form, Phrase, phrase};
use std::path::PathBuf;
use std::sync::Arc;

use engine::{LibraryIndex, Tool};
use net::Net;

use crate::trips;
use crate::web::page_browser::PageBrowser;
use crate::web::service_settings::Services;

/// Whether a source needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// It knows none.
    None,
    /// It works without one, and allows more with one.
    Optional,
    /// It answers nobody without one.
    Required,
}

/// An outside service a source asks. Its settings are `services.NAME.…`.
#[derive(Debug, Clone, Copy)]
pub struct ServiceDescription {
    /// The name in settings.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Where it is asked unless the person says otherwise; empty when there is no usual place.
    pub base_url: &'static str,
    /// Its settings besides `base_url`, `profile` and `key_env`: each its name and what it means.
    pub settings: &'static [(&'static str, &'static str)],
}

impl ServiceDescription {
    /// What to say where it has no usual place and was given none.
    pub fn no_address(&self) -> Phrase {
        let (title, service) = (self.title, self.name);
        phrase!(
            "{title} has no base URL yet; set where it is: `galley config set services.{service}.base_url URL`",
            title,
            service
        )
    }
}

/// What a source is made of.
#[derive(Clone)]
pub struct SearchParts {
    /// The library.
    pub index: Arc<dyn LibraryIndex>,
    /// The network client.
    pub net: Net,
    /// What the person set for the services.
    pub services: Arc<dyn Services>,
    /// What opens pages that show nothing without scripts.
    pub browser: Arc<dyn PageBrowser>,
    /// The data folder: the list of feeds, and the turns that are taken.
    pub folder: PathBuf,
}

/// Makes the tool of a source.
pub(crate) type MakeTool = fn(&SearchParts) -> Arc<dyn Tool>;

/// A source as a form shows it, and how its tool is made.
#[derive(Clone, Copy)]
pub struct SearchSource {
    /// The id for people and scripts: `library`, `open-news`, …
    pub id: &'static str,
    /// The tool's name.
    pub tool: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it searches and what it takes, a sentence or two.
    pub purpose: Form,
    /// Whether it needs a key.
    pub key: KeyNeed,
    /// Where a key is given out; empty when there is none to get.
    pub key_page: &'static str,
    /// The services it asks.
    pub services: &'static [ServiceDescription],
    /// What it calls the collection on this machine that it searches, also where only the web fails; `None` where it
    /// searches the web alone.
    pub collection: Option<Form>,
    /// Whether it decides by itself what it searches.
    pub chooses_itself: bool,
    /// Its tool.
    pub make: MakeTool,
}

impl SearchSource {
    /// Whether it needs no network.
    pub fn is_offline(&self) -> bool {
        self.collection.is_some() && !self.chooses_itself
    }
}

/// The kind of slot for a tool that searches.
pub const SEARCH: &str = "search";

/// The search source that is taken where neither a pipeline nor the person names one.
pub const USUAL_SEARCH: &str = auto::SOURCE.id;

/// The tools that fit a slot of this kind; none where there is no such kind.
pub fn fitting(kind: &str) -> &'static [SearchSource] {
    SLOT_TOOLS.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, tools)| tools)
}

/// The tools of every kind of slot, by the kind.
pub(crate) const SLOT_TOOLS: &[(&str, &[SearchSource])] = &[
    (SEARCH, SEARCH_SOURCES),
    (trips::TITLE_SEARCH, trips::TITLE_SEARCHES),
    (trips::STATION_SEARCH, trips::STATION_SEARCHES),
    (trips::POINT_SEARCH, trips::POINT_SEARCHES),
    (trips::WEATHER, trips::WEATHER_SERVICES),
    (trips::ROUTING, trips::ROUTING_SERVICES),
];

/// Every source of every kind.
pub fn all_sources() -> impl Iterator<Item = &'static SearchSource> {
    SLOT_TOOLS.iter().flat_map(|(_, tools)| *tools)
}

/// Every search source, alphabetic.
pub const SEARCH_SOURCES: &[SearchSource] = &[
    auto::SOURCE,
    brave::SOURCE,
    gemini::SOURCE,
    google_cse::SOURCE,
    crate::library_search::SOURCE,
    open_news::SOURCE,
    searxng::SOURCE,
    tavily::SOURCE,
];
