//! The tools that agents of any pipeline may use. Not in here: search sources.

use std::sync::Arc;

use engine::{Tool, Typed, TypedTool};

use crate::calculator::CalculatorTool;
use crate::download_file::DownloadFileTool;
use crate::file_system::FileSystemTool;
use crate::offered_tool::ToolParts;
use crate::read_webpage::ReadWebpageTool;
use crate::trips::TripFileTool;
use crate::web::web_client::WebClient;

/// A tool that agents name directly, without a slot.
pub struct GeneralTool {
    /// The tool's name.
    pub name: &'static str,
    /// Creates the tool.
    pub make: fn(&ToolParts) -> Arc<dyn Tool>,
}

/// All general tools, alphabetically.
pub const GENERAL_TOOLS: &[GeneralTool] = &[
    GeneralTool { name: CalculatorTool::NAME, make: |_| Arc::new(Typed(CalculatorTool)) },
    GeneralTool {
        name: DownloadFileTool::NAME,
        make: |parts| Arc::new(Typed(DownloadFileTool::new(web_client(parts)))),
    },
    GeneralTool {
        name: FileSystemTool::NAME,
        make: |parts| Arc::new(Typed(FileSystemTool::new(&parts.folder))),
    },
    GeneralTool {
        name: ReadWebpageTool::NAME,
        make: |parts| Arc::new(Typed(ReadWebpageTool::new(web_client(parts), parts.browser.clone()))),
    },
    GeneralTool {
        name: TripFileTool::NAME,
        make: |parts| Arc::new(Typed(TripFileTool::new(parts.trips.clone()))),
    },
];

fn web_client(parts: &ToolParts) -> WebClient {
    let parts = parts.clone();
    WebClient::new(move || parts.web())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_alphabetical_and_names_each_tool_as_it_names_itself() {
        assert!(GENERAL_TOOLS.is_sorted_by_key(|tool| tool.name));
    }
}
