//! The subcommands, each in a file with its name.

pub(crate) mod again;
pub(crate) mod answer;
pub(crate) mod ask;
pub(crate) mod compare;
pub(crate) mod config;
pub(crate) mod doctor;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod import;
pub(crate) mod library;
pub(crate) mod models;
pub(crate) mod pipelines;
pub(crate) mod profile;
pub(crate) mod queue;
pub(crate) mod recover;
pub(crate) mod replay;
pub(crate) mod resume;
pub(crate) mod rewrite;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod say;
pub(crate) mod set;
pub(crate) mod show;
pub(crate) mod tool_server;
pub(crate) mod worker;
