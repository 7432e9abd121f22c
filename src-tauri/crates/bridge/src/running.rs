//! A desk behind a bridge, from its start to its end: whoever makes a program of it says only how the desk is opened.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use desk::{Desk, Manner, Options};

use crate::{Bridge, find_page};

/// How long the end waits for runs to be stopped and stored.
const CLOSING: Duration = Duration::from_secs(4);

/// Galley in a browser of this machine, for tests and for looking at the page.
#[derive(Parser)]
#[command(name = "bridge", version)]
pub struct Arguments {
    /// Where history and settings are kept; GALLEY_DATA_DIR and the platform's place come after it
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// The port; 0 lets the system choose
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// The built page [default: ui/dist, here or above]
    #[arg(long, value_name = "DIR")]
    pub ui: Option<PathBuf>,
}

/// Prints the address and answers until the process is told to end. `options` is how the desk is opened, but for
/// the data folder and the manner, which are the bridge's.
///
/// # Errors
/// One sentence: the desk cannot be opened, the port not be had, the address not be printed.
pub async fn run(arguments: Arguments, options: Options) -> Result<(), String> {
    if let Err(sentence) = desk::log_if_asked(false) {
        // As in the other hosts: a log that cannot be had keeps nobody from working.
        let _ = writeln!(std::io::stderr(), "{sentence}");
    }
    let options = Options { data_dir: arguments.data_dir, manner: Manner::Window, ..options };
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
