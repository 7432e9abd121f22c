//! The arguments of `galley library`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Library {
    /// Import files and folders: Markdown, text, HTML, PDF, JSONL, RSS and Atom
    Import {
        /// The files and folders
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
    /// Search the library
    Search {
        /// What to look for
        text: String,
    },
    /// List the library
    List,
    /// Remove an entry
    Remove {
        /// Its id; `galley library list` shows it
        id: String,
    },
}
