//! The search source `open-news`: what is to be had without a key. Hacker News, arXiv and the person's feeds at once,
//! Wikipedia if wanted; each part fails alone, and is named.

use async_trait::async_trait;
use futures::future::join_all;
use kernel::{Code, Fault};

use super::arxiv::{self, Arxiv};
use super::feeds::Feeds;
use super::hacker_news::{self, HackerNews};
use super::wikipedia::{self, Wikipedia};
use super::{KeyNeed, SearchSource};
use crate::searching::reach::Asked;
use crate::searching::refusal::told;
use crate::searching::web_search::{Found, Source, WebSearch};

pub(crate) const SOURCE: SearchSource = SearchSource {
    id: "open-news",
    tool: "open_news_search",
    title: "Open news",
    purpose: "Hacker News, arXiv and the feeds of your list; Wikipedia if you switch it on. Needs no key.",
    key: KeyNeed::None,
    key_page: "",
    services: &[arxiv::SERVICE, hacker_news::SERVICE, hacker_news::FRONT_PAGE, wikipedia::SERVICE],
    make: |parts| WebSearch::tool(SOURCE, parts, OpenNews),
};

pub(super) struct OpenNews;

#[async_trait]
impl Source for OpenNews {
    async fn find(&self, asked: &Asked<'_>) -> Result<Found, Fault> {
        let mut parts: Vec<(&str, &dyn Source)> =
            vec![("Hacker News", &HackerNews), ("arXiv", &Arxiv), ("The feeds", &Feeds)];
        if asked.parts.services.service(wikipedia::SERVICE.name, None).await?.is_enabled {
            parts.push(("Wikipedia", &Wikipedia));
        }
        let asked_all = parts.iter().map(|(name, part)| async move { (*name, part.find(asked).await) });
        let (mut all, mut faults) = (Found::default(), Vec::new());
        for (name, found) in join_all(asked_all).await {
            match found {
                Ok(found) => {
                    all.candidates.extend(found.candidates);
                    all.notes.extend(found.notes);
                    all.attributions.extend(found.attributions);
                }
                Err(fault) => faults.push((name, fault)),
            }
        }
        if faults.len() == parts.len() {
            return Err(nobody(&faults));
        }
        all.notes.extend(faults.iter().map(|(name, fault)| format!("{name} gave nothing: {}", told(fault))));
        Ok(all)
    }
}

/// No part answered: one fault that names them all.
fn nobody(faults: &[(&str, Fault)]) -> Fault {
    let is_network = |fault: &Fault| matches!(fault.code, Code::Network | Code::Timeout);
    let code = match faults.iter().all(|(_, fault)| is_network(fault)) {
        true => Code::Network,
        false => faults
            .iter()
            .find(|(_, fault)| !is_network(fault))
            .map_or(Code::ToolFailed, |(_, fault)| fault.code),
    };
    let each: Vec<String> = faults.iter().map(|(name, fault)| format!("{name}: {}", told(fault))).collect();
    Fault::new(code, format!("No part of the open news could be reached. {}", each.join(". ")))
}
