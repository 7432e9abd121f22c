//! The browser process and its children: their streams, their folder, and their termination.
//!
//! On Unix the browser leads a process group, which is killed as a whole. On Windows Chromium ties its processes to the
//! first one, so they end with it.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use kernel::Error;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, Command};

use crate::error;
use crate::profile::Profile;

/// The most messages of the browser that are kept, in bytes.
const MOST_MESSAGES: usize = 64 << 10;

/// The wait for its last messages when it printed no page.
const LAST_MESSAGES_TIMEOUT: Duration = Duration::from_secs(1);

/// The environment variables that the browser gets: paths, language, and what Windows needs to start any program.
const PASSED_VARIABLES: [&str; 9] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "SystemRoot",
    "SystemDrive",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "ProgramData",
    "ComSpec",
];

/// Variables that determine where the browser stores the user's data.
const PROFILE_VARIABLES: [&str; 10] = [
    "HOME",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
];

/// A running browser. Dropping it kills all its processes and removes its folder.
#[derive(Debug)]
pub(crate) struct BrowserProcess {
    // Dropped in this order: the folder is removed after the processes that write into it have ended.
    group: Group,
    child: Child,
    profile: Profile,
}

/// The output of the browser.
#[derive(Debug)]
pub(crate) struct Output {
    /// The page; one byte longer than the limit if it was cut.
    pub(crate) html: Vec<u8>,
    /// Its messages on standard error.
    pub(crate) messages: String,
}

impl BrowserProcess {
    /// Starts the browser with this profile, as this user if given.
    ///
    /// # Errors
    /// `tool_failed` when it cannot be started.
    pub(crate) fn start(
        program: &Path,
        arguments: &[String],
        user: Option<u32>,
        profile: Profile,
    ) -> Result<BrowserProcess, Error> {
        let not_started = |cause: std::io::Error| error::not_started(program, &cause);
        let mut command = ending_with_this_program(program);
        command.env_clear().current_dir(profile.folder());
        command.envs(PASSED_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        command.envs(PROFILE_VARIABLES.iter().map(|name| (name, profile.folder())));
        // No requests to desktop services over D-Bus.
        let buses = ["DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS"];
        command.envs(buses.iter().map(|name| (name, "disabled:")));
        let mut folder = std::ffi::OsString::from("--user-data-dir=");
        folder.push(profile.folder());
        command.arg(folder).args(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        #[cfg(unix)]
        {
            command.process_group(0);
            if let Some(user) = user {
                command.uid(user).gid(user);
            }
        }
        #[cfg(windows)]
        {
            /// Starts the process without a console window.
            const NO_WINDOW: u32 = 0x0800_0000;
            command.creation_flags(NO_WINDOW);
        }
        let child = command.spawn().map_err(not_started)?;
        Ok(BrowserProcess { group: Group(child.id()), child, profile })
    }

    /// Reads its output until it closes its streams, at most `most_bytes` and one more of the page.
    ///
    /// # Errors
    /// `tool_failed` when it cannot be read.
    pub(crate) async fn output(&mut self, most_bytes: usize) -> Result<Output, Error> {
        let (Some(mut page), Some(mut messages)) = (self.child.stdout.take(), self.child.stderr.take())
        else {
            return Ok(Output { html: Vec::new(), messages: String::new() });
        };
        let mut said = Vec::new();
        let html = tokio::select! {
            html = read_most(&mut page, most_bytes + 1) => html,
            // Its messages are read at the same time, so that it never blocks on a full pipe.
            never = keep_reading(&mut messages, &mut said) => never,
        };
        let html = html.map_err(|cause| error::unreadable(&cause))?;
        if html.is_empty() {
            // It ended, and its last messages say why. A stream that another process keeps open is not waited for.
            let _rest =
                tokio::time::timeout(LAST_MESSAGES_TIMEOUT, keep_reading(&mut messages, &mut said)).await;
        }
        Ok(Output { html, messages: String::from_utf8_lossy(&said).into_owned() })
    }

    /// Kills all its processes, and removes its folder.
    pub(crate) async fn end(mut self) {
        self.group.kill();
        // Without process groups the first process is killed, and the others end with it.
        let _ended_already = self.child.start_kill();
        let _ended = self.child.wait().await;
        self.group.forget();
        let profile = self.profile;
        let _removed = tokio::task::spawn_blocking(move || drop(profile)).await;
    }
}

/// A command that ends the program when this process is killed, on systems that support it.
fn ending_with_this_program(program: &Path) -> Command {
    const SETPRIV: &str = "/usr/bin/setpriv";
    if !cfg!(target_os = "linux") || !Path::new(SETPRIV).exists() || !program.exists() {
        return Command::new(program);
    }
    let mut command = Command::new(SETPRIV);
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

async fn read_most(stream: &mut (impl AsyncRead + Unpin), most: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.take(most as u64).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// Reads a stream until it ends; keeps only its beginning.
async fn keep_reading(stream: &mut (impl AsyncRead + Unpin), kept: &mut Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut piece = [0; 4096];
    loop {
        match stream.read(&mut piece).await? {
            0 => std::future::pending::<()>().await,
            length => kept.extend_from_slice(&piece[..length.min(MOST_MESSAGES - kept.len())]),
        }
    }
}

/// The process group of the browser, until its leader was reaped: then the id may be reused.
#[derive(Debug)]
struct Group(Option<u32>);

impl Group {
    fn kill(&self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};

            let leader = self.0.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
            if let Some(leader) = leader {
                // A group that already ended is no failure.
                let _ended = kill_process_group(leader, Signal::KILL);
            }
        }
    }

    fn forget(&mut self) {
        self.0 = None;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
