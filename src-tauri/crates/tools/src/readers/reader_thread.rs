//! Runs a reader of foreign code on a thread of its own: with a deep stack, behind a deadline, and so that a panic
//! in it is an error of one file. A thread that misses its deadline is left to end by itself; its result is dropped.

use kernel::phrase;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::ReadError;

const STACK: usize = 64 << 20;

/// Threads of this name panic silently: their panics are answers, told in words by the caller.
const THREAD: &str = "isolated-reader";

/// The result of `work`, or what became of it.
pub(crate) fn run<T: Send + 'static>(
    file: &str,
    deadline: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ReadError> {
    keep_panics_quiet();
    let (sender, receiver) = sync_channel(1);
    let spawned = thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK).spawn(move || {
        // The receiver is gone only after the deadline; then nobody wants the result.
        let _unwanted = sender.send(caught(work));
    });
    if let Err(error) = spawned {
        return Err(ReadError::Unreadable {
            file: file.to_owned(),
            reason: phrase!("no thread for it: {error}", error),
        });
    }
    match receiver.recv_timeout(deadline) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(ReadError::Crashed { file: file.to_owned() }),
        Err(RecvTimeoutError::Timeout) => {
            Err(ReadError::TooSlow { file: file.to_owned(), seconds: deadline.as_secs() })
        }
    }
}

/// The result of `work`, or its panic. Only for work whose leftovers are thrown away after a panic.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(work))
}

fn keep_panics_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(THREAD) {
                before(panic);
            }
        }));
    });
}
