//! The search source `google-cse`: Google's programmable search, for users who already have an engine. Google accepts
//! no new customers, and ends the service on 2027-01-01.

use async_trait::async_trait;
use jiff::tz::TimeZone;
use kernel::{Code, Error, form, phrase};
use net::Request;
use secrecy::ExposeSecret;
use serde_json::Value;

use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::search::Hit;
use crate::web::json_fields::{day_of, list, plain, text};
use crate::web::search_tool::{Source, SourceResults, WebSearch};
use crate::web::service_client::ServiceClient;

const SERVICE: ServiceDescription = ServiceDescription {
    name: "google-cse",
    title: "Google Programmable Search",
    base_url: "https://customsearch.googleapis.com",
    settings: &[("engine", "The id of your search engine (`cx`)")],
};
const KEY_PAGE: &str = "https://developers.google.com/custom-search/v1/introduction";

/// Metadata fields with a page's date, as Google passes them on.
const DAYS: [&str; 6] =
    ["article:published_time", "datepublished", "citation_publication_date", "pubdate", "date", "dc.date"];

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "google-cse",
    tool: "google_cse_search",
    title: "Google Programmable Search",
    purpose: form!(
        "Google's programmable search, until 2027-01-01 and for customers it has. Needs a key and an engine."
    ),
    key: KeyNeed::Required,
    key_page: KEY_PAGE,
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| WebSearch::tool(SOURCE, parts, GoogleCse),
};

struct GoogleCse;

#[async_trait]
impl Source for GoogleCse {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        let key = service.key(SERVICE.name, KEY_PAGE)?.expose_secret().trim();
        let engine = service.settings.engine.trim();
        if engine.is_empty() {
            let message = phrase!(
                "{title} needs the id of your search engine: `galley config set services.google-cse.engine ID`",
                title = SERVICE.title
            );
            return Err(Error::new(Code::BadInput, message));
        }
        // The filter counts back from today, so the first day of the period sets it.
        let today = engine::now().to_zoned(TimeZone::UTC).date();
        let days = format!("d{}", (today - asked.from).get_days().max(1));
        let parameters = [
            ("key", key),
            ("cx", engine),
            ("q", &asked.request.query),
            ("num", "10"),
            ("dateRestrict", &days),
        ];
        let answer = service
            .ask_json(
                Request::get(service.url("/customsearch/v1", &parameters)),
                &["items", "searchInformation", "queries", "kind"],
            )
            .await?;
        // Without results the list is missing.
        Ok(SourceResults::ranked(list(&answer, "items").iter().map(|item| Hit {
            title: text(item, "title").into_owned(),
            url: text(item, "link").into_owned(),
            source: String::new(),
            published: item.pointer("/pagemap/metatags/0").map(day_in).unwrap_or_default(),
            text: plain(&text(item, "snippet")),
        })))
    }
}

fn day_in(tags: &Value) -> String {
    day_of(tags, &DAYS)
}
