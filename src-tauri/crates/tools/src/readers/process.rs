//! Reads untrusted documents in a separate process, so that a hostile one can crash only that process.
//!
//! The process is this program started again with a hidden argument. It gets the document on standard input and no
//! environment, limits its own memory, time and files before it reads a byte, and writes its results line by line,
//! which are parsed as untrusted data. At the deadline it is killed; its results until then are kept. It ends with the
//! parent process, and cannot gain privileges. Windows and macOS enforce no memory limit here; the deadline applies
//! everywhere.

mod child;
mod messages;

use kernel::{Phrase, phrase};
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

pub use child::serve_if_asked;
pub(crate) use messages::{About, Counts, Extracted, Message, stopped};

use super::{Document, LARGEST_FILE, LONGEST_TEXT, ReadError, Source, one_line};

/// The first argument of a process that reads a document.
const ARGUMENT: &str = "__read-document";

/// The program to start; set once it is known to understand [`ARGUMENT`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The kinds of documents that are read in a separate process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    Docx,
    /// A feed, already decoded to UTF-8, as are the next two.
    Feed,
    /// A page, for its article.
    Html,
    /// One record per line.
    Jsonl,
    /// A page with all its text as Markdown: a form, a letter.
    WholePage,
    Pdf,
}

impl DocumentKind {
    const ALL: [DocumentKind; 6] = [
        DocumentKind::Docx,
        DocumentKind::Feed,
        DocumentKind::Html,
        DocumentKind::Jsonl,
        DocumentKind::WholePage,
        DocumentKind::Pdf,
    ];

    fn word(self) -> &'static str {
        match self {
            DocumentKind::Docx => "docx",
            DocumentKind::Feed => "feed",
            DocumentKind::Html => "html",
            DocumentKind::Jsonl => "jsonl",
            DocumentKind::WholePage => "whole-page",
            DocumentKind::Pdf => "pdf",
        }
    }

    /// The limit of processor time. A web page has its plain text as fallback.
    fn processor_time(self) -> Duration {
        match self {
            DocumentKind::Docx | DocumentKind::Feed | DocumentKind::Pdf => Duration::from_secs(20),
            DocumentKind::Jsonl => Duration::from_secs(60),
            DocumentKind::Html | DocumentKind::WholePage => Duration::from_secs(10),
        }
    }

    /// The most output that is read, in bytes: one text, or one text per entry.
    fn most_output(self) -> u64 {
        match self {
            DocumentKind::Feed | DocumentKind::Jsonl => 4 * LARGEST_FILE,
            _ => 4 * LONGEST_TEXT as u64,
        }
    }

    /// The wall-clock limit after which the process is killed, even if it got little processor time.
    fn deadline(self) -> Duration {
        self.processor_time() + Duration::from_secs(10)
    }
}

/// The content of a document. `file` is its name in errors.
///
/// # Errors
/// `Malformed` when the document is not of its kind, `TooSlow` or `Crashed` when its reader was stopped before it found
/// any text, `Unreadable` when no reader could be started.
pub(crate) fn extract(kind: DocumentKind, file: &str, bytes: &[u8]) -> Result<Extracted, ReadError> {
    let mut extracted = Extracted::default();
    let ending = run(kind, file, bytes, &mut |message| {
        extracted.add(message);
        ControlFlow::Continue(())
    })?;
    match &extracted.refused {
        Some(reason) => Err(refused(file, reason)),
        None if extracted.is_done || !extracted.text.trim().is_empty() => Ok(extracted),
        None => Err(ending.error(kind, file)),
    }
}

