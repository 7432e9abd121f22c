//! The arguments of `galley again` and `galley rewrite`.

use clap::Args;

use super::{Bounds, Changes, OnFailure, RunInteraction};

#[derive(Debug, Args)]
pub(crate) struct Again {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// An input in place of the one that the run had; @FILE reads it from a file, @@ begins a text with @
    #[arg(long, value_name = "KEY=VALUE|KEY=@FILE")]
    pub(crate) input: Vec<String>,
    /// The profile of every agent [default: those of the run]
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// The tool of one slot [default: that of the run]
    #[arg(long, value_name = "SLOT=NAME")]
    pub(crate) tool: Vec<String>,
    /// The day that counts as today [default: the day of the run, where it was set]
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    /// The session that the run joins [default: a new one; of a rewrite in one step the session of its text]
    #[arg(long)]
    pub(crate) session: Option<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) on_failure: OnFailure,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}

#[derive(Debug, Args)]
pub(crate) struct Rewrite {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// shorter, longer, plainer, translate, or the name of a saved instruction; `galley instructions` lists them
    #[arg(required_unless_present = "text", conflicts_with = "text")]
    pub(crate) instruction: Option<String>,
    /// The instruction in your own words; @FILE reads it from a file, @@ begins a text with @
    #[arg(long, value_name = "TEXT|@FILE")]
    pub(crate) text: Option<String>,
    /// The language into which `translate` translates
    #[arg(long)]
    pub(crate) language: Option<String>,
    /// The profile [default: that of the run's writer]
    #[arg(long)]
    pub(crate) profile: Option<String>,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}
