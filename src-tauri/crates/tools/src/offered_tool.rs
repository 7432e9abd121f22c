//! The tools that slots offer: what a form shows of each, whom it asks, and how it is made. Not in here: what any of them
//! does.

use std::path::PathBuf;
use std::sync::Arc;

use engine::{LibraryIndex, Tool};
use kernel::{Error, Form, Phrase, phrase};
use net::Net;

use crate::sources::{SEARCH, SEARCH_SOURCES};
use crate::trips::{self, TripFiles};
use crate::web::page_browser::PageBrowser;
use crate::web::service_settings::Services;

/// Whether a tool needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// It knows none.
    None,
    /// It works without one, and allows more with one.
    Optional,
    /// It answers nobody without one.
    Required,
}

/// An outside service that a tool asks. Its settings are `services.NAME.…`.
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

/// What tools are made of.
#[derive(Clone)]
pub struct ToolParts {
    /// The library.
    pub index: Arc<dyn LibraryIndex>,
    /// The network client.
    pub net: Net,
    /// What the person set for the services.
    pub services: Arc<dyn Services>,
    /// What opens pages that show nothing without scripts.
    pub browser: Arc<dyn PageBrowser>,
    /// What makes files of planned trips.
    pub trips: Arc<dyn TripFiles>,
    /// The data folder: the list of feeds, and the turns that are taken.
    pub folder: PathBuf,
}

impl ToolParts {
    /// The network client as the settings are now: what it lets through although it is not public, and whom a service can
    /// turn to.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn web(&self) -> Result<Net, Error> {
        let allowed = self.services.allowed()?;
        Ok(self.introduced()?.allowing(allowed.iter().map(String::as_str)))
    }

    /// The network client that says whom a service can turn to, as the settings are now.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn introduced(&self) -> Result<Net, Error> {
        Ok(self.net.introducing(&self.services.contact()?))
    }
}

/// Makes a tool.
pub(crate) type MakeTool = fn(&ToolParts) -> Arc<dyn Tool>;

/// A tool of a slot as a form shows it, and how it is made.
#[derive(Clone, Copy)]
pub struct OfferedTool {
    /// The id for people and scripts: `library`, `open-news`, …
    pub id: &'static str,
    /// The tool's name.
    pub tool: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does and what it needs, a sentence or two.
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
    /// Makes it.
    pub make: MakeTool,
}

impl OfferedTool {
    /// Whether it needs no network.
    pub fn is_offline(&self) -> bool {
        self.collection.is_some() && !self.chooses_itself
    }
}

/// The tools that fit a slot of this kind; none where there is no such kind.
pub fn fitting(kind: &str) -> &'static [OfferedTool] {
    SLOT_TOOLS.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, tools)| tools)
}

/// The tools of every kind of slot, by the kind.
pub(crate) const SLOT_TOOLS: &[(&str, &[OfferedTool])] = &[
    (SEARCH, SEARCH_SOURCES),
    (trips::TITLE_SEARCH, trips::TITLE_SEARCHES),
    (trips::STATION_SEARCH, trips::STATION_SEARCHES),
    (trips::POINT_SEARCH, trips::POINT_SEARCHES),
    (trips::PLACE_DETAILS, trips::PLACE_DETAIL_SERVICES),
    (trips::WEATHER, trips::WEATHER_SERVICES),
    (trips::ROUTING, trips::ROUTING_SERVICES),
];

/// Every tool of every kind of slot.
pub fn offered_tools() -> impl Iterator<Item = &'static OfferedTool> {
    SLOT_TOOLS.iter().flat_map(|(_, tools)| *tools)
}
