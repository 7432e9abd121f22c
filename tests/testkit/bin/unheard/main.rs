//! The bridge with one more pipeline, whose id, agents and keys nobody has heard of: what the page shows of it, it
//! shows by the roles of its keys. For tests alone; it asks no model.

mod agents;
mod keys;
mod pipeline;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bridge::Arguments;
use clap::Parser;
use desk::Options;

#[tokio::main]
async fn main() -> ExitCode {
    let served = match pipeline::Unheard::new() {
        Ok(unheard) => {
            let options = Options { pipelines: vec![Arc::new(unheard)], ..Options::default() };
            bridge::run(Arguments::parse(), options).await
        }
        Err(fault) => Err(fault.message),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Nothing is left to do when even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{sentence}");
            ExitCode::FAILURE
        }
    }
}
