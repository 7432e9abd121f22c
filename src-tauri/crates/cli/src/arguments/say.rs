//! The arguments of `galley say`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Say {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// What every model agent that starts from now on reads
    pub(crate) text: String,
    /// Give the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
