//! What tests and benchmarks stand on: a loopback model server that speaks OpenAI's chat completions, or the
//! dialect of Gemini, Anthropic or Ollama, and refuses what the real service refuses, so that a client that is
//! wrong fails here and not with a user.
//!
//! Sources: the contracts of the services (openai/openai-openapi, 2026-08-21, and others) and recorded exchanges;
//! what comes from neither is said where it stands. Deliberately not in it: any use of the engine: this crate's
//! server knows only the wire, so it can judge the client from outside.

#![allow(missing_docs, clippy::missing_errors_doc, reason = "tests read it, nobody builds upon it")]

mod answer;
mod check;
mod collector;
mod dialect;
mod json_in_text;
mod local_server;
mod loopback;
mod message_check;
mod module_graph;
mod nats_server;
mod news;
mod oauth_server;
mod plain_sentences;
mod reply;
mod request;
mod schema;
mod schema_filler;
mod server;
mod services;
mod services_check;
mod services_shapes;
mod trip_services;
mod wire;

#[cfg(test)]
mod tests;

pub use collector::{Collects, Export, SpanCollector};
pub use dialect::Dialect;
pub use local_server::LocalModelServer;
pub use module_graph::{ModuleGraph, module_graph};
pub use nats_server::{NatsServer, Proxy, nats_programs};
pub use news::NewsModel;
pub use oauth_server::{OAuthServer, Seen};
pub use reply::{Hand, Reply, ToolCall};
pub use request::ChatRequest;
pub use server::{Model, ModelServer, ServerOptions, closed_port_url};
pub use services::{Canned, SearchServices, ServiceRequest};
pub use services_shapes::{Article, sample_articles};
pub use trip_services::TripServices;
