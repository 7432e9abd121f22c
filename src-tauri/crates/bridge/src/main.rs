//! The bridge as a program: Galley in a local browser.

use std::process::ExitCode;

use desk::Options;

fn main() -> ExitCode {
    bridge::start(|| Ok(Options::default()))
}
