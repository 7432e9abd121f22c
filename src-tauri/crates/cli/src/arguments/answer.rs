//! What can be typed after `galley answer`.

use clap::Args;

use super::RunInteraction;

#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    /// The answer; of a permission once, run, always, refuse or change
    pub(crate) value: String,
    /// The question, where the run asks several: `galley show RUN --questions` lists their numbers
    #[arg(long, value_name = "ID")]
    pub(crate) question: Option<u32>,
    /// With refuse: why, which the model is told
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// With change: the input with which the tool is called instead; @FILE reads it from a file
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}
