//! L3: one file or folder per pipeline: its keys, instructions, tree, checks and built-in functions.
//!
//! To add a pipeline: its file, and two lines here.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod ai_news;
mod build;
mod check;
mod content;
mod copy;
mod declared;
mod declared_agent;
mod draft;
mod file;
mod functions;
mod issue_gate;
mod issues;
mod judgement;
mod latest;
mod one_step;
mod own_text;
mod pipeline;
mod prompt_values;
mod registry;
mod rewrite;
pub mod routing;
mod template;
mod template_filling;
mod verification;

use std::sync::Arc;

pub use declared::DeclaredPipeline;
pub use one_step::{
    BuiltInInstruction, INSTRUCTION, INSTRUCTION_NAME, INSTRUCTIONS, ONE_STEP, PresentText, SHORTER, TEXT,
    beginning as one_step_beginning, sources_in as one_step_sources,
};
pub use pipeline::{AgentSetup, Catalogue, Description, Input, LimitPreset, Pipeline, Setup};

pub use build::{BoundTools, build};
pub use check::{Finding, check, is_id};
pub use copy::{MINIMAL, copy, next_number};
pub use file::{DefinitionFault, MOST_BYTES, fault_of_id, id_of, read};
pub use judgement::{Judgement, judge};
pub use registry::{
    Accept, Check, Custom, FunctionContext, Registry, Run, Shape, SourceItem, Titles, WithoutModel,
};
pub use rewrite::rewriting;
pub use template::TemplateError;

/// Every pipeline, alphabetic.
pub fn all() -> Vec<Arc<dyn Pipeline>> {
    [ai_news::DEFINITION, content::DEFINITION, template_filling::DEFINITION]
        .into_iter()
        .map(built_in)
        .collect()
}

/// The router, which is a pipeline that is not listed: see [`routing`].
pub fn router() -> Arc<dyn Pipeline> {
    built_in(routing::DEFINITION)
}

/// The rewrite in one step, which is a pipeline that is not listed.
pub fn one_step() -> Arc<dyn Pipeline> {
    built_in(one_step::DEFINITION)
}

/// A pipeline of the program, from its text.
fn built_in(text: &str) -> Arc<dyn Pipeline> {
    let pipeline = DeclaredPipeline::from_text(text.to_owned(), Registry::of_program());
    Arc::new(pipeline.unwrap_or_else(|faults| {
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        // A test reads every text of the program, so none comes here.
        unreachable!("a pipeline of the program cannot run: {}", told.join("; "))
    }))
}

#[cfg(test)]
mod tests;
