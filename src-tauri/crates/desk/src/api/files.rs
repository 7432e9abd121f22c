//! The files of a run, as a page shows them.

use kernel::Seq;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A file of a run.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FileCard {
    /// Its path below the folder of the run.
    pub path: String,
    /// How many bytes it has.
    #[ts(type = "number")]
    pub bytes: u64,
    /// The event of the tool that last wrote it.
    pub seq: Seq,
    /// The agent whose tool made it.
    pub author: String,
    /// The step of a plan in which it was made; empty where it was none.
    pub step: String,
}

/// The files of a run at a moment, by path.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct RunFiles {
    /// The files.
    pub files: Vec<FileCard>,
}

/// A file of a run as it was at an event.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct FileRef {
    /// The run.
    pub run: String,
    /// The path of the file.
    pub path: String,
    /// The event of the tool that wrote it.
    pub seq: Seq,
}

/// What a file holds, as far as it can be shown.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FilePreview {
    /// A text.
    Text {
        /// Its beginning.
        text: String,
        /// Whether it is written in Markdown.
        is_markdown: bool,
        /// Whether there is more.
        is_cut: bool,
    },
    /// A picture, as an address that holds it.
    Picture {
        /// `data:image/…`.
        data_url: String,
    },
    /// The text of a PDF file.
    Pdf {
        /// Its beginning.
        text: String,
        /// Whether there is more.
        is_cut: bool,
    },
    /// Something else, or larger than what is shown.
    Other,
}
