//! Agents and their context, the one writer of a run, effects and limits; and the ports.
//!
//! Not here: any pipeline, provider, tool or table.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod admission;
mod agent;
mod agent_run;
mod answer_cost;
mod answer_reader;
mod attempts;
mod children;
mod clock;
mod context;
mod data_marks;
mod definitions;
mod effect_execution;
mod effect_journal;
mod effects;
mod emission;
mod error;
mod flaws;
mod flow_step;
mod for_each;
mod gate;
mod instance_start;
mod instances;
mod limits;
mod llm_agent;
mod llm_agent_parts;
mod log_append;
mod log_hold;
mod model_call;
mod named_addresses;
mod outside;
mod partial_field;
mod permission;
mod person_words;
mod ports;
mod questions;
mod records;
mod replay;
mod resume;
mod round;
mod run_shared;
mod runner;
mod sent_call;
mod slots;
mod stream;
mod stream_publisher;
mod task_queue;
mod telemetry;
mod tool;
mod tool_call;
mod tool_directory;
mod tool_execution;
mod tool_search;
mod tool_turn;
mod workflow;
mod writer;

pub use agent::{Agent, Flow};
pub use attempts::MAX_RETRIES;
pub use clock::{check_clock, new_id, now, now_ms};
pub use context::Cx;
pub use data_marks::{DATA_MARKS, WHAT_MARKS_MEAN, marked_as_data};
pub use error::{AgentError, Divergence, StateError};
pub use flow_step::{Acted, Action, FlowStep};
pub use for_each::ForEachAgent;
pub use instances::{InstanceEnd, MOST_INSTANCES, OnDemand};
pub use llm_agent::LlmAgent;
pub use llm_agent_parts::{AnswerForm, BuiltIn, LlmAgentParts, Titles, Verify};
pub use permission::{Permissions, StandingRules, refused_host};
pub use ports::{
    AgentChanges, Durability, KeptEmbedding, LibraryArticle, LibraryIndex, LibraryWords, Log, LogError,
    Model, ModelDirectory, NoFolders, OwnArticle, Recorded, RunFiles, UserAnswer, UserPrompt, World,
};
pub use questions::{STOP, admits, always_allowed};
pub use records::{OpenQuestions, dropped, drops_to_go_on};
pub use replay::{Replayed, replay};
pub use resume::{Reply, asked_question, decided_until, open_questions};
pub use run_shared::StreamUpdate;
pub use runner::{Continuation, Fork, RunEnd, RunHandle, StreamUpdates, append_outside, fork, go_on, start};
pub use sent_call::{WorkerRules, perform_sent};
pub use stream::{Meter, TextSink};
pub use task_queue::{MOST_DELIVERIES, TaskQueue, given_up, no_such_tool, perform, unknown_outcome};
/// The token that stops a tool.
pub use tokio_util::sync::CancellationToken;
pub use tool::{
    Access, Asks, FileContents, Hosts, RunFolder, TOOL_TIMEOUT, Tool, ToolContext, ToolDescription,
    ToolExample, ToolOutput, Typed, TypedTool, bad_input,
};
pub use tool_directory::{FixedTools, ToolDirectory};
pub use tool_search::{BYTES_OF_TOKEN, MOST_TOOL_TOKENS, tool_tokens};
pub use workflow::{LoopAgent, ParallelAgent, RoundLimit, SequentialAgent};
pub use writer::files_of;
