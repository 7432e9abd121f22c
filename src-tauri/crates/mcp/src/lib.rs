//! L2: the tools of the user's MCP servers, as tools of the engine.
//!
//! All data from a server are untrusted: they are parsed, bounded and displayed, never followed as instructions. Not
//! here: configuration and permissions (`desk`), and the program as an MCP server (the terminal host).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod authorization;
mod calls;
mod config;
mod connection;
mod connection_attempt;
mod flood;
#[cfg(unix)]
mod guard;
mod keyring;
mod listing;
mod listing_cache;
mod process;
mod questions;
mod server;
mod server_tool;
mod servers;
mod service_errors;
mod texts;

pub use authorization::{Grant, Revocation, SignIn, SignInRequest, SignedIn};
pub use config::{Given, ServerConfig, check_name};
pub use connection::Era;
pub use keyring::Keyring;
pub use servers::{ServerReport, ToolServers};
pub use texts::{ServerPrompt, ServerResource};

/// Guards a tool server if this process was started for that, and returns its exit code. Must be called before anything
/// else.
pub fn guard_server_if_asked() -> Option<std::process::ExitCode> {
    #[cfg(unix)]
    return guard::serve_if_asked();
    #[cfg(not(unix))]
    None
}
