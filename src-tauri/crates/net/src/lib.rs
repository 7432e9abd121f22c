//! L1: the only network client for tools, with one policy.
//!
//! Every address that a page, search result, redirect or model names must be public `http` or `https`: all addresses
//! that a name resolves to are checked, only checked addresses are connected to, and every redirect is checked again.
//! Size, time and redirects have caps; proxies of the environment are ignored. Addresses that the user configured are
//! allowed by their exact origin. A browser gets the same policy from a proxy, which lives while one page is read. Also
//! here: the refusals, waits and nearly valid JSON of all services and models. Not in here: the protocol of any service,
//! and the model client, which contacts only the base URLs of profiles.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod address;
mod answer;
mod client;
mod contacted_hosts;
mod error;
mod lookup;
mod nearly_json;
mod offline;
mod proxy;
mod refusal;
mod request;
mod rules;
mod wait;

#[cfg(test)]
mod tests;

pub use address::refused_kind;
pub use answer::Answer;
pub use client::{Net, is_contact};
pub use contacted_hosts::{Contact, contacted, note as note_contact};
pub use error::{NetError, server_name};
pub use lookup::{Addresses, Lookup, SystemLookup, public_names};
pub use nearly_json::{HALF_SHIFT, nearly_json, nearly_json_piece};
pub use offline::{LIVE, OFFLINE, closed_because, is_of_this_machine};
pub use proxy::{Proxy, ProxyCaps};
pub use refusal::{refusal, refusal_by_words};
pub use request::{Caps, Request};
/// The URL type of all crates.
pub use reqwest::Url;
pub use wait::wait_ms;
