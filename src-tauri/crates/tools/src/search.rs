//! The words of searching, which every search source speaks: what is asked and what is answered.

use std::time::Duration;

use kernel::{Code, Error, Phrase, PhraseParameter, phrase};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How long a search may take: some services ask a model, and pages are read after that.
pub(crate) const SEARCH_TIMEOUT: Duration = Duration::from_secs(300);

/// What to search for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchRequest {
    /// The topic in words.
    pub query: String,
    /// The first day, `YYYY-MM-DD`.
    pub from: String,
    /// The last day, `YYYY-MM-DD`.
    pub until: String,
    /// Most hits.
    pub max_results: u32,
    /// Whether sources are looked for from which a text on a broad subject is written; else news that answer the query by
    /// its words. A service on the web decides by itself what fits.
    #[serde(default, rename = "broad")]
    pub is_broad: bool,
}

impl SearchRequest {
    /// Reads the input of a search tool.
    ///
    /// # Errors
    /// `bad_input` with the field that is missing or of another kind.
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

/// One hit of any search source.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hit {
    /// Title.
    pub title: String,
    /// Address, or empty.
    pub url: String,
    /// Where it is from.
    pub source: String,
    /// `YYYY-MM-DD`, or empty.
    pub published: String,
    /// The text that is known of it.
    pub text: String,
}

/// What a service wants shown beside what it found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Attribution {
    /// Who found it: `Google Search`, `arXiv`.
    pub provider: String,
    /// A sentence to show, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// HTML with its own style to show as it is, in a frame without scripts; or empty. Google's terms ask for it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub html: String,
    /// What was searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// The links that the service wants followed, each with the address it leads to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ServiceLink>,
    /// What the service counted for this search, as it told it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub usage: Value,
}

/// A link of a service to a page it found.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ServiceLink {
    /// The link as the service gave it.
    pub link: String,
    /// Where it leads, when that is known.
    pub url: String,
}

/// What a search source answers: `{hits: [...]}` and what has to be said of them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hits {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Whether the source has judged by meaning which of its texts answer: nobody needs to choose by words again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", rename = "chosen")]
    pub are_chosen: bool,
    /// What was left out or could not be reached, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "in_english")]
    pub notes: Vec<Phrase>,
    /// The source that answered, when the one that was asked chose it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub searched: String,
    /// What the services want shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributions: Vec<Attribution>,
}

impl Hits {
    /// The answer in a sentence or two for the journal.
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

/// Notes as they stand in the state, where templates read them.
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

/// JSON Schema of what is asked of every search source.
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

/// JSON Schema of what every search source answers.
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

/// The title of one search for the journal.
pub(crate) fn title_of(searched: impl PhraseParameter, input: &Value) -> Phrase {
    let text = |field: &str| input.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let query: String = text("query").chars().take(120).collect();
    let (from, until) = (text("from"), text("until"));
    phrase!("searched {what} for “{query}” from {from} to {until}", what = searched, query, from, until)
}
