//! The tools that slots offer: their description in forms, the services they contact, and their constructors. Not in
//! here: the tools themselves.

use std::path::PathBuf;
use std::sync::Arc;

use engine::{LibraryIndex, Tool};
use kernel::{Error, Form, Phrase, phrase};
use net::Net;

use crate::page_browser::PageBrowser;
use crate::service_settings::Services;
use crate::trip_files::TripFiles;

/// Whether a tool needs a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// It uses no key.
    None,
    /// It works without a key, and allows more requests with one.
    Optional,
    /// It does not work without a key.
    Required,
}

/// An external service that a tool contacts. Its settings are `services.NAME.…`.
#[derive(Debug, Clone, Copy)]
pub struct ServiceDescription {
    /// The name in settings.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// The default base URL; empty when there is none.
    pub base_url: &'static str,
    /// Its settings besides `base_url`, `profile` and `key_env`: name and meaning.
    pub settings: &'static [(&'static str, &'static str)],
}

impl ServiceDescription {
    /// The message when there is neither a default base URL nor a configured one.
    pub fn no_address(&self) -> Phrase {
        let (title, service) = (self.title, self.name);
        phrase!(
            "{title} has no base URL yet; set where it is: `galley config set services.{service}.base_url URL`",
            title,
            service
        )
    }
}

/// The dependencies of tools.
#[derive(Clone)]
pub struct ToolParts {
    /// The library.
    pub index: Arc<dyn LibraryIndex>,
    /// The network client.
    pub net: Net,
    /// The user's settings of the services.
    pub services: Arc<dyn Services>,
    /// The browser for pages that show nothing without scripts.
    pub browser: Arc<dyn PageBrowser>,
    /// Writes the files of planned trips.
    pub trips: Arc<dyn TripFiles>,
    /// The data folder, with the list of feeds and the rate-limit locks.
    pub folder: PathBuf,
}

impl ToolParts {
    /// The network client for the current settings: the non-public hosts that it may reach, and the contact that it
    /// sends to services.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn web(&self) -> Result<Net, Error> {
        let allowed = self.services.allowed()?;
        Ok(self.introduced()?.allowing(allowed.iter().map(String::as_str)))
    }

    /// The network client that sends the contact from the current settings to services.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub(crate) fn introduced(&self) -> Result<Net, Error> {
        Ok(self.net.introducing(&self.services.contact()?))
    }
}

/// Creates a tool.
pub(crate) type MakeTool = fn(&ToolParts) -> Arc<dyn Tool>;

/// A tool for a slot, as a form shows it, with its constructor.
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
    /// The name of the local collection that it searches, also when only the web search fails; `None` when it searches
    /// the web alone.
    pub collection: Option<Form>,
    /// Whether it chooses by itself what to search.
    pub chooses_itself: bool,
    /// Creates the tool.
    pub make: MakeTool,
}

impl OfferedTool {
    /// Whether it needs no network.
    pub fn is_offline(&self) -> bool {
        self.collection.is_some() && !self.chooses_itself
    }
}
