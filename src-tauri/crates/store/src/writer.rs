//! What writes: the connection, one transaction over all jobs of a batch, and what becomes true with it. Each caller is
//! answered after the commit, so that what is acknowledged is stored.
//!
//! A job that fails is undone alone, behind a savepoint; the others of its batch go on.
//! Heartbeats are written here too, and only while this process holds a run.
//!
//! Not here: in whose thread this happens (`queue`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::LogError;
use kernel::{Code, Hash, Seq, phrase};
use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use crate::caches::Caches;
use crate::error::Place;
use crate::identity::Identity;
use crate::open::{self, PATIENCE};
use crate::store::lock;
use crate::table::events::Source;
use crate::table::processes::{self, Process};
use crate::table::{runs, snapshots};
use crate::transaction::{execute, roll_back, transact};

/// How long what a run has in hand waits for a lock of another process before it is set aside; then it is tried again.
pub(crate) const IN_HAND: Duration = Duration::from_secs(5);
/// How long the end of a process waits for a lock of another one.
const LEAVING: Duration = Duration::from_secs(1);
/// How often a process that holds runs says that it lives.
const BEAT_MS: i64 = 5_000;
/// How soon it is tried again to tell others what was let go of.
const OWED_MS: i64 = 500;

/// Something to write.
pub(crate) trait Job: Send {
    /// Writes; an error undoes whatever was written.
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError>;
    /// Tells the caller, after the commit.
    fn answer(self: Box<Self>, failed: Option<LogError>);
    /// How long a lock of another process is waited for.
    fn patience(&self) -> Duration {
        PATIENCE
    }
    /// The run that this process lets go of with it, whether or not that can be written.
    fn lets_go_of(&self) -> Option<&str> {
        None
    }
}

/// Runs that this process lets go of and whose rows still name it. With their row where that could not be written;
/// without as long as it was not tried.
pub(crate) type Owed = Mutex<HashMap<String, Option<i64>>>;

/// Lets go of a run.
pub(crate) struct Release {
    pub(crate) run: String,
    pub(crate) reply: oneshot::Sender<()>,
}

