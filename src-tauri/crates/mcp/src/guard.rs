//! Ends a tool server with every process that it started, also where this program itself is killed.
//!
//! The guard is this program started again with a hidden argument. It starts the server in a process group of its own and
//! hands it its own three streams. When the server ends, when it is told to end, or when the program that started it is
//! gone, it ends whatever the server started and left behind: on Linux also what went into another group or session,
//! because orphans of a guard come back to it. It reads nothing of what the server says.

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
/// How long processes have to end by themselves once they are told to.
const GRACE: Duration = Duration::from_secs(2);
/// How often what is left is looked for.
const LOOK: Duration = Duration::from_millis(20);
/// So long is what cannot be ended tried; a process that the system holds is left to it.
const LONGEST_END: Duration = Duration::from_secs(10);

/// Guards a server when this process was started for that, and gives its exit code. To be called before anything else.
pub(crate) fn serve_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next()? != ARGUMENT {
        return None;
    }
    Some(guard(words.collect()).unwrap_or(ExitCode::FAILURE))
}

/// Nothing where the guard itself could not be set up.
fn guard(words: Vec<OsString>) -> Option<ExitCode> {
    let [program, command, args @ ..] = words.as_slice() else { return None };
    let program = Pid::from_raw(program.to_str()?.parse().ok()?)?;
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async {
        let mut told = signal(SignalKind::terminate()).ok()?;
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
                _ = told.recv() => break None,
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

/// Takes leave of the processes that ended; how the server did, where it is among them.
fn reaped(server: Pid) -> Option<ExitStatus> {
    let mut status = None;
    while let Ok(Some((pid, found))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == server {
            status = Some(ExitStatus::from_raw(found.as_raw()));
        }
    }
    status
}

/// Comes back when the program that started this guard is gone.
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
        // The number may be that of another process by now.
        if is_there() {
            let _ = gone.await;
        }
        return;
    }
    while is_there() {
        sleep(Duration::from_millis(500)).await;
    }
}

/// Ends the server and what it started: first by word, then by force.
async fn end_all(server: Pid) {
    let begun = Instant::now();
    send(server, Signal::TERM);
    loop {
        reaped(server);
        let left = left(server);
        if left.is_empty() || begun.elapsed() > LONGEST_END {
            return;
        }
        if begun.elapsed() > GRACE {
            send(server, Signal::KILL);
            for pid in left {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
        }
        sleep(LOOK).await;
    }
}

fn send(server: Pid, word: Signal) {
    let _ = rustix::process::kill_process_group(server, word);
    for pid in left(server) {
        let _ = rustix::process::kill_process(pid, word);
    }
}

/// What is left of the server and of the processes that it started.
#[cfg(target_os = "linux")]
fn left(_: Pid) -> Vec<Pid> {
    let own = rustix::process::getpid();
    let Ok(processes) = std::fs::read_dir("/proc") else { return Vec::new() };
    let parents: Vec<(Pid, Pid)> = processes
        .filter_map(|entry| {
            let pid: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name may hold anything; what follows its last bracket is the state and the parent.
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

/// Where the system tells no more, what is left of the server's group.
#[cfg(not(target_os = "linux"))]
fn left(server: Pid) -> Vec<Pid> {
    match rustix::process::test_kill_process_group(server) {
        Ok(()) => vec![server],
        Err(_) => Vec::new(),
    }
}
