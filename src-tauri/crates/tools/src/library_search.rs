//! The search source `library`: the articles the person imported, and the sample library.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{LibraryIndex, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{EffectClass, Error, Json, Phrase, ToolResult, form};
use prose::{Document, rank};
use serde_json::json;

use crate::search::{Hit, Hits, SearchRequest, request_schema, title_of};
use crate::sources::{KeyNeed, SearchSource};

/// The search source `library`.
pub(crate) const SOURCE: SearchSource = SearchSource {
    id: "library",
    tool: LIBRARY_SEARCH,
    title: "Library",
    purpose: form!(
        "The articles on this machine: what you imported, and the sample library. Needs no network."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[],
    collection: Some(form!("the library")),
    chooses_itself: false,
    make: |parts| Arc::new(LibrarySearch::new(parts.index.clone())),
};

/// The tool's name.
pub const LIBRARY_SEARCH: &str = "library_search";

/// Candidates that the index offers and the ranking chooses from.
const CANDIDATES: u32 = 400;

/// Searches the library.
pub struct LibrarySearch {
    index: Arc<dyn LibraryIndex>,
}

impl LibrarySearch {
    /// Over this index.
    pub fn new(index: Arc<dyn LibraryIndex>) -> LibrarySearch {
        LibrarySearch { index }
    }

    /// The articles of the library that answer the request, best first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub(crate) async fn search(&self, request: &SearchRequest) -> Result<Hits, Error> {
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
        Ok(Hits { hits, ..Hits::default() })
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
            schema: Json(request_schema()),
        }
    }

    fn title(&self, input: &serde_json::Value) -> Phrase {
        title_of(form!("the library"), input)
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

    async fn call(&self, input: &serde_json::Value, _: &ToolContext) -> Result<ToolResult, Error> {
        let request = SearchRequest::read(LIBRARY_SEARCH, input)?;
        let hits = self.search(&request).await?;
        let summary = hits.summary();
        Ok(ToolResult { output: Json(serde_json::to_value(hits).unwrap_or_default()), summary })
    }
}
