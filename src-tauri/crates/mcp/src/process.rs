//! The process of a tool server: its start, its standard error, and its end.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use crate::config::ServerConfig;
use crate::listing::plain;

/// The most standard error that is kept, in bytes: its end.
const MOST_STANDARD_ERROR: usize = 64 << 10;
/// The time that a server has to exit after its input is closed, and again after a termination signal.
const GRACE: Duration = Duration::from_secs(4);

/// The environment variables that every server gets: system paths and language. Any other may contain keys.
const PASSED_VARIABLES: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// A running server.
pub(crate) struct ServerProcess {
    child: Child,
    standard_error: Arc<StandardError>,
}

/// The streams of the protocol.
pub(crate) type Streams = (ChildStdout, ChildStdin);

/// The end of a server's standard error.
#[derive(Default)]
pub(crate) struct StandardError(Mutex<VecDeque<u8>>);

impl StandardError {
    fn add(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(bytes);
        let over = kept.len().saturating_sub(MOST_STANDARD_ERROR);
        kept.drain(..over);
    }

    /// The text without control and hidden characters.
    pub(crate) fn text(&self) -> String {
        let kept: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        plain(&String::from_utf8_lossy(&kept), usize::MAX)
    }

    /// Its last line with text.
    pub(crate) fn last_line(&self) -> Option<String> {
        let text = self.text();
        let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
        Some(line.trim().chars().take(300).collect())
    }
}

/// Starts a server under a guard; `galley` is the guard's program.
///
/// # Errors
/// The system's error when the process cannot be started.
pub(crate) fn start(
    galley: Option<&Path>,
    command: &str,
    config: &ServerConfig,
    env: &BTreeMap<String, SecretString>,
    standard_error: &Arc<StandardError>,
) -> std::io::Result<(ServerProcess, Streams)> {
    let mut started = guarded(galley, command)?;
    started.args(&config.args).env_clear();
    started.envs(PASSED_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    started.envs(env.iter().map(|(name, value)| (name, value.expose_secret())));
    if let Some(folder) = &config.folder {
        started.current_dir(folder);
    }
    started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = started.spawn()?;
    let (Some(input), Some(output), Some(errors)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(std::io::Error::other("it has no input or output"));
    };
    let standard_error = standard_error.clone();
    tokio::spawn(listen(errors, standard_error.clone()));
    Ok((ServerProcess { child, standard_error }, (output, input)))
}

#[cfg(unix)]
fn guarded(galley: Option<&Path>, command: &str) -> std::io::Result<Command> {
    let galley =
        galley.ok_or_else(|| std::io::Error::other("the program `galley` is not beside this one"))?;
    let mut started = Command::new(galley);
    // Its own process group: Ctrl+C in a terminal must not reach the server, because the program ends it.
    started.arg(crate::guard::ARGUMENT).arg(std::process::id().to_string()).arg(command).process_group(0);
    Ok(started)
}

#[cfg(not(unix))]
fn guarded(_: Option<&Path>, command: &str) -> std::io::Result<Command> {
    let mut started = Command::new(command);
    started.kill_on_drop(true);
    Ok(started)
}

async fn listen(mut errors: ChildStderr, standard_error: Arc<StandardError>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut bytes).await {
        standard_error.add(bytes.get(..count).unwrap_or_default());
    }
}

impl ServerProcess {
    /// Waits a moment for a process that closed its streams. Returns its last message if it exited with a failure.
    pub(crate) async fn ended(&mut self) -> Option<String> {
        let status = tokio::time::timeout(Duration::from_secs(1), self.child.wait()).await.ok()?.ok()?;
        (!status.success()).then(|| self.standard_error.last_line().unwrap_or_else(|| status.to_string()))
    }

    /// Ends the process with all its children. Its input is already closed.
    pub(crate) async fn end(mut self) {
        for _ in 0..2 {
            if tokio::time::timeout(GRACE, self.child.wait()).await.is_ok() {
                return;
            }
            self.terminate();
        }
        let _ = self.child.kill().await;
    }

    /// Sends a termination signal to its guard.
    pub(crate) fn terminate(&self) {
        #[cfg(unix)]
        if let Some(pid) = self.child.id().and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.terminate();
    }
}
