//! L2: one file per tool, and the readers of the library's files.

mod library_search;
pub mod readers;
mod sample;

pub use library_search::{Hit, Hits, LIBRARY_SEARCH, LibrarySearch, SearchRequest};
pub use sample::{SAMPLE_ORIGIN, sample_documents};

/// A search source: its id for people and scripts, and the tool that serves it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchSource {
    /// The id: `library`, `open-news`, …
    pub id: &'static str,
    /// The tool's name.
    pub tool: &'static str,
}

/// Every search source, alphabetic.
pub const SEARCH_SOURCES: &[SearchSource] = &[SearchSource { id: "library", tool: LIBRARY_SEARCH }];
