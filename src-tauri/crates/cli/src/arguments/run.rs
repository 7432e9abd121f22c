//! The arguments of `galley run`.

use clap::Args;

use super::{Bounds, Changes, OnFailure, RunInteraction};

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) request: RunRequest,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}

/// What is run, and with what.
#[derive(Debug, Args)]
pub(crate) struct RunRequest {
    /// The pipeline's id; `galley pipelines` lists them
    pub(crate) pipeline: String,
    /// An input; @FILE reads it from a file, @@ begins a text with @
    #[arg(long, value_name = "KEY=VALUE|KEY=@FILE")]
    pub(crate) input: Vec<String>,
    /// The profile [default: the setting default_profile]
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// Where to search: auto, library, open-news, tavily, brave, searxng, gemini or google-cse. It is used by every slot that
    /// takes it [default: the pipeline's own, else the setting default_source]
    #[arg(long)]
    pub(crate) source: Option<String>,
    /// The tool of one slot; `galley pipelines` lists them
    #[arg(long, value_name = "SLOT=NAME")]
    pub(crate) tool: Vec<String>,
    /// The day that counts as today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    /// The session that the run joins, an id that `runs --json` lists [default: a new one]
    #[arg(long)]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) on_failure: OnFailure,
    /// Ask which issues of a review go to the writer; all of them go if nobody answers
    /// [default: the setting decide_issues]
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) decide_issues: Option<bool>,
}
