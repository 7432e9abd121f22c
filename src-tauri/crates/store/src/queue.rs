//! The way to the writer. A thread takes everything that waits and puts it into one transaction.
//!
//! Where nobody waits, a small job is done in its caller's own thread: to wake another one and to be woken by it costs
//! more than the commit. What may take long stays with the thread: waiting for other processes, syncing, moving the
//! write-ahead log into the database, snapshots.

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

use crate::store::lock;
use crate::writer::{Job, Writer, closed};

/// Most jobs of one transaction: enough for a hundred runs at once, few enough to answer soon.
const BATCH: usize = 256;
/// The thread's name.
const THREAD: &str = "store-writer";
/// So long the thread stays awake after something was done, so that the next run need not wake it.
const AWAKE: Duration = Duration::from_secs(5);
/// A write-ahead log of more pages is moved into the database: 16 MB, so that what is written often is moved seldom.
const LONG_LOG: i32 = 4_000;

thread_local! {
    /// Pages in the write-ahead log at the last commit of this thread: SQLite tells a plain function, which knows no queue.
    static LOG_PAGES: Cell<i32> = const { Cell::new(0) };
}

/// What may be sent to the writer.
enum Message {
    /// Something to write; `true` when it must survive the loss of power.
    Job(Box<dyn Job>, bool),
    /// Makes the snapshots of a run that are missing.
    Snapshots(i64, Seq),
    /// Moves the write-ahead log into the database.
    MoveLog,
    /// A run is held: from now on there are heartbeats.
    Held,
    /// Lets go of everything and ends.
    Close(Option<oneshot::Sender<()>>),
}

/// The way to the writer.
pub(crate) struct Queue {
    outbox: Sender<Message>,
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the thread and the callers share.
struct Shared {
    /// `None` when the store is closed.
    writer: Mutex<Option<Writer>>,
    /// How many jobs are on their way to the thread. They go first: what is sent for one run keeps its order.
    waiting: AtomicUsize,
    /// Whether the thread sleeps until somebody wakes it: there was nothing to say that this process lives for. Set
    /// only with the writer in hand, so that who takes a run meanwhile sees it.
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

    /// Has the thread do a job in its next transaction.
    pub(crate) fn send(&self, job: Box<dyn Job>, is_synced: bool) -> Result<(), LogError> {
        self.shared.waiting.fetch_add(1, Ordering::AcqRel);
        self.outbox.send(Message::Job(job, is_synced)).map_err(|_| closed())
    }

    /// Does a small job here and now, when nobody else writes; otherwise sends it.
    pub(crate) fn do_or_send(&self, job: Box<dyn Job>) -> Result<(), LogError> {
        let Ok(mut writer) = self.shared.writer.try_lock() else { return self.send(job, false) };
        match writer.as_mut() {
            Some(writer) if self.shared.waiting.load(Ordering::Acquire) == 0 && writer.begins_at_once() => {
                for (run, seq) in writer.write(vec![(job, false)], true) {
                    self.want_snapshots(run, seq);
                }
                if LOG_PAGES.take() >= LONG_LOG {
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

    /// Asks for snapshots, without waiting.
    pub(crate) fn want_snapshots(&self, run: i64, seq: Seq) {
        self.want(Message::Snapshots(run, seq));
    }

    fn want(&self, message: Message) {
        // A closed store does nothing any more.
        let _ = self.outbox.send(message);
    }

    /// Writes what waits, lets go of every run, ends the thread.
    pub(crate) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if self.outbox.send(Message::Close(Some(reply))).is_ok() {
            // The writer that is gone already has nothing to flush.
            let _ = closed.await;
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // Already closed is as good.
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
    /// Works until the store is closed or nobody can send any more.
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
            // An empty batch would be a heartbeat; nobody who only read, and now closes, needs one.
            if !batch.is_empty() {
                let jobs = batch.len();
                wanted_snapshots.extend(writer.write(batch, false));
                self.waiting.fetch_sub(jobs, Ordering::AcqRel);
            }
            for (run, seq) in wanted_snapshots {
                writer.snapshot(run, seq);
            }
            if LOG_PAGES.take() >= LONG_LOG || is_log_long {
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

    /// The next message; meanwhile heartbeats, while there is something to hold.
    fn next(&self, inbox: &Receiver<Message>) -> Option<Message> {
        loop {
            let until_beat = lock(&self.writer).as_ref()?.until_beat();
            match inbox.recv_timeout(until_beat.unwrap_or(AWAKE)) {
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
