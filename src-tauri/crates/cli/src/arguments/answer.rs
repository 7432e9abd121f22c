//! The arguments of `galley answer`.

use clap::Args;

use super::RunInteraction;

#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// The answer. To a tool that asks for permission: once, run, always, refuse or change. Where the run stops around an agent:
    /// go_on, changes or stop. Where a tool server asks: accept, decline or cancel
    pub(crate) value: String,
    /// The number of the question, if the run asks several; `galley show RUN --questions` lists them
    #[arg(long, value_name = "ID")]
    pub(crate) question: Option<u32>,
    /// With refuse and changes: the reason or the changes, which the model reads
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// With change: the arguments to use instead; with accept: the fields; @FILE reads them from a file
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}
