//! The search source `open-news`: all sources without a key. It searches Hacker News, arXiv and the user's feeds at
//! once, and Wikipedia if enabled; a failing part is named and does not affect the others.

use async_trait::async_trait;
use futures::future::join_all;
use kernel::{Code, Error, Phrase, form, phrase};

use super::arxiv::{self, Arxiv};
use super::feeds::Feeds;
use super::hacker_news::{self, HackerNews};
use super::wikipedia::{self, Wikipedia};
use crate::offered_tool::{KeyNeed, OfferedTool};
use crate::web::refusal::with_provider_words;
use crate::web::search_tool::{Source, SourceResults, WebSearch};
use crate::web::service_client::ServiceClient;

pub(crate) const SOURCE: OfferedTool = OfferedTool {
    id: "open-news",
    tool: "open_news_search",
    title: "Open news",
    purpose: form!(
        "Hacker News, arXiv and the feeds of your list; Wikipedia if you switch it on. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[arxiv::SERVICE, hacker_news::SERVICE, hacker_news::FRONT_PAGE, wikipedia::SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| WebSearch::tool(SOURCE, parts, OpenNews),
};

pub(super) struct OpenNews;

#[async_trait]
impl Source for OpenNews {
    async fn find(&self, asked: &ServiceClient<'_>) -> Result<SourceResults, Error> {
        let mut parts: Vec<(Phrase, &dyn Source)> = vec![
            (Phrase::verbatim("Hacker News"), &HackerNews),
            (Phrase::verbatim("arXiv"), &Arxiv),
            (form!("The feeds").into(), &Feeds),
        ];
        if asked.caller.parts.services.service(wikipedia::SERVICE.name, None).await?.is_enabled {
            parts.push((Phrase::verbatim("Wikipedia"), &Wikipedia));
        }
        let asked_all = parts.iter().map(|(name, part)| async move { (name, part.find(asked).await) });
        let (mut all, mut errors) = (SourceResults::default(), Vec::new());
        for (name, found) in join_all(asked_all).await {
            match found {
                Ok(found) => {
                    all.candidates.extend(found.candidates);
                    all.notes.extend(found.notes);
                    all.attributions.extend(found.attributions);
                }
                Err(error) => errors.push((name, error)),
            }
        }
        if errors.len() == parts.len() {
            return Err(no_answer(&errors));
        }
        all.notes.extend(errors.iter().map(|(name, error)| {
            phrase!("{name} gave nothing: {why}", name, why = with_provider_words(error))
        }));
        Ok(all)
    }
}

/// The error when no part answered; it names them all.
fn no_answer(errors: &[(&Phrase, Error)]) -> Error {
    let is_network = |error: &Error| matches!(error.code, Code::Network | Code::Timeout);
    let code = match errors.iter().all(|(_, error)| is_network(error)) {
        true => Code::Network,
        false => errors
            .iter()
            .find(|(_, error)| !is_network(error))
            .map_or(Code::ToolFailed, |(_, error)| error.code),
    };
    let each =
        errors.iter().map(|(name, error)| phrase!("{name}: {why}", name, why = with_provider_words(error)));
    let each = each.reduce(|first, next| phrase!("{first}. {next}", first, next)).unwrap_or_default();
    Error::new(code, phrase!("No part of the open news could be reached. {each}", each))
}
