//! Tests of the queues with real servers: the oldest supported and the newest.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unused_crate_dependencies,
    reason = "a test ends where something unexpected comes, and uses a part of what the crate uses"
)]

mod losses;
mod messages;
#[path = "../../../../../tests/testkit/nats_server.rs"]
#[allow(dead_code, unreachable_pub, reason = "each file of tests uses a part of it")]
mod nats_server;
mod support;
