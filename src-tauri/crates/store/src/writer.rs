//! The writer: its connection, one transaction over all jobs of a batch, and the effects of the commit. Callers are
//! answered after the commit, so that acknowledged data are stored.
//!
//! Heartbeats are written here too, and only while this process holds a run.
//!
//! Not here: the jobs (`job`), and the thread that runs this (`queue`).

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use engine::{LogError, now_ms};
use kernel::{Code, Seq};
use rusqlite::Connection;
use tokio::sync::watch;

use crate::caches::Caches;
use crate::connection::{LOCK_TIMEOUT, keep_log};
use crate::error::Place;
use crate::identity::Identity;
use crate::job::{After, EVENTS_LOCK_TIMEOUT, HEARTBEAT_MS, Job, PendingReleases, Writing};
use crate::mutex::lock;
use crate::table::events::Source;
use crate::table::processes::{self, Process};
use crate::table::{runs, snapshots};
use crate::transaction::{execute, roll_back, transact};

/// The longest wait for another process's lock at the end of the process.
const END_LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// The delay before a failed release of a run is retried.
const RELEASE_RETRY_MS: i64 = 500;

/// The writing connection, and its state.
pub(crate) struct Writer {
    pub(crate) connection: Connection,
    pub(crate) place: Place,
    pub(crate) process: Process,
    pub(crate) recent: Arc<Caches>,
    pub(crate) changes: Arc<watch::Sender<u64>>,
    pub(crate) held: HashMap<String, i64>,
    pub(crate) owed: Arc<PendingReleases>,
    pub(crate) beat_at_ms: i64,
    /// After a failure: the earliest time of the next heartbeat.
    pub(crate) pause_until_ms: i64,
    pub(crate) identity: Identity,
}

impl Writer {
    /// The time until the next heartbeat; `None` while no run is held.
    pub(crate) fn until_beat(&self) -> Option<Duration> {
        let due = self.beat_at_ms.saturating_add(HEARTBEAT_MS).max(self.pause_until_ms);
        let left = due.saturating_sub(now_ms()).clamp(0, HEARTBEAT_MS);
        // Processes that wait for a released run get it soon.
        let left = if lock(&self.owed).is_empty() { left } else { left.min(RELEASE_RETRY_MS) };
        self.holds_runs().then(|| Duration::from_millis(left.unsigned_abs()))
    }

    /// Whether this process holds runs, or has releases to write.
    pub(crate) fn holds_runs(&self) -> bool {
        !self.held.is_empty() || !lock(&self.owed).is_empty()
    }

    /// Checkpoints the write-ahead log, as far as no reader uses it.
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
        self.wait_for_locks(LOCK_TIMEOUT);
        is_begun
    }

    fn wait_for_locks(&self, patience: Duration) {
        if let Err(error) = self.connection.busy_timeout(patience) {
            tracing::debug!(%error, "locks of other processes are waited for as long as before");
        }
    }

    /// Writes a batch and answers it; returns the snapshots that are due.
    pub(crate) fn write(&mut self, batch: Vec<(Box<dyn Job>, bool)>, is_begun: bool) -> Vec<(i64, Seq)> {
        let is_synced = batch.iter().any(|(_, is_synced)| *is_synced);
        let mut jobs: Vec<(Box<dyn Job>, Option<LogError>)> =
            batch.into_iter().map(|(job, _)| (job, None)).collect();
        // An empty batch, which is a heartbeat, waits as long as events do.
        self.wait_for_locks(jobs.iter().map(|(job, _)| job.patience()).max().unwrap_or(EVENTS_LOCK_TIMEOUT));
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
        // A commit into a file that was replaced or removed is not stored.
        let outcome = committed.and_then(|()| self.identity.check_written(&self.place, &self.connection));
        if outcome.as_ref().is_err_and(|error| error.code == Code::DatabaseMissing) {
            // The log must not be checkpointed into another file; it is needed for a recovery.
            let _ = keep_log(&self.connection, true);
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
            let Some(run) = job.released_run() else { continue };
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

    /// The end of the process does not wait long: other processes detect a missing release, and the write-ahead log is
    /// checkpointed later.
    pub(crate) fn end(mut self) {
        self.wait_for_locks(END_LOCK_TIMEOUT);
        self.leave();
    }

    /// Releases all runs, and removes the row of this process.
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