impl Job for Release {
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError> {
        // A run that another took meanwhile is let go of already.
        if let Some(&id) = writing.held.get(&self.run) {
            runs::let_go(writing.connection, id, writing.process.id)
                .map_err(|error| writing.explain(&error))?;
            writing.after.push(After::Released(self.run.clone()));
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<LogError>) {
        if let Some(error) = failed {
            tracing::warn!(%error, run = %self.run, "a run is let go of, which others learn when the disk takes it");
        }
        // A caller that no longer waits misses nothing.
        let _ = self.reply.send(());
    }

    fn lets_go_of(&self) -> Option<&str> {
        Some(&self.run)
    }
}

/// A closure as a job.
pub(crate) struct Task<F, T> {
    pub(crate) work: Option<F>,
    pub(crate) result: Option<T>,
    pub(crate) patience: Duration,
    pub(crate) reply: oneshot::Sender<Result<T, LogError>>,
}

impl<F, T> Job for Task<F, T>
where
    F: FnOnce(&mut Writing<'_>) -> Result<T, LogError> + Send,
    T: Send,
{
    fn work(&mut self, writing: &mut Writing<'_>) -> Result<(), LogError> {
        if let Some(work) = self.work.take() {
            self.result = Some(work(writing)?);
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failed: Option<LogError>) {
        let answer = match (failed, self.result) {
            (None, Some(result)) => Ok(result),
            (Some(error), _) => Err(error),
            (None, None) => Err(closed()),
        };
        // A caller that no longer waits misses nothing: what it asked for is stored.
        let _ = self.reply.send(answer);
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}

/// What a job works with.
pub(crate) struct Writing<'a> {
    pub(crate) connection: &'a Connection,
    pub(crate) place: &'a Place,
    pub(crate) process: &'a Process,
    pub(crate) recent: &'a Caches,
    /// Rows of the runs this process holds, by run.
    pub(crate) held: &'a HashMap<String, i64>,
    pub(crate) now_ms: i64,
    /// What becomes true with the commit.
    pub(crate) after: Vec<After>,
    pub(crate) beat_at_ms: i64,
}

/// What becomes true with the commit.
pub(crate) enum After {
    Held(String, i64),
    Released(String),
    Stored(Hash),
    Snapshots(i64, Seq),
    Beat,
}

impl Writing<'_> {
    /// Whether this process holds a run, or will with the commit: jobs before this one may have taken it or let it go.
    pub(crate) fn holds(&self, run: &str) -> bool {
        let changed = self.after.iter().rev().find_map(|after| match after {
            After::Held(held, _) if held == run => Some(true),
            After::Released(released) if released == run => Some(false),
            _ => None,
        });
        changed.unwrap_or_else(|| self.held.contains_key(run))
    }

    /// What an error of SQLite means for the person.
    pub(crate) fn explain(&self, error: &rusqlite::Error) -> LogError {
        self.place.explain(error)
    }

    /// The process that works on a run, unless it died without letting go.
    pub(crate) fn living_holder(&self, standing: &runs::Standing) -> Result<Option<Process>, LogError> {
        let Some(holder) = standing.holder else { return Ok(None) };
        let holder = processes::get(self.connection, holder).map_err(|error| self.explain(&error))?;
        Ok(holder.filter(|holder| holder.is_alive(self.now_ms, self.process)))
    }

    /// Sees to it that others see this process alive when it takes a run.
    pub(crate) fn beat(&mut self) -> Result<(), LogError> {
        if self.now_ms.saturating_sub(self.beat_at_ms) >= BEAT_MS {
            processes::beat(self.connection, self.process, self.now_ms)
                .map_err(|error| self.explain(&error))?;
            self.beat_at_ms = self.now_ms;
            self.after.push(After::Beat);
        }
        Ok(())
    }
}

/// The store was closed.
pub(crate) fn closed() -> LogError {
    LogError::new(Code::Internal, phrase!("The store is closed: nothing more is written. Open it again."))
}

/// The connection that writes, and what belongs to it.
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) place: Place,
    pub(crate) process: Process,
    pub(crate) recent: Arc<Caches>,
    pub(crate) changes: Arc<watch::Sender<u64>>,
    pub(crate) held: HashMap<String, i64>,
    pub(crate) owed: Arc<Owed>,
    pub(crate) beat_at_ms: i64,
    /// After a failure: not before this the next heartbeat.
    pub(crate) pause_until_ms: i64,
    pub(crate) identity: Identity,
}

impl Writer {
    /// How long until the next heartbeat; `None` while no run is held.
    pub(crate) fn until_beat(&self) -> Option<Duration> {
        let due = self.beat_at_ms.saturating_add(BEAT_MS).max(self.pause_until_ms);
        let left = due.saturating_sub(now_ms()).clamp(0, BEAT_MS);
        // Who waits for what was let go of learns it soon.
        let left = if lock(&self.owed).is_empty() { left } else { left.min(OWED_MS) };
        self.holds_runs().then(|| Duration::from_millis(left.unsigned_abs()))
    }

    /// Whether others wait for what this process holds, or for what it let go of.
    pub(crate) fn holds_runs(&self) -> bool {
        !self.held.is_empty() || !lock(&self.owed).is_empty()
    }

    /// Moves the write-ahead log into the database, as far as nobody reads in it.
    pub(crate) fn move_log(&self) {
        let moved = self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        if let Err(error) = moved {
            tracing::debug!(%error, "the write-ahead log stays long");
        }
    }

    /// Begins a transaction unless another process is writing.
    pub(crate) fn begins_at_once(&self) -> bool {
        self.wait_for_locks(Duration::ZERO);
        let is_begun = execute(&self.connection, "BEGIN IMMEDIATE").is_ok();
        self.wait_for_locks(PATIENCE);
        is_begun
    }

    fn wait_for_locks(&self, patience: Duration) {
        if let Err(error) = self.connection.busy_timeout(patience) {
            tracing::debug!(%error, "locks of other processes are waited for as long as before");
        }
    }