/// Passes the documents of a multi-document file on one by one, until `on` breaks.
///
/// # Errors
/// As [`extract`], when no document was found.
pub(crate) fn extract_many(
    kind: DocumentKind,
    file: &Source<'_>,
    bytes: &[u8],
    on: &mut dyn FnMut(Document) -> ControlFlow<()>,
) -> Result<Counts, ReadError> {
    let (mut counts, mut reason, mut found, mut is_ended) = (Counts::default(), None, 0_usize, false);
    let ending = run(kind, file.shown, bytes, &mut |message| {
        match message {
            Message::Entry(mut document) => {
                // The process does not know the file's names.
                for unnamed in [&mut document.source, &mut document.origin] {
                    if unnamed.is_empty() {
                        file.origin.clone_into(unnamed);
                    }
                }
                // A hostile file may have taken over the process, so the document is checked.
                let Some(document) = document.checked() else { return ControlFlow::Continue(()) };
                found += 1;
                let flow = on(document);
                is_ended |= flow.is_break();
                return flow;
            }
            Message::Counted(final_counts) => counts = final_counts,
            Message::Refused(said) => reason = one_line(&said),
            Message::Done => counts.is_whole = true,
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    counts.is_whole |= is_ended;
    match reason {
        Some(reason) => Err(refused(file.shown, &reason)),
        None if counts.is_whole || found > 0 => Ok(counts),
        None => Err(ending.error(kind, file.shown)),
    }
}

fn refused(file: &str, reason: &str) -> ReadError {
    ReadError::Malformed { file: file.to_owned(), reason: Phrase::verbatim(reason) }
}

/// How a process ended that sent no completion message.
enum Ending {
    Crashed,
    TooSlow,
}

impl Ending {
    fn error(&self, kind: DocumentKind, file: &str) -> ReadError {
        let file = file.to_owned();
        match self {
            Ending::Crashed => ReadError::Crashed { file },
            Ending::TooSlow => ReadError::TooSlow { file, seconds: kind.deadline().as_secs() },
        }
    }
}

/// Starts a process for a document and receives its messages until it ends, misses its deadline, or `on` breaks.
fn run(
    kind: DocumentKind,
    file: &str,
    bytes: &[u8],
    on: &mut dyn FnMut(Message) -> ControlFlow<()>,
) -> Result<Ending, ReadError> {
    if cfg!(test) {
        // A unit test has no program to start; `tests/it/terminal/documents.rs` starts the real one.
        let mut flow = ControlFlow::Continue(());
        child::emit(kind, bytes.to_vec(), &mut |message| {
            if flow.is_continue() {
                flow = on(message);
            }
        });
        return Ok(Ending::Crashed);
    }
    let unstarted = |reason: String| ReadError::Unreadable {
        file: file.to_owned(),
        reason: phrase!("no reader for it: {reason}", reason),
    };
    let mut child = command(kind)
        .ok_or_else(|| unstarted("the program `galley` is not beside this one".to_owned()))?
        .spawn()
        .map_err(|error| unstarted(error.to_string()))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(mut input), Some(output)) = (input, output) else {
        return Err(unstarted("it has no input or output".to_owned()));
    };
    let mut until = Instant::now() + kind.deadline();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ended early stops reading; its messages say why.
            let _ = input.write_all(bytes);
        });
        let (sender, messages) = sync_channel::<Message>(64);
        scope.spawn(move || {
            for line in BufReader::new(output.take(kind.most_output())).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let is_late = loop {
            match messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => {
                    let heard = Instant::now();
                    if on(message).is_break() {
                        break false;
                    }
                    // The time spent handling a document does not count towards the reader's deadline.
                    until += heard.elapsed();
                }
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        // The reading thread ends when the receiver is dropped.
        drop(messages);
        // A process that closed its output may still be running.
        let _ = child.kill();
        let was_slow = child.wait().is_ok_and(ran_out_of_time);
        Ok(if is_late || was_slow { Ending::TooSlow } else { Ending::Crashed })
    })
}

/// Whether the system killed a process because its processor time was used up.
#[cfg(unix)]
fn ran_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    /// `SIGXCPU` on Linux and macOS.
    const CPU_LIMIT_SIGNAL: i32 = 24;
    status.signal() == Some(CPU_LIMIT_SIGNAL)
}

#[cfg(not(unix))]
fn ran_out_of_time(_: ExitStatus) -> bool {
    false
}

fn command(kind: DocumentKind) -> Option<Command> {
    /// Library and system paths: they are not secret, and processes do not start without them.
    const PASSED_VARIABLES: [&str; 2] = ["LD_LIBRARY_PATH", "SYSTEMROOT"];
    let mut command = Command::new(program()?);
    command.arg(ARGUMENT).arg(kind.word()).env_clear();
    command.envs(PASSED_VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    // In KiB. The allocator reserves 1 GiB by default, which is the whole memory limit of a reading: when its second
    // thread reserved another, the process was killed, about once in a hundred readings.
    command.env("MIMALLOC_ARENA_RESERVE", "65536");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;

        /// Starts the process without a console window.
        const NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(NO_WINDOW);
    }
    Some(command)
}

/// This program once it declared that it serves readings, else the `galley` in the same folder; a test binary is one
/// folder deeper.
pub fn program() -> Option<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Some(program.clone());
    }
    let here = std::env::current_exe().ok()?;
    let name = format!("galley{}", std::env::consts::EXE_SUFFIX);
    let folders = here.ancestors().skip(1).take(2);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}
