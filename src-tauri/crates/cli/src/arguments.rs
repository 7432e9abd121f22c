//! The command line after `galley`: scripts depend on these names.
//!
//! Not here: the meaning of the values. The desk rejects names that only it can check (a pipeline, a limit).

mod answer;
mod eval;
mod export;
mod fork;
mod library;
mod mcp;
mod queue;
mod recover;
mod repeats;
mod run;
mod say;
mod schedule;
mod settings;
mod tool_server;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(crate) use answer::Answer;
pub(crate) use eval::{Compare, Eval, EvalCommand, Set};
pub(crate) use export::Export;
pub(crate) use fork::Fork;
pub(crate) use library::Library;
pub(crate) use mcp::Mcp;
pub(crate) use queue::{Queue, QueueCommand, Worker};
pub(crate) use recover::Recover;
pub(crate) use repeats::{Again, Rewrite};
pub(crate) use run::{Run, RunRequest};
pub(crate) use say::Say;
pub(crate) use schedule::{AddSchedule, Schedule, ScheduleCommand};
pub(crate) use settings::{AddProfile, Config, Profile};
pub(crate) use tool_server::{AddToolServer, ReadText, SignInToolServer, ToolServer};

/// Multi-agent pipelines on your own machine: every step visible, editable and repeatable.
#[derive(Debug, Parser)]
#[command(name = "galley", version, after_help = "Without a command the window opens.")]
pub(crate) struct Arguments {
    /// Where history and settings are kept [default: GALLEY_DATA_DIR, else the platform's place]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// The pipelines: id, title, inputs, stages, contracts
    Pipelines(Pipelines),
    /// Run a pipeline
    Run(Run),
    /// Say what you need: Galley chooses the pipeline, shows its inputs filled in, and runs it; exit 5 if it is not clear which
    Ask(Ask),
    /// The history, newest first
    Runs(Runs),
    /// Look at a run: its state, events, journal, draft, or one key
    Show(Show),
    /// Execute a run again from its records; exit 4 where a request no longer matches
    Replay(Replay),
    /// Let a run go on that failed, was stopped, reached a limit, or whose process died
    Resume(Resume),
    /// Answer a question of a run, and let it go on
    Answer(Answer),
    /// Say a word to a running run: every model agent that starts after it reads it
    Say(Say),
    /// Begin a new run from an event of another one
    Fork(Fork),
    /// Run a pipeline again with the inputs and settings of an earlier run, except for those given here
    Again(Again),
    /// Rewrite the text of a run in one step, in a linked run of its session
    Rewrite(Rewrite),
    /// List the instructions of `galley rewrite`: those of the program and your own
    Instructions(Listing),
    /// Compare two runs: inputs, settings, checks, texts, cost and time
    Compare(Compare),
    /// Try a pipeline on a data set by one or several choices, beside each other; exit 1 below --threshold
    Eval(Eval),
    /// Data sets: the cases on which pipelines are tried
    #[command(subcommand)]
    Set(Set),
    /// Write a run out
    Export(Export),
    /// Take in a run that Galley exported as a report or as JSON
    Import {
        /// The file
        file: PathBuf,
    },
    /// The library: your own files and feeds, searched without the network
    #[command(subcommand)]
    Library(Library),
    /// Profiles of models
    #[command(subcommand)]
    Profile(Profile),
    /// Tool servers: MCP servers whose tools pipelines can use
    #[command(subcommand)]
    ToolServer(ToolServer),
    /// The models that a profile's provider lists
    Models {
        /// The profile
        name: String,
    },
    /// Settings
    #[command(subcommand)]
    Config(Config),
    /// The queue of workers on other machines, and who works
    Queue(Queue),
    /// Take sub-tasks of a role from a queue, with the accounts and within the rules of this data folder
    Worker(Worker),
    /// Schedules: runs that begin by themselves, by the system's timer while no window is open
    Schedule(Schedule),
    /// Be an MCP server: the pipelines are tools of other programs, the runs resources
    Mcp(Mcp),
    /// Set a damaged database aside with its log, and begin with a backup or with what can be read
    Recover(Recover),
    /// Check the installation; each problem comes with a fix
    Doctor(Listing),
    /// Write the manual pages into a folder, for packages
    #[command(hide = true)]
    Manual {
        /// The folder, which must exist
        folder: PathBuf,
    },
    /// Completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether the output is for a program.
    pub(crate) fn is_json(&self) -> bool {
        match self {
            Command::Pipelines(pipelines) => pipelines.listing.json,
            Command::Doctor(listing) => listing.json,
            Command::Run(run) => run.interaction.json,
            Command::Ask(ask) => ask.interaction.json,
            Command::Runs(runs) => runs.json,
            Command::Show(show) => show.json,
            Command::Replay(replay) => replay.json,
            Command::Resume(resume) => resume.interaction.json,
            Command::Answer(answer) => answer.interaction.json,
            Command::Say(say) => say.json,
            Command::Fork(fork) => fork.interaction.json,
            Command::Again(again) => again.interaction.json,
            Command::Rewrite(rewrite) => rewrite.interaction.json,
            Command::Instructions(listing) => listing.json,
            Command::Queue(queue) => queue.json,
            Command::Schedule(schedule) => schedule.command.is_json(),
            Command::Compare(compare) => compare.json,
            Command::Eval(Eval { command: Some(EvalCommand::List(listing)), .. })
            | Command::Eval(Eval { command: Some(EvalCommand::Show { listing, .. }), .. }) => listing.json,
            Command::Eval(eval) => eval.json,
            Command::Set(Set::List(listing) | Set::Show { listing, .. }) => listing.json,
            Command::Set(_)
            | Command::Export(_)
            | Command::Import { .. }
            | Command::Library(_)
            | Command::Profile(_)
            | Command::ToolServer(_)
            | Command::Models { .. }
            | Command::Config(_)
            | Command::Mcp(_)
            | Command::Worker(_)
            | Command::Recover(_)
            | Command::Manual { .. }
            | Command::Completions { .. } => false,
        }
    }

