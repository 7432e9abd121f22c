//! L3: one file or folder per pipeline: its keys, instructions, tree, checks and built-in functions.
//!
//! To add a pipeline: its file, and two lines here.

mod ai_news;
mod build;
mod check;
mod copy;
mod declared;
mod declared_agent;
mod draft;
mod file;
mod functions;
mod pipeline;
mod registry;
mod template;

use std::sync::Arc;

pub use declared::DeclaredPipeline;
pub use pipeline::{AgentSetup, Catalogue, Description, Input, LimitPreset, Pipeline, SEARCH, Setup};

pub use build::{BoundTools, build};
pub use check::{Finding, check, is_id};
pub use copy::{MINIMAL, copy, next_number};
pub use file::{DefinitionFault, MOST_BYTES, fault_of_id, id_of, read};
pub use registry::{Accept, Check, Custom, FunctionContext, Registry, Run, Shape, SourceItem, WithoutModel};
pub use template::TemplateError;

/// Every pipeline, alphabetic.
pub fn all() -> Vec<Arc<dyn Pipeline>> {
    vec![Arc::new(ai_news::AiNews::new())]
}

#[cfg(test)]
mod tests;
