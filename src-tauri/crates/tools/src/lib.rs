//! L2: one file per tool, one per search source, and the readers of the library's files.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod calculator;
mod download_file;
mod file_system;
mod general;
mod library_search;
mod nearness;
mod offered_tool;
mod page_browser;
mod read_webpage;
pub mod readers;
mod run_folder;
mod sample;
mod sample_terms;
mod search;
mod service_settings;
mod slot_tools;
mod sources;
mod trip_files;
pub mod trips;
mod web;

pub use calculator::{CALCULATOR, CalculatorTool};
pub use download_file::{DOWNLOAD_FILE, DownloadFileTool};
/// Reads tables that the first search in the library needs.
pub use extractive::read_related_words as prepare_search;
pub use file_system::{FILE_SYSTEM, FileSystemTool};
pub use general::{GENERAL_TOOLS, GeneralTool};
pub use library_search::{LIBRARY_SEARCH, LibrarySearch};
pub use offered_tool::{KeyNeed, OfferedTool, ServiceDescription, ToolParts};
pub use page_browser::PageBrowser;
pub use read_webpage::{READ_WEBPAGE, ReadWebpageTool};
pub use run_folder::{MOST_BYTES as MOST_BYTES_OF_RUN, MOST_FILES as MOST_FILES_OF_RUN};
pub use sample::{SAMPLE_ORIGIN, sample_documents};
pub use search::{Attribution, Hit, Hits, SEARCH, SearchRequest, ServiceLink};
pub use service_settings::{ServiceKey, ServiceSettings, Services};
pub use slot_tools::{fitting, offered_tools};
pub use sources::{SEARCH_SOURCES, USUAL_SEARCH};
pub use web::feed_list::{FEEDS_FILE, FeedAddress, read_feeds, seed_feeds};
pub use web::web_client::WebClient;
