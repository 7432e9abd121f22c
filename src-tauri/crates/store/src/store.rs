//! The handle of the store: one writer and several read connections.
//!
//! Not here: the operations (`log`, `history`, `library`, `sessions`).

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use engine::LogError;
use kernel::{Code, phrase};
use rusqlite::Connection;
use tokio::sync::{Semaphore, oneshot, watch};

use crate::backup_copy::Copies;
use crate::caches::{Caches, CountedEvents, ReadValues};
use crate::connection::{LOCK_TIMEOUT, open_reader};
use crate::error::{Place, closed};
use crate::identity::Identity;
use crate::job::{PendingReleases, Task, Writing};
use crate::mutex::lock;
use crate::omissions::{Missing, Omissions};
use crate::open;
use crate::queue::Queue;
use crate::read_context::ReadContext;
use crate::table;
use crate::table::processes::Process;
use crate::unstored_files::Rooms;
use crate::writer::Writer;

/// The most concurrent reads.
const READERS: usize = 2;

/// The store of one data folder. Clones share everything. Several processes may open the same folder; only the holder
/// of a run writes it.
#[derive(Clone)]
pub struct Store {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) place: Place,
    pub(crate) process: Process,
    pub(crate) recent: Arc<Caches>,
    pub(crate) owed: Arc<PendingReleases>,
    pub(crate) rooms: Mutex<Rooms>,
    pub(crate) changes: Arc<watch::Sender<u64>>,
    pub(crate) copies: Arc<Copies>,
    /// Whether the thread that polls for changes of other processes runs.
    pub(crate) is_looking: Mutex<bool>,
    /// Whether the word index is being updated.
    pub(crate) is_indexing: AtomicBool,
    read_values: ReadValues,
    counted: CountedEvents,
    /// Set when the user chose to see the readable part of damaged runs.
    left_out: OnceLock<Omissions>,
    /// Set when titles and replies of runs are stored as messages of their session.
    pub(crate) keeps_messages: OnceLock<()>,
    identity: Identity,
    idle: Mutex<Vec<Connection>>,
    permits: Semaphore,
    pub(crate) queue: Queue,
    /// Prevents migrations and recoveries by other processes while the store is open; none once it is closed.
    lock: Mutex<Option<std::fs::File>>,
}

impl Store {
    /// Opens the database of this folder. Creates both if they are missing, and migrates an older database after a
    /// backup. Each failure has its own code: a newer, damaged or locked database, a full disk, a folder that is not
    /// writable or no folder.
    ///
    /// # Errors
    /// Each of these, with its code and the next step.
    pub fn open(data_dir: &Path) -> Result<Store, LogError> {
        let place = Place::new(data_dir);
        let opened = open::open(&place, &table::MIGRATIONS, table::FORMAT)?;
        let identity = Identity::of(&place)?;
        let process = Process::this();
        let recent = Arc::new(Caches::default());
        let changes = Arc::new(watch::Sender::new(0));
        let owed = Arc::new(PendingReleases::default());
        let queue = Queue::open(Writer {
            connection: opened.connection,
            place: place.clone(),
            process: process.clone(),
            recent: Arc::clone(&recent),
            changes: Arc::clone(&changes),
            held: std::collections::HashMap::new(),
            owed: Arc::clone(&owed),
            beat_at_ms: 0,
            pause_until_ms: 0,
            identity: identity.clone(),
        })?;
        Ok(Store {
            shared: Arc::new(Shared {
                place,
                process,
                recent,
                owed,
                rooms: Mutex::default(),
                changes,
                copies: Arc::default(),
                is_looking: Mutex::new(false),
                is_indexing: AtomicBool::new(false),
                read_values: ReadValues::default(),
                counted: CountedEvents::default(),
                left_out: OnceLock::new(),
                keeps_messages: OnceLock::new(),
                identity,
                idle: Mutex::default(),
                permits: Semaphore::new(READERS),
                queue,
                lock: Mutex::new(Some(opened.lock)),
            }),
        })
    }

    /// Cancels backups in progress, writes the waiting jobs, releases all runs and the folder, and ends the writer.
    /// Dropping the last clone does the same.
    pub async fn close(&self) {
        self.shared.copies.stop();
        // The last connection to close may checkpoint the log, and that must be the writer.
        lock(&self.shared.idle).clear();
        self.shared.queue.close().await;
        lock(&self.shared.idle).clear();
        lock(&self.shared.lock).take();
    }

    /// From now on unreadable data of a damaged run are left out and listed by [`Store::missing`], instead of causing
    /// an error. Only for display: nothing may be written on that basis.
    pub fn leave_out_damage(&self) {
        // A repeated call has no effect.
        let _ = self.shared.left_out.set(Omissions::default());
    }

    /// The data left out so far.
    pub fn missing(&self) -> Missing {
        self.shared.left_out.get().map(Omissions::so_far).unwrap_or_default()
    }

    /// From now on a run's title and its reply, by the reply keys of its definition, are stored as messages of its
    /// session when the run starts and ends.
    pub fn keep_messages(&self) {
        // A repeated call has no effect.
        let _ = self.shared.keeps_messages.set(());
    }

    /// The path of the database file.
    pub fn file(&self) -> &Path {
        &self.shared.place.file
    }

