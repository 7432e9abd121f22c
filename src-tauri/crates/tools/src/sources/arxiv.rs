//! arXiv, through its query API. A part of `open-news`. The service asks for at most one request per three seconds and
//! no concurrent ones, so the rate limit applies across runs and processes.

use std::time::Duration;

use async_trait::async_trait;
use kernel::{Code, Error, phrase};
use net::{Caps, Request};

use crate::offered_tool::ServiceDescription;
use crate::search::{Attribution, Hit};
use crate::web::duplicates::plain_address;
use crate::web::json_fields::entries;
use crate::web::rate_limit::RateLimit;
use crate::web::search_tool::{Candidate, Source, SourceResults};
use crate::web::service_client::ServiceClient;

pub(super) const SERVICE: ServiceDescription =
    ServiceDescription { name: "arxiv", title: "arXiv", base_url: "https://export.arxiv.org", settings: &[] };

const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_secs(3), patience: Duration::from_secs(12) };
/// The most words of a topic, all of which must match; more words match nothing.
const MOST_WORDS: usize = 6;

pub(super) struct Arxiv;

#[async_trait]
impl Source for Arxiv {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let service = asked.service(&SERVICE).await?;
        let url = service.url(
            "/api/query",
            &[
                ("search_query", query(asked).as_str()),
                ("sortBy", "submittedDate"),
                ("sortOrder", "descending"),
                ("start", "0"),
                ("max_results", "50"),
            ],
        );
        let caps = Caps { within: Duration::from_secs(20), ..Caps::default() };
        let answer = {
            let _turn = service.turn(&url, &RATE_LIMIT).await?;
            service.ask(Request::get(url).caps(caps)).await?
        };
        let entries = entries(SERVICE.title, answer).await?;
        // The service reports errors as an entry, in older versions with a status of success.
        if let Some(error) = entries.iter().find(|entry| entry.title == "Error") {
            let message = phrase!("arXiv refused the question; ask it in other words");
            let words = Some(error.text.chars().take(300).collect());
            return Err(Error { provider_words: words, ..Error::new(Code::RequestRefused, message) });
        }
        let candidates: Vec<Candidate> = entries
            .into_iter()
            .map(|entry| {
                let address = plain_address(entry.url.as_deref().unwrap_or_default());
                let hit = Hit {
                    title: entry.title,
                    url: format!("https://{address}"),
                    source: SERVICE.title.to_owned(),
                    published: entry.published.unwrap_or_default(),
                    text: entry.text,
                };
                Candidate { hit, ..Candidate::default() }
            })
            .collect();
        let attribution = Attribution {
            provider: SERVICE.title.to_owned(),
            text: "Thank you to arXiv for use of its open access interoperability.".to_owned(),
            ..Attribution::default()
        };
        let attributions = if candidates.is_empty() { Vec::new() } else { vec![attribution] };
        Ok(SourceResults { candidates, attributions, ..SourceResults::default() })
    }
}

/// Matches every word of the topic, submitted in the requested period.
fn query(asked: &ServiceClient<'_>) -> String {
    let terms = extractive::query_terms(&asked.request.query);
    let words: Vec<String> = terms
        .iter()
        .map(|term| term.chars().filter(|character| character.is_alphanumeric()).collect::<String>())
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .map(|word| format!("all:{word}"))
        .collect();
    let words = if words.is_empty() { "cat:cs.AI".to_owned() } else { words.join(" AND ") };
    let (from, until) = (asked.from.strftime("%Y%m%d"), asked.until.strftime("%Y%m%d"));
    format!("{words} AND submittedDate:[{from}0000 TO {until}2359]")
}
