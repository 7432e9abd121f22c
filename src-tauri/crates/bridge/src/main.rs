//! The bridge as a program: prints its address, answers until it is told to end.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use bridge::{Bridge, find_page};
use clap::Parser;
use desk::{Desk, Manner, Options};

/// How long the end waits for runs to be stopped and stored.
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

#[tokio::main]
async fn main() -> ExitCode {
    match serve(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            // Nothing is left to do when even this cannot be written.
            let _ = writeln!(std::io::stderr(), "{sentence}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(arguments: Arguments) -> Result<(), String> {
    if let Err(sentence) = desk::log_if_asked(false) {
        // As in the other hosts: a log that cannot be had keeps nobody from working.
        let _ = writeln!(std::io::stderr(), "{sentence}");
    }
    let options = Options { data_dir: arguments.data_dir, manner: Manner::Window, ..Options::default() };
    let desk = Desk::open(options).await.map_err(|fault| fault.message)?;
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
    // What does not end in time is resumed later, like after any other end of the program.
    let _ = tokio::time::timeout(CLOSING, desk.close()).await;
    served
}

#[cfg(unix)]
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};

    // Without a handler the signals do what they always do.
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
