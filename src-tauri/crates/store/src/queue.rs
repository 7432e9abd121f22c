//! The queue of the writer. A thread takes all waiting jobs and writes them in one transaction.
//!
//! When no job is waiting, a small one is done in its caller's thread: waking another thread and being woken by it
//! costs more than the commit. Slow work stays with the thread: waiting for other processes, syncing, checkpoints of
//! the write-ahead log, snapshots.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use engine::LogError;
use kernel::{Code, Seq, phrase};
use rusqlite::hooks::Wal;
use tokio::sync::oneshot;

use crate::error::closed;
use crate::job::Job;
use crate::mutex::lock;
use crate::writer::Writer;

/// The most jobs of one transaction: enough for a hundred concurrent runs, few enough to answer soon.
const BATCH: usize = 256;
/// The thread's name.
const THREAD: &str = "store-writer";
/// The thread stays awake for this time after a job, so that the next run need not wake it.
const AWAKE_TIME: Duration = Duration::from_secs(5);
/// A write-ahead log with more pages is checkpointed: at 16 MB, so that frequently written pages are copied rarely.
const CHECKPOINT_PAGES: i32 = 4_000;

thread_local! {
    /// The pages in the write-ahead log at the last commit of this thread: SQLite passes them to a plain function
    /// without context.
    static LOG_PAGES: Cell<i32> = const { Cell::new(0) };
}

/// A message to the writer.
enum Message {
    /// A job; `true` when it must survive a loss of power.
    Job(Box<dyn Job>, bool),
    /// Makes the missing snapshots of a run.
    Snapshots(i64, Seq),
    /// Checkpoints the write-ahead log.
    MoveLog,
    /// A run is held, so heartbeats are needed from now on.
    Held,
    /// Releases all runs and ends the thread.
    Close(Option<oneshot::Sender<()>>),
}

/// The queue of the writer.
pub(crate) struct Queue {
    outbox: Sender<Message>,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The shared state of the thread and the callers.
struct Shared {
    /// `None` once the store is closed.
    writer: Mutex<Option<Writer>>,
    /// The number of jobs sent to the thread. They go first, so that jobs for one run keep their order.
    waiting: AtomicUsize,
    /// Whether the thread sleeps until it is woken, because no heartbeat is needed. It is set only while the writer is
    /// locked, so that a thread that takes a run meanwhile sees it.
    is_asleep: AtomicBool,
}

impl Queue {
    /// Starts the thread.
    pub(crate) fn open(writer: Writer) -> Result<Queue, LogError> {
        writer.connection.wal_hook(Some(note_pages));
        let (outbox, inbox) = channel();
        let shared = Arc::new(Shared {
            writer: Mutex::new(Some(writer)),
            waiting: AtomicUsize::new(0),
            is_asleep: AtomicBool::new(false),
        });
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name(THREAD.to_owned()).spawn(move || theirs.run(&inbox));
        let thread = thread.map_err(|error| {
            LogError::new(
                Code::Internal,
                phrase!("The system gave no thread to write with ({error}). Close other programs, then try again.", error),
            )
        })?;
        Ok(Queue { outbox, shared, thread: Mutex::new(Some(thread)) })
    }

    /// Sends a job to the thread for its next transaction.
    pub(crate) fn send(&self, job: Box<dyn Job>, is_synced: bool) -> Result<(), LogError> {
        self.shared.waiting.fetch_add(1, Ordering::AcqRel);
        self.outbox.send(Message::Job(job, is_synced)).map_err(|_| closed())
    }

    /// Does a small job in this thread when the writer is free; otherwise sends it.
    pub(crate) fn do_or_send(&self, job: Box<dyn Job>) -> Result<(), LogError> {
        let Ok(mut writer) = self.shared.writer.try_lock() else { return self.send(job, false) };
        match writer.as_mut() {
            Some(writer) if self.shared.waiting.load(Ordering::Acquire) == 0 && writer.begins_at_once() => {
                for (run, seq) in writer.write(vec![(job, false)], true) {
                    self.want_snapshots(run, seq);
                }
                if LOG_PAGES.take() >= CHECKPOINT_PAGES {
                    self.want(Message::MoveLog);
                }
                if writer.holds_runs() && self.shared.is_asleep.swap(false, Ordering::AcqRel) {
                    self.want(Message::Held);
                }
                Ok(())
            }
            _ => self.send(job, false),
        }
    }

    /// Requests snapshots without waiting.
    pub(crate) fn want_snapshots(&self, run: i64, seq: Seq) {
        self.want(Message::Snapshots(run, seq));
    }

    fn want(&self, message: Message) {
        // A closed store makes no snapshots.
        let _ = self.outbox.send(message);
    }

    /// Writes the waiting jobs, releases all runs, ends the thread.
    pub(crate) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.outbox.send(Message::Close(Some(reply))).is_ok() {
            // When the thread has ended already, nothing is left to write.
            let _ = closed.await;
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.outbox.send(Message::Close(None));
        let thread = lock(&self.thread).take();
        if let Some(thread) = thread
            && thread.join().is_err()
        {
            tracing::error!("the thread that writes the history broke down");
        }
    }
}

impl Shared {
    /// Works until the store is closed or all senders are dropped.
    fn run(&self, inbox: &Receiver<Message>) {
        let mut closing = None;
        let mut is_open = true;
        while is_open {
            let Some(first) = self.next(inbox) else { break };
            let mut batch = Vec::new();
            let mut wanted_snapshots = Vec::new();
            let mut is_log_long = false;
            let mut message = Some(first);
            while let Some(next) = message {
                match next {
                    Message::Job(job, is_synced) => batch.push((job, is_synced)),
                    Message::Snapshots(run, seq) => wanted_snapshots.push((run, seq)),
                    Message::MoveLog => is_log_long = true,
                    Message::Held => {}
                    Message::Close(reply) => {
                        closing = reply;
                        is_open = false;
                        break;
                    }
                }
                message = if batch.len() < BATCH { inbox.try_recv().ok() } else { None };
            }
            let mut writer = lock(&self.writer);
            let Some(writer) = writer.as_mut() else { break };
            // An empty batch would be a heartbeat, which is unnecessary for a store that only read.
            if !batch.is_empty() {
                let jobs = batch.len();
                wanted_snapshots.extend(writer.write(batch, false));
                self.waiting.fetch_sub(jobs, Ordering::AcqRel);
            }
            for (run, seq) in wanted_snapshots {
                writer.snapshot(run, seq);
            }
            if LOG_PAGES.take() >= CHECKPOINT_PAGES || is_log_long {
                writer.move_log();
            }
        }
        if let Some(writer) = lock(&self.writer).take() {
            writer.end();
        }
        if let Some(reply) = closing {
            let _ = reply.send(());
        }
    }

    /// The next message; writes heartbeats meanwhile, while runs are held.
    fn next(&self, inbox: &Receiver<Message>) -> Option<Message> {
        loop {
            let until_beat = lock(&self.writer).as_ref()?.until_beat();
            match inbox.recv_timeout(until_beat.unwrap_or(AWAKE_TIME)) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let mut writer = lock(&self.writer);
            if writer.as_ref()?.holds_runs() {
                // An empty batch is a heartbeat.
                writer.as_mut()?.write(Vec::new(), false);
                continue;
            }
            self.is_asleep.store(true, Ordering::Release);
            drop(writer);
            let message = inbox.recv().ok();
            self.is_asleep.store(false, Ordering::Release);
            return message;
        }
    }
}

fn note_pages(_: &Wal, pages: i32) -> rusqlite::Result<()> {
    LOG_PAGES.set(pages);
    Ok(())
}
