//! The search source `brave`: the news of Brave's index.

use async_trait::async_trait;
use kernel::{Error, form};
use net::Request;

use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::search::Hit;
use crate::web::json_fields::{day_of, list, plain, text};
use crate::web::search_tool::{Source, SourceResults, WebSearch};
use crate::web::service_client::ServiceClient;

const SERVICE: ServiceDescription = ServiceDescription {
    name: "brave",
    title: "Brave Search",
    base_url: "https://api.search.brave.com/res/v1",
    settings: &[],
};
const KEY_PAGE: &str = "https://api-dashboard.search.brave.com";

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "brave",
    tool: "brave_search",
    title: "Brave Search",
    purpose: form!("News by Brave Search. Needs a key of a paid plan."),
    key: KeyNeed::Required,
    key_page: KEY_PAGE,
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| WebSearch::tool(SOURCE, parts, Brave),
};

struct Brave;

#[async_trait]
impl Source for Brave {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        // The service rejects longer queries.
        let query = asked.query(400, 50);
        let days = format!("{}to{}", asked.request.from, asked.request.until);
        let url = service.url(
            "/news/search",
            &[("q", &query), ("count", "30"), ("freshness", &days), ("extra_snippets", "true")],
        );
        let request = Request::get(url);
        let request = request.secret("x-subscription-token", "", service.key(SERVICE.name, KEY_PAGE)?)?;
        let answer = service.ask_json(request, &["results", "query", "type"]).await?;
        Ok(SourceResults::ranked(list(&answer, "results").iter().map(|result| {
            let extra = list(result, "extra_snippets").iter().filter_map(|snippet| snippet.as_str());
            let description = text(result, "description");
            let whole: Vec<String> = std::iter::once(description.as_ref()).chain(extra).map(plain).collect();
            Hit {
                title: text(result, "title").into_owned(),
                url: text(result, "url").into_owned(),
                source: String::new(),
                published: day_of(result, &["page_age", "age"]),
                text: whole.join("\n"),
            }
        })))
    }
}
