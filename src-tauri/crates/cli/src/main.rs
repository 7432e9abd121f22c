//! L5: the terminal host. It maps subcommands to the desk's command list and prints the answers.
//!
//! Not here: GUI libraries, access to files of the data folder, requests to models. Standard output is for the answer,
//! standard error for messages about it.

mod arguments;
mod commands;
mod desk_client;
mod evaluation_choices;
mod evaluation_table;
mod fields;
mod mcp;
mod option_values;
mod output;
mod progress;
mod question_prompt;
mod results;
mod run_follower;
mod run_session;
mod table;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use desk::{ApiError, ErrorCode, Phrase};

use arguments::{Arguments, Command};
use desk_client::open;

/// How long the program waits at its end for pending work.
const LAST_WAIT: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    if let Some(code) = desk::serve_if_asked() {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error),
    };
    if let Err(sentence) = desk::log_if_asked(arguments.data_dir.clone()) {
        output::tell(&sentence);
    }
    let Some(command) = arguments.command else { return ExitCode::from(window::open(arguments.data_dir)) };
    let (is_json, gives_result) = (command.is_json(), command.gives_result());
    let code = answer(arguments.data_dir, command).unwrap_or_else(|error| {
        if is_json && let Err(error) = results::write_error(&error, gives_result) {
            output::tell_error(&error);
        }
        output::tell_error(&error);
        output::exit_code(&error)
    });
    ExitCode::from(code)
}

/// Executes one command and returns the exit code.
fn answer(data_dir: Option<PathBuf>, command: Command) -> Result<u8, ApiError> {
    match &command {
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "galley", &mut script);
            output::write(&String::from_utf8_lossy(&script))?;
            return Ok(0);
        }
        Command::Manual { folder } => {
            commands::manual::write(folder)?;
            return Ok(0);
        }
        _ => {}
    }
    let threads = match &command {
        Command::Mcp(_) => mcp::THREADS,
        // Enough for one run, and starts faster than one thread per core.
        _ => 2,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.map_err(|error| {
        ApiError::new(
            ErrorCode::Internal,
            Phrase::verbatim(format!("The system gives no threads: {error}; close other programs")),
        )
    })?;
    let code = runtime.block_on(async {
        let _unheeded = over_size();
        perform(data_dir, command).await
    });
    runtime.shutdown_timeout(LAST_WAIT);
    code
}

async fn perform(data_dir: Option<PathBuf>, command: Command) -> Result<u8, ApiError> {
    match command {
        Command::Run(given) => commands::run::run(data_dir, given).await,
        Command::Ask(given) => commands::ask::ask(data_dir, given).await,
        Command::Resume(given) => commands::resume::resume(data_dir, given).await,
        Command::Answer(given) => commands::answer::answer(data_dir, given).await,
        Command::Fork(given) => commands::fork::fork(data_dir, given).await,
        Command::Again(given) => commands::again::again(data_dir, given).await,
        Command::Rewrite(given) => commands::rewrite::rewrite(data_dir, given).await,
        Command::Instructions(given) => {
            commands::rewrite::instructions(&open(data_dir).await?, given.json).await
        }
        Command::Doctor(given) => commands::doctor::doctor(data_dir, given.json).await,
        Command::Profile(given) => commands::profile::profile(data_dir, given).await,
        Command::ToolServer(given) => commands::tool_server::tool_server(data_dir, given).await,
        Command::Queue(given) => commands::queue::queue(data_dir, given).await,
        Command::Schedule(given) => commands::schedule::schedule(data_dir, given).await,
        Command::Worker(given) => commands::worker::worker(data_dir, given).await,
        Command::Models { name } => commands::models::models(data_dir, name).await,
        Command::Config(given) => commands::config::config(data_dir, given).await,
        Command::Pipelines(given) => commands::pipelines::pipelines(&open(data_dir).await?, given).await,
        Command::Say(given) => commands::say::say(&open(data_dir).await?, given).await,
        Command::Runs(given) => commands::runs::runs(&open(data_dir).await?, given).await,
        Command::Mcp(given) => mcp::serve(data_dir, given).await,
        Command::Recover(given) => commands::recover::recover(data_dir, given).await,
        Command::Show(given) => commands::show::show(data_dir, given).await,
        Command::Replay(given) => commands::replay::replay(&open(data_dir).await?, given).await,
        Command::Import { file } => commands::import::import(&open(data_dir).await?, &file).await,
        Command::Compare(given) => commands::compare::compare(&open(data_dir).await?, given).await,
        Command::Eval(given) => commands::eval::eval(data_dir, given).await,
        Command::Set(given) => commands::set::set(&open(data_dir).await?, given).await,
        Command::Export(given) => commands::export::export(&open(data_dir).await?, given).await,
        Command::Library(given) => commands::library::library(&open(data_dir).await?, given).await,
        // Handled before the runtime was created.
        Command::Completions { .. } | Command::Manual { .. } => Ok(0),
    }
}

/// Handles the signal that ends a process whose file grows past the shell's `ulimit`, so that instead the write fails
/// and is reported as a full disk.
#[cfg(unix)]
fn over_size() -> std::io::Result<tokio::signal::unix::Signal> {
    /// `SIGXFSZ`, the same on Linux and macOS.
    const OVER_SIZE: i32 = 25;
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(OVER_SIZE))
}

#[cfg(not(unix))]
fn over_size() {}

/// Prints clap's error for wrong usage; help and version are no errors.
fn misused(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;

    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || is_help {
        // If even this cannot be written, nothing is left to do.
        let _ = error.print();
        return if is_help { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let error = option_values::refused(sentence_of(&error.to_string()));
    output::tell_error(&error);
    // Arguments that are not UTF-8 match none of our words.
    let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["--json"]) {
        // The message is already on standard error.
        let _ = results::write_error(
            &error,
            has(&["run", "ask", "resume", "answer", "fork", "again", "rewrite"]),
        );
    }
    ExitCode::from(2)
}

/// Joins the paragraphs of clap's error to one sentence: the error, a tip, the usage.
fn sentence_of(text: &str) -> String {
    let parts = text.split("\n\n").map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "));
    let parts = parts.filter(|part| !part.is_empty() && !part.starts_with("For more information"));
    let joined = parts.collect::<Vec<_>>().join("; ").replace("; Usage: ", "; usage: ");
    let joined = joined.strip_prefix("error: ").unwrap_or(&joined);
    let mut characters = joined.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    format!("{}{}; `galley --help` tells more", first.unwrap_or_default(), characters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_usage_is_reported_in_one_sentence() {
        let sentence_for = |words: &[&str]| {
            let error = Arguments::try_parse_from(words).unwrap_err().to_string();
            sentence_of(&error)
        };
        assert_eq!(
            sentence_for(&["galley", "fork", "last"]),
            "The following required arguments were not provided: --at <SEQ>; usage: galley fork --at <SEQ> <RUN>; \
             `galley --help` tells more"
        );
        let unknown = sentence_for(&["galley", "runs", "--jsn"]);
        assert!(
            unknown.contains("'--jsn'") && unknown.contains("'--json'") && !unknown.contains('\n'),
            "{unknown}"
        );
    }
}
