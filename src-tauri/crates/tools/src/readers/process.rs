//! Reads untrusted documents in a process of their own, so that a hostile one costs that process and nothing else.
//!
//! The process is this program started again with a hidden argument. It gets the document on its standard input and
//! nothing of the environment, limits its own memory, time and files before it reads a byte, and tells what it finds
//! line by line, which is read as data. At the deadline it is killed; what it told until then is kept.
//! On Windows and macOS the system enforces no limit of memory here; the deadline holds everywhere.

mod child;

use kernel::{Phrase, phrase};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

pub use child::serve_if_asked;

use super::dates::day;
use super::{Document, LONGEST_TEXT, ReadError, Source, one_line, web_address};

/// The first argument of a process that reads a document.
const ARGUMENT: &str = "__read-document";

/// So much of what the process tells is read, in bytes.
const MOST_OUTPUT: u64 = 4 * LONGEST_TEXT as u64;

/// The program that is started; set where it is known to understand [`ARGUMENT`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The kinds of documents that are read in a process of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentKind {
    Docx,
    /// A page for its article; decoded to UTF-8 already.
    Html,
    /// The same with all that stands on it, as Markdown: a form, a letter.
    WholePage,
    Pdf,
}

impl DocumentKind {
    const ALL: [DocumentKind; 4] =
        [DocumentKind::Docx, DocumentKind::Html, DocumentKind::WholePage, DocumentKind::Pdf];

    fn word(self) -> &'static str {
        match self {
            DocumentKind::Docx => "docx",
            DocumentKind::Html => "html",
            DocumentKind::WholePage => "whole-page",
            DocumentKind::Pdf => "pdf",
        }
    }

    /// Processor time that a reading may take. A web page has its plain text to fall back on.
    fn processor_time(self) -> Duration {
        match self {
            DocumentKind::Docx | DocumentKind::Pdf => Duration::from_secs(20),
            DocumentKind::Html | DocumentKind::WholePage => Duration::from_secs(10),
        }
    }

    /// After this time the process is killed, however little of it the system let it work.
    fn deadline(self) -> Duration {
        self.processor_time() + Duration::from_secs(10)
    }
}

/// What a document says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct About {
    pub(crate) title: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) source: Option<String>,
    pub(crate) published: Option<String>,
    pub(crate) authors: Vec<String>,
}

impl About {
    /// The same, with every field checked: a hostile document may have taken over the process that told it.
    fn checked(self) -> About {
        About {
            title: self.title.as_deref().and_then(one_line),
            url: self.url.as_deref().and_then(web_address),
            source: self.source.as_deref().and_then(one_line),
            published: self.published.as_deref().and_then(day),
            authors: self.authors.iter().filter_map(|name| one_line(name)).take(50).collect(),
        }
    }
}

/// What the process tells, one message a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Message {
    About(About),
    /// The next page or part.
    Text(String),
    /// A page that stopped its reader.
    Damaged,
    /// The last pages or parts, so many, are left out: they are too many or too long.
    Omitted(usize),
    /// It is no document of its kind, for this reason.
    Refused(String),
    Done,
}

/// What was found in a document.
#[derive(Debug, Default)]
pub(crate) struct Extracted {
    pub(crate) about: About,
    pub(crate) text: String,
    pub(crate) damaged: usize,
    omitted: usize,
    refused: Option<String>,
    is_done: bool,
}

impl Extracted {
    /// A document of this file with what was found.
    pub(crate) fn document(self, file: &Source<'_>, title: Option<String>, text: String) -> Document {
        let mut document = file.document(title, text);
        document.source = self.about.source.unwrap_or(document.source);
        document.url = self.about.url;
        document.published = self.about.published;
        document.authors = self.about.authors;
        document
    }

    /// What is missing in it, in sentences.
    pub(crate) fn notes(&self) -> Vec<Phrase> {
        let mut notes = Vec::new();
        if self.damaged > 0 {
            notes.push(phrase!(
                "{damaged} of its pages are damaged and were left out",
                damaged = self.damaged
            ));
        }
        if self.omitted > 0 {
            notes.push(phrase!(
                "its last {omitted} pages or parts were left out: it is too long",
                omitted = self.omitted
            ));
        }
        if !self.is_done {
            notes.push(phrase!("its reader had to be stopped; what it read until then was taken"));
        }
        notes
    }

