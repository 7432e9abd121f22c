//! The program around the runs: its data folder, its window, its updates, its log and its exports of spans.

pub(crate) mod access;
pub(crate) mod data_folder;
pub(crate) mod logging;
pub(crate) mod map_files;
mod map_style;
mod map_tiles;
pub(crate) mod package;
pub(crate) mod secret;
mod setting_remarks;
pub(crate) mod terminal;
pub(crate) mod toml_file;
pub(crate) mod traces;
pub(crate) mod updates;
pub(crate) mod window;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use net::Net;
use store::Store;

use crate::settings::Settings;
use traces::Exports;
use updates::Updates;
use window::WindowLink;

/// The commands about the data folder, the window, map files and updates, and the export of spans.
pub struct ProgramService {
    folder: PathBuf,
    store: Store,
    settings: Arc<Settings>,
    window_link: WindowLink,
    /// The network client for the release feed and the collector of spans, which the person chooses.
    net: Net,
    /// The cached release feed.
    updates: Updates,
    exports: Exports,
}

impl ProgramService {
    pub(crate) fn new(
        folder: &Path,
        store: Store,
        settings: Arc<Settings>,
        window_link: WindowLink,
        net: Net,
    ) -> ProgramService {
        ProgramService {
            folder: folder.to_owned(),
            store,
            settings,
            window_link,
            net,
            updates: Updates::of(folder),
            exports: Exports::of(folder),
        }
    }
}
