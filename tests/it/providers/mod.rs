//! The providers of models, each against what its service was recorded to answer, and against a loopback
//! server that plays it for a whole run.

mod conformance;
mod conformance_check;
mod expected;
mod lists;
mod local_servers;
mod news;
mod recording;
mod refused_parts;
