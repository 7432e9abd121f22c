//! Ends a tool server with all its child processes, even if this program is killed.
//!
//! The guard is this program started again with a hidden argument. It starts the server in its own process group and
//! passes its three streams on. When the server exits, when the guard gets a termination signal, or when its parent is
//! gone, it ends all remaining processes of the server: on Linux also those in another group or session, because they
//! are reparented to the guard. It does not read the server's output.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitOptions};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{Instant, sleep};

/// The first argument of a guard.
pub(crate) const ARGUMENT: &str = "__guard-tool-server";
/// The exit code of a guard whose server could not be started.
pub(crate) const NOT_STARTED: u8 = 127;
/// The time that processes have to exit after a termination signal.
const GRACE: Duration = Duration::from_secs(2);
/// The interval of checks for remaining processes.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The time after which the guard gives up on processes that cannot be killed.
const KILL_TIMEOUT: Duration = Duration::from_secs(10);

/// Guards a server if this process was started for that, and returns its exit code. Must be called before anything
/// else.
pub(crate) fn serve_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != ARGUMENT {
        return None;
    }
    Some(guard(words.collect()).unwrap_or(ExitCode::FAILURE))
}

/// `None` when the guard could not be set up.
fn guard(words: Vec<OsString>) -> Option<ExitCode> {
    let [program, command, args @ ..] = words.as_slice() else { return None };
    let program = Pid::from_raw(program.to_str()?.parse().ok()?)?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async {
        let mut terminate = signal(SignalKind::terminate()).ok()?;
        let mut ended = signal(SignalKind::child()).ok()?;
        let server = match Command::new(command).args(args).process_group(0).spawn() {
            Ok(child) => Pid::from_child(&child),
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "{}: {error}", command.to_string_lossy());
                return Some(ExitCode::from(NOT_STARTED));
            }
        };
        let mut gone = std::pin::pin!(end_of(program));
        let status = loop {
            tokio::select! {
                _ = ended.recv() => {
                    if let Some(status) = reaped(server) {
                        break Some(status);
                    }
                }
                _ = terminate.recv() => break None,
                () = &mut gone => break None,
            }
        };
        end_all(server).await;
        Some(status.map_or(ExitCode::SUCCESS, exit_code))
    })
}

fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}

/// Reaps exited processes, and returns the server's status if it is one of them.
fn reaped(server: Pid) -> Option<ExitStatus> {
    let mut status = None;
    while let Ok(Some((pid, found))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == server {
            status = Some(ExitStatus::from_raw(found.as_raw()));
        }
    }
    status
}

/// Returns when the program that started this guard is gone.
async fn end_of(program: Pid) {
    let is_there = || rustix::process::getppid() == Some(program);
    #[cfg(target_os = "linux")]
    if let Ok(watched) = rustix::process::pidfd_open(program, rustix::process::PidfdFlags::empty()) {
        use rustix::event::{PollFd, PollFlags, poll};
        let (sender, gone) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            while poll(&mut [PollFd::new(&watched, PollFlags::IN)], None) == Err(rustix::io::Errno::INTR) {}
            sender.send(())
        });
        // The id may belong to another process by now.
        if is_there() {
            let _ = gone.await;
        }
        return;
    }
    while is_there() {
        sleep(Duration::from_millis(500)).await;
    }
}

/// Ends the server and its children: first with a termination signal, then with a kill.
async fn end_all(server: Pid) {
    let begun = Instant::now();
    send(server, Signal::TERM);
    loop {
        reaped(server);
        let left = left(server);
        if left.is_empty() || begun.elapsed() > KILL_TIMEOUT {
            return;
        }
        if begun.elapsed() > GRACE {
            send(server, Signal::KILL);
            for pid in left {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        sleep(CHECK_INTERVAL).await;
    }
}

fn send(server: Pid, word: Signal) {
    let _ = rustix::process::kill_process_group(server, word);
    for pid in left(server) {
        let _ = rustix::process::kill_process(pid, word);
    }
}

/// The remaining processes of the server.
#[cfg(target_os = "linux")]
fn left(_: Pid) -> Vec<Pid> {
    let own = rustix::process::getpid();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let parents: Vec<(Pid, Pid)> = processes
        .filter_map(|entry| {
            let pid: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name may contain anything; after its last bracket come the state and the parent.
            let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
            let is_dead = matches!(fields.next()?, "Z" | "X");
            let parent = fields.next()?.parse().ok().and_then(Pid::from_raw)?;
            Some((Pid::from_raw(pid)?, parent)).filter(|_| !is_dead)
        })
        .collect();
    let mut found = vec![own];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    found.split_off(1)
}

/// On other systems: the remaining processes of the server's group.
#[cfg(not(target_os = "linux"))]
fn left(server: Pid) -> Vec<Pid> {
    match rustix::process::test_kill_process_group(server) {
        Ok(()) => vec![server],
        Err(_) => Vec::new(),
    }
}