    /// Runs this in the writer's thread in its next transaction, and waits for the commit.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        is_synced: bool,
        work: impl FnOnce(&mut Writing<'_>) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        self.write_within(LOCK_TIMEOUT, is_synced, work).await
    }

    /// The same with the longest wait for another process's lock.
    pub(crate) async fn write_within<T: Send + 'static>(
        &self,
        patience: Duration,
        is_synced: bool,
        work: impl FnOnce(&mut Writing<'_>) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let (reply, answer) = oneshot::channel();
        let task = Task { work: Some(work), result: None, patience, reply };
        self.shared.queue.send(Box::new(task), is_synced)?;
        answer.await.map_err(|_| closed())?
    }

    /// Runs this in the current thread when the writer is free, else as [`Store::write`]; it is committed when this
    /// returns. Only for work that is faster than waking a thread.
    pub(crate) async fn write_soon<T: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce(&mut Writing<'_>) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let (reply, answer) = oneshot::channel();
        self.shared.queue.do_or_send(Box::new(Task { work: Some(work), result: None, patience, reply }))?;
        answer.await.map_err(|_| closed())?
    }

    /// Requests snapshots without waiting.
    pub(crate) fn want_snapshots(&self, run: i64, seq: kernel::Seq) {
        self.shared.queue.want_snapshots(run, seq);
    }

    /// Reads on a blocking thread with a connection from the pool.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&ReadContext<'_>) -> Result<T, LogError> + Send + 'static,
    ) -> Result<T, LogError> {
        let _permit = self.shared.permits.acquire().await.map_err(|_| closed())?;
        let shared = Arc::clone(&self.shared);
        let done = tokio::task::spawn_blocking(move || {
            if lock(&shared.lock).is_none() {
                return Err(closed());
            }
            let idle = lock(&shared.idle).pop();
            let connection = match idle {
                Some(connection) => connection,
                None => {
                    // A file that replaced ours contains another history.
                    shared.identity.check(&shared.place)?;
                    open_reader(&shared.place)?
                }
            };
            let result = work(&ReadContext {
                connection: &connection,
                place: &shared.place,
                values: &shared.read_values,
                counted: &shared.counted,
                process: &shared.process,
                owed: &shared.owed,
                left_out: shared.left_out.get(),
            });
            lock(&shared.idle).push(connection);
            result
        });
        done.await.map_err(|error| {
            LogError::new(
                Code::Internal,
                phrase!("Reading the history was cut off ({error}). Try again.", error = error.to_string()),
            )
        })?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::connect;

    #[tokio::test]
    async fn only_durable_writes_are_synced() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        for (is_synced, level) in [(true, 2), (false, 1), (true, 2), (false, 1)] {
            let found = store.write(is_synced, |writing| {
                let level =
                    writing.connection.pragma_query_value(None, "synchronous", |row| row.get::<_, i64>(0));
                level.map_err(|error| writing.explain(&error))
            });
            assert_eq!(found.await.unwrap(), level);
        }
    }

    #[tokio::test]
    async fn small_jobs_run_in_the_callers_thread_when_the_writer_is_free_and_keep_order() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let soon =
            || store.write_soon(LOCK_TIMEOUT, |_| Ok(std::thread::current().name().map(str::to_owned)));
        let here = std::thread::current().name().map(str::to_owned);
        assert_eq!(soon().await.unwrap(), here);

        let other = connect(&store.shared.place).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        // The caller dropped it after sending: it is still done, and before later jobs.
        let counted = Arc::new(Mutex::new(Vec::new()));
        let count = |n: u32| {
            let counted = Arc::clone(&counted);
            move |_: &mut Writing<'_>| {
                lock(&counted).push(n);
                Ok(())
            }
        };
        let mut given_up = Box::pin(store.write(false, count(1)));
        assert!(futures::poll!(&mut given_up).is_pending());
        drop(given_up);
        let mut second = Box::pin(store.write_soon(LOCK_TIMEOUT, count(2)));
        assert!(futures::poll!(&mut second).is_pending(), "another process is waited for in the thread");
        other.execute_batch("COMMIT").unwrap();
        second.await.unwrap();
        assert_eq!(*lock(&counted), [1, 2]);
        // The caller may continue before the thread has released the writer.
        let mut where_done = soon().await.unwrap();
        for _ in 0..1_000 {
            if where_done == here {
                break;
            }
            where_done = soon().await.unwrap();
        }
        assert_eq!(where_done, here, "the writer is free again");
    }

    #[tokio::test]
    async fn a_full_disk_is_reported_and_writing_continues_when_space_is_free() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let limit = |pages: u32| {
            store.write(false, move |writing| {
                let sql = format!("PRAGMA max_page_count = {pages}");
                writing.connection.query_row(&sql, [], |_| Ok(())).map_err(|error| writing.explain(&error))
            })
        };
        let fill = |hash: &'static str| {
            store.write(false, move |writing| {
                table::contents::insert(writing.connection, hash, &"x".repeat(1 << 20))
                    .map_err(|error| writing.explain(&error))
            })
        };
        limit(100).await.unwrap();
        let error = fill("a").await.unwrap_err();
        assert_eq!(error.code, Code::DiskFull);
        assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
        limit(10_000).await.unwrap();
        fill("a").await.unwrap();
    }
}