    fn add(&mut self, message: Message) {
        match message {
            Message::About(about) => self.about = about.checked(),
            Message::Text(text) if self.text.len() <= LONGEST_TEXT => {
                if !self.text.is_empty() {
                    self.text.push_str("\n\n");
                }
                self.text.push_str(&text);
            }
            Message::Text(_) => {}
            Message::Damaged => self.damaged += 1,
            Message::Omitted(count) => self.omitted = count,
            Message::Refused(reason) => self.refused = one_line(&reason),
            Message::Done => self.is_done = true,
        }
    }
}

/// What is in a document. `file` is its name in errors.
///
/// # Errors
/// `Malformed` when it is no document of its kind, `TooSlow` or `Crashed` when its reader was stopped before it found
/// any text, `Unreadable` when no reader could be started.
pub(crate) fn extract(kind: DocumentKind, file: &str, bytes: &[u8]) -> Result<Extracted, ReadError> {
    let (extracted, ending) = run(kind, file, bytes)?;
    let named = file.to_owned();
    match (&extracted.refused, ending) {
        (Some(reason), _) => Err(ReadError::Malformed { file: named, reason: Phrase::verbatim(reason) }),
        (None, _) if extracted.is_done || !extracted.text.trim().is_empty() => Ok(extracted),
        (None, Ending::Crashed) => Err(ReadError::Crashed { file: named }),
        (None, Ending::TooSlow) => {
            Err(ReadError::TooSlow { file: named, seconds: kind.deadline().as_secs() })
        }
    }
}

/// How a process ended that did not say that it is done.
enum Ending {
    Crashed,
    TooSlow,
}

fn run(kind: DocumentKind, file: &str, bytes: &[u8]) -> Result<(Extracted, Ending), ReadError> {
    if cfg!(test) {
        // A unit test has no program that it could start; `tests/it/terminal/documents.rs` starts the real one.
        let mut extracted = Extracted::default();
        child::tell(kind, bytes.to_vec(), &mut |message| extracted.add(message));
        return Ok((extracted, Ending::Crashed));
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
    let until = Instant::now() + kind.deadline();
    thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ended early reads no more; what it told says why.
            let _ = input.write_all(bytes);
        });
        let (sender, messages) = sync_channel::<Message>(64);
        scope.spawn(move || {
            for line in BufReader::new(output.take(MOST_OUTPUT)).lines().map_while(Result::ok) {
                let Ok(message) = serde_json::from_str(&line) else { return };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut extracted = Extracted::default();
        let is_late = loop {
            match messages.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(message) => extracted.add(message),
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
        };
        // Also one that closed its output: it may still work.
        let _ = child.kill();
        let was_slow = child.wait().is_ok_and(ran_out_of_time);
        Ok((extracted, if is_late || was_slow { Ending::TooSlow } else { Ending::Crashed }))
    })
}

/// Whether the system ended a process because its processor time was used up.
#[cfg(unix)]
fn ran_out_of_time(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;

    /// `SIGXCPU`, the same on Linux and macOS.
    const TIME_USED_UP: i32 = 24;
    status.signal() == Some(TIME_USED_UP)
}

#[cfg(not(unix))]
fn ran_out_of_time(_: ExitStatus) -> bool {
    false
}

fn command(kind: DocumentKind) -> Option<Command> {
    /// Where the system looks for libraries and for itself; they are no secrets, and nothing starts without them.
    const KEPT: [&str; 2] = ["LD_LIBRARY_PATH", "SYSTEMROOT"];
    let mut command = Command::new(program()?);
    command.arg(ARGUMENT).arg(kind.word()).env_clear();
    command.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    // In KiB. The allocator reserves 1 GiB at once, which counts as the whole memory that a reading may hold: where its
    // second thread then wanted a reserve of its own, the process was ended, about once in a hundred readings.
    command.env("MIMALLOC_ARENA_RESERVE", "65536");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;

        /// Without a console window of its own.
        const NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(NO_WINDOW);
    }
    Some(command)
}

/// This program where it said that it serves, else the `galley` beside it; a test stands one folder deeper.
fn program() -> Option<PathBuf> {
    if let Some(program) = PROGRAM.get() {
        return Some(program.clone());
    }
    let here = std::env::current_exe().ok()?;
    let name = format!("galley{}", std::env::consts::EXE_SUFFIX);
    let folders = here.ancestors().skip(1).take(2);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}
