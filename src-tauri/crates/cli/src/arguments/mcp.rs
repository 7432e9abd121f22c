//! The arguments of `galley mcp`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Answer over HTTP on 127.0.0.1 instead of standard input and output. The address and the token that every request
    /// needs are printed on standard error; GALLEY_MCP_TOKEN sets the token
    #[arg(long)]
    pub(crate) http: bool,
    /// The port of --http; 0 lets the system choose
    #[arg(long, default_value_t = 0, requires = "http")]
    pub(crate) port: u16,
    /// Let a tool of a pipeline act without asking: everywhere, or only at HOST; may be repeated. No client is asked for it
    #[arg(long, value_name = "TOOL[@HOST]")]
    pub(crate) allow: Vec<String>,
    /// Let clients answer when a run reaches a limit: they may then raise what it spends. Else it ends with the best so far
    #[arg(long)]
    pub(crate) allow_limits: bool,
}
