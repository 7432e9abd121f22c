//! The search source `searxng`: a metasearch engine that the user or an acquaintance hosts.

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use kernel::{Code, Error, form, phrase};
use net::Request;
use serde_json::Value;

use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::search::Hit;
use crate::web::json_fields::{day_of, list, plain, text};
use crate::web::search_tool::{Source, SourceResults, WebSearch};
use crate::web::service_client::ServiceClient;

const SERVICE: ServiceDescription =
    ServiceDescription { name: "searxng", title: "SearXNG", base_url: "", settings: &[] };

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "searxng",
    tool: "searxng_search",
    title: "SearXNG",
    purpose: form!(
        "Many engines at once, by a SearXNG of your own. Needs its base URL, and `json` among its formats."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| WebSearch::tool(SOURCE, parts, Searxng),
};

struct Searxng;

#[async_trait]
impl Source for Searxng {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        let mut parameters = vec![
            ("q", asked.request.query.as_str()),
            ("format", "json"),
            ("categories", "general,news"),
            ("safesearch", "0"),
        ];
        // Its filters end at the last month, counted from today; older hits are filtered by their dates.
        let today = engine::now().to_zoned(TimeZone::UTC).date();
        let is_recent = today.checked_sub(2.days()).is_ok_and(|day| asked.until >= day);
        if is_recent {
            parameters.push(("time_range", "month"));
        }
        let answer = service
            .ask_json(
                Request::get(service.url("/search", &parameters)),
                &["results", "query", "unresponsive_engines"],
            )
            .await;
        let answer = answer.map_err(|error| match error.code {
            Code::KeyRefused => Error { code: Code::RequestRefused, ..error }.reworded(phrase!(
                "{title} answers only people: add `json` to `search.formats` of its settings, or allow this machine in its limiter",
                title = SERVICE.title
            )),
            _ => error,
        })?;
        let results = list(&answer, "results");
        let silent = list(&answer, "unresponsive_engines");
        let silent: Vec<String> =
            silent.iter().map(engine).filter(|engine| !engine.is_empty()).take(8).collect();
        if results.is_empty() && !silent.is_empty() {
            let message = phrase!(
                "None of the engines of {title} answered ({silent}); try again later, or choose another source",
                title = SERVICE.title,
                silent
            );
            return Err(Error::new(Code::Overloaded, message));
        }
        let mut found = SourceResults::ranked(results.iter().map(|result| Hit {
            title: text(result, "title").into_owned(),
            url: text(result, "url").into_owned(),
            source: String::new(),
            published: day_of(result, &["publishedDate", "pubdate"]),
            text: plain(&text(result, "content")),
        }));
        if !silent.is_empty() {
            found.notes.push(phrase!("Engines that did not answer: {silent}", silent));
        }
        Ok(found)
    }
}

/// The name of an engine and its error, from a pair of any types.
fn engine(pair: &Value) -> String {
    let word = |index: usize| pair.get(index).and_then(Value::as_str).map(plain).unwrap_or_default();
    let (name, reason) = (word(0), word(1));
    let whole = if reason.is_empty() { name } else { format!("{name}: {reason}") };
    whole.chars().take(80).collect()
}
