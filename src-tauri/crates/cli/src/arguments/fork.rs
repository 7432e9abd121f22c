//! The arguments of `galley fork`.

use clap::Args;

use super::{Bounds, Changes, RunInteraction};

#[derive(Debug, Args)]
pub(crate) struct Fork {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// The last event that is reused; `galley show RUN --events` lists them
    #[arg(long, value_name = "SEQ")]
    pub(crate) at: u32,
    /// A key's value from there on; @FILE reads the JSON from a file
    #[arg(long, value_name = "KEY=JSON")]
    pub(crate) set: Vec<String>,
    /// What takes the place of the answer at --at: of a tool its output, of a model its text, of an agent's question the new answer; @FILE reads the JSON from a file
    #[arg(long, value_name = "JSON")]
    pub(crate) result: Option<String>,
    /// The profile from there on
    #[arg(long)]
    pub(crate) profile: Option<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}
