//! The bridge with one more pipeline, whose id, agents and keys nobody has heard of: what the page shows of it, it
//! shows by the roles of its keys. For tests alone; it asks no model.

mod agents;
mod office_tools;

use std::process::ExitCode;
use std::sync::Arc;

use desk::Options;
use interpreter::Pipeline;
use kernel::{Code, Error, Phrase};

fn main() -> ExitCode {
    bridge::start(|| {
        let text = include_str!("unheard-of.toml").to_owned();
        let unknown = Pipeline::from_text(text, agents::registry()).map_err(|faults| {
            let told = faults.iter().map(|fault| fault.phrase());
            Error::new(Code::BadInput, Phrase::clauses(told))
        })?;
        let tools = office_tools::office_tools(&(Arc::new(|_| {}) as office_tools::Calls));
        Ok(Options { pipelines: vec![Arc::new(unknown)], tools, ..Options::default() })
    })
}
