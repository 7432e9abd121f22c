//! Every search source: one file each, and one line in each of the two lists of this file. A source knows the wire
//! of its service and nothing else; what all have in common is in `web`.

mod arxiv;
mod auto;
mod brave;
mod feeds;
mod gemini;
mod google_cse;
mod hacker_news;
mod open_news;
mod searxng;
mod tavily;
#[cfg(test)]
mod tests;
mod wikipedia;

use crate::offered_tool::OfferedTool;

/// The kind of slot for a tool that searches.
pub const SEARCH: &str = "search";

/// The search source that is taken where neither a pipeline nor the person names one.
pub const USUAL_SEARCH: &str = auto::SOURCE.id;

/// Every search source, alphabetic.
pub const SEARCH_SOURCES: &[OfferedTool] = &[
    auto::SOURCE,
    brave::SOURCE,
    gemini::SOURCE,
    google_cse::SOURCE,
    crate::library_search::SOURCE,
    open_news::SOURCE,
    searxng::SOURCE,
    tavily::SOURCE,
];
