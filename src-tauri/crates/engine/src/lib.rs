//! Agents, the context, the one writer, effects and budgets; and the ports.
//!
//! Not here: any pipeline, provider, tool or table.

mod agent;
mod asking;
mod calling;
mod clock;
mod composed;
mod context;
mod continuing;
mod definitions;
mod effects;
mod error;
mod limits;
mod live;
mod llm;
mod partial;
mod perform;
mod ports;
mod questions;
mod reading;
mod records;
mod replaying;
mod runner;
mod storing;
mod stream;
mod writer;

pub use agent::{Agent, Flow};
pub use composed::{LoopAgent, ParallelAgent, SequentialAgent};
pub use context::Cx;
pub use error::{AgentError, Divergence, StateError};
pub use live::Streamed;
pub use llm::{BuiltIn, LlmAgent, LlmAgentParts};
pub use perform::MAX_RETRIES;
pub use ports::{
    AgentChanges, Asker, Doing, Durability, LibraryArticle, LibraryIndex, Log, LogError, Model,
    ModelDirectory, Recorded, Reply, Tool, ToolDescription, ToolExample, World,
};
pub use questions::STOP;
pub use records::{OpenQuestions, dropped, drops_to_go_on};
pub use replaying::{Replayed, replay};
pub use runner::{Continuation, Fork, RunEnd, RunHandle, Texting, append_outside, fork, go_on, start};
pub use stream::{Meter, TextSink};
/// The token that stops a tool.
pub use tokio_util::sync::CancellationToken;
