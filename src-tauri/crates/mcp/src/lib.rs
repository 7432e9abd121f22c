//! L2: the tools of MCP servers that the person set up, as tools of the engine.
//!
//! Whatever a server sends is untrusted data: it is read, bounded and shown, never obeyed. Not here: where the
//! servers are set up and who is asked for permission (`desk`), and the program as a server of its own (the terminal host).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod authorization;
mod calls;
mod config;
mod connection;
mod flood;
#[cfg(unix)]
mod guard;
mod keyring;
mod listing;
mod listing_cache;
mod opening;
mod process;
mod questions;
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

/// Guards a tool server when this process was started for that, and gives its exit code. To be called before anything else.
pub fn guard_server_if_asked() -> Option<std::process::ExitCode> {
    #[cfg(unix)]
    return guard::serve_if_asked();
    #[cfg(not(unix))]
    None
}
