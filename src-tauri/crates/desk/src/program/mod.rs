//! The program: its data folder, its window, its updates, its log and its exports of spans.

pub(crate) mod access;
pub(crate) mod data_folder;
pub(crate) mod logging;
pub(crate) mod map_files;
mod map_style;
mod map_tiles;
pub(crate) mod secret;
mod setting_remarks;
pub(crate) mod terminal;
pub(crate) mod toml_file;
pub(crate) mod traces;
pub(crate) mod updates;
pub(crate) mod window;
