//! The search source `library`: the articles the person imported, and the sample library.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{LibraryIndex, Tool, ToolDescription, ToolExample};
use kernel::{Code, EffectClass, Fault, Json, ToolResult};
use prose::{Document, rank};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The tool's name.
pub const LIBRARY_SEARCH: &str = "library_search";

/// Candidates that the index offers and the ranking chooses from.
const CANDIDATES: u32 = 400;

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
}

/// One hit of any search source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

/// What a search source answers: `{hits: [...]}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Hits {
    /// Best first.
    pub hits: Vec<Hit>,
}

/// Searches the library.
pub struct LibrarySearch {
    index: Arc<dyn LibraryIndex>,
}

impl LibrarySearch {
    /// Over this index.
    pub fn new(index: Arc<dyn LibraryIndex>) -> LibrarySearch {
        LibrarySearch { index }
    }
}

#[async_trait]
impl Tool for LibrarySearch {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: LIBRARY_SEARCH.into(),
            description: "Searches the person's own library and returns the articles that answer a topic."
                .into(),
            class: EffectClass::Pure,
            schema: Json(json!({
                "type": "object", "additionalProperties": false,
                "required": ["query", "from", "until", "max_results"],
                "properties": {
                    "query": {"type": "string"}, "from": {"type": "string"}, "until": {"type": "string"},
                    "max_results": {"type": "integer", "minimum": 1, "maximum": 20}
                }
            })),
        }
    }

    fn title(&self, input: &serde_json::Value) -> String {
        let text =
            |field: &str| input.get(field).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let query: String = text("query").chars().take(120).collect();
        format!("searched the library for “{query}” from {} to {}", text("from"), text("until"))
    }

    fn examples(&self) -> Vec<ToolExample> {
        vec![ToolExample {
            title: "articles of June on a topic",
            input: json!({
                "query": "retrieval-augmented generation", "from": "2026-06-01", "until": "2026-07-01", "max_results": 3
            }),
            output_contains: "https://arxiv.org/abs/",
        }]
    }

    async fn call(
        &self,
        input: &serde_json::Value,
        _cancel: &CancellationToken,
    ) -> Result<ToolResult, Fault> {
        let request = SearchRequest::deserialize(input).map_err(|error| {
            Fault::new(Code::BadInput, format!("`{LIBRARY_SEARCH}` cannot read its input: {error}"))
        })?;
        let found = self
            .index
            .candidates(&request.query, Some(&request.from), Some(&request.until), CANDIDATES)
            .await?;
        let documents: Vec<Document<'_>> =
            found.iter().map(|article| Document { title: &article.title, body: &article.text }).collect();
        let hits: Vec<Hit> = rank(&request.query, &documents)
            .into_iter()
            .take(request.max_results as usize)
            .filter_map(|(index, _)| found.get(index))
            .map(|article| Hit {
                title: article.title.clone(),
                url: article.url.clone(),
                source: article.source.clone(),
                published: article.published.clone(),
                text: article.text.clone(),
            })
            .collect();
        let summary = match hits.len() {
            0 => "found nothing on this topic".to_owned(),
            1 => "found 1 article".to_owned(),
            count => format!("found {count} articles"),
        };
        let output = serde_json::to_value(Hits { hits }).unwrap_or_default();
        Ok(ToolResult { output: Json(output), summary })
    }
}
