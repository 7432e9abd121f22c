//! The bridge as a program: Galley's own desk, in a browser of this machine.

use std::io::Write;
use std::process::ExitCode;

use bridge::Arguments;
use clap::Parser;
use desk::Options;

#[tokio::main]
async fn main() -> ExitCode {
    match bridge::run(Arguments::parse(), Options::default()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Nothing is left to do when even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{sentence}");
            ExitCode::FAILURE
        }
    }
}
