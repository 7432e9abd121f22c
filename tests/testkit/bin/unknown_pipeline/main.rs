//! The bridge with one more pipeline, whose id, agents and keys nobody has heard of: what the page shows of it, it
//! shows by the roles of its keys. For tests alone; it asks no model.

mod agents;
mod keys;
mod pipeline;

use std::process::ExitCode;
use std::sync::Arc;

use desk::Options;

fn main() -> ExitCode {
    bridge::start(|| {
        let unknown = pipeline::UnknownPipeline::new()?;
        Ok(Options { pipelines: vec![Arc::new(unknown)], ..Options::default() })
    })
}
