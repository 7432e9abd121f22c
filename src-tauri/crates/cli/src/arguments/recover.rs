//! The arguments of `galley recover`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Recover {
    /// A backup, `readable` or `empty` [default: what can be read, or the newest backup where that holds more runs]
    #[arg(long, value_name = "BACKUP")]
    pub(crate) from: Option<String>,
    /// Do it without asking
    #[arg(long)]
    pub(crate) yes: bool,
}
