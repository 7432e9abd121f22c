//! L2: exports a run as OpenTelemetry spans to a collector that the person named.
//!
//! The spans are a function of the recorded events: times are those of the records, names those of the GenAI semantic
//! conventions (v0.1.0). They never contain text of a person, a model or a tool: no prompt, answer, input, file,
//! address or key, only names, numbers and codes.
//! Not here: when a run is exported, and where the address is stored (`desk`).

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod attributes;
mod collector;
mod ids;
mod span_tree;
#[cfg(test)]
mod tests;
mod trace;

pub use collector::{Collector, ExportError};
pub use opentelemetry_proto::tonic::trace::v1::Span;
pub use trace::{latest_spans, spans};
