//! The search source `tavily`: a search API for programs. Without a key it allows fewer requests.

use async_trait::async_trait;
use kernel::{Error, form};
use net::Request;
use serde_json::json;

use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::search::Hit;
use crate::web::json_fields::{day_of, list, plain, text};
use crate::web::search_tool::{Source, SourceResults, WebSearch};
use crate::web::service_client::ServiceClient;

const SERVICE: ServiceDescription =
    ServiceDescription { name: "tavily", title: "Tavily", base_url: "https://api.tavily.com", settings: &[] };

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "tavily",
    tool: "tavily_search",
    title: "Tavily",
    purpose: form!(
        "News by the search service Tavily. One credit a search; without a key only a few searches."
    ),
    key: KeyNeed::Optional,
    key_page: "https://app.tavily.com/home",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| WebSearch::tool(SOURCE, parts, Tavily),
};

struct Tavily;

#[async_trait]
impl Source for Tavily {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        let body = json!({
            "query": asked.query(400, 60), "topic": "news", "search_depth": "basic",
            "max_results": 20, "start_date": asked.request.from, "end_date": asked.request.until,
        });
        let request = Request::post(service.url("/search", &[]), &body);
        let request = match &service.settings.key {
            Some(key) => request.secret("authorization", "Bearer ", key)?,
            None => request.header("x-tavily-access-mode", "keyless"),
        };
        let answer = service.ask_json(request, &["results", "query", "response_time", "request_id"]).await?;
        Ok(SourceResults::ranked(list(&answer, "results").iter().map(|result| Hit {
            title: text(result, "title").into_owned(),
            url: text(result, "url").into_owned(),
            source: String::new(),
            published: day_of(result, &["published_date"]),
            text: plain(&text(result, "content")),
        })))
    }
}
