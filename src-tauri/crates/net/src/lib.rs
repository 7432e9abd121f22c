//! L1: the only door to the network for tools, with one policy.
//!
//! Whatever a page, a search result, a redirect or a model names is public `http` or `https`, or it is refused: every
//! address that a name stands for is checked, only checked addresses are connected to, and every redirect is judged
//! anew. Size, time and redirects have caps; proxies of the environment are ignored. What a person configured is let
//! through by its exact origin. Not in here: the wire of any service, and the model client, which goes only to the
//! base URLs of profiles.

mod address;
mod answer;
mod closed;
mod contacted;
mod door;
mod error;
mod lookup;
mod request;
mod rules;

#[cfg(test)]
mod tests;

pub use address::refused_kind;
pub use answer::Answer;
pub use closed::{LIVE, OFFLINE, closed_because, is_of_this_machine};
pub use contacted::{Contact, contacted, note as note_contact};
pub use door::Net;
pub use error::NetError;
pub use lookup::{Addresses, Lookup};
pub use request::{Caps, Request};
/// The one type of addresses.
pub use reqwest::Url;
