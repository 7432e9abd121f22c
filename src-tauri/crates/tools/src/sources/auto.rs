//! The search source `auto`: searches the open news, falls back to the library when the web cannot be searched, and
//! says so.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use engine::{Access, Tool, ToolContext, ToolDescription, ToolExample};
use kernel::{Error, Json, Phrase, ToolResult, form, phrase};
use serde_json::Value;

use super::open_news::{self, OpenNews};
use crate::library_search::{self, LibrarySearch};
use crate::offered_tool::{KeyNeed, OfferedTool};
use crate::search::{SEARCH, SEARCH_TIMEOUT, SearchRequest, hits_schema, request_schema, title_of};
use crate::web::refusal::with_provider_words;
use crate::web::search_tool::WebSearch;

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "auto",
    tool: "auto_search",
    title: "Automatic",
    purpose: form!("The open news; falls back to the library and says so when the web cannot be searched."),
    key: KeyNeed::None,
    key_page: "",
    services: &[],
    collection: Some(form!("the library, which is searched where the web cannot be reached,")),
    chooses_itself: true,
    make: |parts| {
        Arc::new(AutoSearch {
            open_news: WebSearch::new(open_news::SOURCE, parts, OpenNews),
            library: LibrarySearch::new(parts.index.clone()),
        })
    },
};

struct AutoSearch {
    open_news: WebSearch<OpenNews>,
    library: LibrarySearch,
}

#[async_trait]
impl Tool for AutoSearch {
    fn describe(&self) -> ToolDescription {
        ToolDescription {
            name: SOURCE.tool.into(),
            description: SOURCE.purpose.0.into(),
            input: Json(request_schema()),
            output: Json(hits_schema()),
        }
    }

    fn slots(&self) -> Vec<String> {
        vec![SEARCH.to_owned()]
    }

    fn access(&self, _: &Value) -> Access {
        // The result may come from the library.
        Access::looks_at_own()
    }

    fn title(&self, input: &Value) -> Phrase {
        title_of(form!("what can be reached"), input)
    }

    fn timeout(&self) -> Duration {
        SEARCH_TIMEOUT
    }

    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolResult, Error> {
        let request = SearchRequest::read(SOURCE.tool, input)?;
        let hits = match self.open_news.search(&request, context).await {
            Ok(mut hits) => {
                open_news::SOURCE.id.clone_into(&mut hits.searched);
                hits
            }
            Err(error) => {
                let mut hits = self.library.search(&request).await?;
                library_search::SOURCE.id.clone_into(&mut hits.searched);
                hits.notes.push(phrase!("The web could not be searched, so the library was"));
                hits.notes.push(with_provider_words(&error));
                hits
            }
        };
        let summary = hits.summary();
        Ok(ToolResult {
            output: Json(serde_json::to_value(hits).unwrap_or_default()),
            summary,
            files: Vec::new(),
        })
    }
}
