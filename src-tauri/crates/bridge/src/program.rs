//! Runs a desk behind a bridge from start to end; a program only supplies the options of the desk.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use desk::{ApiError, Desk, Options, QuestionPolicy};

use crate::{Bridge, find_page};

/// How long closing waits for runs to be stopped and stored.
const CLOSING: Duration = Duration::from_secs(4);

/// Galley in a browser of this machine, for tests and for looking at the page.
#[derive(Parser)]
#[command(name = "bridge", version)]
struct Arguments {
    /// Where history and settings are kept; GALLEY_DATA_DIR and the platform's place come after it
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The port; 0 lets the system choose
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The built page [default: ui/dist, here or above]
    #[arg(long, value_name = "DIR")]
    ui: Option<PathBuf>,
}

/// The main function of a bridge; `options` returns the options of its desk.
pub fn start(options: impl FnOnce() -> Result<Options, ApiError>) -> ExitCode {
    if let Some(code) = desk::serve_if_asked() {
        return code;
    }
    let arguments = Arguments::parse();
    let served =
        tokio::runtime::Runtime::new().map_err(|error| format!("The system gives no threads: {error}"));
    let served = served.and_then(|runtime| {
        let options = options().map_err(|error| error.message)?;
        runtime.block_on(run(arguments, options))
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // A failure to write this cannot be reported.
            let _ = writeln!(std::io::stderr(), "{}", desk::printable(&sentence));
            ExitCode::FAILURE
        }
    }
}

/// Prints the address and serves until the process is asked to end. The bridge sets the data folder and the question
/// policy in `options`.
///
/// # Errors
/// A sentence: the desk cannot be opened, the port is in use, or the address cannot be printed.
async fn run(arguments: Arguments, options: Options) -> Result<(), String> {
    if let Err(sentence) = desk::log_if_asked(arguments.data_dir.clone()) {
        // As in the other hosts, a log that cannot be opened does not stop the program.
        let _ = writeln!(std::io::stderr(), "{}", desk::printable(&sentence));
    }
    let options =
        Options { data_dir: arguments.data_dir, question_policy: QuestionPolicy::Window, ..options };
    let desk = Desk::open(options).await.map_err(|error| error.message)?;
    desk.schedules().fire_while_open();
    let bridge = Bridge::bind(arguments.port).await.map_err(|error| {
        format!(
            "The port {} of 127.0.0.1 cannot be taken: {error}; choose another with --port",
            arguments.port
        )
    })?;
    let mut out = std::io::stdout();
    writeln!(out, "{}", bridge.url())
        .and_then(|()| out.flush())
        .map_err(|error| format!("The address cannot be printed: {error}"))?;
    let served = tokio::select! {
        served = bridge.serve(desk.clone(), find_page(arguments.ui)) => {
            served.map_err(|error| format!("The bridge broke off: {error}"))
        }
        () = asked_to_end() => Ok(()),
    };
    // A run that does not stop in time is resumed later, as after a crash.
    let _ = tokio::time::timeout(CLOSING, desk.close()).await;
    served
}

#[cfg(unix)]
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};

    // Without a handler the signals keep their default effect.
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

#[cfg(not(unix))]
async fn asked_to_end() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
