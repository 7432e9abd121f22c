//! Reading a model's reply without holding up others: a short one here, a long one on a thread of its own.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use answers::{Answer, Fault as Flaw, Reader, Reading, ToolArguments, Unusable};
use kernel::{ModelReply, ToolRequest};

/// An answer longer than this, in bytes, is read on a thread of its own.
const MOST_BYTES_IN_PLACE: usize = 32 << 10;
/// The stack of that thread, in bytes.
const READING_STACK: usize = 4 << 20;

/// A way to read an answer.
pub(crate) type Read = fn(&Reader, &Answer<'_>) -> Result<Reading, Unusable>;

/// How replies that cannot be used, each with whether it was cut off, are read once more: what came whole of the last that
/// was cut, else what the last names that names anything.
pub(crate) fn second_ways(unread: &[(ModelReply, bool)]) -> impl Iterator<Item = (&ModelReply, Read)> {
    let cut = unread.iter().rev().find(|(_, was_cut)| *was_cut);
    let cut = cut.map(|(reply, _)| (reply, Reader::read_partial as Read));
    let named = unread.iter().rev().map(|(reply, _)| (reply, Reader::read_mentioned as Read));
    cut.into_iter().chain(named)
}

/// Reads a reply; a long one on a thread with a known stack, so that no worker waits for it.
pub(crate) async fn read(
    reader: &Arc<Reader>,
    reply: &ModelReply,
    unknown: &[ToolRequest],
    titles: &[String],
    read: Read,
) -> Result<Reading, Unusable> {
    if reply.text.len() + reply.thinking.len() <= MOST_BYTES_IN_PLACE {
        return read_safely(reader, reply, unknown, titles, None, read);
    }
    let (reader, reply, unknown, titles) = (reader.clone(), reply.clone(), unknown.to_vec(), titles.to_vec());
    let stop = StopOnDrop(Arc::default());
    let stopped = stop.0.clone();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("answer".into()).stack_size(READING_STACK);
    let started = thread.spawn(move || {
        // Nobody waits any more where the run was stopped.
        let _ = sender.send(read_safely(&reader, &reply, &unknown, &titles, Some(&stopped), read));
    });
    if started.is_err() {
        return Err(Flaw::Stopped.into());
    }
    receiver.await.unwrap_or_else(|_| Err(Flaw::Stopped.into()))
}

/// An error of the reader is no error of the run: the answer counts as one that cannot be read.
fn read_safely(
    reader: &Reader,
    reply: &ModelReply,
    unknown: &[ToolRequest],
    titles: &[String],
    stop: Option<&AtomicBool>,
    read: Read,
) -> Result<Reading, Unusable> {
    let tool_calls: Vec<ToolArguments<'_>> =
        unknown.iter().map(|call| ToolArguments { name: &call.tool, arguments: &call.input.0 }).collect();
    let (text, thinking, was_cut) = (&reply.text, &reply.thinking, reply.stop == "length");
    let answer = Answer { text, thinking, tool_calls: &tool_calls, titles, was_cut, stop };
    std::panic::catch_unwind(AssertUnwindSafe(|| read(reader, &answer)))
        .unwrap_or_else(|_| Err(Flaw::Entangled.into()))
}

/// Stops a reading when nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
