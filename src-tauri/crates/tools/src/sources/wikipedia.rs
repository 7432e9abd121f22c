//! Wikipedia articles that were created or changed in the requested period. A part of `open-news`, disabled by default,
//! because an encyclopedia is no newspaper.

use std::time::Duration;

use async_trait::async_trait;
use kernel::Error;
use net::{Request, Url};

use crate::offered_tool::ServiceDescription;
use crate::search::{Attribution, Hit};
use crate::web::json_fields::{day_of, list, plain, text};
use crate::web::rate_limit::RateLimit;
use crate::web::search_tool::{Candidate, Source, SourceResults};
use crate::web::service_client::ServiceClient;

pub(super) const SERVICE: ServiceDescription = ServiceDescription {
    name: "wikipedia",
    title: "Wikipedia",
    base_url: "https://en.wikipedia.org",
    settings: &[("enabled", "`true` to search Wikipedia too")],
};

/// One request at a time, as its policy asks.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_secs(1), patience: Duration::from_secs(8) };

pub(super) struct Wikipedia;

#[async_trait]
impl Source for Wikipedia {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        let url = service.url(
            "/w/api.php",
            &[
                ("action", "query"),
                ("list", "search"),
                ("srsearch", asked.query(300, 50).as_str()),
                ("srlimit", "20"),
                ("srprop", "snippet|timestamp"),
                ("srsort", "last_edit_desc"),
                ("format", "json"),
                ("formatversion", "2"),
                ("maxlag", "5"),
            ],
        );
        let answer = {
            let _turn = service.turn(&url, &RATE_LIMIT).await?;
            service.ask_json(Request::get(url), &["query", "batchcomplete"]).await?
        };
        let base = service.url("/", &[]);
        let pages = answer.get("query").map(|query| list(query, "search")).unwrap_or_default();
        let candidates: Vec<Candidate> = pages
            .iter()
            .map(|page| Candidate {
                hit: Hit {
                    title: text(page, "title").into_owned(),
                    url: article(&base, &text(page, "title")),
                    source: SERVICE.title.to_owned(),
                    published: day_of(page, &["timestamp"]),
                    text: plain(&text(page, "snippet")),
                },
                ..Candidate::default()
            })
            .collect();
        let attribution = Attribution {
            provider: SERVICE.title.to_owned(),
            text: "Text of Wikipedia is under CC BY-SA 4.0.".to_owned(),
            ..Attribution::default()
        };
        let attributions = if candidates.is_empty() { Vec::new() } else { vec![attribution] };
        Ok(SourceResults { candidates, attributions, ..SourceResults::default() })
    }
}

fn article(base: &Url, title: &str) -> String {
    let mut url = base.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().push("wiki").push(&title.replace(' ', "_"));
    }
    url.to_string()
}
