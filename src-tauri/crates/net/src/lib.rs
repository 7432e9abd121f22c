//! L1: the only network client for tools, with one policy.
//!
//! Whatever a page, a search result, a redirect or a model names is public `http` or `https`, or it is refused: every
//! address that a name stands for is checked, only checked addresses are connected to, and every redirect is judged
//! anew. Size, time and redirects have caps; proxies of the environment are ignored. What a person configured is let
//! through by its exact origin. A browser gets the same policy from a proxy, which lives as long as one page is read.
//! Not in here: the wire of any service, and the model client, which goes only to the
//! base URLs of profiles.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod address;
mod answer;
mod client;
mod contacted_hosts;
mod error;
mod lookup;
mod offline;
mod proxy;
mod request;
mod rules;

#[cfg(test)]
mod tests;

pub use address::refused_kind;
pub use answer::Answer;
pub use client::{Net, is_contact};
pub use contacted_hosts::{Contact, contacted, note as note_contact};
pub use error::{NetError, server_name};
pub use lookup::{Addresses, Lookup, SystemLookup, public_names};
pub use offline::{LIVE, OFFLINE, closed_because, is_of_this_machine};
pub use proxy::{Proxy, ProxyCaps};
pub use request::{Caps, Request};
/// The one type of addresses.
pub use reqwest::Url;
