//! Signing in at MCP servers with OAuth: the authorization code flow with PKCE, tokens in the keyring, and their
//! renewal.
//!
//! Data from a server or an authorization server are untrusted: they are bounded, and checked before anything is sent
//! to an address in them. Tokens leave the process only to the keyring, to the server that they are for, and to its
//! authorization server. Not here: opening the address in a browser (the hosts), and the keyring (`desk`).

mod client;
mod errors;
mod grant;
mod keyring_entry;
mod oauth_http;
mod redirect;
mod revocation;
mod sign_in;
mod state;
mod token_work;
mod tokens;

pub(crate) use client::AuthorizedClient;
pub(crate) use errors::refusal;
pub use grant::Grant;
pub use revocation::Revocation;
pub use sign_in::{SignIn, SignInRequest};
pub use state::SignedIn;
pub(crate) use token_work::TokenWork;
pub(crate) use tokens::Authorization;
