//! Hacker News, through its search at Algolia, or the front page through its own API when the search is down. A part of
//! `open-news`, not a source of its own.

use async_trait::async_trait;
use futures::StreamExt as _;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use kernel::{Error, phrase};
use net::Request;
use serde_json::Value;

use crate::offered_tool::ServiceDescription;
use crate::search::Hit;
use crate::web::json_fields::{day_of, host_of, list, plain, text, unreadable};
use crate::web::refusal::with_provider_words;
use crate::web::search_tool::{Candidate, Source, SourceResults};
use crate::web::service_client::ServiceClient;

pub(super) const SERVICE: ServiceDescription = ServiceDescription {
    name: "hacker-news",
    title: "Hacker News",
    base_url: "https://hn.algolia.com",
    settings: &[],
};
pub(super) const FRONT_PAGE: ServiceDescription = ServiceDescription {
    name: "hacker-news-front-page",
    title: "Hacker News' front page",
    base_url: "https://hacker-news.firebaseio.com",
    settings: &[],
};

/// The most stories of the front page that are read when the search is down.
const FRONT_STORIES: usize = 60;
const AT_ONCE: usize = 8;

pub(super) struct HackerNews;

#[async_trait]
impl Source for HackerNews {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        match searched(asked).await {
            Ok(candidates) => Ok(SourceResults { candidates, ..SourceResults::default() }),
            // The error of the search is included when the fallback fails, too.
            Err(error) => match front_page(asked).await {
                Ok(candidates) => Ok(SourceResults {
                    candidates,
                    notes: vec![phrase!(
                        "The search of Hacker News gave nothing ({why}); only its front page was read",
                        why = with_provider_words(&error)
                    )],
                    ..SourceResults::default()
                }),
                Err(_) => Err(error),
            },
        }
    }
}

async fn searched(asked: &ServiceClient<'_>) -> Result<Vec<Candidate>, Error> {
    let service = asked.service(&SERVICE).await?;
    let (words, from) = (asked.words(), seconds(asked.from));
    let until = asked.until.checked_add(1.day()).map_or(i64::MAX, seconds);
    let numbers = format!("created_at_i>={from},created_at_i<{until}");
    let parameters =
        [("query", words.as_str()), ("tags", "story"), ("numericFilters", &numbers), ("hitsPerPage", "50")];
    let answer =
        service.ask_json(Request::get(service.url("/api/v1/search", &parameters)), &["hits"]).await?;
    if answer.get("hits").is_none() {
        return Err(unreadable(SERVICE.title));
    }
    Ok(list(&answer, "hits")
        .iter()
        .map(|story| {
            let day = Some(day_of(story, &["created_at_i"])).filter(|day| !day.is_empty());
            candidate(story, "objectID", "story_text", day.unwrap_or_else(|| day_of(story, &["created_at"])))
        })
        .collect())
}

/// All stories of the front page; the ranking selects those that match.
async fn front_page(asked: &ServiceClient<'_>) -> Result<Vec<Candidate>, Error> {
    let service = asked.service(&FRONT_PAGE).await?;
    // The expected answer is a list without fields.
    let ids = service.ask_json(Request::get(service.url("/v0/topstories.json", &[])), &["[]"]).await?;
    let Some(ids) = ids.as_array() else { return Err(unreadable(FRONT_PAGE.title)) };
    let has_entries = !ids.is_empty();
    let ids: Vec<u64> = ids.iter().filter_map(Value::as_u64).take(FRONT_STORIES).collect();
    if ids.is_empty() && has_entries {
        return Err(unreadable(FRONT_PAGE.title));
    }
    let service = &service;
    let answers: Vec<Result<Value, Error>> = futures::stream::iter(ids)
        .map(|id| async move {
            let url = service.url(&format!("/v0/item/{id}.json"), &[]);
            service.ask_json(Request::get(url), &["id"]).await
        })
        .buffered(AT_ONCE)
        .collect()
        .await;
    let (mut stories, mut failed) = (Vec::new(), None);
    for answer in answers {
        match answer {
            Ok(story) => stories.push(story),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    // A story that cannot be read is skipped; if none can, the search fails.
    if let Some(error) = failed.filter(|_| stories.is_empty()) {
        return Err(error);
    }
    // A deleted story is `null`.
    let stories = stories.iter().filter(|story| text(story, "type") == "story");
    Ok(stories.map(|story| candidate(story, "id", "text", day_of(story, &["time"]))).collect())
}

fn candidate(story: &Value, id: &str, own_text: &str, day: String) -> Candidate {
    let mut url = text(story, "url").into_owned();
    let is_own = url.is_empty();
    if is_own {
        url = format!("https://news.ycombinator.com/item?id={}", text(story, id));
    }
    let hit = Hit {
        title: text(story, "title").into_owned(),
        source: if is_own { SERVICE.title.to_owned() } else { host_of(&url) },
        url,
        published: day,
        text: plain(&text(story, own_text)),
    };
    Candidate { hit, is_mention: !is_own, is_redirect: false }
}

fn seconds(day: Date) -> i64 {
    day.to_zoned(TimeZone::UTC).map_or(0, |moment| moment.timestamp().as_second())
}