    /// Whether the output for a program ends with a result line.
    pub(crate) fn gives_result(&self) -> bool {
        matches!(
            self,
            Command::Run(_)
                | Command::Ask(_)
                | Command::Resume(_)
                | Command::Answer(_)
                | Command::Fork(_)
                | Command::Again(_)
                | Command::Rewrite(_)
        )
    }
}

#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// One JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Pipelines {
    #[command(subcommand)]
    pub(crate) command: Option<PipelineCommand>,
    #[command(flatten)]
    pub(crate) listing: Listing,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PipelineCommand {
    /// Check a file: every fault with its line and column, exit 2 when there is one
    Check {
        /// The TOML file
        file: String,
    },
}

/// How a run is shown and who answers its questions.
#[derive(Debug, Default, Clone, Copy, Args)]
pub(crate) struct RunInteraction {
    /// Answer every question with its default; this gives no tool permission
    #[arg(long)]
    pub(crate) yes: bool,
    /// Every event as one JSON object a line, then the result
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress on standard error
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// What replaces a pipeline's own settings.
#[derive(Debug, Default, Args)]
pub(crate) struct Changes {
    /// An agent's instruction, from a file
    #[arg(long, value_name = "AGENT=@FILE")]
    pub(crate) instruction: Vec<String>,
    /// An agent's model
    #[arg(long, value_name = "AGENT=MODEL")]
    pub(crate) model: Vec<String>,
    /// An agent's profile
    #[arg(long, value_name = "AGENT=PROFILE")]
    pub(crate) agent_profile: Vec<String>,
    /// The temperature of every agent, or of one
    #[arg(long, value_name = "N|AGENT=N")]
    pub(crate) temperature: Vec<String>,
}

#[derive(Debug, Default, Args)]
pub(crate) struct Bounds {
    /// A limit: max_llm_calls, max_output_tokens, max_execution_time_s, max_total_tokens, max_tool_calls, max_cost; `none`
    /// in place of a number lifts it; AGENT.NAME=N is a limit of one agent alone
    #[arg(long, value_name = "[AGENT.]NAME=N")]
    pub(crate) limit: Vec<String>,
    /// Let a tool act without asking: everywhere, or only at HOST; may be repeated
    #[arg(long, value_name = "TOOL[@HOST]")]
    pub(crate) allow: Vec<String>,
    /// Stop before an agent starts, and ask; may be repeated
    #[arg(long, value_name = "AGENT")]
    pub(crate) stop_at: Vec<String>,
    /// Stop when an agent has ended, and ask; may be repeated
    #[arg(long, value_name = "AGENT")]
    pub(crate) stop_after: Vec<String>,
}

#[derive(Debug, Default, Args)]
pub(crate) struct OnFailure {
    /// What to do when a model fails for good: built-in does the stage without a model; ask asks you, and the run fails if
    /// nobody is there [default: the setting default_fallback; of a resumed run, as before]
    #[arg(long, value_name = "built-in|ask")]
    pub(crate) fallback: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// What you need, in your own words
    pub(crate) text: String,
    /// An input that the request does not say, or says otherwise; @FILE reads it from a file, @@ begins a text with @
    #[arg(long, value_name = "KEY=VALUE|KEY=@FILE")]
    pub(crate) input: Vec<String>,
    /// The profile whose model chooses and does the work [default: the settings]
    #[arg(long)]
    pub(crate) profile: Option<String>,
    /// Where it searches, as of `galley run`
    #[arg(long)]
    pub(crate) source: Option<String>,
    /// The day that counts as today
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub(crate) as_of: Option<String>,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}

#[derive(Debug, Args)]
pub(crate) struct Runs {
    /// Words to find in titles and drafts; without --json the newest 50 runs that have them are shown
    #[arg(long, value_name = "TEXT")]
    pub(crate) search: Option<String>,
    /// Only runs that began before this one: give the last run of a page to get the next page
    #[arg(long, value_name = "RUN", requires = "search")]
    pub(crate) before: Option<String>,
    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) view: View,
    /// Every change of the key: when, by whom, read by whom
    #[arg(long, requires = "key")]
    pub(crate) history: bool,
    /// The moment: after this event [default: the last]
    #[arg(long, value_name = "SEQ")]
    pub(crate) at: Option<u32>,
    /// Show what can be read of a damaged run, and say what is missing
    #[arg(long)]
    pub(crate) partial: bool,
    /// JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct View {
    /// All keys with their values (the default)
    #[arg(long)]
    pub(crate) state: bool,
    /// Every event
    #[arg(long)]
    pub(crate) events: bool,
    /// Every event as a sentence
    #[arg(long)]
    pub(crate) journal: bool,
    /// The draft's text
    #[arg(long)]
    pub(crate) draft: bool,
    /// Every citation of the text, with what its source says of it
    #[arg(long)]
    pub(crate) citations: bool,
    /// The open questions, each with its number
    #[arg(long)]
    pub(crate) questions: bool,
    /// One key
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The run: its id, the beginning of it, or `last`
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub(crate) run: Option<String>,
    /// Every run of the history
    #[arg(long)]
    pub(crate) all: bool,
    /// With the pipelines and instructions as they are now, instead of those that each run was started with
    #[arg(long)]
    pub(crate) present: bool,
    /// One JSON object a line: of one run every event that came out, then what was found
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The run: its id, the beginning of it, or `last`
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) bounds: Bounds,
    #[command(flatten)]
    pub(crate) on_failure: OnFailure,
    #[command(flatten)]
    pub(crate) interaction: RunInteraction,
}
