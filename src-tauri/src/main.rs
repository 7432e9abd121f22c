//! The window's program. The code is in the library, so that it is compiled and linted once.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    galley_desktop::start()
}
