//! L3: one file or folder per pipeline: its keys, instructions, tree, checks and built-in functions.
//!
//! To add a pipeline: its file, and two lines here.

mod ai_news;
mod pipeline;

use std::sync::Arc;

pub use pipeline::{AgentSetup, Catalogue, Description, Input, InputKind, LimitPreset, Pipeline, Setup};

/// Every pipeline, alphabetic.
pub fn all() -> Vec<Arc<dyn Pipeline>> {
    vec![Arc::new(ai_news::AiNews::new())]
}
