//! The process that reads one document: it limits itself, reads, tells and ends.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::thread;

use super::{ARGUMENT, DocumentKind, Message, PROGRAM};
use crate::readers::{LARGEST_FILE, docx, feed, html, jsonl, pdf};

/// Deeply nested documents are read by recursion; the system counts only what is used of it.
const STACK: usize = 64 << 20;

/// Memory that a reading may hold, in bytes, and what it may map, which includes the program itself.
#[cfg(unix)]
const MOST_MEMORY: u64 = 1 << 30;
#[cfg(unix)]
const MOST_MAPPED: u64 = 2 << 30;

/// Reads a document from standard input when this process was started for that, and gives its exit code. Otherwise
/// remembers that this program can be started so. To be called before anything else.
pub fn serve_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        if let Ok(program) = std::env::current_exe() {
            // Set once: a second call knows nothing else.
            let _ = PROGRAM.set(program);
        }
        keep_open_files();
        return None;
    }
    let word = words.next().unwrap_or_default();
    let kind = DocumentKind::ALL.into_iter().find(|kind| word == kind.word());
    Some(kind.and_then(serve).map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS))
}

/// Reads standard input and tells on standard output; none when the process cannot be limited or told nothing.
fn serve(kind: DocumentKind) -> Option<()> {
    isolate();
    // Nobody reads what a panic says, and it could quote the document.
    std::panic::set_hook(Box::new(|_| {}));
    // Before the limits: they leave no room for another thread's start.
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
        limit(kind)?;
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(LARGEST_FILE).read_to_end(&mut bytes).ok()?;
        let mut output = std::io::stdout().lock();
        let mut is_open = true;
        tell(kind, bytes, &mut |message| {
            is_open &= serde_json::to_vec(&message).is_ok_and(|mut line| {
                line.push(b'\n');
                output.write_all(&line).and_then(|()| output.flush()).is_ok()
            });
        });
        is_open.then_some(())
    });
    reader.ok()?.join().ok()?
}

/// Tells what is in a document of this kind.
pub(super) fn tell(kind: DocumentKind, bytes: Vec<u8>, on: &mut dyn FnMut(Message)) {
    let told = match kind {
        DocumentKind::Docx => docx::tell(bytes, on),
        DocumentKind::Feed => feed::tell(bytes, on),
        DocumentKind::Html => html::tell(bytes, on),
        DocumentKind::Jsonl => jsonl::tell(bytes, on),
        DocumentKind::WholePage => html::tell_whole(bytes, on),
        DocumentKind::Pdf => pdf::tell(bytes, on),
    };
    on(match told {
        Ok(()) => Message::Done,
        Err(reason) => Message::Refused(reason),
    });
}

/// Lets this process end with the one that started it, and never gain rights. Where the system has no such thing, the
/// limits hold all the same.
fn isolate() {
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        let _ = rustix::thread::set_no_new_privs(true);
    }
}

/// Keeps what this program was given open from the processes that it starts: its own files close by themselves.
fn keep_open_files() {
    #[cfg(unix)]
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
}

/// Takes from this process what a reader does not need: memory, time, files and with them the network, traces.
#[cfg(unix)]
fn limit(kind: DocumentKind) -> Option<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let seconds = kind.processor_time().as_secs();
    let limits = [
        (Resource::Cpu, seconds),
        // No file can grow, none and no socket can be opened beside the three streams, no core is dumped.
        (Resource::Fsize, 0),
        (Resource::Nofile, 3),
        (Resource::Core, 0),
        (Resource::Data, MOST_MEMORY),
        (Resource::As, MOST_MAPPED),
    ];
    for (resource, wanted) in limits {
        let most = getrlimit(resource).maximum.map_or(wanted, |hard| wanted.min(hard));
        // macOS refuses limits of memory.
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
