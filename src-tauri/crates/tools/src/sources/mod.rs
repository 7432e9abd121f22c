//! All search sources: one file each, and one line in each of the two lists of this file. A source implements only the
//! protocol of its service; the common parts are in `web`.

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

/// The default search source, when neither the pipeline nor the user names one.
pub const USUAL_SEARCH: &str = auto::SOURCE.id;

/// All search sources, alphabetically.
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
