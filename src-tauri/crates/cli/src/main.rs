//! L5: the terminal host. Everything it can do is in the desk's command list; here is how it is asked for in a
//! terminal and how the answer is written there.
//!
//! Not here: GUI libraries, files of the data folder, requests to models. Standard output belongs to the answer,
//! standard error to everything said about it.

mod arguments;
mod asking;
mod fields;
mod following;
mod given;
mod library;
mod looking;
mod output;
mod progress;
mod recover;
mod replaying;
mod results;
mod running;
mod settings;
mod showing;
mod table;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, Parser};
use desk::api::DoctorLine;
use desk::{ApiError, Desk, ErrorCode, Options};
use serde::Serialize;
use serde::de::DeserializeOwned;

use arguments::{Arguments, Command};
use table::one_line;

/// How long the end of the program waits for what is still on its way.
const LAST_WAIT: Duration = Duration::from_millis(200);

fn main() -> ExitCode {
    if let Some(code) = desk::read_document_if_asked() {
        return code;
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misused(&error),
    };
    if let Err(sentence) = desk::log_if_asked() {
        output::tell(&sentence);
    }
    let Some(command) = arguments.command else { return ExitCode::from(window::open(arguments.data_dir)) };
    let (is_json, gives_result) = (command.is_json(), command.gives_result());
    let code = answer(arguments.data_dir, command).unwrap_or_else(|fault| {
        if is_json && let Err(fault) = results::write_fault(&fault, gives_result) {
            output::tell_fault(&fault);
        }
        output::tell_fault(&fault);
        output::exit_code(&fault)
    });
    ExitCode::from(code)
}

/// Answers one command; gives the exit code.
fn answer(data_dir: Option<PathBuf>, command: Command) -> Result<u8, ApiError> {
    if let Command::Completions { shell } = command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Arguments::command(), "galley", &mut script);
        output::write(&String::from_utf8_lossy(&script))?;
        return Ok(0);
    }
    // Two are enough for one run, and start faster than one for every core.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(
            |error| {
                ApiError::new(
                    ErrorCode::Internal,
                    format!("The system gives no threads: {error}; close other programs"),
                )
            },
        )?;
    let code = runtime.block_on(async {
        let _unheeded = over_size();
        perform(data_dir, command).await
    });
    runtime.shutdown_timeout(LAST_WAIT);
    code
}

async fn perform(data_dir: Option<PathBuf>, command: Command) -> Result<u8, ApiError> {
    match command {
        Command::Run(given) => running::run(data_dir, given).await,
        Command::Resume(given) => running::resume(data_dir, given).await,
        Command::Answer(given) => running::answer(data_dir, given).await,
        Command::Fork(given) => running::fork(data_dir, given).await,
        Command::Doctor(given) => settings::doctor(data_dir, given.json).await,
        Command::Profile(given) => settings::profile(data_dir, given).await,
        Command::Models { name } => settings::models(data_dir, name).await,
        Command::Config(given) => settings::config(data_dir, given).await,
        Command::Pipelines(given) => looking::pipelines(&open(data_dir).await?, given.json).await,
        Command::Runs(given) => looking::runs(&open(data_dir).await?, given).await,
        Command::Recover(given) => recover::recover(data_dir, given).await,
        Command::Show(given) => showing::show(data_dir, given).await,
        Command::Replay(given) => replaying::replay(&open(data_dir).await?, given).await,
        Command::Export(given) => library::export(&open(data_dir).await?, given).await,
        Command::Library(given) => library::library(&open(data_dir).await?, given).await,
        // Written before a runtime was there.
        Command::Completions { .. } => Ok(0),
    }
}

/// The desk for commands that ask nobody anything.
async fn open(data_dir: Option<PathBuf>) -> Result<Desk, ApiError> {
    open_with(Options { data_dir, ..Options::default() }).await
}

/// Opens the desk; what has no effect in the settings is said once, before anything else.
async fn open_with(options: Options) -> Result<Desk, ApiError> {
    let desk = Desk::open(options).await?;
    for DoctorLine { name, found, fix, .. } in desk.remarks() {
        output::tell(&one_line(&format!("Warning: {name} {found}. {fix}")));
    }
    Ok(desk)
}

/// Asks the desk for a command of its list.
async fn ask<T: DeserializeOwned>(
    desk: &Desk,
    command: &str,
    request: impl Serialize,
) -> Result<T, ApiError> {
    let unfit = |error: serde_json::Error| {
        ApiError::new(
            ErrorCode::Internal,
            format!("`{command}` is not understood inside the program: {error}"),
        )
    };
    let payload = serde_json::to_value(request).map_err(unfit)?;
    serde_json::from_value(desk.rpc(command, payload).await?).map_err(unfit)
}

/// Takes the signal over with which the system ends a program whose file grows past the shell's `ulimit`, so that the
/// write fails instead and can be told as a full disk.
#[cfg(unix)]
fn over_size() -> std::io::Result<tokio::signal::unix::Signal> {
    /// `SIGXFSZ`, the same on Linux and macOS.
    const OVER_SIZE: i32 = 25;
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(OVER_SIZE))
}

#[cfg(not(unix))]
fn over_size() {}

/// What clap says of a wrong use; help and version are no wrong use.
fn misused(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;

    let is_help = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() || is_help {
        // Nothing is left to do when even this cannot be written.
        let _ = error.print();
        return if is_help { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    let fault = given::refused(sentence_of(&error.to_string()));
    output::tell_fault(&fault);
    // What is no text is no word of ours.
    let words: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if has(&["--json"]) {
        // The sentence is already on standard error.
        let _ = results::write_fault(&fault, has(&["run", "resume", "answer", "fork"]));
    }
    ExitCode::from(2)
}

/// The paragraphs of clap's error as one sentence: what is wrong, a tip, how it is used.
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
    fn a_wrong_use_is_told_in_one_sentence() {
        let told = |words: &[&str]| {
            let error = Arguments::try_parse_from(words).unwrap_err().to_string();
            sentence_of(&error)
        };
        assert_eq!(
            told(&["galley", "fork", "last"]),
            "The following required arguments were not provided: --at <SEQ>; usage: galley fork --at <SEQ> <RUN>; \
             `galley --help` tells more"
        );
        let unknown = told(&["galley", "runs", "--jsn"]);
        assert!(
            unknown.contains("'--jsn'") && unknown.contains("'--json'") && !unknown.contains('\n'),
            "{unknown}"
        );
    }
}
