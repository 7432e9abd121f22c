//! The arguments of `galley profile` and `galley config`.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum Profile {
    /// List the profiles
    List,
    /// Add a profile, or replace the one of this name
    Add(AddProfile),
    /// Search this machine for model servers: llama.cpp, LM Studio, vLLM, Ollama
    Find {
        /// Add a profile for each that no profile asks yet
        #[arg(long)]
        add: bool,
    },
    /// Ask the profile's model for a word
    Test {
        /// The profile
        name: String,
    },
    /// Remove a profile
    Remove {
        /// The profile
        name: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddProfile {
    /// Its name
    pub(crate) name: String,
    /// built-in, anthropic, gemini, ollama, openai or openai-compatible
    #[arg(long)]
    pub(crate) provider: String,
    /// Where requests go, for example http://127.0.0.1:8080/v1
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    pub(crate) base_url: String,
    /// The model of a role (default, search, write, review); a name alone is the default
    #[arg(long, value_name = "ROLE=MODEL")]
    pub(crate) model: Vec<String>,
    #[command(flatten)]
    pub(crate) key: KeyFrom,
    /// The profile that stands in when this one's key, credit or rate fails
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) fallback: String,
    /// A limit of every run that it is chosen for
    #[arg(long, value_name = "NAME=N")]
    pub(crate) limit: Vec<String>,
}

/// Where a profile's key comes from.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct KeyFrom {
    /// The environment variable that holds the key; only its name is kept
    #[arg(long, value_name = "VAR")]
    pub(crate) key_env: Option<String>,
    /// The provider wants no key
    #[arg(long)]
    pub(crate) no_key: bool,
    /// The key from standard input, into the system's keyring
    #[arg(long)]
    pub(crate) key_stdin: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Read a setting
    Get {
        /// For example default_profile, default_source, net.allow, services.NAME.base_url,
        /// pipelines.ID.agents.AGENT.instruction
        key: String,
    },
    /// Change a setting; an empty value sets it back to its default
    Set {
        /// For example default_profile, default_source, net.allow, services.NAME.base_url,
        /// pipelines.ID.agents.AGENT.instruction
        key: String,
        /// The value; @FILE reads it from a file, @@ begins a text with @
        value: String,
    },
}
