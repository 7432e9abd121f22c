//! Behaviour at the border.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "what a test does not expect ends it; clippy knows tests only inside `#[test]` functions"
)]

mod agent_settings;
mod answer_readings;
mod answers;
mod bridge;
mod code_base;
mod costs;
mod data_folder;
mod edits;
mod fallbacks;
mod fan_out;
mod favourites;
mod keys;
mod laws;
mod ledger;
mod map_files;
mod mcp_server;
mod modules;
mod names;
mod one_step;
mod outcomes;
mod pauses;
mod permission;
mod pictures;
mod pipeline_texts;
mod profiles;
mod providers;
mod review_desk;
mod sources;
mod steering;
mod steps;
mod template_filling;
mod terminal;
mod time_limits;
mod updates;
mod words;
