//! The bridge as a program: Galley's own desk, in a browser of this machine.

use std::process::ExitCode;

use desk::Options;

fn main() -> ExitCode {
    bridge::start(|| Ok(Options::default()))
}
