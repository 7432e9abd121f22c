//! Reads a model's reply: a short one in place, a long one on a thread of its own.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use answers::{Answer, Fault as Flaw, Reader, Reading, ToolArguments, Unusable};
use kernel::{ModelReply, ToolRequest};

/// An answer longer than this, in bytes, is read on a thread of its own.
const MOST_BYTES_IN_PLACE: usize = 32 << 10;
/// The stack of that thread, in bytes.
const READING_STACK: usize = 4 << 20;

/// The context that a reply is read with.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadContext<'a> {
    /// The tool calls of the reply that name a tool which was not offered.
    pub(crate) unknown: &'a [ToolRequest],
    /// The titles that the model was shown to choose from.
    pub(crate) titles: &'a [String],
    /// The message that the reply answers.
    pub(crate) shown: &'a str,
}

/// A function that reads an answer.
pub(crate) type Read = fn(&Reader, &Answer<'_>) -> Result<Reading, Unusable>;

/// The second ways to read unusable replies, each with whether it was cut off: the complete items of the last reply
/// that was cut off, else the titles in the last reply that mentions any.
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
    context: ReadContext<'_>,
    read: Read,
) -> Result<Reading, Unusable> {
    if reply.text.len() + reply.thinking.len() <= MOST_BYTES_IN_PLACE {
        return read_safely(reader, reply, context, None, read);
    }
    let (reader, reply) = (reader.clone(), reply.clone());
    let (unknown, titles) = (context.unknown.to_vec(), context.titles.to_vec());
    let shown = context.shown.to_owned();
    let stop = StopOnDrop(Arc::default());
    let stopped = stop.0.clone();
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let thread = std::thread::Builder::new().name("answer".into()).stack_size(READING_STACK);
    let started = thread.spawn(move || {
        // The reading stops with the run, because its result is not needed any more.
        let context = ReadContext { unknown: &unknown, titles: &titles, shown: &shown };
        let _ = sender.send(read_safely(&reader, &reply, context, Some(&stopped), read));
    });
    if started.is_err() {
        return Err(Flaw::Stopped.into());
    }
    receiver.await.unwrap_or_else(|_| Err(Flaw::Stopped.into()))
}

/// An error of the reader does not fail the run: the answer counts as unreadable.
fn read_safely(
    reader: &Reader,
    reply: &ModelReply,
    context: ReadContext<'_>,
    stop: Option<&AtomicBool>,
    read: Read,
) -> Result<Reading, Unusable> {
    let ReadContext { unknown, titles, shown } = context;
    let tool_calls: Vec<ToolArguments<'_>> =
        unknown.iter().map(|call| ToolArguments { name: &call.tool, arguments: &call.input.0 }).collect();
    let (text, thinking, was_cut) = (&reply.text, &reply.thinking, reply.stop == "length");
    let answer = Answer { text, thinking, tool_calls: &tool_calls, titles, shown, was_cut, stop };
    std::panic::catch_unwind(AssertUnwindSafe(|| read(reader, &answer)))
        .unwrap_or_else(|_| Err(Flaw::Entangled.into()))
}

/// Stops a reading when its result is not needed any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