    /// Writes a batch and answers it; returns the snapshots that fell due.
    pub(crate) fn write(&mut self, batch: Vec<(Box<dyn Job>, bool)>, is_begun: bool) -> Vec<(i64, Seq)> {
        let is_synced = batch.iter().any(|(_, is_synced)| *is_synced);
        let mut jobs: Vec<(Box<dyn Job>, Option<LogError>)> =
            batch.into_iter().map(|(job, _)| (job, None)).collect();
        // A heartbeat waits no longer than what it stands for.
        self.wait_for_locks(jobs.iter().map(|(job, _)| job.patience()).max().unwrap_or(IN_HAND));
        let mut writing = Writing {
            connection: &self.connection,
            place: &self.place,
            process: &self.process,
            recent: &self.recent,
            held: &self.held,
            now_ms: now_ms(),
            after: Vec::new(),
            beat_at_ms: self.beat_at_ms,
        };
        let owed: Vec<(String, i64)> =
            lock(&self.owed).iter().filter_map(|(run, id)| Some((run.clone(), (*id)?))).collect();
        let committed = transact(&mut writing, &mut jobs, &owed, is_synced, is_begun);
        // What was committed into a file that nobody finds any more is not stored.
        let outcome = committed.and_then(|()| self.identity.check_written(&self.place, &self.connection));
        if outcome.as_ref().is_err_and(|error| error.code == Code::DatabaseMissing) {
            // What is in the log is not moved into a file that is another one; it is what can be recovered.
            let _ = open::keep_log(&self.connection, true);
        }
        let (after, now_ms) = (writing.after, writing.now_ms);
        let mut due = Vec::new();
        if outcome.is_ok() {
            lock(&self.owed).retain(|run, _| !owed.iter().any(|(paid, _)| paid == run));
            for change in after {
                match change {
                    After::Held(run, id) => {
                        lock(&self.owed).remove(&run);
                        self.held.insert(run, id);
                    }
                    After::Released(run) => drop(self.held.remove(&run)),
                    After::Stored(hash) => self.recent.insert(hash),
                    After::Snapshots(run, seq) => due.push((run, seq)),
                    After::Beat => self.beat_at_ms = now_ms,
                }
            }
            if !jobs.is_empty() {
                self.changes.send_modify(|count| *count = count.wrapping_add(1));
            }
        } else {
            self.pause_until_ms = now_ms.saturating_add(1_000);
        }
        for (job, failed) in &jobs {
            let Some(run) = job.lets_go_of() else { continue };
            let is_refused = failed.is_some() || outcome.is_err();
            let mut owed = lock(&self.owed);
            let refused = if is_refused { self.held.remove_entry(run) } else { None };
            match refused {
                Some((run, id)) => drop(owed.insert(run, Some(id))),
                None => owed.retain(|other, id| other != run || id.is_some()),
            }
        }
        for (job, failed) in jobs {
            job.answer(failed.or_else(|| outcome.as_ref().err().cloned()));
        }
        due
    }

    pub(crate) fn snapshot(&self, run: i64, seq: Seq) {
        let write = || -> Result<(), LogError> {
            let explain = |error: rusqlite::Error| self.place.explain(&error);
            execute(&self.connection, "BEGIN IMMEDIATE").map_err(explain)?;
            let source = Source { place: &self.place, connection: &self.connection, left_out: None };
            snapshots::build(&source, run, seq)?;
            execute(&self.connection, "COMMIT").map_err(explain)
        };
        if let Err(error) = write() {
            tracing::warn!(%error, "a snapshot could not be made; reading takes longer, nothing is lost");
            roll_back(&self.connection);
        }
    }

    /// Nobody waits long at the end: who dies without letting go is found out, and what is not moved from the
    /// write-ahead log now is moved later.
    pub(crate) fn end(mut self) {
        self.wait_for_locks(LEAVING);
        self.leave();
    }

    /// Lets go of every run and of the row of this process.
    fn leave(&mut self) {
        if self.beat_at_ms == 0 {
            return;
        }
        let write = || -> rusqlite::Result<()> {
            execute(&self.connection, "BEGIN IMMEDIATE")?;
            for id in self.held.values() {
                runs::let_go(&self.connection, *id, self.process.id)?;
            }
            processes::leave(&self.connection, self.process.id, now_ms())?;
            execute(&self.connection, "COMMIT")
        };
        if let Err(error) = write() {
            tracing::warn!(%error, "runs could not be let go of; others may take them after half a minute");
            roll_back(&self.connection);
        }
    }
}

/// Milliseconds since 1970 UTC.
pub(crate) fn now_ms() -> i64 {
    engine::now_ms()
}
