//! The request and response types that all search sources share.

use std::time::Duration;

use kernel::{Code, Error, Phrase, PhraseParameter, phrase};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of slot for search tools.
pub const SEARCH: &str = "search";

/// The time limit of a search: some services use a model, and pages are read after that.
pub(crate) const SEARCH_TIMEOUT: Duration = Duration::from_secs(300);

/// A search request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The topic in words.
    pub query: String,
    /// The first day, `YYYY-MM-DD`.
    pub from: String,
    /// The last day, `YYYY-MM-DD`.
    pub until: String,
    /// The most hits.
    pub max_results: u32,
    /// Whether the search is for sources of a text on a broad subject, or else for news that match the query's words.
    /// Web services decide themselves what fits.
    #[serde(default, rename = "broad")]
    pub is_broad: bool,
}

impl SearchRequest {
    /// Parses the input of a search tool.
    ///
    /// # Errors
    /// `bad_input` with the field that is missing or has another type.
    pub(crate) fn read(tool: &str, input: &Value) -> Result<SearchRequest, Error> {
        serde_path_to_error::deserialize(input).map_err(|error| {
            let field = error.path().to_string();
            let why = error.inner().to_string();
            let message = if field == "." {
                phrase!("`{tool}` cannot read its input: {error}", tool, error = why)
            } else {
                phrase!("`{tool}` cannot read the field `{field}` of its input: {why}", tool, field, why)
            };
            Error::new(Code::BadInput, message)
        })
    }
}

/// One hit of a search source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hit {
    /// The title.
    pub title: String,
    /// The address, or empty.
    pub url: String,
    /// The publisher.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// The text, as far as it is known.
    pub text: String,
}

/// What a service requires to be displayed with its results.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Attribution {
    /// The name of the service: `Google Search`, `arXiv`.
    pub provider: String,
    /// A sentence to show, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// HTML with its own style, displayed unchanged in a frame without scripts; or empty. Required by Google's terms.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub html: String,
    /// The queries that the service searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// The links that the service requires, each with its target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ServiceLink>,
    /// The usage as the service reported it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub usage: Value,
}

/// A link of a service to a page it found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ServiceLink {
    /// The link from the service.
    pub link: String,
    /// The address that it redirects to, if known.
    pub url: String,
}

/// The response of a search source: `{hits: [...]}` with its notes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hits {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// Whether the source already selected the matching texts by meaning, so that no selection by words is needed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", rename = "chosen")]
    pub are_chosen: bool,
    /// Notes on what was left out or could not be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "in_english")]
    pub notes: Vec<Phrase>,
    /// The source that answered, when the requested one delegated the search.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub searched: String,
    /// What the services require to be displayed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributions: Vec<Attribution>,
}

impl Hits {
    /// A summary of one or two sentences for the journal.
    pub(crate) fn summary(&self) -> Phrase {
        let found = match self.hits.len() {
            0 => phrase!("found nothing on this topic"),
            1 => phrase!("found 1 article"),
            n => phrase!("found {n} articles", n),
        };
        let with_note = |found, note| phrase!("{found}. {note}", found, note);
        self.notes.iter().take(4).fold(found, with_note)
    }
}

/// Serializes notes in English for the state, where templates read them.
mod in_english {
    use kernel::Phrase;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(notes: &[Phrase], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(notes.iter().map(Phrase::english))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Phrase>, D::Error> {
        let notes = Vec::<String>::deserialize(deserializer)?;
        Ok(notes.into_iter().map(Phrase::verbatim).collect())
    }
}

/// The JSON Schema of a search request.
pub(crate) fn request_schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["query", "from", "until", "max_results"],
        "properties": {
            "query": {"type": "string"}, "from": {"type": "string"}, "until": {"type": "string"},
            "max_results": {"type": "integer", "minimum": 1, "maximum": 20}, "broad": {"type": "boolean"}
        }
    })
}

/// The JSON Schema of a search response.
pub(crate) fn hits_schema() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object", "required": ["hits"],
        "properties": {
            "hits": {"type": "array", "items": {
                "type": "object", "required": ["title", "url", "source", "published", "text"],
                "properties": {"title": text, "url": text, "source": text, "published": text, "text": text}
            }},
            "chosen": {"type": "boolean"}, "notes": {"type": "array", "items": text}, "searched": text,
            "attributions": {"type": "array", "items": {"type": "object"}}
        }
    })
}

/// The title of a search for the journal.
pub(crate) fn title_of(searched: impl PhraseParameter, input: &Value) -> Phrase {
    let text = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let query: String = text("query").chars().take(120).collect();
    let (from, until) = (text("from"), text("until"));
    phrase!("searched {what} for “{query}” from {from} to {until}", what = searched, query, from, until)
}
