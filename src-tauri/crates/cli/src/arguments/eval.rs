//! The arguments of `galley eval`, `galley set` and `galley compare`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Changes, Listing};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Eval {
    #[command(subcommand)]
    pub(crate) command: Option<EvalCommand>,
    /// The data set; `galley set list` shows those there are
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    pub(crate) set: Option<String>,
    /// Go on with an evaluation that was cut off: its id, the beginning of it, or `last`
    #[arg(long, value_name = "ID", conflicts_with_all = [
        "profile", "pipeline", "pipeline_of", "instruction", "model", "agent_profile", "temperature", "judge",
        "tool", "as_of", "limit", "allow", "new",
    ])]
    pub(crate) resume: Option<String>,
    /// The profile. An option that is given several times makes so many choices, beside each other; one that is given
    /// once holds for all
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Vec<String>,
    /// Another pipeline than that of the set, with the same inputs
    #[arg(long, value_name = "ID")]
    pub(crate) pipeline: Vec<String>,
    /// The version of the pipeline that a run was started with
    #[arg(long, value_name = "RUN", conflicts_with = "pipeline")]
    pub(crate) pipeline_of: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: Changes,
    /// The profile of the model that judges by rubrics [default: the settings]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) judge: Option<String>,
    /// The tool of one slot
    #[arg(long, value_name = "SLOT=NAME")]
    pub(crate) tool: Vec<String>,
    /// The day that counts as today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    /// A limit of every run, as of `galley run`
    #[arg(long, value_name = "[AGENT.]NAME=N")]
    pub(crate) limit: Vec<String>,
    /// Let a tool act without asking: everywhere, or only at HOST; other tools are refused
    #[arg(long, value_name = "TOOL[@HOST]")]
    pub(crate) allow: Vec<String>,
    /// So many cells at once [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) at_once: Option<u32>,
    /// Most money of the whole evaluation, in US dollars; exit 3 when it is used up
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// Exit 1 when a smaller share of expectations holds for the last choice
    #[arg(long, value_name = "0–1")]
    pub(crate) threshold: Option<f64>,
    /// Start a new evaluation also where the same one is not finished yet
    #[arg(long)]
    pub(crate) new: bool,
    /// Every cell as one JSON object a line, then the evaluation
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvalCommand {
    /// The evaluations, newest first
    List(Listing),
    /// An evaluation as a table
    Show {
        /// Its id, the beginning of it, or `last`
        evaluation: String,
        /// Only this case, with the texts of its runs
        #[arg(long, value_name = "NAME")]
        case: Option<String>,
        #[command(flatten)]
        listing: Listing,
    },
    /// Remove an evaluation; its runs stay
    Remove {
        /// Its id, the beginning of it, or `last`
        evaluation: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Set {
    /// The data sets
    List(Listing),
    /// Make a set of a file: JSON Lines with one case a line, or CSV (.csv)
    Add {
        /// Its name
        name: String,
        /// The file
        file: PathBuf,
        /// The pipeline that its inputs are for [default: that of the file]
        #[arg(long, value_name = "ID")]
        pipeline: Option<String>,
        /// What is expected of every case, as JSON; may be repeated
        #[arg(long, value_name = "JSON")]
        expect: Vec<String>,
        /// Replace the set of this name
        #[arg(long)]
        replace: bool,
    },
    /// Add the inputs of a run as a case; a set that does not exist is made
    AddRun {
        /// The set
        name: String,
        /// The run: its id, the beginning of it, or `last`
        run: String,
        /// The name of the case [default: the run's title]
        #[arg(long, value_name = "NAME")]
        case: Option<String>,
        /// Keep the run's text as an example of a good result
        #[arg(long)]
        reference: bool,
    },
    /// The cases of a set
    Show {
        /// The set
        name: String,
        #[command(flatten)]
        listing: Listing,
    },
    /// Remove a set; evaluations keep what they copied of it
    Remove {
        /// The set
        name: String,
    },
    /// Write a set out, one case a line, as `galley set add` reads it
    Export {
        /// The set
        name: String,
        /// The file [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Replace the file
        #[arg(long, requires = "out")]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A run: its id, the beginning of it, or `last`
    pub(crate) one: String,
    /// The other run
    pub(crate) other: String,
    /// JSON
    #[arg(long)]
    pub(crate) json: bool,
}
