//! The arguments of `galley tool-server`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum ToolServer {
    /// List the tool servers
    List,
    /// Add an MCP server whose tools pipelines can name as SERVER/TOOL
    Add(AddToolServer),
    /// Add the servers of a file of another program, with `mcpServers` in it
    Import {
        /// The file
        file: PathBuf,
    },
    /// Start a server, and list its tools and what it says on standard error
    Test {
        /// The server
        name: String,
    },
    /// List what a server has to read beside its tools: resources, and prompts
    Texts {
        /// The server
        name: String,
    },
    /// Write a resource or a filled-in prompt of a server to standard output
    Read(ReadText),
    /// Choose the tools that are added to a pipeline, in place of those that were; none where none is named
    Use {
        /// The pipeline; an agent of it must take them
        pipeline: String,
        /// SERVER/TOOL, or SERVER/* for all tools of a server
        tools: Vec<String>,
    },
    /// Sign in at a server with an address, in the browser
    SignIn(SignInToolServer),
    /// Sign out at a server: its tokens are revoked and forgotten
    SignOut {
        /// The server
        name: String,
    },
    /// Remove a server
    Remove {
        /// The server
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SignInToolServer {
    /// The server
    pub(crate) name: String,
    /// What is asked for, and nothing else; without it what the server names, what you allowed before, and what it wanted since
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,
    /// The client ID that you got from the authorization server, where Galley cannot register itself
    #[arg(long, value_name = "ID")]
    pub(crate) client: Option<String>,
    /// Only print the address; open no browser
    #[arg(long)]
    pub(crate) no_browser: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AddToolServer {
    /// Its name: small letters, digits, - and _
    pub(crate) name: String,
    /// The address of a server that speaks streamable HTTP
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    pub(crate) url: String,
    /// The folder in which the program is started
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
    pub(crate) folder: String,
    /// A variable of its environment (of an address, a header) with a value that is no secret
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A variable or header whose value a variable of this program's environment has; only the name is kept
    #[arg(long, value_name = "NAME=VAR")]
    pub(crate) set_env: Vec<String>,
    /// A variable or header whose value is read from standard input, into the system's keyring
    #[arg(long, value_name = "NAME")]
    pub(crate) set_stdin: Option<String>,
    /// A tool that is offered; all of them where none is named
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Vec<String>,
    /// How long one call may take, in seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u32>,
    /// The program with its arguments, after --
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ReadText {
    /// The server
    pub(crate) name: String,
    /// The address of a resource
    #[arg(long, value_name = "URI", required_unless_present = "prompt", conflicts_with = "prompt")]
    pub(crate) resource: Option<String>,
    /// The name of a prompt
    #[arg(long, value_name = "PROMPT")]
    pub(crate) prompt: Option<String>,
    /// What the prompt is filled in with
    #[arg(long, value_name = "NAME=VALUE", requires = "prompt")]
    pub(crate) set: Vec<String>,
}
