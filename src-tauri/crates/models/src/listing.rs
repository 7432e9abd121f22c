//! The place and the format of a provider's list of models.

use serde::Serialize;
use serde_json::Value;

/// A model as its provider lists it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ModelCard {
    /// The name for requests.
    pub name: String,
    /// The name for people; may be empty.
    pub title: String,
    /// The day of its announced shutdown, `YYYY-MM-DD`; empty if there is none.
    pub shutdown_date: String,
    /// Most tokens of a request; 0 if the provider does not say.
    pub input_tokens: u64,
    /// Most tokens of an answer; 0 if the provider does not say.
    pub output_tokens: u64,
}

/// One page of a list.
pub(crate) struct Page {
    pub(crate) models: Vec<ModelCard>,
    /// The query parameter for the next page.
    pub(crate) next: Option<(&'static str, String)>,
}

/// The location and the format of a provider's list.
#[derive(Clone, Copy)]
pub(crate) struct Listing {
    /// The path under the base URL, with its query.
    pub(crate) path: &'static str,
    /// Required headers besides the key.
    pub(crate) headers: &'static [(&'static str, &'static str)],
    /// Parses a page; `None` if it is none.
    pub(crate) read: fn(&Value) -> Option<Page>,
}
