//! The feeds on the user's list. A part of `open-news`; a failing feed does not affect the others.

use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt as _;
use kernel::{Code, Error, phrase};
use net::{Caps, Net, Request};

use crate::search::Hit;
use crate::web::feed_list::{FeedAddress, read_feeds};
use crate::web::json_fields::entries;
use crate::web::refusal::with_provider_words;
use crate::web::search_tool::{Candidate, Source, SourceResults};
use crate::web::service_client::ServiceClient;

const AT_ONCE: usize = 8;
const WITHIN: Duration = Duration::from_secs(12);
const ACCEPT: &str = "application/atom+xml,application/rss+xml,application/xml;q=0.9,*/*;q=0.5";
/// The most failing feeds that are named; more are only counted.
const MOST_NAMED: usize = 3;

pub(super) struct Feeds;

#[async_trait]
impl Source for Feeds {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let feeds = read_feeds(&asked.caller.parts.folder)?;
        let net = asked.caller.parts.web()?;
        let (net, total) = (&net, feeds.len());
        let read: Vec<(String, Result<Vec<Candidate>, Error>)> = futures::stream::iter(feeds)
            .map(|feed| async move { (feed.title.clone(), entries_of(net, &feed).await) })
            .buffered(AT_ONCE)
            .collect()
            .await;
        let mut found = SourceResults::default();
        let mut failed: Vec<(String, Error)> = Vec::new();
        for (title, result) in read {
            match result {
                Ok(candidates) => found.candidates.extend(candidates),
                Err(error) => failed.push((title, error)),
            }
        }
        if failed.len() == total
            && let Some((_, first)) = failed.first()
        {
            let message = phrase!(
                "None of the {total} feeds could be read. The first: {why}",
                total,
                why = with_provider_words(first)
            );
            // The message already contains the server's words.
            return Err(Error { provider_words: None, ..first.clone() }.reworded(message));
        }
        let more = failed.len().saturating_sub(MOST_NAMED);
        let named = failed.into_iter().take(MOST_NAMED);
        found.notes.extend(named.map(|(title, error)| {
            phrase!("The feed {title}: {why}", title, why = with_provider_words(&error))
        }));
        if more > 0 {
            found.notes.push(phrase!("{more} more feeds could not be read", more));
        }
        Ok(found)
    }
}

async fn entries_of(net: &Net, feed: &FeedAddress) -> Result<Vec<Candidate>, Error> {
    let caps = Caps { within: WITHIN, ..Caps::default() };
    let answer = net.send(Request::get(feed.url.clone()).header("accept", ACCEPT).caps(caps)).await?;
    let host = feed.url.host_str().unwrap_or_default();
    if !answer.is_success() {
        let message = phrase!(
            "{host} answered with HTTP {status}; look whether the feed has moved",
            host,
            status = answer.status
        );
        return Err(Error::new(Code::ToolFailed, message));
    }
    let entries = entries(&feed.title, answer).await?;
    Ok(entries
        .into_iter()
        .map(|entry| Candidate {
            hit: Hit {
                title: entry.title,
                url: entry.url.unwrap_or_default(),
                source: feed.title.clone(),
                published: entry.published.unwrap_or_default(),
                text: entry.text,
            },
            ..Candidate::default()
        })
        .collect())
}
