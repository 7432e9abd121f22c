//! Runs: prepared, started, steered, watched, read, replayed and exported.

pub(crate) mod agents;
pub(crate) mod answers;
pub(crate) mod citations;
pub(crate) mod definitions;
pub(crate) mod earlier_runs;
pub(crate) mod edits;
pub(crate) mod export;
pub(crate) mod files;
pub(crate) mod history;
pub(crate) mod import;
mod inputs;
pub(crate) mod instructions;
pub(crate) mod permissions;
pub(crate) mod pictures;
pub(crate) mod pipeline_directory;
pub(crate) mod pipeline_files;
pub(crate) mod pipeline_texts;
mod questions;
mod repeats;
pub(crate) mod replays;
mod rewrites;
mod routing;
pub(crate) mod run_control;
pub(crate) mod time_limits;
pub(crate) mod tool_slots;
pub(crate) mod views;
pub(crate) mod watch;
