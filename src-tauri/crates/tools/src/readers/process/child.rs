//! The process that reads one document: it limits itself, reads, sends its messages and exits.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::thread;

use super::{ARGUMENT, DocumentKind, Message, PROGRAM};
use crate::readers::{LARGEST_FILE, docx, feed, html, jsonl, pdf};

/// Nested documents are parsed recursively; the system counts only the used part of the stack.
const STACK: usize = 64 << 20;

/// The memory that a reading may hold, in bytes, and the address space, which includes the program itself.
#[cfg(unix)]
const MOST_MEMORY: u64 = 1 << 30;
#[cfg(unix)]
const MOST_MAPPED: u64 = 2 << 30;

/// Reads a document from standard input if this process was started for that, and returns its exit code. Otherwise
/// records that this program can be started as a reader. Must be called before anything else.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        if let Ok(program) = std::env::current_exe() {
            // Set once: a later call has the same value.
            let _ = PROGRAM.set(program);
        }
        keep_open_files();
        return None;
    }
    let word = words.next().unwrap_or_default();
    let kind = DocumentKind::ALL.into_iter().find(|kind| word == kind.word());
    Some(kind.and_then(serve).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

/// Reads standard input and writes messages to standard output; `None` when the process cannot be limited or sent
/// nothing.
fn serve(kind: DocumentKind) -> Option<()> {
    isolate();
    // Panic messages have no reader, and could quote the document.
    std::panic::set_hook(Box::new(|_| {}));
    // Started before the limits, which allow no further thread.
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
        limit(kind)?;
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
        let mut output = std::io::stdout().lock();
        let mut is_open = true;
        emit(kind, bytes, &mut |message| {
            is_open &= serde_json::to_vec(&message).is_ok_and(|mut line| {
                line.push(b'\n');
                output.write_all(&line).and_then(|()| output.flush()).is_ok()
            });
        });
        is_open.then_some(())
    });
    reader.ok()?.join().ok()?
}

/// Sends the content of a document of this kind.
pub(super) fn emit(kind: DocumentKind, bytes: Vec<u8>, on: &mut dyn FnMut(Message)) {
    let outcome = match kind {
        DocumentKind::Docx => docx::emit(bytes, on),
        DocumentKind::Feed => feed::emit(bytes, on),
        DocumentKind::Html => html::emit(bytes, on),
        DocumentKind::Jsonl => jsonl::emit(bytes, on),
        DocumentKind::WholePage => html::emit_whole(bytes, on),
        DocumentKind::Pdf => pdf::emit(bytes, on),
    };
    on(match outcome {
        Ok(()) => Message::Done,
        Err(reason) => Message::Refused(reason),
    });
}

/// Makes this process end with its parent and never gain privileges. Systems without such a call still apply the
/// limits.
fn isolate() {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        let _ = rustix::thread::set_no_new_privs(true);
    }
}

/// Keeps inherited descriptors from the processes that this program starts; files it opens itself are close-on-exec.
fn keep_open_files() {
    #[cfg(unix)]
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
}

/// Limits this process to what a reader needs: memory, time, no files and thus no network, no core dumps.
#[cfg(unix)]
fn limit(kind: DocumentKind) -> Option<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let seconds = kind.processor_time().as_secs();
    let limits = [
        (Resource::Cpu, seconds),
        // No file can grow, no file or socket can be opened besides the three streams, and no core is dumped.
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
        (Resource::Core, 0),
        (Resource::Data, MOST_MEMORY),
        (Resource::As, MOST_MAPPED),
    ];
    for (resource, wanted) in limits {
        let most = getrlimit(resource).maximum.map_or(wanted, |hard| wanted.min(hard));
        // macOS rejects memory limits.
        let may_be_refused = cfg!(target_os = "macos") && wanted >= MOST_MEMORY;
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        if setrlimit(resource, limit).is_err() && !may_be_refused {
            return None;
        }
    }
    Some(())
}

#[cfg(not(unix))]
fn limit(_: DocumentKind) -> Option<()> {
    Some(())
}
